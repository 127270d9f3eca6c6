"""One browser for the session, a fresh server and profile for each test."""

import pathlib
from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.web.browser import context_of, launch, server, watched


@pytest.fixture(scope="session")
def browser() -> Generator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def address(tmp_path: pathlib.Path) -> Generator[str]:
    """The address of a server whose vault is not made yet."""
    with server(tmp_path) as at:
        yield at


@pytest.fixture
def context(browser: Browser) -> Generator[BrowserContext]:
    """A fresh profile."""
    context = context_of(browser)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Generator[Page]:
    """A page that fails the test when anything goes wrong in it."""
    page = context.new_page()
    wrong = watched(page)
    yield page
    assert not wrong, wrong
