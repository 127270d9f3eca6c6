"""A conversation of 20,000 messages in a real browser: it opens at its end, and leads up and down a stretch at a time."""

import pathlib
from collections.abc import Generator

import pytest
from playwright.sync_api import Page, expect

from ricordo.conversation import Moment
from ricordo.store import conversations
from ricordo.store.connection import Database
from tests.long import apart, lines
from tests.vaults import CHEAP, PASSPHRASE
from tests.web.browser import server, unlock, write
from tests.web.test_talking import mine

pytestmark = pytest.mark.web


@pytest.fixture
def long(tmp_path: pathlib.Path) -> Generator[str]:
    """The address of a server over a vault with a long conversation."""

    async def make() -> None:
        database, _ = Database.create(tmp_path / "diary.ricordo", PASSPHRASE, cost=CHEAP)
        await database.write(lambda c: conversations.create(c, "Long", None, Moment(1_600_000_000_000_000, 120)))
        await database.write(lambda c: lines(c, 1, 20_000))
        await database.close()

    apart(make)
    with server(tmp_path) as at:
        yield at


@pytest.mark.req("S3", "X3")
def test_a_long_conversation_is_shown_a_stretch_at_a_time(page: Page, long: str) -> None:
    """Its end first; what is shown earlier comes above it and moves nothing, and stays when something is written elsewhere.

    From the middle up, down, and on to the end.
    """
    answered: list[str] = []
    page.on("response", lambda answer: answered.append(answer.url) if "/messages?" in answer.url else None)
    page.goto(f"{long}#/c/1")
    unlock(page)
    rows = page.locator("#messages .message")
    expect(rows).to_have_count(100)
    expect(rows.last).to_contain_text("Line 20000")
    earlier = page.get_by_role("button", name="Show earlier messages")
    for count in (200, 300):
        first = page.locator(f'#messages [data-id="{20_000 - count + 101}"]')
        first.scroll_into_view_if_needed()
        earlier.scroll_into_view_if_needed()
        before = first.bounding_box()
        earlier.click()
        expect(rows).to_have_count(count)
        expect(rows.first).to_contain_text(f"Line {20_000 - count + 1}")
        after = first.bounding_box()
        assert before and after and abs(before["y"] - after["y"]) < 60, (before, after)
    assert len(answered) == 3
    page.evaluate(
        "() => fetch('/api/conversations/1/entries', {method: 'POST', headers: {'content-type': 'application/json'},"
        " body: JSON.stringify({text: 'Written elsewhere'})})"
    )
    expect(rows.last).to_contain_text("Written elsewhere")
    expect(rows).to_have_count(300)  # what was gone up to stays
    page.goto(f"{long}#/c/1/m/10001")
    expect(page.locator("#messages .sought")).to_contain_text("Line 10001")
    expect(page.locator("#messages .sought")).to_be_in_viewport()
    expect(rows).to_have_count(100)
    earlier.click()
    expect(rows).to_have_count(200)
    page.get_by_role("button", name="Show later messages").click()
    expect(rows).to_have_count(300)
    expect(rows.first).to_contain_text("Line 9852")
    expect(rows.last).to_contain_text("Line 10151")
    page.get_by_label("Just write").check()
    write(page, "And now the end")
    expect(mine(page).last).to_have_text("And now the end")
    expect(mine(page).last).to_be_in_viewport()
