"""The settings in a real browser: one page, each change saved at once, by mouse and keyboard; the vault's keys among them."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.fake_server import FakeServer
from tests.vaults import PASSPHRASE
from tests.web.browser import context_of, create_vault, unlock, watched

pytestmark = pytest.mark.web


def settings(page: Page, address: str) -> None:
    """Make a vault and open its settings."""
    create_vault(page, address)
    page.keyboard.press("Control+.")
    expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_focused()


def kept(page: Page, name: str) -> object:
    """Return a setting as the server has it."""
    return page.evaluate("(name) => fetch('/api/settings').then((answer) => answer.json()).then((all) => all[name])", name)


@pytest.mark.req("W1")
@pytest.mark.parametrize("last", [False, True])
def test_a_tab_that_begins_misses_nothing(page: Page, context: BrowserContext, address: str, last: bool) -> None:
    """What changes while it reads the settings, or before it hears of changes: another tab listens, or none does any more."""
    settings(page, address)
    request = context.request
    other = context.new_page()
    wrong = watched(other)

    def late(route: Route) -> None:
        answer = route.fetch()
        if last:
            page.close()  # nobody listens any more
        changed = request.patch(f"{address}api/settings", data={"whole_diary": True}, headers={"Origin": address.rstrip("/")})
        assert changed.ok, changed.text()
        if not last:
            expect(page.get_by_label("Let the AI use your whole diary")).to_be_checked()
        route.fulfill(response=answer)

    other.route("**/api/start", late, times=1)
    other.goto(f"{address}#/settings")
    expect(other.get_by_label("Let the AI use your whole diary")).to_be_checked(timeout=20_000)
    assert not wrong


@pytest.mark.req("W1", "W3", "W6")
def test_each_change_is_saved_at_once(page: Page, context: BrowserContext, address: str) -> None:
    """It says so quietly, another tab follows, and nothing has to be confirmed."""
    settings(page, address)
    other = context.new_page()
    wrong = watched(other)
    other.goto(page.url)
    page.get_by_label("Let the AI use your whole diary").check()
    expect(page.locator("#settings-chat .saved").nth(1)).to_have_text("Saved")
    expect(other.get_by_label("Let the AI use your whole diary")).to_be_checked()
    page.get_by_label("Instructions for the model, in every conversation").fill("Be brief.")
    page.keyboard.press("Control+Shift+O")  # what was typed is saved, however one leaves
    expect(page.get_by_label("Message", exact=True)).to_be_visible()
    expect(other.get_by_label("Instructions for the model, in every conversation")).to_have_value("Be brief.")
    assert (kept(page, "whole_diary"), kept(page, "instructions")) == (True, "Be brief.")
    assert not wrong


def test_what_does_not_fit_is_said_beside_its_field(page: Page, address: str) -> None:
    """The setting stays as it was, what was typed stays to be mended, and a right value takes the error away."""
    settings(page, address)
    zone = page.get_by_label("Time zone")
    zone.fill("Atlantis/Poseidonis")
    zone.press("Enter")
    expect(page.locator("#wrong-time_zone")).to_contain_text("is a time zone's name, like Europe/Rome")
    expect(zone).to_have_attribute("aria-invalid", "true")
    expect(zone).to_have_value("Atlantis/Poseidonis")
    assert kept(page, "time_zone") == ""
    zone.fill("Europe/Rome")
    zone.press("Enter")
    expect(page.locator("#wrong-time_zone")).to_be_hidden()
    minutes = page.get_by_label("Lock after idle minutes")
    minutes.fill("5000")
    minutes.press("Enter")
    expect(page.locator("#wrong-auto_lock_minutes")).to_contain_text("1440")
    assert (kept(page, "time_zone"), kept(page, "auto_lock_minutes")) == ("Europe/Rome", 15)


def test_a_section_has_an_address_and_the_list_leads_there(page: Page, address: str) -> None:
    """By keyboard too; the focus goes to its heading, and after lock and unlock one is there again."""
    settings(page, address)
    page.get_by_role("link", name="Keyboard").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Keyboard")).to_be_focused()
    expect(page.get_by_role("link", name="Keyboard")).to_have_attribute("aria-current", "true")
    expect(page.locator("#settings-keyboard")).to_contain_text("Ctrl+.")
    page.keyboard.press("Control+Shift+L")
    expect(page.locator("#unlock")).to_be_visible()
    assert "Global memories" not in page.content()
    unlock(page)
    expect(page.get_by_role("heading", name="Keyboard")).to_be_in_viewport()


def test_colours_change_at_once(page: Page, address: str) -> None:
    """Dark on a light system, and the other way round."""
    settings(page, address)
    page.get_by_label("Colours").select_option("dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("body")).to_have_css("background-color", "rgb(23, 24, 27)")


@pytest.mark.req("F1", "W3")
def test_global_memories_are_managed_from_the_features(page: Page, address: str) -> None:
    """The button counts them and opens their editor."""
    settings(page, address)
    page.get_by_label("Global memories", exact=True).check()
    page.get_by_role("button", name="Manage global memories (0)").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("New fact").fill("Likes green tea")
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("Likes green tea")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Manage global memories (1)")).to_be_visible()


@pytest.mark.req("I8")
def test_privacy_is_worked_out_from_the_settings(page: Page, address: str) -> None:
    """All on this computer at first; with a server elsewhere each line says what goes there, and what does not."""
    settings(page, address)
    privacy = page.locator("#settings-privacy")
    expect(privacy.locator(".outside")).to_have_count(0)
    page.locator("#server-kind").select_option("address")
    server = page.get_by_label("Address of the server")
    server.fill("https://api.example.com/v1")
    expect(page.locator("#cloud-note")).to_contain_text("global facts go with every conversation")
    server.press("Enter")
    expect(privacy.locator(".outside")).to_have_text(["Goes to api.example.com"] * 3)
    page.get_by_label("Global memories", exact=True).check()
    expect(privacy.locator(".outside")).to_have_count(4)
    page.get_by_label("Let the AI remember facts about me").uncheck()
    expect(privacy.locator(".outside")).to_have_count(3)
    page.locator("#server-kind").select_option("embedded")
    expect(privacy.locator(".outside")).to_have_count(0)


@pytest.mark.req("I7")
def test_a_found_server_is_tested_before_it_is_used(page: Page, address: str) -> None:
    """The test changes no setting; *Use it* does; one that is gone says so in a sentence."""
    with FakeServer(models=("one", "two"), port=1234):
        settings(page, address)
        box = page.locator("#found-servers .boxed")
        box.get_by_label("Model of LM Studio").select_option("two")
        box.get_by_role("button", name="Test").click()
        expect(box.locator("[role=status]")).to_have_text(re.compile("/two replied in "))
        assert kept(page, "server") == "embedded"
        box.get_by_role("button", name="Use it").click()
        expect(page.get_by_label("Address of the server")).to_have_value("http://127.0.0.1:1234/v1")
        assert (kept(page, "server"), kept(page, "model")) == ("http://127.0.0.1:1234/v1", "two")
    box.get_by_role("button", name="Test").click()
    expect(box.locator("[role=status]")).to_contain_text("127.0.0.1:1234")


@pytest.mark.req("V2")
def test_the_passphrase_is_changed(page: Page, address: str) -> None:
    """A wrong one changes nothing and is said; then the new one opens and the old one does not."""
    settings(page, address)
    page.get_by_text("Change the passphrase").first.click()
    form = page.locator("#settings-vault form").first

    def fill(old: str, first: str, second: str) -> None:
        form.get_by_label("Passphrase now").fill(old)
        form.get_by_label("New passphrase").fill(first)
        form.get_by_label("The new one once more").fill(second)
        form.get_by_role("button").click()

    fill("wrong", "river copper lantern melon", "river copper lantern melon")
    expect(form.get_by_role("alert")).to_contain_text("neither the passphrase nor the recovery key")
    fill(PASSPHRASE, "river copper lantern melon", "river")
    expect(form.get_by_role("alert")).to_contain_text("not the same")
    expect(form.locator(".strength")).to_contain_text("Good")
    fill(PASSPHRASE, "river copper lantern melon", "river copper lantern melon")
    expect(form).to_contain_text("The passphrase is changed.")
    expect(form.get_by_label("New passphrase")).to_have_value("")
    page.get_by_role("button", name="Lock now").click()
    page.locator("#unlock-passphrase").fill(PASSPHRASE)
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator("#door-error")).to_contain_text("Nothing was changed.")
    page.locator("#unlock-passphrase").fill("river copper lantern melon")
    page.get_by_role("button", name="Unlock").click()
    expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_visible()


@pytest.mark.req("V2")
def test_a_new_recovery_key_is_shown_once(page: Page, address: str) -> None:
    """It opens the vault, the old one does not, and leaving the settings takes it from the page."""
    old = create_vault(page, address)
    page.keyboard.press("Control+.")
    page.get_by_text("Make a new recovery key").first.click()
    form = page.locator("#settings-vault form").last
    form.get_by_label("Your passphrase").fill(PASSPHRASE)
    form.get_by_role("button", name="Make a new recovery key").click()
    expect(page.locator("#recovery-key")).to_be_visible()
    new = page.locator("#recovery-key").inner_text()
    page.keyboard.press("Shift+Escape")
    assert new not in page.content()
    page.keyboard.press("Control+Shift+L")
    page.locator("#unlock-passphrase").fill(old)
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator("#door-error")).not_to_be_empty()
    page.locator("#unlock-passphrase").fill(new)
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator("#app")).to_be_visible()


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)], ids=["wide-light", "narrow-dark"])
def test_the_settings_are_accessible(browser: Browser, address: str, width: int, dark: bool) -> None:
    """No finding of axe with everything unfolded, and nothing is wider than the page."""
    context = context_of(browser, width, dark)
    page = context.new_page()
    wrong = watched(page)
    settings(page, address)
    page.locator("#server-kind").select_option("address")
    page.get_by_label("Address of the server").fill("https://api.example.com/v1")
    page.keyboard.press("Tab")
    for summary in page.locator("#settings summary").all():
        summary.click()
    expect(page.locator("#settings-privacy .outside").first).to_be_visible()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    for name in ("Remove my data", "Factory reset", "Restore a backup", "Export as JSON"):
        page.get_by_role("button", name=name).click()
        expect(page.locator("dialog[open]")).to_be_visible()
        found = Axe().run(page)
        assert found.violations_count == 0, f"{name}: {found.generate_report()}"
        page.keyboard.press("Escape")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
    assert not wrong, wrong
