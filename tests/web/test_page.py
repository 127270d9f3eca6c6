"""The page in a real browser: from an empty folder to a conversation, and back behind the lock."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.web.browser import create_vault, unlock, watched, write

pytestmark = pytest.mark.web


def replies(page: Page, number: int) -> None:
    """Wait until so many replies are finished."""
    expect(page.locator("#messages .model:not([aria-busy]) time")).to_have_count(number)


@pytest.mark.req("V2", "V3", "S3")
def test_the_first_day(page: Page, address: str) -> None:
    """Make a vault, write, read the reply, stop one, try again, lock, unlock: all is there."""
    key = create_vault(page, address)
    assert re.fullmatch(r"[0-9A-Z]{4}(-[0-9A-Z]{4}){7}", key)
    assert key not in page.content()
    write(page, "Today I went to the pool.")
    replies(page, 1)
    expect(page.locator("#messages .model strong")).to_have_text("full day")
    expect(page.get_by_label("Message", exact=True)).to_be_focused()
    write(page, "LONG story, please")
    expect(page.locator("#messages [aria-busy] .body")).to_contain_text("A long reply.")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#messages .model").last).to_contain_text("Stopped.")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#messages [aria-busy] .body")).to_contain_text("A long reply.")
    page.keyboard.press("Escape")
    replies(page, 2)
    page.get_by_role("button", name="Lock").click()
    expect(page.locator("#unlock-passphrase")).to_be_focused()
    assert "pool" not in page.content()
    unlock(page)
    expect(page.locator("#messages .message")).to_have_count(4)
    expect(page.locator("#conversations a")).to_have_text("Today I went to the pool.")


@pytest.mark.req("V3")
def test_locking_blanks_every_tab_at_once(page: Page, context: BrowserContext, address: str) -> None:
    """A second tab shows the same, follows changes, and is blank when the first one locks; one unlock opens both."""
    create_vault(page, address)
    write(page, "Something only I should read")
    replies(page, 1)
    other = context.new_page()
    wrong = watched(other)
    other.goto(page.url)
    expect(other.locator("#messages")).to_contain_text("Something only I should read")
    write(page, "One more thing")
    expect(other.locator("#messages")).to_contain_text("One more thing")
    page.keyboard.press("Control+Shift+L")
    for tab in (page, other):
        expect(tab.locator("#unlock")).to_be_visible()
        assert "only I should read" not in tab.content()
        assert tab.title() == "Ricordo"
    unlock(page)
    expect(other.locator("#messages")).to_contain_text("One more thing")
    assert not wrong


@pytest.mark.req("S3", "X3")
def test_a_failed_reply_is_a_sentence_with_try_again(page: Page, address: str) -> None:
    """The message stays, the reason stands below it, and after a reload a reply can still be asked for."""
    create_vault(page, address)
    write(page, "FAIL once")
    failed = page.locator(".failed")
    expect(failed).to_contain_text("Nothing answers at http://127.0.0.1:11434.")
    expect(failed.get_by_role("button", name="Try again")).to_be_visible()
    write(page, "And now about the pool")
    replies(page, 1)
    expect(page.locator("#messages .user")).to_have_text([re.compile("FAIL once"), re.compile("And now about the pool")])
    write(page, "FAIL twice")
    expect(failed).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Get a reply")).to_be_visible()


@pytest.mark.req("S7")
def test_just_write_keeps_an_entry_without_a_reply(page: Page, address: str) -> None:
    """With the switch on the button says Keep, and no model is asked."""
    create_vault(page, address)
    page.get_by_label("Just write").check()
    expect(page.get_by_role("button", name="Keep")).to_be_visible()
    write(page, "Only for me")
    expect(page.locator("#messages .user")).to_contain_text("Only for me")
    expect(page.locator("#messages .model")).to_have_count(0)


@pytest.mark.req("S3", "V1")
def test_a_draft_outlives_reload_and_lock_and_never_lies_in_the_browser(page: Page, address: str) -> None:
    """What is typed and not sent comes back from the vault; the browser's own storage stays empty."""
    create_vault(page, address)
    box = page.get_by_label("Message", exact=True)
    with page.expect_response("**/api/draft"):
        box.fill("Dear diary, this is only half")
    page.reload()
    expect(box).to_have_value("Dear diary, this is only half")
    page.keyboard.press("Control+Shift+L")
    expect(page.locator("#unlock")).to_be_visible()
    assert page.evaluate("[document.querySelector('#text').value, localStorage.length, sessionStorage.length]") == ["", 0, 0]
    unlock(page)
    expect(box).to_have_value("Dear diary, this is only half")
    with page.expect_response("**/api/draft"):
        page.keyboard.press("Enter")
    replies(page, 1)
    page.reload()
    expect(box).to_have_value("")
    page.get_by_role("button", name="New conversation").click()
    expect(box).to_have_value("")


