"""A conversation in a real browser: other versions, what waits, references, what is given along, deleting, renaming, finding."""

import json
import pathlib
import re

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.web.browser import context_of, create_vault, unlock, watched, write
from tests.web.test_safety import accessible

pytestmark = pytest.mark.web


def replies(page: Page, number: int) -> None:
    """Wait until so many replies are finished."""
    expect(page.locator("#messages .model:not([aria-busy]) time")).to_have_count(number)


def mine(page: Page) -> Locator:
    """What the person wrote, as it is shown."""
    return page.locator("#messages .user .body")


def box(page: Page) -> Locator:
    """The message box."""
    return page.get_by_label("Message", exact=True)


@pytest.mark.req("S3")
def test_a_message_is_edited_and_both_versions_stay_reachable(page: Page, address: str) -> None:
    """By keyboard: Up in the empty box edits, Enter sends; “1 of 2” goes back to the old version with what followed it."""
    create_vault(page, address)
    for number, text in enumerate(("I met Paul", "What did Paul say?", "And the pool?"), 1):
        write(page, text)
        replies(page, number)
    page.locator("#messages .user").nth(1).get_by_role("button", name="Edit").click()
    form = page.get_by_label("Edit your message")
    expect(form).to_be_focused()
    expect(page.locator(".editing")).to_contain_text("The 3 messages after it")
    form.fill("Forget it")
    page.keyboard.press("Escape")
    expect(form).to_have_count(0)
    expect(mine(page)).to_have_text(["I met Paul", "What did Paul say?", "And the pool?"])
    page.locator("#messages .user").nth(1).get_by_role("button", name="Edit").click()
    form.fill("What did Ida say?")
    page.keyboard.press("Enter")
    replies(page, 2)
    expect(mine(page)).to_have_text(["I met Paul", "What did Ida say?"])
    versions = page.get_by_role("group", name="Versions")
    expect(versions).to_contain_text("2 of 2")
    accessible(page, "versions")
    versions.get_by_role("button", name="Version before").click()
    expect(mine(page)).to_have_text(["I met Paul", "What did Paul say?", "And the pool?"])
    expect(versions).to_contain_text("1 of 2")
    expect(versions.get_by_role("button", name="Version after")).to_be_focused()
    page.reload()
    expect(versions).to_contain_text("1 of 2")
    box(page).focus()
    page.keyboard.press("ArrowUp")
    expect(form).to_have_value("And the pool?")


@pytest.mark.req("S3", "X3")
def test_an_edit_that_does_not_arrive_is_not_lost(page: Page, address: str) -> None:
    """The form stays with what was typed."""
    create_vault(page, address)
    write(page, "I met Paul")
    replies(page, 1)
    page.route("**/edit", lambda route: route.abort())
    page.locator("#messages .user").get_by_role("button", name="Edit").click()
    page.get_by_label("Edit your message").fill("I met Ida")
    page.keyboard.press("Enter")
    expect(page.locator("#notices")).to_contain_text("Ricordo does not answer")
    expect(page.get_by_label("Edit your message")).to_have_value("I met Ida")
    expect(page.get_by_label("Edit your message")).to_be_enabled()


@pytest.mark.req("S3")
def test_what_is_written_while_a_reply_comes_waits_and_is_sent_after_it(page: Page, address: str) -> None:
    """Shown while it waits, with what can be done; in order; a reload puts it into the box."""
    create_vault(page, address)
    write(page, "LONG one")
    expect(page.locator("#messages [aria-busy] .body")).to_contain_text("A long reply.")
    write(page, "Second")
    write(page, "Third")
    queue = page.get_by_role("list", name="Waiting to be sent")
    expect(queue.get_by_role("listitem")).to_have_count(2)
    expect(box(page)).to_be_focused()
    accessible(page, "queue")
    queue.get_by_role("listitem").first.get_by_role("button", name="Edit").click()
    expect(box(page)).to_have_value("Second")
    box(page).fill("Second, better")
    page.get_by_role("button", name="Send next").click()
    write(page, "Never mind")
    queue.get_by_role("listitem", name="").filter(has_text="Never mind").get_by_role("button", name="Withdraw").click()
    expect(queue).to_contain_text("Third")
    expect(queue.get_by_role("listitem")).to_have_count(2)
    page.get_by_role("button", name="Stop").click()
    replies(page, 3)
    expect(mine(page)).to_have_text(["LONG one", "Third", "Second, better"])
    expect(queue).to_be_hidden()
    write(page, "LONG two")
    expect(page.locator("#messages [aria-busy] .body")).to_contain_text("A long reply.")
    with page.expect_response("**/api/draft"):
        write(page, "Waits still")
    page.reload()
    expect(box(page)).to_have_value("Waits still")


