"""Pictures of every state of the page, also the odd ones, to be looked at: `python -m tests.web.states FOLDER`."""

import pathlib
import sys
import tempfile

from playwright.sync_api import Page, expect, sync_playwright

from tests.vaults import PASSPHRASE
from tests.web.browser import context_of, launch, server, unlock, write


def take(page: Page, folder: pathlib.Path, prefix: str) -> None:
    """Walk through the page and take a picture of each state."""
    number = 0

    def shoot(name: str) -> None:
        nonlocal number
        number += 1
        page.screenshot(path=str(folder / f"{prefix}_{number:02}_{name}.png"))

    narrow = prefix.endswith("360")

    def rail() -> None:
        if narrow:
            page.get_by_role("button", name="Show conversations").click()

    page.locator("#create-first").fill(PASSPHRASE)
    page.locator("#create-second").fill("something else")
    page.get_by_role("button", name="Make the vault").click()
    shoot("create")
    page.locator("#create-second").fill(PASSPHRASE)
    page.get_by_role("button", name="Make the vault").click()
    page.get_by_label("I have kept it").check()
    shoot("recovery")
    page.get_by_role("button", name="Set up in three steps").click()
    for name in ("model", "defaults", "import"):
        expect(page.locator(".step h2")).to_be_focused()
        shoot(f"first_{name}")
        if name != "import":
            page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Begin writing").click()
    expect(page.locator("#meter .figure")).to_be_visible()
    shoot("empty")
    page.get_by_label("Just write").check()
    write(page, "Met Paul at the market. He moves to Trieste in spring.\nBought seeds for the balcony.")
    expect(page.locator("#messages .user")).to_be_visible()
    page.get_by_label("Just write").uncheck()
    shoot("entry")
    rail()
    page.get_by_role("button", name="New conversation").click()
    write(page, "Long day. Ida called, her exam is over! In the evening I went to the pool, the first time since March.")
    expect(page.locator("#messages .model .actions")).to_contain_text("Try again")
    write(page, "Yes please. And what did Paul say about the spring?")
    expect(page.locator("#messages .model .actions").nth(1)).to_contain_text("Try again")
    page.locator("#scroll").evaluate("box => { box.scrollTop = 0 }")
    shoot("chat")
    page.get_by_role("button", name="What did the model see?").first.click()
    expect(page.locator("#why-dialog")).to_be_visible()
    shoot("why")
    page.keyboard.press("Escape")
    page.locator("#meter summary").first.click()
    page.locator("#meter .layers details").first.locator("summary").click()
    shoot("meter")
    page.locator("#meter > summary").click()
    write(page, "/help")
    expect(page.locator("#outcome")).to_be_visible()
    shoot("help")
    write(page, "/dance")
    expect(page.locator("#outcome.error")).to_be_visible()
    shoot("unknown_command")
    write(page, "LONG please")
    expect(page.locator("#messages [aria-busy] .body")).to_contain_text("long reply")
    write(page, "And what shall I plant beside the wall?")
    expect(page.locator("#queue li")).to_have_count(1)
    shoot("streaming")
    page.get_by_role("button", name="Withdraw").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#messages")).to_contain_text("Stopped.")
    shoot("stopped")
    write(page, "FAIL now")
    expect(page.locator(".failed")).to_be_visible()
    shoot("failed")
    write(page, "HOSTILE text")
    expect(page.locator("#messages table")).to_be_visible()
    shoot("markdown")
    page.locator("#files").set_input_files({"name": "quinces.md", "mimeType": "text/markdown", "buffer": b"# Plan\nPlant them."})
    expect(page.locator("#enclosed li")).to_have_count(1)
    page.locator("#messages .user").last.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Edit your message")).to_be_focused()
    shoot("editing")
    page.get_by_label("Edit your message").fill("What did Paul say?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Versions")).to_be_visible()
    shoot("versions")
    page.keyboard.press("Control+Shift+o")
    page.keyboard.press("Control+i")
    write(page, "Something only for now")
    expect(page.locator("#messages .model .actions")).to_contain_text("Try again")
    shoot("private")
    page.get_by_role("button", name="End it").click()
    rail()
    page.locator("#conversations a").first.click()  # global memories are off, so facts are kept for a conversation
    page.locator("#toggle-memory").click()
    for text in ("Ida is my sister; her exam was in May", "Goes swimming on Wednesdays, at the pool by the station"):
        page.get_by_label("New fact").fill(text)
        page.keyboard.press("Enter")
        expect(page.locator("#facts")).to_contain_text(text)
    shoot("memory")
    page.get_by_role("button", name="Edit: Ida").click()
    shoot("memory_edit")
    page.keyboard.press("Escape")
    page.locator("#memory-close").click()
    rail()
    page.get_by_role("button", name="New Space").click()
    page.get_by_label("Name").fill("Garden")
    shoot("space")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Space settings").click()
    expect(page.get_by_role("tab", name="Settings")).to_be_visible()
    shoot("space_settings")
    page.get_by_role("button", name="Delete this Space…").click()
    shoot("delete_space")
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Memory").click()
    page.locator("#space-fact-text").fill("Has a balcony to the south, with tomatoes")
    page.keyboard.press("Enter")
    expect(page.locator("#space-facts .fact")).to_have_count(1)
    shoot("space_memory")
    page.get_by_role("tab", name="Conversations").click()
    shoot("space_conversations")
    rail()
    page.get_by_role("link", name="Memory").click()
    expect(page.locator("#memory-rows .fact").first).to_be_visible()
    shoot("memories")
    page.get_by_text("Excerpts", exact=True).first.click()
    expect(page.locator("#memory-rows .excerpt").first).to_be_visible()
    shoot("excerpts")
    rail()
    page.locator("#space").select_option("")
    shoot("list")
    page.get_by_role("link", name="Diary").click()
    expect(page.locator("#diary .entry").first).to_be_visible()
    shoot("diary")
    page.get_by_role("button", name="Previous month").click()
    expect(page.locator(".reading")).to_contain_text("Nothing was written in this month.")
    shoot("diary_month")
    rail()
    page.locator("#conversations a").first.click()
    rail()
    page.get_by_role("button", name="Search").click()
    page.get_by_label("Search messages and facts").fill("pool ida")
    expect(page.locator("#found li").first).to_be_visible()
    shoot("search")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings", exact=True).click()
    expect(page.locator("#by-meaning")).not_to_be_empty()
    shoot("settings")
    page.locator("#server-kind").select_option("address")
    page.get_by_label("Address of the server").fill("https://api.example.com/v1")
    for name in ("models", "privacy", "data", "vault"):
        page.evaluate(f"location.hash = '#/settings/{name}'")
        expect(page.locator(f"#settings-{name} h3")).to_be_focused()
        shoot(f"settings_{name}")
    page.get_by_role("button", name="Remove my data").click()
    shoot("erase")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Restore a backup").click()
    shoot("restore")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Escape")
    if not narrow:
        page.keyboard.press("Shift+Escape")
        page.locator("#title").focus()
        page.keyboard.press("Shift+?")
        shoot("keys")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Conversation settings").click()
        shoot("conversation")
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Lock").click()
    expect(page.locator("#unlock")).to_be_visible()
    page.locator("#unlock-passphrase").fill("wrong")
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator("#door-error")).not_to_be_empty()
    shoot("unlock")
    unlock(page)


def main() -> None:
    """Take the pictures, wide and narrow, light and dark."""
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for width in (1280, 360):
            for dark in (False, True):
                with tempfile.TemporaryDirectory() as place, server(pathlib.Path(place)) as address:
                    context = context_of(browser, width, dark)
                    page = context.new_page()
                    page.goto(address)
                    take(page, folder, f"{'dark' if dark else 'light'}_{width}")
                    context.close()
        browser.close()


if __name__ == "__main__":
    main()
