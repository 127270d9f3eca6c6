"""A real Chromium and a real server for it. Any error in the page's console fails the test that saw it."""

import pathlib
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from tests.vaults import PASSPHRASE

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def launch(playwright: Playwright) -> Browser:
    """Start the browser."""
    return playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)


@contextmanager
def server(folder: pathlib.Path) -> Generator[str]:
    """Run a server over a folder's vault; yields its address."""
    process = subprocess.Popen([sys.executable, "-m", "tests.web.serve", str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


def watched(page: Page) -> list[str]:
    """Collect what goes wrong in a page: errors, and what its policy or the console complain about."""
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    # A refused request is logged by the browser itself; the page says it in words, and other tests look at those.
    page.on(
        "console",
        lambda message: (
            wrong.append(message.text)
            if message.type in ("error", "warning") and "Failed to load resource" not in message.text
            else None
        ),
    )
    return wrong


def create_vault(page: Page, address: str) -> str:
    """Make the vault in the page and go in; return the recovery key."""
    page.goto(address)
    page.locator("#create-first").fill(PASSPHRASE)
    page.get_by_label("The same once more").fill(PASSPHRASE)
    page.get_by_role("button", name="Make the vault").click()
    expect(page.locator("#recovery-key")).to_be_visible()
    key = page.locator("#recovery-key").inner_text()
    page.get_by_label("I have kept it").check()
    page.get_by_role("button", name="Begin writing").click()
    expect(page.get_by_role("heading", name="New conversation")).to_be_visible()
    return key


def unlock(page: Page) -> None:
    """Unlock the vault in the page."""
    page.locator("#unlock-passphrase").fill(PASSPHRASE)
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator("#app")).to_be_visible()


def write(page: Page, text: str) -> None:
    """Type a message and send it."""
    page.get_by_label("Message", exact=True).fill(text)
    page.keyboard.press("Enter")


def context_of(browser: Browser, width: int = 1280, dark: bool = False) -> BrowserContext:
    """Open a fresh profile."""
    size = {"width": width, "height": 720 if width < 500 else 820}
    context = browser.new_context(viewport=size, color_scheme="dark" if dark else "light", locale="en-GB")  # type: ignore[arg-type]
    context.set_default_timeout(10_000)
    return context
