"""The diary in a real browser: the calendar by mouse and by keyboard, a day, other years, changes while it is open."""

import json
import pathlib
import re
from collections.abc import Generator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from ricordo import Vault
from tests.vaults import CHEAP, PASSPHRASE
from tests.web.browser import context_of, server, unlock, watched, write

pytestmark = pytest.mark.web

ENCLOSE = (
    "() => fetch('/api/conversations/2/entries', {method: 'POST', headers: {'content-type': 'application/json'},"
    " body: JSON.stringify({text: 'To buy', attachments: [{name: 'list.txt', text: 'Bread'}]})})"
)
LONG = "A long walk along the river. " * 200
OLD = [
    ("2023-05-17", "Sowed the tomatoes."),
    ("2024-02-29", "A leap day."),
    ("2024-05-03T08:15:00", "Blue sky over the roofs."),
    ("2024-05-17T09:00:00", "Met Paul at the market."),
    ("2024-05-17T21:30:00", LONG),
    *((f"2024-06-01T{8 + number // 60:02}:{number % 60:02}:00", f"Note {number}") for number in range(60)),
]


@pytest.fixture
def diary(tmp_path: pathlib.Path) -> Generator[str]:
    """The address of a server over a vault with an old diary."""
    lines = tmp_path / "Old diary.jsonl"
    lines.write_text("".join(json.dumps({"date": when, "text": text}) + "\n" for when, text in OLD))
    with Vault.create(tmp_path / "diary.ricordo", PASSPHRASE, cost=CHEAP) as vault:
        vault.imports.bring(lines)
    with server(tmp_path) as at:
        yield at


def open_diary(page: Page, address: str, where: str = "") -> None:
    """Unlock the vault and go to the diary."""
    page.goto(f"{address}#/diary{where}")
    unlock(page)
    expect(page.locator("#diary-title")).not_to_be_empty()


@pytest.mark.req("S8")
def test_the_calendar_tells_the_days_written(page: Page, diary: str) -> None:
    """In numbers, not by colour alone, under the names of the days; weeks begin as they do where the reader lives."""
    open_diary(page, diary, "/2024-05")
    grid = page.get_by_role("grid", name="Days of May 2024")
    expect(grid.get_by_role("columnheader").first).to_have_accessible_name("Monday")
    expect(grid.get_by_role("rowheader").first).to_have_text("Week from 1 May")
    expect(grid.locator("a.written")).to_have_text(["31", "172"])
    expect(grid.get_by_role("link", name="Friday, 3 May 2024, 1 entry")).to_be_visible()
    expect(grid.get_by_role("link", name="Saturday, 4 May 2024, nothing written")).to_be_visible()
    expect(page.locator(".reading")).to_contain_text("3 entries on 2 days")
    american = page.context.browser.new_context(locale="en-US")  # type: ignore[union-attr]
    other = american.new_page()
    open_diary(other, diary, "/2024-05")
    expect(other.get_by_role("columnheader").first).to_have_accessible_name("Sunday")
    american.close()


@pytest.mark.req("S8")
def test_a_day_is_read_and_leads_on(page: Page, diary: str) -> None:
    """Its entries with their time, whole when asked for; the days before and after, other years, the conversation."""
    open_diary(page, diary, "/2024-05")
    page.get_by_role("link", name="Friday, 17 May 2024, 2 entries").click()
    entries = page.locator("#diary .entry")
    expect(entries).to_have_count(2)
    expect(page.locator("#diary-title")).to_have_text("Friday, 17 May 2024")
    expect(entries.first).to_contain_text("09:00")
    expect(entries.first).to_contain_text("Met Paul at the market.")
    assert len(entries.last.inner_text()) < len(LONG)
    entries.last.get_by_role("button", name="Show the rest").click()
    expect(entries.last.locator("p")).to_have_text(LONG)
    expect(page.get_by_role("region", name="On this day")).to_contain_text("Sowed the tomatoes.")
    expect(page.get_by_role("region", name="On this day")).to_contain_text("1 year earlier")
    page.get_by_role("link", name="Written before: Fri, 3 May 2024").click()
    expect(entries).to_have_count(1)
    page.get_by_role("link", name="Written before: Thu, 29 Feb 2024").click()
    expect(page.get_by_role("grid", name="Days of February 2024")).to_be_visible()
    page.goto(f"{diary}#/diary/2024-02-28")
    expect(page.locator(".reading")).to_contain_text("Nothing was written on this day.")
    expect(page.locator(".beside a").last).to_have_text("Thu, 29 Feb 2024 →")
    page.get_by_role("link", name="Written after: Thu, 29 Feb 2024").click()
    expect(entries).to_contain_text("A leap day.")
    expect(entries.locator("time")).to_have_count(0)  # it came with a date alone
    entries.get_by_role("link").click()
    expect(page.locator("#title")).to_have_text("Diary: Old")
    expect(page.locator("#diary")).to_be_hidden()