@pytest.mark.req("S3", "X3")
def test_what_waits_behind_a_failure_is_held_until_it_is_sent(page: Page, address: str) -> None:
    """It is not thrown after a reply that failed; *Send now* sends it."""
    create_vault(page, address)
    write(page, "LONG one")
    expect(page.locator("#messages [aria-busy] .body")).to_contain_text("A long reply.")
    write(page, "FAIL, please")
    write(page, "About the pool")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".failed")).to_be_visible()
    queue = page.locator("#queue")
    expect(queue).to_contain_text("Not sent:")
    expect(queue).to_contain_text("About the pool")
    queue.get_by_role("button", name="Send now").click()
    expect(page.locator("#messages .model").last).to_contain_text("full day")
    expect(queue).to_be_hidden()


@pytest.mark.req("S3", "X3")
def test_a_message_that_does_not_arrive_comes_back(page: Page, address: str) -> None:
    """Into the box; where something new stands there already, it waits above it."""
    create_vault(page, address)
    write(page, "First")
    replies(page, 1)
    page.route("**/reply", lambda route: route.abort())
    write(page, "Second")
    expect(page.locator("#notices")).to_contain_text("Ricordo does not answer")
    expect(box(page)).to_have_value("Second")
    page.unroute("**/reply")
    held: list[Route] = []
    page.route("**/reply", lambda route: held.append(route))
    with page.expect_request("**/reply"):
        page.keyboard.press("Enter")
    expect(box(page)).to_have_value("")
    box(page).fill("Third")
    held[0].abort()
    expect(page.locator("#queue")).to_contain_text("Second")
    expect(box(page)).to_have_value("Third")
    page.unroute("**/reply")
    page.get_by_role("button", name="Send now").click()
    replies(page, 2)
    expect(mine(page)).to_have_text(["First", "Second"])


@pytest.mark.req("S3", "X3")
@pytest.mark.parametrize(("path", "text"), [("**/api/conversations", "First"), ("**/api/commands", "/help")])
def test_what_is_typed_while_something_is_sent_stays(page: Page, address: str, path: str, text: str) -> None:
    """Whoever writes on at once, while the conversation is made or a command is run, finds it in the box."""
    create_vault(page, address)
    held: list[Route] = []
    page.route(path, lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith(path[2:])):
        write(page, text)
    box(page).press_sequentially(" and then")
    held[0].continue_()
    expect(box(page)).to_have_value(" and then")
    if text == "First":
        replies(page, 1)
        expect(mine(page)).to_have_text(["First"])
        expect(box(page)).to_have_value(" and then")


@pytest.mark.req("R6", "W6")
def test_a_clicked_time_refers_to_its_message(page: Page, address: str) -> None:
    """It stands in the box as a stamp, which is looked up outright: the meter shows the message among the references."""
    create_vault(page, address)
    page.get_by_label("Just write").check()
    write(page, "The heron stood by the old boathouse")
    expect(mine(page)).to_have_count(1)
    page.get_by_label("Just write").uncheck()
    box(page).fill("What about")
    page.get_by_role("button", name=re.compile(r"^Refer to \d\d:\d\d$")).click()
    expect(box(page)).to_have_value(re.compile(r"^What about \[\d{4}-\d\d-\d\d \d\d:\d\d\] $"))
    expect(box(page)).to_be_focused()
    page.keyboard.type("?")
    sent = page.evaluate(
        "async text => (await fetch('/api/prompt', {method: 'POST', headers: {'content-type': 'application/json'},"
        " body: JSON.stringify({text, conversation: 1})})).json()",
        box(page).input_value(),
    )
    told = "".join(layer["text"] for layer in sent["layers"] if layer["name"] == "references")
    assert "Looked up for this" in told


