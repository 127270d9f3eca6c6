"""The vault while it is unlocked: made, opened, written, read, given another passphrase, closed."""

import asyncio
import pathlib
import threading
from collections.abc import Callable

import apsw
import pytest

from ricordo.errors import InvalidInput, VaultError, VaultExists, VaultLocked, VaultMissing, VaultTooNew, WrongPassphrase
from ricordo.events import Announcement, ListChanged
from ricordo.store import schema
from ricordo.store.connection import Database
from ricordo.store.header import FRONT_BYTES, read_front
from ricordo.store.keys import RecoverySlot
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


@pytest.mark.req("V2")
def test_a_new_passphrase_rewrites_the_header_and_no_data(tmp_path: pathlib.Path) -> None:
    """The old one opens nothing any more, in either copy of the header; the recovery key stays."""
    path = tmp_path / "diary.ricordo"
    vault, recovery = new_vault(path)

    async def story() -> None:
        await say(vault, "Before.")
        await vault.checkpoint()
        before = path.read_bytes()
        old = read_front(str(path)).header.slots
        await vault.change_passphrase(PASSPHRASE, "quite another", cost=LOW)
        await vault.close()
        after = path.read_bytes()
        assert after[FRONT_BYTES:] == before[FRONT_BYTES:]
        new = read_front(str(path)).header.slots
        assert [slot for slot in old if slot in new] == [slot for slot in old if isinstance(slot, RecoverySlot)]
        for start in (0, FRONT_BYTES // 2):
            assert after[start : start + FRONT_BYTES // 2] not in before
        with pytest.raises(WrongPassphrase):
            Database.open(path, PASSPHRASE)
        assert await read_back(path, "quite another") == ["Before."]
        assert await read_back(path, recovery) == ["Before."]

    asyncio.run(story())


@pytest.mark.req("V2")
def test_the_passphrase_changes_only_for_who_knows_the_old_one(tmp_path: pathlib.Path) -> None:
    """A wrong old one or an empty new one changes nothing; the recovery key will do for the old one."""
    path = tmp_path / "diary.ricordo"
    vault, recovery = new_vault(path)

    async def story() -> None:
        with pytest.raises(WrongPassphrase):
            await vault.change_passphrase("not it", "new", cost=LOW)
        with pytest.raises(InvalidInput):
            await vault.change_passphrase(PASSPHRASE, " ", cost=LOW)
        await vault.change_passphrase(recovery, "forgotten no more", cost=LOW)
        await say(vault, "Writing goes on.")
        await vault.close()
        assert await read_back(path, "forgotten no more") == ["Writing goes on."]

    asyncio.run(story())


@pytest.mark.req("V4")
def test_an_exception_undoes_the_whole_job(tmp_path: pathlib.Path) -> None:
    """It reaches the caller as it is, nothing is announced, and the vault goes on."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")
    heard: list[Announcement] = []
    vault.observe(heard.append)

    def half(connection: apsw.Connection) -> None:
        connection.execute("insert into settings values ('a', '1')")
        raise LookupError("in the middle")

    async def story() -> None:
        with pytest.raises(LookupError, match="in the middle"):
            await vault.write(half, ListChanged("settings"))
        assert await vault.read(lambda connection: connection.execute("select count(*) from settings").get) == 0
        await say(vault, "Still here.")
        assert await vault.read(said) == ["Still here."]
        await vault.close()

    asyncio.run(story())
    assert heard == []


@pytest.mark.req("U1")
def test_an_announcement_comes_after_the_commit_and_on_the_event_loop(tmp_path: pathlib.Path) -> None:
    """Whoever hears it finds what it announces, and the writer hears of it before it goes on."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")
    heard: list[tuple[Announcement, int]] = []
    vault.observe(lambda announcement: heard.append((announcement, threading.get_ident())))

    async def story() -> None:
        await vault.write(lambda connection: None, ListChanged("spaces"), ListChanged("facts"))
        here = threading.get_ident()
        assert heard == [(ListChanged("spaces"), here), (ListChanged("facts"), here)]
        await vault.close()

    asyncio.run(story())


@pytest.mark.req("V4")
def test_a_cancelled_caller_never_tears_a_transaction(tmp_path: pathlib.Path) -> None:
    """A job that has begun is done whole; one that has not begun is not done at all."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")
    begun, go_on = threading.Event(), threading.Event()

    def slow(connection: apsw.Connection) -> None:
        connection.execute("insert into settings values ('slow one', '1')")
        begun.set()
        assert go_on.wait(30)
        connection.execute("insert into settings values ('slow two', '1')")

    def quick(connection: apsw.Connection) -> None:
        connection.execute("insert into settings values ('quick', '1')")

    async def story() -> list[str]:
        first = asyncio.create_task(vault.write(slow))
        await asyncio.to_thread(begun.wait, 30)
        second = asyncio.create_task(vault.write(quick))
        await asyncio.sleep(0)
        for task in (first, second):
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        go_on.set()
        await vault.close()
        again = Database.open(tmp_path / "diary.ricordo", PASSPHRASE)
        names = await again.read(lambda connection: [row[0] for row in connection.execute("select name from settings")])
        await again.close()
        return names

    assert asyncio.run(story()) == ["slow one", "slow two"]


@pytest.mark.req("V4")
def test_reads_go_on_beside_a_write_and_see_one_moment(tmp_path: pathlib.Path) -> None:
    """A reader neither waits for the writer nor sees half of what it does, and cannot write."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")
    inside, go_on = threading.Event(), threading.Event()

    def write(connection: apsw.Connection) -> None:
        connection.execute("insert into settings values ('a', '1')")
        inside.set()
        assert go_on.wait(30)

    def count(connection: apsw.Connection) -> int:
        return int(connection.execute("select count(*) from settings").get)

    async def story() -> None:
        writing = asyncio.create_task(vault.write(write))
        await asyncio.to_thread(inside.wait, 30)
        assert await asyncio.gather(*(vault.read(count) for _ in range(5))) == [0] * 5
        go_on.set()
        await writing
        assert await vault.read(count) == 1
        with pytest.raises(apsw.ReadOnlyError):
            await vault.read(lambda connection: connection.execute("delete from settings").fetchall())
        await vault.close()

    asyncio.run(story())