@pytest.mark.req("S8")
def test_the_calendar_goes_by_keyboard(page: Page, diary: str) -> None:
    """One stop for Tab, arrows from day to day and over the end of the month, Enter opens; the focus stays in the grid."""
    open_diary(page, diary, "/2024-05-17")
    focused = page.locator("#diary [role=grid] a:focus")
    page.get_by_role("button", name="Next month").focus()
    page.keyboard.press("Tab")
    expect(focused).to_have_accessible_name("Friday, 17 May 2024, 2 entries")
    for key, name in (
        ("ArrowUp", "Friday, 10 May"),
        ("Home", "Monday, 6 May"),
        ("End", "Sunday, 12 May"),
        ("ArrowRight", "Monday, 13 May"),
        ("ArrowDown", "Monday, 20 May"),
        ("ArrowDown", "Monday, 27 May"),
        ("ArrowDown", "Monday, 3 June"),
        ("ArrowLeft", "Sunday, 2 June"),
        ("ArrowLeft", "Saturday, 1 June"),
        ("PageUp", "Wednesday, 1 May"),
        ("ArrowLeft", "Tuesday, 30 April"),
        ("PageDown", "Thursday, 30 May"),
        ("Shift+PageUp", "Tuesday, 30 May 2023"),
        ("Shift+PageDown", "Thursday, 30 May 2024"),
        ("PageDown", "Sunday, 30 June"),
    ):
        page.keyboard.press(key)
        expect(focused).to_have_accessible_name(re.compile(name))
    page.keyboard.press("Enter")
    expect(page.locator("#diary-title")).to_have_text("Sunday, 30 June 2024")
    expect(focused).to_have_accessible_name(re.compile("Sunday, 30 June"))
    expect(page.locator("[role=grid] a[tabindex='0']")).to_have_count(1)


@pytest.mark.req("S8")
def test_one_gets_to_any_month_and_to_the_ends(page: Page, diary: str) -> None:
    """By choosing month and year, stepping, or going to the first and last entry; a year that is none is put back."""
    open_diary(page, diary)
    title = page.locator("#diary-title")
    expect(page.locator("#diary a[aria-current=date]")).to_have_attribute("aria-label", re.compile(", today, nothing written$"))
    expect(page.locator(".reading")).to_contain_text("Nothing is written yet today.")
    page.get_by_role("button", name="First entry").click()
    expect(title).to_have_text("Wednesday, 17 May 2023")
    page.get_by_role("button", name="Last entry").click()
    expect(title).to_have_text("Saturday, 1 June 2024")
    page.get_by_role("combobox", name="Month").select_option("December")
    expect(title).to_have_text("December 2024")
    page.get_by_role("button", name="Next month").click()
    expect(title).to_have_text("January 2025")
    page.get_by_role("spinbutton", name="Year").fill("1666")
    page.keyboard.press("Enter")
    expect(title).to_have_text("January 1666")
    expect(page.locator(".reading")).to_contain_text("Nothing was written in this month.")
    page.get_by_role("spinbutton", name="Year").fill("0")
    page.keyboard.press("Enter")
    expect(page.get_by_role("spinbutton", name="Year")).to_have_value("1666")
    page.go_back()
    expect(title).to_have_text("January 2025")
    page.get_by_role("button", name="Today").click()
    expect(page.locator("#diary td[aria-selected=true] a[aria-current=date]")).to_be_visible()


@pytest.mark.req("S8")
def test_a_full_day_comes_in_slices(page: Page, diary: str) -> None:
    """The rest when asked for; the focus goes on to the first that is new."""
    open_diary(page, diary, "/2024-06-01")
    expect(page.locator("#diary .entry")).to_have_count(50)
    expect(page.locator(".reading")).to_contain_text("60 entries, 50 of them shown")
    page.get_by_role("button", name="Show 10 more entries").click()
    expect(page.locator("#diary .entry")).to_have_count(60)
    expect(page.locator("#diary .entry").nth(50).get_by_role("link")).to_be_focused()
    expect(page.locator(".reading > button")).to_be_hidden()


