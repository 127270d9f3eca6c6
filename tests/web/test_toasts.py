"""What the model changed, told on the page with Undo: for seven seconds, by mouse, by key, in every tab."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.web.browser import create_vault, watched, write

pytestmark = pytest.mark.web


def toasts(page: Page) -> Locator:
    """The toasts in view, the newest last."""
    return page.locator("#toasts .toast")


def learned(page: Page, text: str, count: int) -> None:
    """Write something that is learned from, and wait for its toasts."""
    write(page, text)
    expect(toasts(page)).to_have_count(count, timeout=20_000)  # the model is asked several times, on a busy machine


def runs(page: Page, count: int) -> None:
    """Wait until the model has read turns so often, well or not: a message that comes earlier would cancel it."""
    asked = "async count => { while ((await (await fetch('/api/runs')).json()).length < count); }"
    page.evaluate(asked, count)


@pytest.mark.req("U1")
def test_a_toast_offers_undo_for_seven_seconds(page: Page, address: str) -> None:
    """It names the fact, is read out, rests under the mouse, and goes by itself; the fact stays."""
    page.clock.install()
    create_vault(page, address)
    learned(page, "I play the cello.", 1)
    expect(toasts(page)).to_contain_text("Saved to memory")
    expect(toasts(page)).to_contain_text("The user plays the cello.")
    expect(page.locator("#announcer")).to_contain_text("Saved to memory: The user plays the cello.")
    assert Axe().run(page).violations_count == 0
    toasts(page).hover()
    page.clock.fast_forward(20_000)
    expect(toasts(page)).to_have_count(1)
    page.mouse.move(5, 5)
    page.clock.fast_forward(1_000)
    expect(toasts(page)).to_have_count(1)
    page.clock.fast_forward(7_000)
    expect(toasts(page)).to_have_count(0)
    page.keyboard.press("Control+j")
    expect(page.locator("#facts .fact")).to_have_count(1)


@pytest.mark.req("U1")
def test_undo_takes_each_kind_of_change_back(page: Page, address: str) -> None:
    """Saved first, then updated with both wordings, and removed last; each goes back, by button and by Ctrl+Z."""
    create_vault(page, address)
    page.keyboard.press("Control+j")
    learned(page, "I live in Ghent. I keep bees.", 2)
    for toast in (1, 0):
        toasts(page).nth(toast).get_by_role("button", name="Dismiss").click()
    expect(page.get_by_label("Message", exact=True)).to_be_focused()
    learned(page, "I moved: I live in Porto now. I no longer keep bees. I play chess.", 3)
    expect(toasts(page).locator("strong")).to_have_text(["Saved to memory", "Updated memory", "Removed memory"])
    expect(toasts(page).nth(1).locator("del")).to_have_text("The user lives in Ghent.")
    facts = page.locator("#facts .fact-text")
    expect(facts).to_have_text(["The user plays chess.", "The user lives in Porto."])
    toasts(page).nth(2).get_by_role("button", name="Undo").click()
    expect(facts.filter(has_text="keeps bees")).to_be_visible()
    expect(toasts(page).nth(1).get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(facts.filter(has_text="Ghent")).to_be_visible()
    expect(toasts(page)).to_have_count(1)
    page.locator("#title").focus()
    page.keyboard.press("Control+z")
    expect(toasts(page)).to_have_count(0)
    expect(facts.filter(has_text="chess")).to_have_count(0)
    expect(page.locator("#announcer")).to_have_text("Undone. Saved to memory: The user plays chess.")


@pytest.mark.req("U2", "U1")
def test_undo_says_so_when_the_fact_was_changed_since(page: Page, context: BrowserContext, address: str) -> None:
    """The sentence stays until it is closed, and the person's words are left alone; another tab's toast goes with an undo."""
    create_vault(page, address)
    other = context.new_page()
    wrong = watched(other)
    other.goto(page.url)
    learned(page, "I play the cello.", 1)
    expect(toasts(other)).to_have_count(1)
    page.keyboard.press("Control+j")
    page.get_by_role("button", name="Edit: The user plays the cello.").click()
    page.get_by_label("Edit fact").fill("I play the viola")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Edit: I play the viola")).to_be_visible()
    toasts(page).get_by_role("button", name="Undo").click()
    expect(toasts(page)).to_contain_text("That memory was changed since")
    expect(toasts(page).get_by_role("button")).to_have_count(1)
    toasts(page).get_by_role("button", name="Dismiss").click()
    expect(page.locator("#facts .fact-text")).to_have_text("I play the viola")
    write(page, "I live in Ghent.")
    expect(toasts(other).filter(has_text=re.compile("Ghent"))).to_be_visible()
    toasts(page).filter(has_text="Ghent").get_by_role("button", name="Undo").click()
    expect(toasts(other).filter(has_text=re.compile("Ghent"))).to_have_count(0)
    assert not wrong


@pytest.mark.req("U2", "F1")
def test_each_change_can_be_undone_later_from_the_list(page: Page, address: str) -> None:
    """In the memory panel, after its toast has gone; what was undone says so."""
    create_vault(page, address)
    learned(page, "I play the cello.", 1)
    toasts(page).get_by_role("button", name="Dismiss").click()
    page.keyboard.press("Control+j")
    page.get_by_text("Recent changes").click()
    change = page.locator("#changes li")
    expect(change).to_contain_text("Saved to memory")
    change.get_by_role("button", name="Undo: The user plays the cello.").click()
    expect(change).to_contain_text("undone")
    expect(page.locator("#facts .fact")).to_have_count(0)
    expect(page.locator("#recent summary")).to_be_focused()
    assert Axe().run(page).violations_count == 0


@pytest.mark.req("E16")
def test_turns_that_could_not_be_read_are_shown_with_try_again(page: Page, address: str) -> None:
    """After three tries, with the reason."""
    create_vault(page, address)
    page.keyboard.press("Control+j")
    unread = page.locator("#unread")
    for number in range(1, 4):
        write(page, f"I like a riddle, number {number}.")
        expect(page.locator("#messages .model:not([aria-busy]) time")).to_have_count(number)
        runs(page, number)
    expect(unread).to_contain_text("could not be read for memories.")
    assert Axe().run(page).violations_count == 0
    unread.get_by_role("button", name="Try again").click()
    expect(unread).to_be_hidden()
