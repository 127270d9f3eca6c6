"""Drafts: what is written but not sent lies in the vault, and goes with its conversation."""

import pathlib

import pytest

from ricordo.errors import NotFound
from ricordo.vault import AsyncVault
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
            assert await again.drafts.all() == {diary.id: "Today I", None: "A new beginning"}

    with_vault(tmp_path, work)


@pytest.mark.req("S3")
def test_an_empty_draft_is_forgotten(tmp_path: pathlib.Path) -> None:
    """Once all of it is deleted or sent, nothing is left of a draft."""

    async def work(vault: AsyncVault) -> None:
        await vault.drafts.keep(None, "Not this")
        await vault.drafts.keep(None, " \n")
        assert await vault.drafts.all() == {}

    with_vault(tmp_path, work)


@pytest.mark.req("V8", "S4")
def test_a_draft_goes_with_its_conversation(tmp_path: pathlib.Path) -> None:
    """Deleting a conversation deletes what was being written in it, and none can be kept for it later."""

    async def work(vault: AsyncVault) -> None:
        diary = await vault.conversations.create("Diary")
        await vault.drafts.keep(diary.id, "Half a thought")
        await vault.conversations.delete(diary.id)
        assert await vault.drafts.all() == {}
        with pytest.raises(NotFound):
            await vault.drafts.keep(diary.id, "Too late")

    with_vault(tmp_path, work)
