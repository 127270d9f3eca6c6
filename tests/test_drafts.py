"""Drafts: what is written but not sent lies in the vault, and goes with its conversation."""

import pathlib

import pytest

from ricordo.conversation import Attachment, Draft
from ricordo.errors import NotFound
from ricordo.store.file import leftover_journal
from ricordo.vault import AsyncVault
from tests.test_removing import plain
from tests.vaults import PASSPHRASE, with_vault


@pytest.mark.req("S3")
def test_a_draft_outlives_the_lock(tmp_path: pathlib.Path) -> None:
    """What was typed is there again after locking and unlocking, for each conversation and for a new one."""

    async def work(vault: AsyncVault) -> None:
        diary = await vault.conversations.create("Diary")
        await vault.drafts.keep(diary.id, "Today I")
        await vault.drafts.keep(None, "A new")
        await vault.drafts.keep(None, "A new beginning")
        await vault.close()
        async with await AsyncVault.open(tmp_path / "diary.ricordo", PASSPHRASE) as again:
            assert await again.drafts.all() == [Draft(None, "A new beginning"), Draft(diary.id, "Today I")]

    with_vault(tmp_path, work)


@pytest.mark.req("S3")
def test_an_empty_draft_is_forgotten(tmp_path: pathlib.Path) -> None:
    """Once all of it is deleted or sent, nothing is left of a draft."""

    async def work(vault: AsyncVault) -> None:
        await vault.drafts.keep(None, "Not this")
        await vault.drafts.keep(None, " \n")
        assert await vault.drafts.all() == []

    with_vault(tmp_path, work)


@pytest.mark.req("S3", "S6")
def test_what_is_given_along_belongs_to_the_draft(tmp_path: pathlib.Path) -> None:
    """Text and files are kept apart from each other; a draft may be a file alone; the last of both gone, it is forgotten."""
    file, other = (Attachment(name, "text/plain", "Bread") for name in ("list.txt", "other.txt"))

    async def work(vault: AsyncVault) -> None:
        await vault.drafts.keep(None, attachments=[file, other])
        assert await vault.drafts.all() == [Draft(None, "", (file, other))]
        await vault.drafts.keep(None, "To buy")
        await vault.drafts.keep(None, attachments=[other])
        assert await vault.drafts.all() == [Draft(None, "To buy", (other,))]
        await vault.drafts.keep(None, "")
        assert await vault.drafts.all() == [Draft(None, "", (other,))]
        await vault.drafts.keep(None, attachments=[])
        assert await vault.drafts.all() == []

    with_vault(tmp_path, work)


@pytest.mark.req("V8", "S6")
def test_a_file_that_is_taken_off_is_in_no_file_any_more(tmp_path: pathlib.Path) -> None:
    """Nor is one whose conversation is deleted."""

    async def work(vault: AsyncVault) -> None:
        diary = await vault.conversations.create("Diary")
        for where in (None, diary.id):
            await vault.drafts.keep(where, "To buy", [Attachment("list.txt", "text/plain", "quixalorn bread")])
        assert b"quixalorn" in plain(vault)
        await vault.drafts.keep(None, attachments=[])
        assert b"quixalorn" in plain(vault)
        await vault.conversations.delete(diary.id)
        assert b"quixalorn" not in plain(vault)
        assert leftover_journal(vault.path) is None

    with_vault(tmp_path, work)


@pytest.mark.req("V8", "S4")
def test_a_draft_goes_with_its_conversation(tmp_path: pathlib.Path) -> None:
    """Deleting a conversation deletes what was being written in it, and none can be kept for it later."""

    async def work(vault: AsyncVault) -> None:
        diary = await vault.conversations.create("Diary")
        await vault.drafts.keep(diary.id, "Half a thought")
        await vault.conversations.delete(diary.id)
        assert await vault.drafts.all() == []
        with pytest.raises(NotFound):
            await vault.drafts.keep(diary.id, "Too late")

    with_vault(tmp_path, work)