@pytest.mark.req("S3", "B8")
def test_a_conversation_opens_at_a_message(page: Page, address: str) -> None:
    """In the middle of a long one, marked and in view, with more on both sides; also when it stands in another version."""
    create_vault(page, address)
    for number in range(1, 4):
        write(page, f"Entry about the pool, number {number}")
        replies(page, number)
    page.evaluate(
        "async () => { for (let n = 0; n < 230; n++) await fetch('/api/conversations/1/entries', {method: 'POST',"
        " headers: {'content-type': 'application/json'}, body: JSON.stringify({text: `Line ${n}`})}) }"
    )
    page.goto(f"{address}#/c/1/m/106")
    sought = page.locator("#messages .sought")
    expect(sought.locator(".body")).to_have_text("Line 99")
    expect(sought).to_be_in_viewport()
    expect(page.get_by_role("button", name="Show later messages")).to_be_attached()
    page.get_by_role("button", name="Show later messages").click()
    expect(page.locator("#messages .user", has_text="Line 200")).to_be_attached()
    page.goto(f"{address}#/c/1/m/1")
    expect(sought.locator(".body")).to_have_text("Entry about the pool, number 1")
    sought.get_by_role("button", name="Edit").click()
    page.get_by_label("Edit your message").fill("Entry about the sea")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Versions")).to_contain_text("2 of 2")
    page.goto(f"{address}#/c/1/m/3")
    expect(sought.locator(".body")).to_have_text("Entry about the pool, number 2")
    page.goto(f"{address}#/c/1/m/106")
    expect(sought.locator(".body")).to_have_text("Line 99")
    write(page, "And now the end")
    expect(mine(page).last).to_have_text("And now the end")
    expect(mine(page).last).to_be_in_viewport()
    expect(page.get_by_role("button", name="Show later messages")).to_be_hidden()
    expect(page.locator("#messages .model").last).to_contain_text("I will keep it in mind.")


@pytest.mark.req("S6", "E5")
def test_text_files_and_pasted_pages_are_given_along(page: Page, address: str, tmp_path: pathlib.Path) -> None:
    """As chips that can be taken off; what is no text or too large is said; the model gets them, marked as not the person's."""
    create_vault(page, address)
    (tmp_path / "notes.md").write_text("# Plan\nPlant the quinces")
    (tmp_path / "photo.bin").write_bytes(b"\x89PNG\x00\x01")
    (tmp_path / "large.txt").write_text("a" * 1_000_001)
    page.locator("#files").set_input_files([tmp_path / name for name in ("notes.md", "photo.bin", "large.txt")])
    chips = page.get_by_role("list", name="Attached")
    expect(chips).to_contain_text("notes.md")
    expect(page.locator("#notices")).to_contain_text("photo.bin is no text file")
    expect(page.locator("#notices")).to_contain_text("large.txt is larger than 1 MB")
    for close in page.locator("#notices").get_by_role("button", name="Dismiss").all()[::-1]:
        close.click()
    drop(page, "dropped.txt", "Dropped words")
    expect(chips.get_by_role("listitem")).to_have_count(2)
    accessible(page, "attachments")
    chips.get_by_role("button", name="Take off: dropped.txt").click()
    expect(chips.get_by_role("listitem")).to_have_count(1)
    expect(box(page)).to_be_focused()
    paste(page, "A page from elsewhere. " * 100)
    page.get_by_role("button", name="Attach it").click()
    expect(box(page)).to_have_value("")
    expect(chips).to_contain_text("Pasted page")
    with page.expect_request("**/reply") as asked:
        write(page, "What shall I plant?")
    sent = json.loads(asked.value.post_data or "")
    assert [each["name"] for each in sent["attachments"]] == ["notes.md", "Pasted page"]
    replies(page, 1)
    expect(chips).to_be_hidden()
    shown = page.locator("#messages .chip").first
    shown.locator("summary").click()
    expect(shown.locator("pre")).to_contain_text("Plant the quinces")
    accessible(page, "given")
    page.locator("#messages .user").get_by_role("button", name="Edit").click()
    page.get_by_label("Edit your message").fill("What else?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Versions")).to_contain_text("2 of 2")
    expect(page.locator("#messages .chip").first).to_contain_text("notes.md")


def drop(page: Page, name: str, text: str) -> None:
    """Drop a file on the conversation."""
    page.evaluate(
        "([name, text]) => { const data = new DataTransfer(); data.items.add(new File([text], name, {type: 'text/plain'}));"
        " for (const kind of ['dragover', 'drop']) document.getElementById('chat').dispatchEvent("
        "new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true})) }",
        [name, text],
    )


def paste(page: Page, text: str) -> None:
    """Paste a text into the box, as the browser does it."""
    box(page).focus()
    page.evaluate(
        "text => { const data = new DataTransfer(); data.setData('text/plain', text);"
        " const into = document.getElementById('text');"
        " if (into.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true})))"
        " { into.setRangeText(text); into.dispatchEvent(new Event('input')) } }",
        text,
    )


