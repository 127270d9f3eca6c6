"""The vault while it is unlocked: written, read, given another passphrase, closed."""

import asyncio
import pathlib
import threading
from collections.abc import Callable

import apsw
import pytest

from ricordo.errors import InvalidInput, VaultLocked, WrongPassphrase
from ricordo.events import Announcement, ListChanged
from ricordo.store.connection import Database
from ricordo.store.header import FRONT_BYTES, read_front
from ricordo.store.keys import RecoverySlot
from tests.store.box import LOW, PASSPHRASE, new_vault, read_back, said, say, shut


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


@pytest.mark.req("X3")
def test_a_look_reads_where_the_pages_are_and_never_waits_for_a_write(tmp_path: pathlib.Path) -> None:
    """On the writer's connection while that has nothing to do, else on a reader; what was written just before is seen."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")
    seen: list[apsw.Connection] = []

    def look(connection: apsw.Connection) -> list[str]:
        seen.append(connection)
        return said(connection)

    async def work() -> None:
        await say(vault, "first")
        assert await vault.look(look) == ["first"]
        writing, go_on = asyncio.Event(), threading.Event()
        loop = asyncio.get_running_loop()

        def slow(connection: apsw.Connection) -> None:
            connection.execute("delete from messages")
            seen.append(connection)
            loop.call_soon_threadsafe(writing.set)
            go_on.wait(10)

        task = asyncio.create_task(vault.write(slow))
        await writing.wait()
        assert await asyncio.wait_for(vault.look(look), 5) == ["first"]
        go_on.set()
        await task
        assert await vault.look(look) == []
        await vault.close()

    asyncio.run(work())
    first, writer, beside, last = seen
    assert first is writer is last
    assert beside is not writer


@pytest.mark.req("V4")
def test_a_look_changes_nothing_and_the_next_write_may(tmp_path: pathlib.Path) -> None:
    """A job that writes where it should only read is refused, and so is nothing after it."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")

    async def work() -> None:
        await say(vault, "first")
        with pytest.raises(apsw.ReadOnlyError):
            await vault.look(lambda c: c.execute("delete from messages"))
        await say(vault, "second")
        assert await vault.look(said) == ["first", "second"]
        await vault.close()

    asyncio.run(work())


@pytest.mark.req("X3")
def test_looks_whose_callers_were_cancelled_do_not_keep_the_others_away(tmp_path: pathlib.Path) -> None:
    """The next ones are read on the writer's connection again."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")

    async def work() -> None:
        looks = [asyncio.create_task(vault.look(said)) for _ in range(5)]
        await asyncio.sleep(0)
        for each in looks:
            each.cancel()
        await asyncio.gather(*looks, return_exceptions=True)
        writer = await vault.write(lambda c: c)
        assert await vault.look(lambda c: c) is writer
        await vault.close()

    asyncio.run(work())
