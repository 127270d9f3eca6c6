"""What goes wrong: kills, full disks, damage. Acknowledged writes survive all but damage, and damage is never passed over."""

import asyncio
import os
import pathlib
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import apsw
import pytest

from ricordo.errors import RicordoError, StorageFull, VaultDamaged, VaultError, WrongPassphrase
from ricordo.store import words
from ricordo.store.connection import Database
from ricordo.store.faults import told_plainly
from ricordo.store.header import COPY_BYTES, FRONT_BYTES, read_front
from tests.store.box import LOW, PASSPHRASE, ROOT, child, end, line, new_vault, read_back, rest, said, say, shut

if sys.platform != "win32":
    import resource

KILLS = int(os.environ.get("RICORDO_KILLS", "20"))


def whole(connection: apsw.Connection) -> list[str]:
    """Return what entries there are, after SQLite's own checks of tables and full-text index: a job for `write`."""
    assert connection.pragma("integrity_check") == "ok"
    assert connection.execute("pragma foreign_key_check").fetchall() == []
    connection.execute("insert into excerpt_words (excerpt_words, rank) values ('integrity-check', 1)")
    entries = [row[0] for row in connection.execute("select name from settings order by cast(substr(name, 7) as integer)")]
    assert connection.execute("select count(*) from messages").get == len(entries)
    assert len(words.search(connection, "excerpt_words", "harbour", limit=10**6)) >= len(entries)
    return entries


@pytest.mark.req("V4", "V2")
@pytest.mark.slow
def test_killed_again_and_again_every_acknowledged_write_survives(tmp_path: pathlib.Path) -> None:
    """Whole transactions, the full-text index and the newest passphrase, with no repair at the next opening."""
    path = tmp_path / "diary.ricordo"
    vault, recovery = new_vault(path)
    shut(vault)
    passphrase, next_passphrase, entries = PASSPHRASE, "", 0
    chance = random.Random(4)
    for _ in range(KILLS):
        process = child("diarist", str(path), passphrase, str(entries + 1))
        try:
            told = [line(process) for _ in range(chance.randrange(1, 40))]
            process.kill()
            told += rest(process)
        finally:
            end(process)
        kept = entries
        for each in told:
            what, _, more = each.partition(" ")
            match what:
                case "kept":
                    kept = int(more)
                case "changing":
                    next_passphrase = more
                case "changed":
                    passphrase, next_passphrase = more, ""
        if next_passphrase:
            passphrase = the_one_that_opens(path, passphrase, next_passphrase)
            next_passphrase = ""
        vault = Database.open(path, recovery)
        found = asyncio.run(vault.write(whole))
        shut(vault)
        assert len(found) in (kept, kept + 1)  # one may have been written and not yet told
        assert found == [f"entry {number}" for number in range(1, len(found) + 1)]
        assert not read_front(str(path)).behind
        entries = len(found)
    assert entries > KILLS


def the_one_that_opens(path: pathlib.Path, old: str, new: str) -> str:
    """Return which passphrase a change left that was cut off: one of them must open."""
    try:
        shut(Database.open(path, new))
    except WrongPassphrase:
        shut(Database.open(path, old))
        return old
    return new