@pytest.mark.req("F5")
def test_commands_are_carried_out_and_never_sent(page: Page, address: str) -> None:
    """Memory off says where to turn it on; on, the fact is kept; an unknown command is an error; no message is made."""
    create_vault(page, address)
    write(page, "/remember I like green tea")
    expect(page.locator("#outcome")).to_contain_text("Global memories are off")
    page.keyboard.press("Control+.")
    page.get_by_label("Global memories", exact=True).check()
    expect(page.locator("#announcer")).to_have_text("Saved")
    page.keyboard.press("Shift+Escape")
    expect(page.get_by_label("Message", exact=True)).to_be_focused()
    write(page, "/remember I like green tea")
    expect(page.locator("#outcome")).to_contain_text("Remembered: I like green tea")
    write(page, "/list memories")
    expect(page.locator("#outcome")).to_contain_text("#1 I like green tea")
    write(page, "/dance")
    expect(page.locator("#outcome.error")).to_contain_text("There is no command /dance.")
    expect(page.get_by_label("Message", exact=True)).to_have_value("/dance")
    expect(page.locator("#messages .message")).to_have_count(0)


@pytest.mark.req("F1", "F3")
def test_facts_are_added_edited_pinned_and_deleted_in_place(page: Page, address: str) -> None:
    """Enter saves and keeps the focus on the fact, Esc cancels, delete moves the focus to the neighbour."""
    create_vault(page, address)
    write(page, "About the pool")
    replies(page, 1)
    page.locator("#messages .user").get_by_role("button", name="Remember this").click()
    page.keyboard.press("Control+j")
    expect(page.locator("#facts .fact")).to_have_count(1)
    page.get_by_label("New fact").fill("Has a cat")
    page.keyboard.press("Enter")
    expect(page.locator("#facts .fact")).to_have_count(2)
    page.get_by_role("button", name="Edit: Has a cat").click()
    page.get_by_label("Edit fact").fill("Has two cats")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Edit: Has two cats")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_label("Edit fact").fill("Has no cat")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Edit: Has two cats")).to_be_focused()
    row = page.locator(".fact", has_text="Has two cats")
    row.get_by_role("button", name="Take the pin off").click()
    expect(row.get_by_role("button", name="Pin")).to_be_focused()
    row.get_by_role("button", name="Delete: Has two cats").click()
    expect(page.get_by_role("button", name="Delete: About the pool")).to_be_focused()


@pytest.mark.req("S1", "S2", "S4")
def test_spaces_and_conversations_are_made_renamed_moved_and_deleted(page: Page, address: str) -> None:
    """A conversation is renamed and moved into a Space, the Space lists it; deleting asks first."""
    create_vault(page, address)
    page.get_by_role("button", name="New Space").click()
    page.get_by_label("Name").fill("Garden")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#conversations")).to_contain_text("No conversations in this Space yet.")
    page.locator("#space").select_option(label="All conversations")
    write(page, "Seeds to buy")
    replies(page, 1)
    page.get_by_role("button", name="Conversation settings").click()
    page.get_by_label("Title").fill("Seeds")
    page.locator("#conversation-space").select_option(label="Garden")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#title")).to_have_text("Seeds")
    page.locator("#space").select_option(label="Garden")
    expect(page.locator("#conversations a")).to_have_text(["Seeds"])
    page.get_by_role("button", name="Conversation settings").click()
    page.get_by_role("button", name="Delete…").click()
    page.locator("#ask").get_by_role("button", name="Delete").click()
    expect(page.locator("#conversations a")).to_have_count(0)
    expect(page.locator("#title")).to_have_text("New conversation")


@pytest.mark.req("S3")
def test_search_finds_and_opens(page: Page, address: str) -> None:
    """Ctrl+K, words, Enter: the conversation with the best match is open."""
    create_vault(page, address)
    for text in ("Bought tulip bulbs for the balcony", "Paul moves to Trieste in spring"):
        page.keyboard.press("Control+Shift+o")
        write(page, text)
        replies(page, 1)
    page.keyboard.press("Control+k")
    page.get_by_label("Search messages and facts").fill("tulip")
    expect(page.locator("#found li").first).to_contain_text("Bought tulip bulbs for the balcony")
    page.keyboard.press("Enter")
    expect(page.locator("#title")).to_have_text("Bought tulip bulbs for the balcony")
    expect(page.locator("#messages")).to_contain_text("Bought tulip bulbs for the balcony")


@pytest.mark.req("B5")
def test_the_meter_opens_to_the_exact_text(page: Page, address: str) -> None:
    """Each layer of what would be sent, the text in the box included, can be read."""
    create_vault(page, address)
    page.get_by_label("Message", exact=True).fill("A question about herons")
    page.locator("#meter > summary").click()
    message = page.locator("#meter .layers details", has_text="Your message")
    message.locator("summary").click()
    expect(message.locator("pre")).to_contain_text("A question about herons")
    expect(page.locator("#meter .figure")).to_have_text(re.compile(r"^[\d,]+ of 8,192 tokens$"))


@pytest.mark.req("E18")
def test_the_settings_say_what_the_model_can_do(page: Page, address: str) -> None:
    """Untried at first; tried out on demand, with the day; the same when the settings are opened again."""
    create_vault(page, address)
    page.keyboard.press("Control+.")
    line = page.locator("#skill")
    expect(line).to_have_text("What this model can do has not been tried out yet.")
    page.get_by_role("button", name="Try out").click()
    expect(line).to_have_text(re.compile(r"^scripted: remembers ✗ · summarises ✗ · tried out on \d{4}-\d\d-\d\d$"))
    page.keyboard.press("Shift+Escape")
    page.keyboard.press("Control+.")
    expect(line).to_contain_text("tried out on")