@pytest.mark.req("S4")
def test_deleting_a_message_says_first_what_goes_and_what_stays(page: Page, address: str) -> None:
    """With the facts that were learned from it, to be kept or deleted with it."""
    create_vault(page, address)
    for number, text in enumerate(("I keep bees", "I keep hens"), 1):
        write(page, text)
        replies(page, number)
        page.locator("#messages .user").last.get_by_role("button", name="Remember this").click()
        expect(page.locator("#notices")).to_contain_text("Remembered in this conversation.")
    asked = page.get_by_role("dialog", name="Delete this message?")
    for text, answer in (("I keep bees", "Delete the message alone"), ("I keep hens", "Delete both")):
        page.locator("#messages .user", has_text=text).get_by_role("button", name="Delete").click()
        expect(asked).to_contain_text("The summary of this conversation is written anew.")
        expect(asked).to_contain_text(f"• {text}")
        asked.get_by_role("button", name="Cancel").click()
        page.locator("#messages .user", has_text=text).get_by_role("button", name="Delete").click()
        asked.get_by_role("button", name=answer).click()
        expect(page.locator("#messages .user", has_text=text)).to_have_count(0)
    facts = page.evaluate("async () => (await (await fetch('/api/facts')).json()).map(fact => fact.text)")
    assert facts == ["I keep bees"]


@pytest.mark.req("S3")
def test_a_message_and_a_block_of_code_are_copied(page: Page, address: str) -> None:
    """Each by its own button, and it is said."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    create_vault(page, address)
    write(page, "HOSTILE, please")
    replies(page, 1)
    page.get_by_role("button", name="Copy code").click()
    expect(page.locator("#announcer")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "<script>document.title = 'hit'</script>"
    page.locator("#messages .user").get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator("#announcer")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "HOSTILE, please"


@pytest.mark.req("S3")
def test_a_conversation_is_renamed_where_its_title_stands(page: Page, address: str) -> None:
    """F2 and Enter, double-click and Esc."""
    create_vault(page, address)
    write(page, "About the pool")
    replies(page, 1)
    page.keyboard.press("F2")
    expect(page.get_by_label("Title", exact=True).first).to_be_focused()
    page.keyboard.type("Swimming")
    page.keyboard.press("Enter")
    expect(page.locator("#title")).to_have_text("Swimming")
    expect(page.locator("#title")).to_be_focused()
    expect(page.locator("#conversations a")).to_have_text("Swimming")
    page.locator("#title").dblclick()
    page.keyboard.type("Never")
    page.keyboard.press("Escape")
    expect(page.locator("#title")).to_have_text("Swimming")


@pytest.mark.req("S3")
def test_hits_are_marked_and_grouped_and_open_at_the_message(page: Page, address: str) -> None:
    """By conversation, the words found marked whatever their endings; Enter opens the best at its message."""
    create_vault(page, address)
    for text in ("Bought tulip bulbs for the balcony", "The tulips stood in a jar"):
        page.keyboard.press("Control+Shift+o")
        page.get_by_label("Just write").check()
        write(page, text)
        expect(mine(page)).to_have_text([text])
    write(page, "Nothing about flowers in this one at all")
    expect(mine(page)).to_have_count(2)
    page.keyboard.press("Control+k")
    page.get_by_label("Search messages and facts").fill("tulip")
    found = page.locator("#found")
    expect(found.get_by_role("heading")).to_have_count(2)
    expect(found.locator("mark")).to_have_text([re.compile("tulips?"), re.compile("tulips?")])
    accessible(page, "found")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(found.locator("a.hit").nth(1)).to_be_focused()
    text = found.locator("a.hit .piece").nth(1).inner_text()
    page.keyboard.press("Enter")
    expect(page.locator("#messages .sought .body")).to_have_text(text)


@pytest.mark.parametrize(("width", "dark"), [(1280, True), (360, False)], ids=["wide-dark", "narrow-light"])
def test_a_conversation_is_accessible_in_each_state(browser: Browser, address: str, width: int, dark: bool) -> None:
    """Editing, other versions, what waits, what is given along, a private one; nothing stands out of a small screen."""
    context = context_of(browser, width, dark)
    page = context.new_page()
    wrong = watched(page)
    create_vault(page, address)
    write(page, "HOSTILE text")
    replies(page, 1)
    page.locator("#messages .user").get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Edit your message")).to_be_focused()
    accessible(page, "editing")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Versions")).to_be_visible()
    drop(page, "a file with a rather long name that has to be cut somewhere.txt", "Some words")
    write(page, "LONG one")
    expect(page.locator("#messages [aria-busy] .body")).to_contain_text("A long reply.")
    write(page, "Next, a rather long line that has to be cut somewhere because it does not fit")
    expect(page.locator("#queue li")).to_have_count(1)
    accessible(page, "waiting")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Stop").click()
    replies(page, 3)
    page.keyboard.press("Control+Shift+o")
    page.keyboard.press("Control+i")
    expect(page.locator("#private-note")).to_be_visible()
    accessible(page, "private")
    write(page, "About the pool")
    replies(page, 1)
    accessible(page, "private, begun")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#chat").evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    page.keyboard.press("Control+Shift+L")
    unlock(page)
    context.close()
    assert not wrong, wrong