@contextmanager
def small_files(limit: int) -> Iterator[Callable[[], None]]:
    """Let no file of this process grow beyond `limit` bytes, until what is yielded is called."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def lift() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield lift
    finally:
        lift()


def mounted(folder: pathlib.Path) -> bool:
    """Mount a disk of 4 MiB at a folder, where this process may."""
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(folder)]
    return os.geteuid() == 0 and subprocess.run(command, capture_output=True).returncode == 0


@contextmanager
def little_room(folder: pathlib.Path, kind: str) -> Iterator[Callable[[], None]]:
    """Give a folder little room, until what is yielded is called.

    A small disk where one can be mounted; else, and for the other kind, a limit on the size of files.
    """
    folder.mkdir()
    if kind == "disk" and mounted(folder):
        try:
            yield lambda: subprocess.run(["mount", "-o", "remount,size=200m", str(folder)], check=True) and None
        finally:
            subprocess.run(["umount", str(folder)], check=True)
    else:
        with small_files(3 << 20) as make_room:
            yield make_room


@pytest.mark.req("X3", "V4")
@pytest.mark.parametrize("kind", ["disk", "file size"])
def test_a_full_disk_is_a_clear_error_and_the_vault_goes_on_when_there_is_room(tmp_path: pathlib.Path, kind: str) -> None:
    """Nothing acknowledged is lost, the failed write is undone whole, reading goes on, and so does writing later."""
    with little_room(tmp_path / "disk", kind) as make_room:
        path = tmp_path / "disk" / "diary.ricordo"
        vault, _ = new_vault(path)

        async def story() -> None:
            kept = []
            with pytest.raises(StorageFull, match="Free some space"):
                for number in range(100):
                    text = f"Entry {number}. " + os.urandom(100_000).hex()
                    await say(vault, text)
                    kept.append(text)
            assert kept
            assert await vault.read(said) == kept
            with pytest.raises(StorageFull):
                await say(vault, os.urandom(3_000_000).hex())
            make_room()
            await say(vault, "There is room again.")
            kept.append("There is room again.")
            assert await vault.read(said) == kept
            await vault.write(lambda connection: connection.pragma("integrity_check") == "ok" or pytest.fail("damaged"))
            await vault.close()
            assert await read_back(path) == kept

        asyncio.run(story())


@pytest.mark.req("X3", "V4")
def test_closing_on_a_full_disk_loses_nothing(tmp_path: pathlib.Path) -> None:
    """What could not be brought into the file stays in the journal beside it, and is there at the next opening."""
    path = tmp_path / "diary.ricordo"
    vault, _ = new_vault(path)
    asyncio.run(say(vault, os.urandom(400_000).hex()))
    with small_files(500_000):
        shut(vault)
    assert path.stat().st_size < 800_000
    assert path.with_name("diary.ricordo-wal").exists()
    assert not path.with_name("diary.ricordo.lock").exists()
    assert not any(vault._file.data_key)
    assert [len(text) for text in asyncio.run(read_back(path))] == [800_000]


@pytest.mark.req("X3", "V5")
def test_a_copy_that_has_no_room_leaves_nothing(tmp_path: pathlib.Path) -> None:
    """Half a backup would be worse than none; the vault itself goes on."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")
    asyncio.run(say(vault, os.urandom(400_000).hex()))
    with small_files(500_000), pytest.raises(StorageFull, match=r"copy\.ricordo"):
        asyncio.run(vault.copy_to(tmp_path / "copy.ricordo"))
    assert not list(tmp_path.glob("copy*"))
    asyncio.run(vault.copy_to(tmp_path / "copy.ricordo"))
    shut(vault)


@pytest.mark.req("X3", "V4")
@pytest.mark.parametrize("limit", [1000, 8192, 9000, 20_000, 100_000])
def test_no_half_vault_is_left_when_there_is_no_room_for_a_new_one(tmp_path: pathlib.Path, limit: int) -> None:
    """At whatever point the disk is full: an error that says so, and an empty folder."""
    with small_files(limit), pytest.raises(StorageFull):
        new_vault(tmp_path / "diary.ricordo")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.req("V2", "V4")
@pytest.mark.parametrize("copy", [0, 1])
def test_a_damaged_copy_of_the_header_is_written_anew_at_the_next_opening(tmp_path: pathlib.Path, copy: int) -> None:
    """The vault opens by the other copy, and afterwards has two again; a wrong passphrase repairs nothing."""
    path = tmp_path / "diary.ricordo"
    vault, _ = new_vault(path)
    asyncio.run(say(vault, "Still here."))
    shut(vault)
    content = bytearray(path.read_bytes())
    content[copy * COPY_BYTES + 100] ^= 1
    path.write_bytes(content)
    with pytest.raises(WrongPassphrase):
        Database.open(path, "not it")
    assert path.read_bytes() == content
    assert asyncio.run(read_back(path)) == ["Still here."]
    assert not read_front(str(path)).behind
    assert path.read_bytes()[FRONT_BYTES:] == content[FRONT_BYTES:]


