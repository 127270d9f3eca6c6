"""Everything out, in and gone, in a real browser."""

import json
import pathlib
import zipfile

import pytest
from playwright.sync_api import Page, expect

from tests.transfer import files
from tests.vaults import PASSPHRASE
from tests.web.browser import create_vault, unlock, write

pytestmark = pytest.mark.web


def begin(page: Page, address: str) -> None:
    """Make a vault, keep an entry, open the settings at Data."""
    create_vault(page, address)
    page.get_by_label("Just write").check()
    write(page, "Met Paul at the market in Trieste")
    expect(page.locator("#messages .user")).to_be_visible()
    to_data(page)


def to_data(page: Page) -> None:
    """Open the settings at Data."""
    page.evaluate("location.hash = '#/settings/data'")
    expect(page.locator("#settings-data h3")).to_be_focused()


def saved(page: Page, name: str, confirm: str | None = None) -> pathlib.Path:
    """Press a button that saves a file, and return that."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
        if confirm:
            page.locator("#ask").get_by_role("button", name=confirm).click()
    return pathlib.Path(download.value.path())


def chosen(page: Page, name: str, *files: pathlib.Path) -> None:
    """Press a button that asks for files, and choose them."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=name).click()
    chooser.value.set_files(list(files))


def erase(page: Page, what: str, word: str) -> None:
    """Erase something, with its word."""
    page.get_by_role("button", name=what).first.click()
    dialog = page.get_by_role("dialog")
    go = dialog.get_by_role("button").last
    dialog.get_by_label("to confirm").fill("yes")
    expect(go).to_be_disabled()
    dialog.get_by_label("to confirm").fill(word)
    go.click()


@pytest.mark.req("V5", "V6")
def test_a_backup_is_saved_and_restored(page: Page, address: str, tmp_path: pathlib.Path) -> None:
    """Removed data comes back with it; a wrong passphrase says so and restores nothing."""
    begin(page, address)
    backup = tmp_path / "copy.ricordo"
    backup.write_bytes(saved(page, "Save a backup").read_bytes())
    assert b"Trieste" not in backup.read_bytes()
    expect(page.locator("#settings-data")).to_contain_text("is in your downloads")
    erase(page, "Remove my data", "remove")
    expect(page.locator("#conversations a")).to_have_count(0)
    page.get_by_role("button", name="Restore a backup").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Backup", exact=True).set_input_files(backup)
    dialog.get_by_label("The passphrase of that backup").fill("wrong")
    dialog.get_by_role("button", name="Check and restore").click()
    expect(dialog.get_by_role("alert")).to_contain_text("neither the passphrase nor the recovery key")
    dialog.get_by_label("The passphrase of that backup").fill(PASSPHRASE)
    dialog.get_by_role("button", name="Check and restore").click()
    unlock(page)
    expect(page.locator("#conversations a")).to_have_text("Met Paul at the market in Trieste")


@pytest.mark.req("V5", "V6")
def test_a_factory_reset_begins_anew_and_a_backup_brings_all_back(page: Page, address: str, tmp_path: pathlib.Path) -> None:
    """The page asks for a new vault, and takes a backup instead."""
    begin(page, address)
    backup = tmp_path / "copy.ricordo"
    backup.write_bytes(saved(page, "Save a backup").read_bytes())
    erase(page, "Factory reset", "reset")
    expect(page.locator("#create")).to_be_visible()
    page.get_by_role("button", name="Restore a backup instead").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Backup", exact=True).set_input_files(backup)
    dialog.get_by_label("The passphrase of that backup").fill(PASSPHRASE)
    dialog.get_by_role("button", name="Check and restore").click()
    unlock(page)
    expect(page.locator("#conversations a")).to_have_count(1)


@pytest.mark.req("V5")
def test_exports_warn_and_come_back(page: Page, address: str, tmp_path: pathlib.Path) -> None:
    """Plain text only after a plain word; JSON brings nothing where all is there, and all where nothing is."""
    begin(page, address)
    markdown = zipfile.ZipFile(saved(page, "Export as Markdown", "Export"))
    assert any("Trieste" in markdown.read(name).decode() for name in markdown.namelist())
    export = tmp_path / "ricordo.json"
    export.write_bytes(saved(page, "Export as JSON", "Export").read_bytes())
    assert json.loads(export.read_text())["messages"][0]["text"] == "Met Paul at the market in Trieste"
    data = page.locator("#settings-data")
    chosen(page, "Import files", export)
    expect(data).to_contain_text("Ricordo export: nothing in it is new.")
    erase(page, "Remove my data", "remove")
    expect(page.locator("#conversations a")).to_have_count(0)
    chosen(page, "Import files", export)
    expect(data).to_contain_text("Ricordo export: 1 message, 1 new conversation, 0 memories")
    page.get_by_role("button", name="Import them").click()
    expect(data).to_contain_text("1 message, 1 new conversation, 0 memories came in.")
    expect(page.locator("#conversations a")).to_have_count(1)