@pytest.mark.req("S8", "S3")
def test_what_is_written_meanwhile_appears(page: Page, diary: str) -> None:
    """In another tab: the entry, its reply when asked for; an open reply stays open; New conversation leaves the diary."""
    open_diary(page, diary)
    other = page.context.new_page()
    other.goto(diary)
    write(other, "Today I went to the pool.")
    expect(other.locator("#messages .model:not([aria-busy]) time")).to_have_count(1)
    entry = page.locator("#diary .entry").first
    expect(entry).to_contain_text("Today I went to the pool.")
    entry.get_by_role("button", name="Show the reply").click()
    expect(entry.locator(".body strong")).to_have_text("full day")
    other.evaluate(ENCLOSE)
    expect(page.locator("#diary .entry").last).to_contain_text("With list.txt")
    write(other, "And home by bus.")
    expect(page.locator("#diary .entry")).to_have_count(3)
    expect(entry.locator(".body strong")).to_have_text("full day")
    entry.get_by_role("button", name="Hide the reply").click()
    expect(entry.locator(".body")).to_have_count(0)
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator("#diary")).to_be_hidden()
    expect(page.get_by_label("Message", exact=True)).to_be_focused()
    assert "pool" not in page.locator("#diary").inner_html()


@pytest.mark.req("S8", "V3")
def test_locking_blanks_the_diary_and_unlocking_comes_back_to_it(page: Page, diary: str) -> None:
    """To the day that was open."""
    open_diary(page, diary, "/2024-05-03")
    expect(page.locator("#diary")).to_contain_text("Blue sky")
    page.keyboard.press("Control+Shift+L")
    expect(page.locator("#unlock")).to_be_visible()
    assert "Blue sky" not in page.content()
    unlock(page)
    expect(page.locator("#diary .entry")).to_contain_text("Blue sky")


@pytest.mark.req("S8")
def test_on_a_narrow_screen_a_chosen_day_comes_into_view(browser: Browser, diary: str) -> None:
    """With the focus, so that one reads on from there: by mouse, by key, the same day once more, and from a link elsewhere."""
    context = context_of(browser, 360)
    page = context.new_page()
    wrong = watched(page)
    page.set_viewport_size({"width": 360, "height": 480})
    open_diary(page, diary, "/2024-05")
    title, grid = page.locator("#diary-title"), page.get_by_role("grid")
    for choose in (
        lambda: grid.locator("[data-day='2024-05-17']").click(),
        lambda: grid.locator("[data-day='2024-05-03']").press("Enter"),
        lambda: grid.locator("[data-day='2024-05-03']").click(),
        lambda: page.get_by_role("button", name="Last entry").click(),
    ):
        page.locator("#diary").evaluate("screen => { screen.scrollTop = 0 }")
        expect(page.locator("#diary .entry").first).not_to_be_in_viewport()
        choose()
        expect(title).to_be_focused()
        expect(title).to_be_in_viewport(ratio=1)
        expect(page.locator("#diary .entry").first).to_be_in_viewport()
        below = page.locator("#diary > .bar").bounding_box(), title.bounding_box()
        assert below[0] and below[1] and below[0]["y"] + below[0]["height"] <= below[1]["y"]
    page.get_by_role("link", name="Written before: Fri, 17 May 2024").press("Enter")
    expect(title).to_have_text("Friday, 17 May 2024")
    expect(page.get_by_role("link", name="Written before: Fri, 3 May 2024")).to_be_focused()
    page.goto(f"{diary}#/c/1")
    page.locator("#messages .day a").first.click()
    expect(title).to_have_text("Wednesday, 17 May 2023")
    expect(title).to_be_focused()
    expect(page.locator("#diary .entry").first).to_be_in_viewport()
    context.close()
    assert not wrong, wrong


@pytest.mark.req("S8")
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (360, False), (360, True)])
def test_the_diary_is_accessible_and_fits(browser: Browser, diary: str, width: int, dark: bool) -> None:
    """Opened from the list by keyboard: the heading has the focus, axe finds nothing, nothing stands out at the side."""
    context = context_of(browser, width, dark)
    page = context.new_page()
    wrong = watched(page)
    page.goto(diary)
    unlock(page)
    if width < 500:
        page.get_by_role("button", name="Show conversations").click()
    page.get_by_role("link", name="Diary").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#diary h2")).to_be_focused()
    for where, ready in (
        ("", "#diary-title"),
        ("/2024-05", "ol .between"),
        ("/2024-05-17", ".others a"),
        ("/2024-06-01", ".entry"),
    ):
        page.goto(f"{diary}#/diary{where}")
        expect(page.locator(f"#diary {ready}").first).to_be_visible()
        found = Axe().run(page)
        assert found.violations_count == 0, f"{where}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width < 500:
        page.locator("#diary").get_by_role("button", name="Show conversations").click()
        expect(page.locator("#rail-close")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#diary").get_by_role("button", name="Show conversations")).to_be_focused()
    context.close()
    assert not wrong, wrong
