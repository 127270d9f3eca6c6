"""What is written or given along and not sent: it outlives reload, lock and looking elsewhere, and goes when it is sent."""

import json
import pathlib

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.plaintext import hunt
from tests.web.browser import create_vault, unlock, write
from tests.web.test_talking import box, drop, mine, replies

pytestmark = pytest.mark.web
MARKER = "Quixalorn"


def chips(page: Page) -> Locator:
    """What is given along with the message in the box."""
    return page.locator("#enclosed li .cut")


def give(page: Page, name: str, text: str = "Some words") -> None:
    """Drop a file on the conversation, and wait until the vault has it."""
    with page.expect_response("**/api/draft"):
        drop(page, name, text)


def keeps(page: Page, *expected: list[object]) -> None:
    """Wait until the vault has just these drafts: conversation, text, names of files."""
    for _ in range(100):
        drafts = page.evaluate("async () => (await fetch('/api/drafts')).json()")
        has = [[one["conversation"], one["text"], [file["name"] for file in one["attachments"]]] for one in drafts]
        if has == list(expected):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"the vault has {has}, not {expected}")


@pytest.mark.req("S6", "S3", "V1")
def test_what_is_given_along_outlives_reload_lock_and_looking_elsewhere(page: Page, address: str, tmp_path: pathlib.Path) -> None:
    """Of each conversation its own; the text of a file reaches the model after all that, and no file of the vault's folder."""
    create_vault(page, address)
    write(page, "About the pool")
    replies(page, 1)
    give(page, "pool.txt", f"{MARKER} opens at nine")
    page.get_by_role("button", name="New conversation").click()
    expect(chips(page)).to_have_count(0)
    give(page, "list.txt")
    give(page, "other.txt")
    page.reload()
    expect(chips(page)).to_have_text(["list.txt", "other.txt"])
    with page.expect_response("**/api/draft"):
        page.get_by_role("button", name="Take off: other.txt").click()
    page.locator("#conversations a").click()
    expect(chips(page)).to_have_text(["pool.txt"])
    page.keyboard.press("Control+Shift+L")
    expect(page.locator("#unlock")).to_be_visible()
    assert page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]
    assert not hunt(tmp_path, 0, MARKER.encode())[1]
    unlock(page)
    expect(chips(page)).to_have_text(["pool.txt"])
    page.get_by_role("button", name="New conversation").click()
    expect(chips(page)).to_have_text(["list.txt"])
    page.go_back()
    with page.expect_request("**/reply") as asked, page.expect_response("**/api/draft"):
        write(page, "When can I go?")
    (sent,) = json.loads(asked.value.post_data or "")["attachments"]
    assert sent["text"] == f"{MARKER} opens at nine"
    replies(page, 2)
    keeps(page, [None, "", ["list.txt"]])
    page.reload()
    expect(mine(page)).to_have_count(2)
    expect(chips(page)).to_have_count(0)


@pytest.mark.req("S6", "S3")
def test_a_conversation_that_begins_takes_along_what_is_given(page: Page, address: str) -> None:
    """Once it is stored, nothing of it is left in the draft of one that has not begun; the same where it did not arrive."""
    create_vault(page, address)
    give(page, "list.txt")
    page.route("**/reply", lambda route: route.abort())
    write(page, "What shall I buy?")
    expect(page.locator("#notices")).to_contain_text("Ricordo does not answer")
    expect(chips(page)).to_have_text(["list.txt"])
    page.unroute("**/reply")
    keeps(page, [1, "What shall I buy?", ["list.txt"]])
    page.reload()
    expect(box(page)).to_have_value("What shall I buy?")
    expect(chips(page)).to_have_text(["list.txt"])
    box(page).press("Enter")
    replies(page, 1)
    expect(page.locator("#messages .chip")).to_contain_text("list.txt")
    page.reload()
    expect(page.locator("#messages .chip")).to_contain_text("list.txt")
    keeps(page)
    page.get_by_role("button", name="New conversation").click()
    give(page, "other.txt")
    write(page, "And this?")
    replies(page, 1)
    page.reload()
    expect(page.locator("#messages .chip")).to_contain_text("other.txt")
    keeps(page)


@pytest.mark.req("S6", "S3")
def test_what_waits_with_a_file_outlives_a_reload(page: Page, address: str) -> None:
    """It goes back into the box, the file above it; sent, both are gone."""
    create_vault(page, address)
    write(page, "LONG one")
    expect(page.locator("#messages [aria-busy] .body")).to_contain_text("A long reply.")
    give(page, "list.txt")
    with page.expect_response("**/api/draft"):
        write(page, "And this list?")
    expect(page.locator("#queue li")).to_contain_text("list.txt")
    expect(chips(page)).to_have_count(0)
    page.reload()
    expect(box(page)).to_have_value("And this list?")
    expect(chips(page)).to_have_text(["list.txt"])


@pytest.mark.req("S2", "S6", "V1")
def test_a_draft_that_is_made_private_takes_its_files_out_of_the_vault(page: Page, address: str) -> None:
    """And back into it, once it is an ordinary one again."""
    create_vault(page, address)
    give(page, "list.txt")
    with page.expect_response("**/api/draft"):
        box(page).fill("To buy")
    with page.expect_response(lambda answer: '"attachments":[]' in (answer.request.post_data or "")):
        page.keyboard.press("Control+i")
    keeps(page)
    expect(chips(page)).to_have_text(["list.txt"])
    with page.expect_response(lambda answer: "list.txt" in (answer.request.post_data or "")):
        page.keyboard.press("Control+i")
    page.reload()
    expect(chips(page)).to_have_text(["list.txt"])


@pytest.mark.req("S4", "S6", "V8")
def test_what_is_given_along_goes_with_its_conversation(page: Page, address: str) -> None:
    """Deleted with it."""
    create_vault(page, address)
    write(page, "About the pool")
    replies(page, 1)
    give(page, "pool.txt")
    page.get_by_role("button", name="Conversation settings").click()
    page.get_by_role("button", name="Delete…").click()
    page.locator("#ask").get_by_role("button", name="Delete").click()
    expect(page.locator("#conversations a")).to_have_count(0)
    expect(chips(page)).to_have_count(0)
    keeps(page)