@pytest.mark.req("V2")
def test_a_change_of_passphrase_that_was_cut_off_is_finished_at_the_next_opening(tmp_path: pathlib.Path) -> None:
    """With only the first copy written the new passphrase counts, and the old wrapping goes with the next opening."""
    path = tmp_path / "diary.ricordo"
    vault, _ = new_vault(path)
    shut(vault)
    old = path.read_bytes()
    vault = Database.open(path, PASSPHRASE)
    asyncio.run(vault.change_passphrase(PASSPHRASE, "new one", cost=LOW))
    shut(vault)
    new = path.read_bytes()
    # Generations 1 and 2 were there; 3 was written over 1, then 4 over 2: put 2 back.
    path.write_bytes(old[:COPY_BYTES] + new[COPY_BYTES:])
    assert read_front(str(path)).behind
    with pytest.raises(WrongPassphrase):
        Database.open(path, PASSPHRASE)
    shut(Database.open(path, "new one"))
    assert not read_front(str(path)).behind
    assert old[:COPY_BYTES] not in path.read_bytes()


@pytest.mark.req("X3")
def test_damaged_pages_are_noticed_and_said(tmp_path: pathlib.Path) -> None:
    """One flipped bit in the first page stops the opening; in a later one, the read that meets it."""
    path = tmp_path / "diary.ricordo"
    vault, _ = new_vault(path)
    asyncio.run(say(vault, *(f"Line {number} " + "and the sea " * 300 for number in range(100))))
    shut(vault)
    content = path.read_bytes()
    first = bytearray(content)
    first[FRONT_BYTES + 200] ^= 1
    path.write_bytes(first)
    with pytest.raises(VaultDamaged, match="Restore your latest backup"):
        Database.open(path, PASSPHRASE)
    later = bytearray(content)
    for page in range(FRONT_BYTES + len(content) // 2 // 4096 * 4096, len(content), 4096):
        later[page + 200] ^= 1
    path.write_bytes(later)
    vault = Database.open(path, PASSPHRASE)
    with pytest.raises(VaultDamaged, match="Restore your latest backup"):
        asyncio.run(vault.read(said))
    shut(vault)


@pytest.mark.req("X3")
def test_a_file_cut_off_behind_its_header_is_no_new_vault(tmp_path: pathlib.Path) -> None:
    """SQLite takes an empty database for a new one; the vault must not."""
    path = tmp_path / "diary.ricordo"
    shut(new_vault(path)[0])
    os.truncate(path, FRONT_BYTES)
    with pytest.raises(VaultDamaged, match="ends after its key slots"):
        Database.open(path, PASSPHRASE)
    assert path.stat().st_size == FRONT_BYTES


@pytest.mark.req("X3")
@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (apsw.FullError("full"), StorageFull),
        (apsw.CorruptError("malformed"), VaultDamaged),
        (apsw.NotADBError("no database"), VaultDamaged),
        (UnicodeDecodeError("utf-8", b"\x81", 0, 1, "invalid start byte"), VaultDamaged),
        (apsw.CantOpenError("cannot"), VaultError),
        (PermissionError(13, "Permission denied"), VaultError),
        (OSError(28, "No space left on device"), StorageFull),
        (OSError(5, "Input/output error"), VaultError),
    ],
)
def test_errors_of_the_disk_become_sentences(raised: Exception, told: type[RicordoError]) -> None:
    """Each names the file and what to do, and keeps the cause for the log."""
    with pytest.raises(told, match=r"/home/ada/diary.*\. \w.*\.$") as caught, told_plainly("/home/ada/diary"):
        raise raised
    assert caught.value.__cause__ is raised


@pytest.mark.req("V1")
def test_a_hardened_process_writes_no_core_dump_and_cannot_be_looked_into() -> None:
    """Neither after a crash nor, on Linux, by another program of the same person."""
    program = (
        "import ctypes, resource, sys\n"
        "from ricordo.store.hardening import harden\n"
        "harden()\n"
        "assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)\n"
        "PR_GET_DUMPABLE = 3\n"
        "assert sys.platform != 'linux' or ctypes.CDLL(None).prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
