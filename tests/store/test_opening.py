"""Making and opening a vault: by either secret, never over anything, never half, an older one after a copy."""

import asyncio
import pathlib
from collections.abc import Callable

import apsw
import pytest

from ricordo.errors import InvalidInput, VaultError, VaultExists, VaultMissing, VaultTooNew, WrongPassphrase
from ricordo.store import schema
from ricordo.store.connection import Database
from tests.store.box import LOW, PASSPHRASE, new_vault, read_back, said, say, shut


@pytest.mark.req("V2")
def test_what_was_written_is_there_when_it_is_opened_again(tmp_path: pathlib.Path) -> None:
    """By the passphrase and by the recovery key, as people type it."""
    vault, recovery = new_vault(tmp_path / "diary.ricordo")

    async def story() -> None:
        await say(vault, "Today I moved to Trieste.")
        await vault.close()
        assert await read_back(tmp_path / "diary.ricordo") == ["Today I moved to Trieste."]
        assert await read_back(tmp_path / "diary.ricordo", recovery.lower().replace("-", " ")) == ["Today I moved to Trieste."]

    asyncio.run(story())


@pytest.mark.req("V2")
def test_a_wrong_passphrase_is_a_clear_error_and_changes_nothing(tmp_path: pathlib.Path) -> None:
    """Not one byte, not one file, not even beside the vault."""
    path = tmp_path / "diary.ricordo"
    shut(new_vault(path)[0])
    before, time = path.read_bytes(), path.stat().st_mtime_ns
    for wrong in ("not it", "ABCD-EFGH-0123-4567-89AB-CDEF-GHJK-MNPQ"):
        with pytest.raises(WrongPassphrase, match="neither the passphrase nor the recovery key"):
            Database.open(path, wrong)
    with pytest.raises(InvalidInput, match="empty"):
        Database.open(path, "")
    assert path.read_bytes() == before
    assert path.stat().st_mtime_ns == time
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.req("V4")
def test_creating_touches_nothing_that_is_there(tmp_path: pathlib.Path) -> None:
    """Neither a file nor the journal of a vault that was moved away is written over."""
    (tmp_path / "file").write_text("precious")
    (tmp_path / "gone-wal").write_text("the last words of another vault")
    for name in ("file", "gone"):
        with pytest.raises(VaultExists):
            new_vault(tmp_path / name)
    assert (tmp_path / "file").read_text() == "precious"
    assert (tmp_path / "gone-wal").read_text() == "the last words of another vault"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "gone-wal"]


@pytest.mark.req("V4")
def test_a_creation_that_fails_leaves_nothing_and_one_that_was_cut_off_is_in_nobodys_way(tmp_path: pathlib.Path) -> None:
    """No half vault at its path, whatever happens while the tables are made."""
    path = tmp_path / "diary.ricordo"

    def broken(connection: apsw.Connection, before: Callable[[], None]) -> None:
        connection.execute("create table half (a)")
        raise ArithmeticError("while making the tables")

    with pytest.raises(ArithmeticError):
        Database.create(path, PASSPHRASE, cost=LOW, migrate=broken)
    with pytest.raises(InvalidInput):
        Database.create(path, "", cost=LOW)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "diary.ricordo.part").write_text("cut off by a power failure")
    shut(new_vault(path)[0])
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.req("X3")
def test_opening_what_is_not_there_says_so_and_makes_nothing(tmp_path: pathlib.Path) -> None:
    """A mistyped name must not become an empty vault; a folder is none."""
    with pytest.raises(VaultMissing, match="no vault at"):
        Database.open(tmp_path / "diray.ricordo", PASSPHRASE)
    with pytest.raises(InvalidInput, match="not a file"):
        Database.open(tmp_path, PASSPHRASE)
    assert list(tmp_path.iterdir()) == []


def one_more(connection: apsw.Connection, before: Callable[[], None]) -> None:
    """Migrate as a version to come would: one table more."""
    schema.migrate(connection, before)
    version = connection.pragma("user_version")
    before()
    connection.execute("begin immediate; create table later (a)")
    connection.pragma("user_version", version + 1)
    connection.execute("commit")


