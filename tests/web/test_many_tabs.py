"""Ten tabs at once, as many as a person forgets to close: each follows what is done in any other, and all blank with the lock."""

from collections.abc import Generator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.web.browser import create_vault, unlock, watched, write
from tests.web.test_talking import replies
from tests.web.test_toasts import learned, toasts

pytestmark = pytest.mark.web
MANY = 10


@pytest.fixture
def tabs(page: Page, context: BrowserContext, address: str) -> Generator[list[Page]]:
    """Ten tabs that show one conversation and its memory; what goes wrong in any fails the test."""
    create_vault(page, address)
    write(page, "About the pool")
    replies(page, 1)
    others = [context.new_page() for _ in range(MANY - 1)]
    wrong = [watched(other) for other in others]
    for other in others:
        other.goto(page.url)
        replies(other, 1)
    for tab in (page, *others):
        tab.keyboard.press("Control+j")
        expect(tab.locator("#memory-editor .none")).to_be_visible()
    yield [page, *others]
    assert wrong == [[]] * len(others)


@pytest.mark.req("S3", "U1", "F1", "V3")
def test_ten_tabs_follow_each_other(tabs: list[Page]) -> None:
    """A message, a fact learned and undone, one added by hand, another title, a message deleted; lock and unlock."""
    first, second, third, *_, last = tabs
    learned(second, "I play the cello.", 1)
    for tab in tabs:
        expect(tab.locator("#messages .user")).to_have_count(2)
        expect(tab.locator("#messages .model")).to_have_count(2)
        expect(toasts(tab)).to_contain_text("The user plays the cello.")
        expect(tab.locator("#facts .fact-text")).to_have_text("The user plays the cello.")
    toasts(third).get_by_role("button", name="Undo").click()
    for tab in tabs:
        expect(toasts(tab)).to_have_count(0)
        expect(tab.locator("#facts .fact")).to_have_count(0)
    last.get_by_label("New fact").fill("Has a cat")
    last.keyboard.press("Enter")
    for tab in tabs:
        expect(tab.locator("#facts .fact-text")).to_have_text("Has a cat")
    last.locator("#title").dblclick()
    last.keyboard.type("Swimming")
    last.keyboard.press("Enter")
    for tab in tabs:
        expect(tab.locator("#title")).to_have_text("Swimming")
        expect(tab.locator("#conversations a")).to_have_text("Swimming")
    first.locator("#messages .user").last.get_by_role("button", name="Delete").click()
    first.get_by_role("dialog").get_by_role("button", name="Delete").click()
    for tab in tabs:
        expect(tab.locator("#messages .user")).to_have_count(1)
    third.keyboard.press("Control+Shift+L")
    for tab in tabs:
        expect(tab.locator("#unlock")).to_be_visible()
        assert "pool" not in tab.content() and "Has a cat" not in tab.content()
    unlock(second)
    for tab in tabs:
        expect(tab.locator("#messages .user")).to_have_count(1)
        expect(tab.locator("#title")).to_have_text("Swimming")


@pytest.mark.req("S3", "S4")
def test_ten_tabs_leave_a_conversation_that_is_deleted(tabs: list[Page]) -> None:
    """What was typed there in another tab stays in its box; those that show something else stay where they are."""
    first, second, *others, last = tabs
    last.keyboard.press("Control+.")
    expect(last.locator("#settings h2")).to_be_visible()
    second.get_by_label("Message", exact=True).fill("Half a thought")
    first.get_by_role("button", name="Conversation settings").click()
    first.get_by_role("button", name="Delete…").click()
    first.locator("#ask").get_by_role("button", name="Delete").click()
    for tab in (first, second, *others):
        expect(tab.locator("#title")).to_have_text("New conversation")
        expect(tab.locator("#messages .message")).to_have_count(0)
        expect(tab.locator("#conversations a")).to_have_count(0)
        assert "pool" not in tab.locator("#chat").inner_text()
    expect(second.get_by_label("Message", exact=True)).to_have_value("Half a thought")
    expect(last.locator("#settings h2")).to_be_visible()
    last.keyboard.press("Shift+Escape")
    expect(last.locator("#title")).to_have_text("New conversation")
    expect(last.locator("#messages .message")).to_have_count(0)


@pytest.mark.req("X3", "S3")
def test_a_tab_reads_little_however_much_is_announced(page: Page, context: BrowserContext, address: str) -> None:
    """Forty facts that a program adds at once: each tab reads their number a few times, and shows the last of them."""
    create_vault(page, address)
    other = context.new_page()
    other.goto(address)
    expect(other.locator("#app")).to_be_visible()
    asked: list[str] = []
    other.on("request", lambda request: asked.append(request.url))
    page.evaluate(
        """async () => {
          const headers = { "content-type": "application/json" };
          await fetch("/api/settings", { method: "PATCH", headers, body: JSON.stringify({ global_memories: true }) });
          await Promise.all([...Array(40).keys()].map((n) => fetch("/api/facts", { method: "POST", headers,
            body: JSON.stringify({ text: `Fact number ${n}`, home: { kind: "global" } }) })));
        }"""
    )
    other.wait_for_timeout(1500)
    counts = [url for url in asked if url.endswith("/facts/count")]
    assert 1 <= len(counts) <= 15
    shown = other.evaluate("async () => (await import('/state.js')).state.facts.total")
    assert shown == 40
