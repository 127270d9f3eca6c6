"""How quick is the page? python -m benchmarks.page [--rounds 5]

Real Chromium with a fresh profile for each cold load, the real server over a real vault, the scripted model. Beside it the least
page that FastAPI can serve, loaded by the same browser in turn, so that a ratio says more than the machine's mood.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

import uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Request, expect, sync_playwright

from benchmarks.tables import bar, percentile, show
from ricordo.server.app import listen
from tests.long import many_facts
from tests.web.browser import context_of, create_vault, launch, server, unlock, write

# A browser that has just started is busy with itself: this one loads 150 scripts for its own address bar, on the same cores.
# A person opens the page in one that is there already; its profile is fresh all the same, so nothing of the page is in it.
SETTLED = 1500  # milliseconds
PLAIN = "<!doctype html><html lang=en><title>Plain</title><main><h1>Plain</h1><p>Nothing else.</p></main></html>"
# Run in the page: the longest time between two frames, and all that were long, since it was begun.
FRAMES = """() => {
  const spent = []; let last = performance.now(), stop = false;
  const next = (now) => { spent.push(now - last); last = now; if (!stop) requestAnimationFrame(next); };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(next); });
  window.framesSpent = () => { stop = true; return spent; };
}"""

ROOM = """() => fetch("/api/settings", { method: "PATCH", headers: { "content-type": "application/json" },
  body: JSON.stringify({ window: 32768, reply_room: 8000 }) })"""  # 11 kB are more than a reply may usually have


@dataclass
class Load:
    """What loads took, in milliseconds, and what they brought."""

    spent: list[float] = field(default_factory=list)
    kilobytes: list[float] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)


@contextmanager
def plain_page() -> Generator[str]:
    """Serve the least page there is; yields its address."""
    app = FastAPI(docs_url=None, redoc_url=None)

    @app.get("/", response_class=HTMLResponse)
    def page() -> str:
        return PLAIN

    listening = listen(0)
    serving = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=lambda: serving.run(sockets=[listening]))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    finally:
        serving.should_exit = True
        thread.join()


def load(playwright: Playwright, address: str, ready: str, into: Load, cookies: list[object]) -> None:
    """Load a page once with a fresh profile."""
    browser = launch(playwright)
    context = context_of(browser)
    context.add_cookies(cookies)  # type: ignore[arg-type]
    page = context.new_page()
    finished: list[Request] = []
    page.on("requestfinished", lambda request: finished.append(request))  # a built-in one is not taken
    page.wait_for_timeout(SETTLED)
    start = time.perf_counter()
    page.goto(address)
    page.wait_for_selector(ready)
    into.spent.append((time.perf_counter() - start) * 1000)
    page.wait_for_timeout(200)  # what comes after it is usable counts as bytes too
    sizes = [request.sizes() for request in finished]  # not as they come: asking for one takes as long as the request did
    into.kilobytes.append(sum(each["responseBodySize"] + each["responseHeadersSize"] for each in sizes) / 1000)
    into.requests.append(len(sizes))
    browser.close()


def timed(page: Page, act: Callable[[], None], seen: Callable[[], None]) -> float:
    """Return the milliseconds from an action until its effect is seen."""
    page.wait_for_timeout(150)
    start = time.perf_counter()
    act()
    seen()
    return (time.perf_counter() - start) * 1000


def edits(page: Page, rounds: int) -> list[float]:
    """Return the milliseconds from Enter in an edited memory until the row shows it and the page says so."""
    page.keyboard.press("Control+j")
    page.locator("#fact-text").fill("The blue kayak is in the shed")
    page.keyboard.press("Enter")
    expect(page.locator("#facts .fact-text")).to_have_count(1)
    spent = []
    for number in range(rounds):
        text = f"The blue kayak is in shed {number}"
        page.locator("#facts .fact-text").click()
        page.locator("#facts textarea").fill(text)
        row = page.locator("#facts .fact-text", has_text=text)
        spent.append(timed(page, lambda: page.keyboard.press("Enter"), row.wait_for))
    return spent


def first_words(page: Page, rounds: int) -> list[float]:
    """Return the milliseconds from Enter until the first words of the reply are there."""
    spent = []
    for number in range(rounds):
        page.get_by_label("Message", exact=True).fill(f"Good morning, number {number}")
        body = page.locator("#messages .message.model .body").nth(number)
        shown = lambda body=body: expect(body).to_contain_text("I", timeout=10_000)  # noqa: E731
        spent.append(timed(page, lambda: page.keyboard.press("Enter"), shown))
        expect(page.locator("#messages .message.model[aria-busy]")).to_have_count(0)
    return spent


def streamed(page: Page) -> list[float]:
    """Return the milliseconds between the frames while an 11 kB reply streams."""
    page.evaluate(ROOM)
    page.evaluate(FRAMES)
    write(page, "BOOK please")
    expect(page.locator("#messages .message.model").last).to_contain_text("The end of it", timeout=120_000)
    return [float(each) for each in page.evaluate("() => window.framesSpent()")]


def of_frames(page: Page, act: Callable[[], None]) -> list[float]:
    """Return the milliseconds between the frames while something is done."""
    page.wait_for_timeout(300)
    page.evaluate(FRAMES)
    act()
    page.wait_for_timeout(300)
    return [float(each) for each in page.evaluate("() => window.framesSpent()")]


def memories(playwright: Playwright) -> dict[str, list[float]]:
    """Return the milliseconds between the frames while the Memory screen of 10,000 facts opens, filters and scrolls."""
    with tempfile.TemporaryDirectory() as folder:
        many_facts(pathlib.Path(folder), 10_000)
        with server(pathlib.Path(folder)) as address:
            browser = launch(playwright)
            page = context_of(browser).new_page()
            page.goto(address)
            unlock(page)
            shown = page.locator("#memories .memory-row")

            def opened() -> None:
                page.locator("#places").get_by_role("link", name="Memory").click()
                expect(shown.first).to_contain_text("Fact 10000")

            def filtered() -> None:
                page.locator("#memory-row-filter").press_sequentially("heron", delay=60)
                expect(page.locator("#memory-row-count")).to_contain_text("1,900")

            def scrolled() -> None:
                page.mouse.move(700, 500)
                for _ in range(60):
                    page.mouse.wheel(0, 400)
                    page.wait_for_timeout(16)
                shown.first.locator("[data-does]").first.press("End")
                expect(shown.filter(has_text="Fact 10:")).to_be_visible()

            done = {"open": of_frames(page, opened), "filter": of_frames(page, filtered)}
            page.locator("#memory-row-filter").fill("")
            expect(page.locator("#memory-row-count")).to_contain_text("10,000")
            done["scroll"] = of_frames(page, scrolled)
            browser.close()
    return done


def measure(playwright: Playwright, rounds: int) -> tuple[dict[str, Load], dict[str, list[float]]]:
    """Measure loads in turn with the plain page, then what a person does in the page."""
    loads = {"Ricordo": Load(), "plain FastAPI page": Load()}
    with tempfile.TemporaryDirectory() as folder, server(pathlib.Path(folder)) as address, plain_page() as plain:
        browser: Browser = launch(playwright)
        context: BrowserContext = context_of(browser)
        page = context.new_page()
        create_vault(page, address)
        cookies: list[object] = list(context.cookies())
        for _ in range(rounds):
            load(playwright, address, "html[data-ready]", loads["Ricordo"], cookies)
            load(playwright, plain, "main", loads["plain FastAPI page"], [])
        done = {"Enter to first words": first_words(page, rounds)}
        done["frame while 11 kB stream"] = streamed(page)
        done["save an edit"] = edits(page, rounds)
        browser.close()
    return loads, done


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with sync_playwright() as playwright:
        loads, done = measure(playwright, rounds)
        many = memories(playwright)
    plain = statistics.median(loads["plain FastAPI page"].spent)
    show(
        "Cold load, fresh profile",
        ("page", "ms, median", "ms, best", "kB", "requests", "times plain"),
        [
            (name, statistics.median(each.spent), min(each.spent), statistics.median(each.kilobytes),
             statistics.median(each.requests), statistics.median(each.spent) / plain)
            for name, each in loads.items()
        ],
    )  # fmt: skip
    show(
        "In the page, ms",
        ("what", "median", "p95", "most"),
        [(what, statistics.median(each), percentile(each, 0.95), max(each)) for what, each in done.items()],
    )
    show(
        "The Memory screen with 10,000 facts, ms between frames",
        ("what", "median", "p95", "most", "frames"),
        [(what, statistics.median(each), percentile(each, 0.95), max(each), len(each)) for what, each in many.items()],
    )
    ours = loads["Ricordo"]
    bar("cold load, ms", statistics.median(ours.spent), 350)
    bar("cold load, kB", statistics.median(ours.kilobytes), 150)
    bar("longest frame while a reply streams, ms", max(done["frame while 11 kB stream"]), 50)
    bar("longest frame while 10,000 facts open, are filtered and scrolled, ms", max(map(max, many.values())), 50)
    bar("save an edit until it shows, ms", statistics.median(done["save an edit"]), 60)
    bar("Enter until the first words, ms", statistics.median(done["Enter to first words"]), 120)


if __name__ == "__main__":
    main()
