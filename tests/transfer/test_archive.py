"""Everything out as JSON and in again: complete, exactly the same, all of it or nothing."""

import json
import pathlib
from typing import Any

import pytest

from ricordo.conversation import Attachment
from ricordo.errors import ImportFailed
from ricordo.hit import FactHit, MessageHit
from ricordo.imported import Imported
from ricordo.vault import AsyncVault, Upload
from tests import filled
from tests.vaults import with_vault


async def exported(vault: AsyncVault) -> bytes:
    """Return the whole export."""
    return b"".join([piece async for piece in vault.data.json()])


async def give(vault: AsyncVault, data: bytes) -> Imported:
    """Import an export that lies in memory."""
    return await vault.imports.bring(upload(data), "ricordo")


def upload(data: bytes) -> Upload:
    """Return an export that lies in memory."""
    return Upload("ricordo.json", (("ricordo.json", data),))


def make(folder: pathlib.Path) -> bytes:
    """Return the export of a vault with a little of everything, one change of the model among it."""
    folder.mkdir()

    async def work(vault: AsyncVault) -> bytes:
        await filled.fill(vault)
        return await exported(vault)

    return with_vault(folder, work, filled.model())


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """One export for the tests of this module."""
    return make(tmp_path_factory.mktemp("out") / "vault")


def bring(folder: pathlib.Path, data: bytes) -> bytes:
    """Import an export into a new vault and export that."""

    async def work(vault: AsyncVault) -> bytes:
        await give(vault, data)
        return await exported(vault)

    return with_vault(folder, work)


@pytest.mark.req("V5")
def test_out_in_and_out_again_is_the_same_to_the_byte(tmp_path: pathlib.Path, export: bytes) -> None:
    """Ids, branches, times to the microsecond, pins, tombstones and what was numbered once: nothing is lost or renamed."""
    assert bring(tmp_path, export) == export


@pytest.mark.req("V5")
def test_the_export_is_complete_but_for_keys(export: bytes) -> None:
    """Each kind is there, the branch that is not shown too; the key of a server is not."""
    whole = json.loads(export)
    assert [space["name"] for space in whole["spaces"]] == ["Garden / balcony"]
    assert {(one["active"], one["role"]) for one in whole["messages"]} == {(True, "user"), (True, "model"), (False, "model")}
    assert [file["name"] for one in whole["messages"] for file in one["attachments"]] == ["list.txt"]
    assert {(fact["pinned"], fact["shared"]) for fact in whole["facts"]} == {(True, False), (False, True)}
    assert any(fact["sources"] for fact in whole["facts"])
    assert len(whole["tombstones"]) == 1 and "Hates" not in export.decode()
    assert whole["drafts"][0]["text"].startswith("Half a thought")
    assert [file["text"] for file in whole["drafts"][0]["attachments"]] == [f"{filled.MARK} timetable"]
    assert whole["settings"]["appearance"] == "dark"
    assert filled.SECRET.encode() not in export


@pytest.mark.req("V5")
def test_what_was_imported_is_found_and_shown(tmp_path: pathlib.Path, export: bytes) -> None:
    """The index is made anew, the settings serve at once, and an id that was given once is not given again."""

    async def work(vault: AsyncVault) -> None:
        restored = await give(vault, export)
        assert (restored.conversations, restored.facts) == (2, 3)
        assert vault.settings.appearance == "dark"
        found = [hit for hit in await vault.search("tomatoes pot") if isinstance(hit, MessageHit)]
        assert any("big pot" in hit.message.text for hit in found)
        assert any(isinstance(hit, FactHit) for hit in await vault.search(f"likes {filled.MARK}"))
        new = await vault.write(restored.conversations, "The next one, long enough to be found")
        assert new.id == json.loads(export)["last_ids"]["messages"] + 1

    with_vault(tmp_path, work)


@pytest.mark.req("V5")
def test_what_was_typed_meanwhile_stays_where_the_export_has_no_draft(tmp_path: pathlib.Path, export: bytes) -> None:
    """With what was given along; also an export from before drafts had that is taken."""

    async def work(vault: AsyncVault) -> None:
        whole = json.loads(export)
        whole["drafts"] = [{"conversation": 1, "text": "Of old"}]
        await vault.drafts.keep(None, "typed meanwhile", [Attachment("list.txt", "text/plain", "Bread")])
        await give(vault, json.dumps(whole).encode())
        new, old = await vault.drafts.all()
        assert (new.text, [file.text for file in new.attachments]) == ("typed meanwhile", ["Bread"])
        assert (old.conversation, old.text, old.attachments) == (1, "Of old", ())

    with_vault(tmp_path, work)


def spoiled(export: bytes, how: str) -> bytes:
    """Return the export with something wrong in it."""
    whole: dict[str, Any] = json.loads(export)
    match how:
        case "cut off":
            return export[: len(export) // 2]
        case "another's":
            return b'{"conversations": []}'
        case "newer":
            whole["version"] = 99
        case "a part is missing":
            del whole["facts"]
        case "a field is missing":
            del whole["messages"][0]["text"]
        case "a field too many":
            whole["messages"][0]["colour"] = "red"
        case "a number where text was":
            whole["facts"][0]["text"] = 7
        case "a list where text was":
            whole["messages"][0]["text"] = ["a"]
        case "twice the same id":
            whole["messages"].append(whole["messages"][0])
        case "belongs to nothing":
            whole["messages"][0]["conversation"] = 12345
        case "a time that is none":
            whole["messages"][-1]["at"] = "yesterday"
        case "half a character":
            return export.replace("ünïcode".encode(), b"\\ud800")
        case "an odd role":
            whole["messages"][0]["role"] = "nobody"
        case "a setting that does not fit":
            whole["settings"]["window"] = -4
        case "odd last ids":
            whole["last_ids"] = {"settings": 4}
        case "a home that is none":
            whole["facts"][0]["home"] = {"kind": "moon", "id": 1}
    return json.dumps(whole).encode()


@pytest.mark.req("V5")
@pytest.mark.parametrize(
    "how",
    [
        "cut off", "another's", "newer", "a part is missing", "a field is missing", "a field too many", "a number where text was",
        "a list where text was", "twice the same id", "belongs to nothing", "a time that is none", "half a character",
        "an odd role", "a setting that does not fit", "odd last ids", "a home that is none",
    ],
)  # fmt: skip
def test_an_export_that_is_not_right_changes_nothing(tmp_path: pathlib.Path, export: bytes, how: str) -> None:
    """All of it or nothing: the vault is as empty as before, with its own settings, and the sentence says so."""

    async def work(vault: AsyncVault) -> None:
        await vault.drafts.keep(None, "typed meanwhile", [Attachment("list.txt", "text/plain", "given meanwhile")])
        before = await exported(vault)
        with pytest.raises(ImportFailed):
            await give(vault, spoiled(export, how))
        assert await exported(vault) == before
        assert vault.settings.appearance == "system"

    with_vault(tmp_path, work)