@pytest.mark.req("I6")
def test_a_diary_is_looked_through_imported_and_undone(page: Page, address: str, tmp_path: pathlib.Path) -> None:
    """What could not be read is named; undone, after a question that says how much goes, nothing of it is left."""
    create_vault(page, address)
    to_data(page)
    lines = tmp_path / "diary.jsonl"
    lines.write_text('{"date": "2024-05-03", "text": "Rain."}\nnothing\n')
    chosen(page, "Import files", lines)
    data = page.locator("#settings-data")
    expect(data).to_contain_text("Diary: 1 message, 1 new conversation, written from 2024-05-03 to 2024-05-03.")
    expect(data).to_contain_text("diary.jsonl, line 2")
    expect(page.get_by_role("button", name="Import them")).to_be_focused()
    page.keyboard.press("Enter")
    expect(data).to_contain_text("1 message, 1 new conversation came in.")
    expect(page.locator("#conversations a")).to_have_count(1)
    chosen(page, "Import files", lines)
    expect(data).to_contain_text("Diary: nothing in it is new.")
    expect(page.get_by_role("button", name="Import them")).to_have_count(0)
    page.get_by_role("button", name="Undo the import of diary.jsonl").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 message, 1 conversation and 0 memories are deleted for good.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.locator("#imports li")).to_have_count(1)
    page.get_by_role("button", name="Undo the import of diary.jsonl").click()
    dialog.get_by_role("button", name="Delete 1 message").click()
    expect(data).to_contain_text("1 message, 1 conversation and 0 memories were taken out again.")
    expect(page.locator("#conversations a")).to_have_count(0)
    expect(page.locator("#imports li")).to_have_count(0)


@pytest.mark.req("I6")
def test_an_export_of_chatgpt_is_told_by_its_content_and_learned_from_when_asked(
    page: Page, address: str, tmp_path: pathlib.Path
) -> None:
    """In a zip with other files; said to be something else it is refused in a sentence."""
    create_vault(page, address)
    to_data(page)
    export = files.packed(
        tmp_path / "export.zip", conversations_json=[files.simple("one", "Where do figs grow?", "By walls.")], user_json={}
    )
    data = page.locator("#settings-data")
    data.get_by_label("What it is").select_option("claude")
    chosen(page, "Import files", export)
    expect(data.get_by_role("alert")).to_contain_text("an export of Claude")
    data.get_by_label("What it is").select_option("")
    chosen(page, "Import files", export)
    expect(data).to_contain_text("ChatGPT export: 2 messages, 1 new conversation")
    expect(data).to_contain_text("Left out: other files (1).")
    page.get_by_role("button", name="Import them").click()
    expect(page.locator("#conversations a")).to_have_text("Talk one")
    page.get_by_role("button", name="Learn from it: export.zip").click()
    expect(page.locator("#imports")).to_contain_text("1 of 1 entries read")
    expect(page.get_by_role("button", name="Learn from it")).to_have_count(0)


@pytest.mark.req("I6")
def test_a_folder_of_notes_is_imported(page: Page, address: str, tmp_path: pathlib.Path) -> None:
    """Pictures and what the notes' program keeps for itself stay out."""
    create_vault(page, address)
    to_data(page)
    notes = tmp_path / "Garden"
    (notes / "Trips").mkdir(parents=True)
    (notes / ".obsidian").mkdir()
    (notes / ".obsidian" / "app.json").write_text("{}")
    (notes / "Figs.md").write_text("By the [[wall]].")
    (notes / "Trips" / "map.png").write_bytes(b"\x89PNG")
    (notes / "Trips" / "Kyoto.md").write_text("---\ndate: 2023-04-01\n---\nTemples.")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Import a folder").click()
    chooser.value.set_files(notes)
    expect(page.locator("#settings-data")).to_contain_text("Markdown notes: 2 messages, 2 new conversations")
    page.get_by_role("button", name="Import them").click()
    expect(page.locator("#conversations a")).to_have_count(2)
    expect(page.locator("#conversations")).to_contain_text("Notes: Garden / Trips")
