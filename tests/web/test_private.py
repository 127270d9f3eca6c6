"""A private conversation in a real browser: it says what it is, and nothing of it is left."""

import pathlib

import pytest
from playwright.sync_api import Page, expect

from tests.plaintext import hunt
from tests.web.browser import create_vault, unlock, write

pytestmark = pytest.mark.web
MARKER = "Quixalorn"


def replies(page: Page, number: int) -> None:
    """Wait until so many replies are finished."""
    expect(page.locator("#messages .model:not([aria-busy]) time")).to_have_count(number)


@pytest.mark.req("S2", "V1")
def test_a_private_conversation_leaves_nothing(page: Page, address: str, tmp_path: pathlib.Path) -> None:
    """By a key before it begins, with what is written already; no list, no search, no draft, no file has it."""
    create_vault(page, address)
    box = page.get_by_label("Message", exact=True)
    with page.expect_response("**/api/draft"):
        box.fill(f"I am called {MARKER}, and I like the pool")
    page.keyboard.press("Control+i")
    expect(page.locator("#title")).to_have_text("Private conversation")
    expect(page.locator("#private-note")).to_contain_text("Nothing of this is stored")
    expect(box).to_have_value(f"I am called {MARKER}, and I like the pool")
    expect(page.get_by_label("Just write")).to_be_hidden()
    page.keyboard.press("Enter")
    replies(page, 1)
    expect(page.locator("#messages .user .actions button")).to_have_text(["Copy"])
    expect(page.locator("#meter .figure")).to_be_visible()
    write(page, "LONG, please")
    expect(page.locator("#messages [aria-busy] .body")).to_contain_text("A long reply.")
    page.keyboard.press("Escape")
    replies(page, 2)
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("button", name="Stop").click()
    replies(page, 2)
    write(page, "/remember I like tea")
    expect(page.locator("#outcome.error")).to_contain_text("Nothing is remembered from a private conversation.")
    box.fill("")
    expect(page.locator("#conversations")).to_contain_text("No conversations yet.")
    assert not hunt(tmp_path, 0, MARKER.encode())[1]
    told = page.evaluate(
        "async () => Promise.all(['drafts', 'conversations', 'facts'].map(async name => (await fetch(`/api/${name}`)).json()))"
    )
    assert told == [[], [], []]
    page.keyboard.press("Control+k")
    page.get_by_label("Search messages and facts").fill(MARKER)
    expect(page.locator("#search-count")).to_have_text("Nothing found.")


@pytest.mark.req("S2", "V3")
def test_it_outlives_looking_elsewhere_but_not_ending_reloading_or_locking(page: Page, address: str) -> None:
    """A link leads back to it for as long as it lasts."""
    create_vault(page, address)
    for way in ("end", "reload", "lock"):
        page.get_by_role("button", name="New conversation").click()
        page.get_by_label("Private").check()
        write(page, f"About the pool, {MARKER}")
        replies(page, 1)
        page.get_by_role("button", name="New conversation").click()
        expect(page.locator("#messages .message")).to_have_count(0)
        expect(page.get_by_label("Message", exact=True)).to_have_value("")
        page.get_by_role("link", name="Private conversation").click()
        replies(page, 1)
        if way == "end":
            page.get_by_role("button", name="End it").click()
            expect(page.locator("#title")).to_have_text("New conversation")
        elif way == "reload":
            page.reload()
            expect(page.locator("#private-note")).to_be_visible()
        else:
            page.keyboard.press("Control+Shift+L")
            unlock(page)
        expect(page.locator("#messages .message")).to_have_count(0)
        expect(page.get_by_role("link", name="Private conversation")).to_be_hidden()
        assert MARKER not in page.content()


@pytest.mark.req("S2")
def test_it_can_be_an_ordinary_one_again_until_it_begins(page: Page, address: str) -> None:
    """The switch is beside the box, and what is written stays."""
    create_vault(page, address)
    page.get_by_label("Message", exact=True).fill("About the pool")
    page.get_by_label("Private").check()
    page.get_by_label("Private").uncheck()
    expect(page.locator("#private-note")).to_be_hidden()
    page.get_by_label("Message", exact=True).press("Enter")
    replies(page, 1)
    expect(page.get_by_label("Private")).to_be_hidden()
    expect(page.locator("#conversations a")).to_have_text("About the pool")
