"""*What did the model see?* in a real browser, and how far finding by meaning is."""

import json
import pathlib

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from ricordo import Vault
from tests.explained import FACT, HARP, QUESTION, SEARCH, TUNER
from tests.vaults import CHEAP, PASSPHRASE
from tests.web.browser import context_of, create_vault, server, unlock, watched, write

pytestmark = pytest.mark.web

SET = (
    "values => fetch('/api/settings', {method: 'PATCH', headers: {'content-type': 'application/json'},"
    " body: JSON.stringify(values)})"
)


def talk(page: Page, address: str) -> Locator:
    """Write two entries and a fact, ask about them in another conversation, and return the reply."""
    create_vault(page, address)
    page.evaluate(SET, {"whole_diary": True, "global_memories": True, "embedder": "off"})
    write(page, f"/remember {FACT}")
    expect(page.locator("#outcome")).to_contain_text("harpsichord")
    for number, text in enumerate((HARP, TUNER), 1):
        page.get_by_label("Just write").check()
        write(page, text)
        expect(page.locator("#messages .user")).to_have_count(number)
    page.keyboard.press("Control+Shift+o")
    page.get_by_label("Just write").uncheck()
    write(page, QUESTION)
    reply = page.locator("#messages .model:not([aria-busy])")
    expect(reply.locator("time")).to_have_count(1)
    return reply


@pytest.mark.req("B8", "B5")
def test_a_reply_tells_what_the_model_saw(page: Page, address: str) -> None:
    """By keyboard: what was searched, what was sent and left out, the memories; Esc closes and the button has the focus again."""
    reply = talk(page, address)
    opener = reply.get_by_role("button", name="What did the model see?")
    expect(page.locator("#messages .user").get_by_role("button", name="What did the model see?")).to_have_count(0)
    opener.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="What did the model see?")
    expect(dialog).to_be_visible()
    expect(dialog.locator("q")).to_have_text([QUESTION, SEARCH])
    candidates = dialog.locator(".candidate")
    expect(candidates.filter(has_text=HARP)).to_contain_text("Sent")
    expect(candidates.filter(has_text=TUNER)).to_contain_text("Left out")
    expect(candidates.filter(has_text=TUNER)).to_contain_text("left out by the model")
    dialog.get_by_text("Memories that are always sent").click()
    expect(dialog.get_by_text(FACT)).to_be_visible()
    dialog.get_by_text("Steps, times and tokens").click()
    expect(dialog.get_by_text("read anew")).to_be_visible()
    assert Axe().run(page).violations_count == 0
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(opener).to_be_focused()
    assert HARP not in page.locator("#why-dialog").inner_html()
    opener.click()
    dialog.get_by_role("link").first.click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#messages")).to_contain_text(HARP)


HERON = "The heron stood by the old boathouse"
LINES = [
    ("2024-03-02T09:15:00", HERON),
    *((f"2024-06-01T{8 + n // 60:02}:{n % 60:02}:00", f"Note {n}. " + "Rain. " * 60) for n in range(60)),
]


