"""A Space's page: its tabs by mouse and keyboard, its settings, deleting it."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import create_vault, write

pytestmark = pytest.mark.web


def new_space(page: Page, name: str) -> None:
    """Make a Space in the page."""
    page.get_by_role("button", name="New Space").click()
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#space option:checked")).to_have_text(name)


@pytest.mark.req("S1")
def test_a_space_has_three_tabs_that_the_arrow_keys_go_through(page: Page, address: str) -> None:
    """Its conversations, its memory, its settings; the address names the tab, and a reload comes back to it."""
    create_vault(page, address)
    new_space(page, "Garden")
    write(page, "I sowed the beans")
    expect(page.locator("#messages .model:not([aria-busy]) time")).to_have_count(1)
    page.get_by_role("button", name="Space settings").click()
    expect(page.get_by_role("heading", name="Garden")).to_be_focused()
    settings = page.get_by_role("tab", name="Settings")
    expect(settings).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Tab")
    expect(settings).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Conversations")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Conversations").get_by_role("link")).to_contain_text("I sowed the beans")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tabpanel", name="Memory").get_by_label("New fact")).to_be_visible()
    assert page.url.endswith("/memory")
    page.reload()
    expect(page.get_by_role("tabpanel", name="Memory").get_by_label("New fact")).to_be_visible()
    page.get_by_role("tab", name="Conversations").click()
    page.get_by_role("link", name="I sowed the beans").last.click()
    expect(page.locator("#messages")).to_contain_text("I sowed the beans")


@pytest.mark.req("S1", "W2", "W6")
def test_a_spaces_settings_are_changed_on_its_page(page: Page, address: str) -> None:
    """Name, instructions, switch and reach are saved together; a name that is taken is said, and nothing typed is lost."""
    create_vault(page, address)
    new_space(page, "Boat")
    new_space(page, "Garden")
    page.get_by_role("button", name="Space settings").click()
    panel = page.get_by_role("tabpanel", name="Settings")
    panel.get_by_label("Instructions for the model").fill("Metric units.")
    panel.get_by_label("Memory: learn facts").uncheck()
    panel.get_by_label("Memories its conversations may use").select_option("space")
    panel.get_by_label("Name").fill("Boat")
    panel.get_by_role("button", name="Save").click()
    expect(panel.get_by_role("alert")).to_contain_text("There is a Space called Boat already.")
    panel.get_by_label("Name").fill("Orchard")
    panel.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Orchard")).to_be_visible()
    expect(page.locator("#space option:checked")).to_have_text("Orchard")
    page.reload()
    expect(panel.get_by_label("Instructions for the model")).to_have_value("Metric units.")
    expect(panel.get_by_label("Memory: learn facts")).not_to_be_checked()
    expect(panel.get_by_label("Memories its conversations may use")).to_have_value("space")


@pytest.mark.req("S1")
@pytest.mark.parametrize(("choice", "left"), [("Move them out", 1), ("Delete them too", 0)])
def test_deleting_a_space_asks_what_becomes_of_its_conversations(page: Page, address: str, choice: str, left: int) -> None:
    """They move out or go too; cancelled, nothing happens."""
    create_vault(page, address)
    new_space(page, "Garden")
    write(page, "I sowed the beans")
    expect(page.locator("#messages .model:not([aria-busy]) time")).to_have_count(1)
    page.get_by_role("button", name="Space settings").click()
    page.get_by_role("button", name="Delete this Space…").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Delete this Space…").click()
    page.get_by_role("button", name=choice).click()
    expect(page.get_by_role("heading", name="New conversation")).to_be_visible()
    expect(page.locator("#space option")).to_have_count(1)
    expect(page.locator("#conversations a")).to_have_count(left)
