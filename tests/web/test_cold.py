"""The first load, counted: what is asked for, and that nothing waits for another without need."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from ricordo.server.app import WEB
from tests.web.browser import context_of, create_vault, watched

pytestmark = pytest.mark.web

# Each request of the page from when it began to when it was answered, in milliseconds since the page was asked for.
TIMES = """() => performance.getEntriesByType("resource").map(({ name, startTime, responseEnd }) =>
  [new URL(name).pathname, startTime, responseEnd])"""
# Each costs server, network and page some milliseconds of work: what always goes together lies in one file.
MOST = 17  # up to where the page can be used, with the page itself
# Marks when the page says of itself that it can be used.
READY = """new MutationObserver(() => performance.mark("ready"))
  .observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready"] })"""


@pytest.mark.req("X3")
def test_a_cold_load_asks_once_for_everything_and_for_nothing_late(browser: Browser, page: Page, address: str) -> None:
    """One request for the state, sent before the modules are there; all modules at once, none found out about by another; few of
    them, and what the first screen can do without only after it."""
    create_vault(page, address)
    context = context_of(browser)
    context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    context.add_init_script(READY)
    cold = context.new_page()
    wrong = watched(cold)
    refused: list[str] = []
    cold.on("response", lambda response: None if response.ok else refused.append(response.url))
    cold.goto(address)
    expect(cold.locator("html[data-ready]")).to_be_attached()
    expect(cold.locator("#meter")).to_be_visible()
    times = cold.evaluate(TIMES)
    api = [path for path, *_ in times if path.startswith("/api/") and path != "/api/events"]
    assert sorted(api) == ["/api/prompt", "/api/start", "/api/vault"]  # the last only asks whether anything was missed
    ready = cold.evaluate("() => performance.getEntriesByName('ready')[0].startTime")
    modules = {path.strip("/"): (begun, done) for path, begun, done in times if path.endswith(".js") and begun < ready}
    named = re.findall(r'(?:rel="modulepreload" href|type="module" src)="(\w+\.js)"', (WEB / "index.html").read_text())
    assert sorted(modules) == sorted(named)
    asked = max(begun for begun, _ in modules.values())
    answered = min(done for _, done in modules.values())
    (start,) = [begun for path, begun, _ in times if path == "/api/start"]
    assert start < answered
    assert asked < answered, "a module was asked for only once another had come"
    first = [path for path, begun, _ in times if begun < ready]
    assert 1 + len(first) <= MOST, first
    later = {"/api/prompt", "/api/vault", "/api/events", "/meter.js"}
    assert not later & set(first), "what nobody waits for came before what is drawn"
    context.close()
    assert not wrong + refused


@pytest.mark.req("S3", "X3")
def test_a_change_while_the_page_begins_is_not_missed(page: Page, address: str) -> None:
    """One that comes after the state was read and before anything is followed."""
    create_vault(page, address)
    held: list[Route] = []
    page.goto("about:blank")  # the page before has asked for its events, too
    page.route("**/api/events*", lambda route: held.append(route))
    with page.expect_request("**/api/events*"):
        page.goto(address)
    expect(page.locator("html[data-ready]")).to_be_attached()
    page.evaluate(
        "() => fetch('/api/settings', {method: 'PATCH', headers: {'content-type': 'application/json'},"
        " body: JSON.stringify({appearance: 'dark'})})"
    )
    held[0].continue_()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
