"""Removing everything (V6): nothing of it is left in any table or file, and the vault goes on."""

import pathlib

import pytest

from ricordo.errors import VaultInUse, WrongPassphrase
from ricordo.store.connection import Database
from ricordo.store.file import leftover_journal
from ricordo.vault import AsyncVault, copies, erase, restore
from tests import filled
from tests.vaults import CHEAP, PASSPHRASE, events, with_vault

# What is no content: settings, what is known of models, hashes of tokens, and the machinery of SQLite's search.
STAYS = ("settings", "profiles", "tokens", "sqlite_", "excerpt_words", "fact_words", "words_taken_out", "facts_changed")


async def rows(vault: AsyncVault) -> dict[str, int]:
    """Return how many rows each table of content has."""

    def job(connection: object) -> dict[str, int]:
        names = [row[0] for row in connection.execute("select name from sqlite_schema where type = 'table'")]  # type: ignore[attr-defined]
        counted = {n: connection.execute(f"select count(*) from {n}").get for n in names if not n.startswith(STAYS)}  # type: ignore[attr-defined]
        return {name: count for name, count in counted.items() if count}

    return await vault._database.read(job)  # type: ignore[arg-type]


def plain(vault: AsyncVault) -> bytes:
    """Return every page of the database, decrypted."""
    file = vault._database._file
    connection = file.connect(cache_kib=1024, read_only=True)
    try:
        return connection.serialize("main")
    finally:
        connection.close()


@pytest.mark.req("V6", "V8")
def test_removing_leaves_no_word_in_the_file(tmp_path: pathlib.Path) -> None:
    """Every table of content is empty, no page holds a word of it, not even folded; settings stay, and writing goes on."""

    async def work(vault: AsyncVault) -> None:
        await filled.fill(vault)
        await vault.embed()
        assert {"messages", "facts", "excerpts", "attachments", "tombstones", "drafts", "draft_attachments"} <= set(
            await rows(vault)
        )
        assert filled.MARK.encode() in plain(vault)
        await vault.set(instructions="")
        await vault.remove_data()
        assert await rows(vault) == {}
        assert filled.MARK.encode() not in plain(vault)
        assert leftover_journal(vault.path) is None
        assert vault.settings.appearance == "dark"
        assert await vault.search(filled.MARK) == []
        talk = await vault.conversations.create("Anew")
        said = await events(vault.reply(talk.id, "A first word after all that was removed"))
        assert said
        assert await vault.search("first word")

    with_vault(tmp_path, work, filled.model())


@pytest.mark.req("V2")
def test_a_new_recovery_key_takes_the_old_ones_place(tmp_path: pathlib.Path) -> None:
    """The passphrase still opens, the new key opens, the old one no more; a wrong secret changes nothing."""

    async def work(vault: AsyncVault) -> None:
        old = vault.recovery_key or ""
        with pytest.raises(WrongPassphrase):
            await vault.new_recovery_key("wrong")
        await vault.check_passphrase(old)
        new = await vault.new_recovery_key(PASSPHRASE)
        await vault.check_passphrase(new)
        await vault.check_passphrase(PASSPHRASE)
        with pytest.raises(WrongPassphrase):
            await vault.check_passphrase(old)

    with_vault(tmp_path, work)


def made(path: pathlib.Path) -> None:
    """Make an empty vault."""
    Database.create(path, PASSPHRASE, cost=CHEAP)[0].shut()


@pytest.mark.req("V6")
def test_a_factory_reset_takes_the_vault_and_its_copies_and_nothing_else(tmp_path: pathlib.Path) -> None:
    """Copies from before a restore or migration go too; a backup under a name of the person's own stays."""
    path, backup, other = tmp_path / "diary.ricordo", tmp_path / "my backup.ricordo", tmp_path / "diary.txt"
    made(path)
    made(backup)
    other.write_text("mine")
    restore(path, backup, PASSPHRASE)
    assert [copy.name for copy in copies(path)] == ["diary.before-restore.ricordo"]
    held = Database.open(path, PASSPHRASE)
    with pytest.raises(VaultInUse):
        erase(path)
    held.shut()
    erase(path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["diary.txt", "my backup.ricordo"]