@pytest.mark.req("R6", "B8", "R5")
def test_a_clicked_time_brings_back_what_has_left_the_window(page: Page, tmp_path: pathlib.Path) -> None:
    """The model sees an entry of long ago by its stamp alone: as what was looked up, not as part of the conversation."""
    lines = tmp_path / "Old diary.jsonl"
    lines.write_text("".join(json.dumps({"date": when, "text": text}) + "\n" for when, text in LINES))
    with Vault.create(tmp_path / "diary.ricordo", PASSPHRASE, cost=CHEAP) as vault:
        vault.set(window=2048, reply_room=256, embedder="off")
        vault.imports.bring(lines)
    with server(tmp_path) as address:
        page.goto(f"{address}#/c/1/m/1")
        unlock(page)
        box = page.get_by_label("Message", exact=True)
        box.fill("Any news of the bird of")
        page.locator("#messages .sought").get_by_role("button", name="Refer to 09:15").click()
        expect(box).to_have_value("Any news of the bird of [2024-03-02 09:15] ")
        page.keyboard.press("Enter")
        reply = page.locator("#messages .model:not([aria-busy])")
        expect(reply.locator("time")).to_have_count(1)
        reply.get_by_role("button", name="What did the model see?").click()
        dialog = page.get_by_role("dialog", name="What did the model see?")
        dialog.get_by_text("Looked up by date or place (1)").click()
        looked_up = dialog.locator("details[open] li")
        expect(looked_up).to_contain_text(HERON)
        expect(looked_up.get_by_role("link", name="You wrote")).to_have_attribute("href", "#/c/1/m/1")
        expect(looked_up.get_by_role("link", name="2024-03-02")).to_have_attribute("href", "#/diary/2024-03-02")
        window = dialog.locator("details", has_text="The conversation itself")
        window.locator("summary").click()
        expect(window.get_by_text("Note 59.")).to_be_visible()
        expect(window.get_by_text(HERON)).to_have_count(0)
        expect(dialog.locator(".candidate", has_text=HERON)).to_have_count(0)


@pytest.mark.req("B8", "V8")
def test_what_was_deleted_is_not_shown(page: Page, address: str) -> None:
    """Only that it was; nor is what was searched for."""
    reply = talk(page, address)
    page.evaluate("() => fetch('/api/messages/1', {method: 'DELETE'})")
    reply.get_by_role("button", name="What did the model see?").click()
    dialog = page.locator("#why-dialog")
    expect(dialog.locator(".candidate").first).to_contain_text("A message that was deleted since")
    expect(dialog).to_contain_text("no longer kept")
    assert "Ysolde" not in dialog.inner_text()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_fits_a_small_screen(browser: Browser, address: str, dark: bool) -> None:
    """At 375 pixels nothing stands out of the dialog, and axe finds nothing."""
    context = context_of(browser, 375, dark)
    page = context.new_page()
    wrong = watched(page)
    reply = talk(page, address)
    reply.get_by_role("button", name="What did the model see?").click()
    dialog = page.locator("#why-dialog")
    for summary in dialog.locator("summary").all():
        summary.click()
    assert dialog.evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert Axe().run(page).violations_count == 0
    context.close()
    assert not wrong, wrong


@pytest.mark.req("B8", "X3")
def test_a_reply_without_a_trace_says_so(page: Page, address: str) -> None:
    """As a notice; no empty dialog opens."""
    reply = talk(page, address)
    page.route("**/trace", lambda route: route.fulfill(status=404, json={"error": {"kind": "NotFound", "message": "Not kept."}}))
    reply.get_by_role("button", name="What did the model see?").click()
    expect(page.locator("#notices")).to_contain_text("Not kept.")
    expect(page.locator("#why-dialog")).to_be_hidden()


@pytest.mark.req("X3", "R2")
def test_the_settings_say_why_words_alone_are_searched(page: Page, address: str) -> None:
    """One line beside the model."""
    create_vault(page, address)
    page.evaluate(SET, {"embedder": "off"})
    page.keyboard.press("Control+.")
    expect(page.locator("#by-meaning")).to_contain_text("Words alone are searched.")


def test_making_ready_to_find_by_meaning_is_shown_while_it_lasts(page: Page, address: str) -> None:
    """Quietly in the list, gone when all is done."""
    create_vault(page, address)
    told = (
        "data => { const channel = new BroadcastChannel('ricordo'); channel.postMessage(['embedding', data]); channel.close(); }"
    )
    page.evaluate(told, {"done": 320, "total": 1000})
    expect(page.locator("#embedding")).to_have_text("Making ready to find by meaning: 32%")
    page.evaluate(told, {"done": 1000, "total": 1000})
    expect(page.locator("#embedding")).to_be_hidden()
