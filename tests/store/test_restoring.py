"""A backup in the vault's place: checked whole first, and what was there is never lost."""

import asyncio
import pathlib

import pytest

from ricordo.errors import InvalidInput, VaultDamaged, VaultInUse, VaultMissing, WrongPassphrase
from ricordo.store import conversations
from ricordo.store.connection import Database
from ricordo.store.restoring import restore
from tests.transfer.shelf import NOW
from tests.vaults import CHEAP, PASSPHRASE


def made(path: pathlib.Path, title: str, passphrase: str = PASSPHRASE) -> pathlib.Path:
    """Make a vault with one conversation."""

    async def make() -> None:
        database, _ = Database.create(path, passphrase, cost=CHEAP)
        await database.write(lambda c: conversations.create(c, title, None, NOW))
        await database.close()

    asyncio.run(make())
    return path


def title(path: str | pathlib.Path, secret: str = PASSPHRASE) -> str:
    """Return the title of the one conversation in a vault."""

    async def read() -> str:
        database = await asyncio.to_thread(Database.open, path, secret)
        try:
            return (await database.read(conversations.listed))[0].title
        finally:
            await database.close()

    return asyncio.run(read())


@pytest.mark.req("V5")
def test_the_backup_is_there_and_the_old_vault_is_kept(tmp_path: pathlib.Path) -> None:
    """The backup itself stays as well; a second restore keeps the first one's old vault too."""
    vault, backup = made(tmp_path / "diary.ricordo", "now"), made(tmp_path / "b.ricordo", "then", "another one")
    aside = restore(vault, backup, "another one")
    assert title(vault, "another one") == "then"
    assert title(backup, "another one") == "then"
    assert aside is not None and title(aside) == "now"
    assert restore(vault, made(tmp_path / "c.ricordo", "third"), PASSPHRASE) != aside
    assert title(vault) == "third"


@pytest.mark.req("V5")
def test_a_vault_is_restored_where_none_is(tmp_path: pathlib.Path) -> None:
    """As on a new computer."""
    backup = made(tmp_path / "b.ricordo", "then")
    assert restore(tmp_path / "new" / "diary.ricordo", backup, PASSPHRASE) is None
    assert title(tmp_path / "new" / "diary.ricordo") == "then"


@pytest.mark.req("V5", "V2")
@pytest.mark.parametrize("what", ["wrong passphrase", "damaged", "cut off", "missing", "the vault itself", "in use"])
def test_a_backup_that_will_not_do_changes_nothing(tmp_path: pathlib.Path, what: str) -> None:
    """Each has its error, and not a byte of the vault is touched."""
    vault, backup = made(tmp_path / "diary.ricordo", "now"), made(tmp_path / "b.ricordo", "then")
    secret, expected, held = PASSPHRASE, VaultDamaged, None
    data = bytearray(backup.read_bytes())
    match what:
        case "wrong passphrase":
            secret, expected = "wrong", WrongPassphrase
        case "damaged":
            data[len(data) // 2] ^= 1
            backup.write_bytes(data)
        case "cut off":
            backup.write_bytes(data[: len(data) // 2])
        case "missing":
            backup.unlink()
            expected = VaultMissing
        case "the vault itself":
            backup, expected = vault, InvalidInput
        case "in use":
            held, expected = Database.open(vault, PASSPHRASE), VaultInUse
    before = vault.read_bytes()
    with pytest.raises(expected):
        restore(vault, backup, secret)
    if held is not None:
        held.shut()
    assert vault.read_bytes() == before or what == "in use"
    assert title(vault) == "now"
    assert not list(tmp_path.glob("*.part*"))
    assert not list(tmp_path.glob("*before-restore*"))