@pytest.mark.req("V7")
def test_an_older_vault_is_copied_before_its_tables_change(tmp_path: pathlib.Path) -> None:
    """The copy beside it opens with the same passphrase and is as it was; this version refuses the migrated one."""
    path = tmp_path / "diary.ricordo"
    vault, _ = new_vault(path)

    async def story() -> None:
        await say(vault, "From the old days.")
        await vault.close()
        migrated = Database.open(path, PASSPHRASE, migrate=one_more)
        assert await migrated.read(said) == ["From the old days."]
        await migrated.close()
        with pytest.raises(VaultTooNew, match="nothing was changed"):
            Database.open(path, PASSPHRASE)
        version = len(schema.MIGRATIONS)
        assert await read_back(tmp_path / f"diary.before-{version}.ricordo") == ["From the old days."]

    asyncio.run(story())


@pytest.mark.req("V7")
def test_a_vault_of_each_older_version_is_brought_up_to_this_one(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its entries are there, and its tables are those of a new vault."""
    now = schema.MIGRATIONS
    shut(new_vault(tmp_path / "new.ricordo")[0])

    async def story(path: pathlib.Path, version: int) -> None:
        monkeypatch.setattr(schema, "MIGRATIONS", now[:version])
        vault, _ = new_vault(path)
        await say(vault, "From the old days.")
        await vault.close()
        monkeypatch.setattr(schema, "MIGRATIONS", now)
        migrated, new = (Database.open(each, PASSPHRASE) for each in (path, tmp_path / "new.ricordo"))
        assert await migrated.read(said) == ["From the old days."]
        assert await migrated.read(tables) == await new.read(tables)
        await migrated.close()
        await new.close()

    for version in range(1, len(now)):
        asyncio.run(story(tmp_path / f"of {version}.ricordo", version))


def tables(connection: apsw.Connection) -> list[tuple[str, str]]:
    """Return what each table and index is made of."""
    return list(connection.execute("select name, sql from sqlite_schema order by name"))


@pytest.mark.req("V7")
def test_a_vault_whose_migration_fails_opens_again_as_it_was(tmp_path: pathlib.Path) -> None:
    """Nothing stays open or claimed after a failed opening."""
    path = tmp_path / "diary.ricordo"
    shut(new_vault(path)[0])

    def broken(connection: apsw.Connection, before: Callable[[], None]) -> None:
        raise ArithmeticError("in the second step")

    with pytest.raises(ArithmeticError):
        Database.open(path, PASSPHRASE, migrate=broken)
    assert list(tmp_path.iterdir()) == [path]
    shut(Database.open(path, PASSPHRASE))


@pytest.mark.req("V4")
@pytest.mark.parametrize("name", ["with space and ?query#part%41.ricordo", "日記 дневник.ricordo", "file:x", "it's"])
def test_any_file_name_will_do(tmp_path: pathlib.Path, name: str) -> None:
    """What means something in an address or in SQL means nothing in a vault's name."""
    shut(new_vault(tmp_path / name)[0])
    assert [each.name for each in tmp_path.iterdir()] == [name]
    shut(Database.open(tmp_path / name, PASSPHRASE))


@pytest.mark.req("V4")
def test_a_path_too_long_for_sqlite_is_an_error_and_no_crash(tmp_path: pathlib.Path) -> None:
    """SQLite has buffers of 512 bytes for a path; what it makes beside the vault must fit too."""
    for length in range(480, 540, 5):
        folder = tmp_path / ("f" * 200) / ("g" * 150)
        path = folder / ("n" * (length - len(str(folder)) - 1))
        try:
            shut(new_vault(path)[0])
        except VaultError as error:
            assert "cannot be opened" in str(error)
            assert list(folder.iterdir()) == []
        else:
            assert len(str(path)) < 512
            path.unlink()
