"""Ten thousand facts in a real browser: what the Memory screen does for them is counted, since times depend on the machine."""

import pathlib
from collections.abc import Generator

import pytest
from playwright.sync_api import Page, expect

from tests.long import many_facts
from tests.web.browser import server, unlock

pytestmark = pytest.mark.web
ROWS = 80  # of which a window of 820 pixels with what is made ready around it needs fewer

# Counts the rows that are there at each frame, and those that were made, from now on.
WATCH = """() => {
  window.rows = { most: 0, made: 0 };
  const list = document.querySelector("#memories .memory-list");
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) window.rows.made += addedNodes.length;
    window.rows.most = Math.max(window.rows.most, list.children.length);
  }).observe(list, { childList: true });
}"""


@pytest.fixture
def many(tmp_path: pathlib.Path) -> Generator[str]:
    """The address of a server over a vault with ten thousand facts."""
    many_facts(tmp_path, 10_000)
    with server(tmp_path) as at:
        yield at


@pytest.mark.req("F4", "F1", "X3")
def test_ten_thousand_facts_cost_what_is_in_view(page: Page, many: str) -> None:
    """One request counts and one fetches a hundred; few rows are in the page, and none is made that stood there already."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/memory/" in request.url else None)

    def requests(count: int, pages: int) -> None:
        """Expect so many questions since the last time."""
        found = sum("/count" in url for url in asked), sum("/list" in url for url in asked)
        assert found == (count, pages), asked
        asked.clear()

    page.goto(many)
    unlock(page)
    page.locator("#places").get_by_role("link", name="Memory").click()
    rows, screen = page.locator("#memories .memory-row"), page.locator("#memories")
    expect(rows.first).to_contain_text("Fact 10000")
    requests(1, 1)
    assert rows.count() <= ROWS
    page.evaluate(WATCH)
    page.locator("#memory-row-filter").fill("heron")
    expect(page.locator("#memory-row-count")).to_contain_text("1,900")
    requests(1, 1)
    page.locator("#memory-row-filter").fill("")
    expect(page.locator("#memory-row-count")).to_contain_text("10,000")
    requests(1, 1)
    page.evaluate("() => { window.rows.made = 0 }")
    for _ in range(40):
        screen.evaluate("screen => { screen.scrollTop += 300 }")
        page.wait_for_timeout(20)
    expect(page.locator("#memories .blank")).to_have_count(0)
    seen = page.evaluate("() => window.rows")
    assert seen["most"] <= ROWS
    assert seen["made"] <= 240, (
        "12,000 pixels hold fewer than two hundred rows, and each is made once, or twice where it was waited for"
    )
    assert 1 <= len(asked) <= 2
    asked.clear()
    rows.last.locator("[data-does]").first.press("End")
    expect(rows.last).to_contain_text("Fact 1:")
    requests(0, 1)
    assert page.evaluate("() => window.rows.most") <= ROWS
