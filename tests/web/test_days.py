"""From a message to its day: wherever a message is shown outside its conversation, its date leads to the diary."""

import datetime
import re

import pytest
from playwright.sync_api import Page, expect

from tests.explained import HARP
from tests.web.browser import create_vault, write
from tests.web.test_talking import box, mine, replies
from tests.web.test_why import talk

pytestmark = pytest.mark.web


def today() -> str:
    """The day that messages written now stand on."""
    return datetime.datetime.now().astimezone().date().isoformat()


def in_the_diary(page: Page, text: str) -> None:
    """Expect that the diary shows today, with an entry that holds this."""
    expect(page.locator("#diary .entry .lines", has_text=text)).to_be_visible()
    assert page.url.endswith(f"#/diary/{today()}")


@pytest.mark.req("S8", "S3")
def test_the_line_over_a_day_and_a_hit_lead_to_the_diary(page: Page, address: str) -> None:
    """By mouse and by keyboard; arrows and Enter in the search go on from hit to hit, to the messages."""
    create_vault(page, address)
    page.get_by_label("Just write").check()
    write(page, "Bought tulip bulbs for the balcony")
    expect(mine(page)).to_have_count(1)
    page.locator("#messages .day").get_by_role("link").click()
    in_the_diary(page, "tulip bulbs")
    page.keyboard.press("Shift+Escape")
    page.keyboard.press("Control+k")
    page.get_by_label("Search messages and facts").fill("tulip")
    found = page.locator("#found")
    expect(found.locator(".hit")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(found.locator(".hit")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(found.get_by_role("link", name=re.compile(r"\d{4}"))).to_be_focused()
    page.keyboard.press("Enter")
    in_the_diary(page, "tulip bulbs")
    expect(page.locator("#search-dialog")).to_be_hidden()


@pytest.mark.req("S8", "S2")
def test_the_line_over_a_private_day_leads_nowhere(page: Page, address: str) -> None:
    """What is private stands in no diary."""
    create_vault(page, address)
    page.keyboard.press("Control+i")
    write(page, "About the pool")
    replies(page, 1)
    expect(page.locator("#messages .day")).to_have_count(1)
    expect(page.locator("#messages .day a")).to_have_count(0)
    expect(box(page)).to_be_focused()


@pytest.mark.req("S8", "B8", "F4")
def test_what_the_model_saw_and_the_memory_screen_lead_to_the_diary(page: Page, address: str) -> None:
    """The day of each message there; who wrote it leads to the message as before."""
    reply = talk(page, address)
    reply.get_by_role("button", name="What did the model see?").click()
    sent = page.get_by_role("dialog", name="What did the model see?").locator(".candidate", has_text=HARP)
    expect(sent.get_by_role("link", name="You wrote")).to_have_attribute("href", "#/c/1/m/1")
    sent.get_by_role("link", name=today()).click()
    in_the_diary(page, HARP)
    page.goto(f"{address}#/memory")
    excerpt = page.locator(".memory-row", has=page.locator("a.excerpt", has_text=HARP))
    excerpt.get_by_role("link", name=today()).click()
    in_the_diary(page, HARP)


@pytest.mark.req("S8")
def test_only_what_is_shown_is_current_in_the_list(page: Page, address: str) -> None:
    """In the diary no conversation is, nor the private one; back in it, it is again."""
    create_vault(page, address)
    page.keyboard.press("Control+i")
    write(page, "About the pool")
    replies(page, 1)
    private = page.locator("#private-place a")
    expect(private).to_have_attribute("aria-current", "page")
    page.get_by_role("button", name="New conversation").click()
    write(page, "About the sea")
    replies(page, 1)
    current = page.locator("nav a[aria-current]")
    expect(current).to_have_text("About the sea")
    for name in ("Diary", "Memory"):
        page.locator("#places").get_by_role("link", name=name).click()
        expect(current).to_have_text(name)
    page.locator("#conversations a").click()
    expect(current).to_have_text("About the sea")
    private.click()
    expect(current).to_have_text("Private conversation")
    page.keyboard.press("Control+.")
    expect(current).to_have_count(0)
    private.click()
    expect(current).to_have_text("Private conversation")