@pytest.mark.req("V3")
def test_closing_finishes_what_was_asked_for_then_refuses_and_forgets_the_key(tmp_path: pathlib.Path) -> None:
    """Writes that wait are done; afterwards every call says that the vault is locked; closing again does nothing."""
    path = tmp_path / "diary.ricordo"
    vault, _ = new_vault(path)
    key = vault._file.data_key
    assert any(key)

    def put(number: int) -> Callable[[apsw.Connection], None]:
        return lambda connection: connection.execute("insert into settings values (?, '1')", (str(number),)) and None

    async def story() -> None:
        writes = [asyncio.create_task(vault.write(put(number))) for number in range(20)]
        await asyncio.sleep(0)
        await asyncio.gather(vault.close(), vault.close())
        await asyncio.gather(*writes)
        for call in (
            vault.write(put(99)),
            vault.read(said),
            vault.checkpoint(),
            vault.change_passphrase(PASSPHRASE, "new"),
            vault.copy_to(tmp_path / "copy"),
        ):
            with pytest.raises(VaultLocked, match="Unlock"):
                await call
        await vault.close()

    asyncio.run(story())
    assert not any(key)
    assert [each.name for each in tmp_path.iterdir()] == ["diary.ricordo"]
    again = Database.open(path, PASSPHRASE)
    assert asyncio.run(again.read(lambda connection: connection.execute("select count(*) from settings").get)) == 20
    shut(again)


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
def test_a_large_write_leaves_a_bounded_journal(tmp_path: pathlib.Path) -> None:
    """After 40 MB in one transaction and one small write more, at most 16 MiB of journal stay."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")

    def large(connection: apsw.Connection) -> None:
        for number in range(40):
            connection.execute("insert into settings values (?, zeroblob(1000000))", (str(number),))

    async def story() -> None:
        await vault.write(large)
        for number in range(3):
            await say(vault, f"Small {number}.")
        assert (tmp_path / "diary.ricordo-wal").stat().st_size <= 16 << 20
        await vault.close()

    asyncio.run(story())


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
