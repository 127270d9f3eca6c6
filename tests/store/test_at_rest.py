"""What lies on the disk: never plain text, and nothing of what was deleted."""

import asyncio
import os
import pathlib
import secrets
import sqlite3
import stat
import threading
from typing import Self

import apsw
import pytest

from ricordo.conversation import Role
from ricordo.fact import Global, Origin
from ricordo.store import conversations, facts, messages
from ricordo.store.connection import Database
from ricordo.store.header import FRONT_BYTES
from tests.store.box import NOON, PASSPHRASE, child, end, line, new_vault, said, say, shut, tell


def looked_at(folder: pathlib.Path, process: int) -> list[pathlib.Path]:
    """Return all files in a folder and all that a process has open, the deleted ones too, but for its program."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    handles = pathlib.Path(f"/proc/{process}/fd")
    if handles.is_dir():
        found += list(handles.iterdir())
    return found


def hunt(folder: pathlib.Path, process: int, word: bytes) -> tuple[set[str], set[str]]:
    """Return the names of the files that were read, and of those that hold the word, also turned to UTF-16 or hexadecimal."""
    read, guilty = set(), set()
    forms = (word, word.decode().encode("utf-16-le"), word.hex().encode(), b"SQLite format 3")
    for path in looked_at(folder, process):
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                continue
            name = os.readlink(path) if path.is_symlink() else str(path)
            content = path.read_bytes()
        except FileNotFoundError:
            continue  # closed or removed since it was listed
        read.add(pathlib.Path(name).name)
        if any(form in content for form in forms):
            guilty.add(name)
    return read, guilty


class Watch:
    """Looks at a folder and a process again and again, beside the test, until it is left."""

    def __init__(self, folder: pathlib.Path, process: int, word: str) -> None:
        self.seen: set[str] = set()
        self.guilty: set[str] = set()
        self._what = (folder, process, word.encode())
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._keep_looking)

    def look(self) -> None:
        seen, guilty = hunt(*self._what)
        self.seen |= seen
        self.guilty |= guilty

    def _keep_looking(self) -> None:
        while not self._done.is_set():
            self.look()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        self.look()


@pytest.mark.req("V1")
@pytest.mark.parametrize("ending", ["kill", "close"])
def test_no_plain_text_reaches_the_disk(tmp_path: pathlib.Path, ending: str) -> None:
    """Nor after a kill or closing: in no file of its folder or temporary folder, nor behind any handle it holds."""
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    home.mkdir()
    temporary.mkdir()
    word = secrets.token_hex(8)
    process = child("confidant", str(home / "diary.ricordo"), TMPDIR=str(temporary), SQLITE_TMPDIR=str(temporary))
    try:
        with Watch(tmp_path, process.pid, word) as watch:
            tell(process, word)
            assert line(process) == "unlocked"
            watch.look()
            if ending == "close":
                tell(process, "close")
                assert line(process) == "closed"
            else:
                process.kill()
                process.wait()
    finally:
        end(process)
    assert watch.guilty == set()
    assert {"diary.ricordo", "diary.ricordo-wal", "diary.ricordo.lock", "copy.ricordo"} <= watch.seen
    assert list(temporary.iterdir()) == []


@pytest.mark.req("V1")
def test_the_hunt_finds_plain_text_where_there_is_some(tmp_path: pathlib.Path) -> None:
    """The hunter is no good if it cannot find a word in an ordinary database, in its journal or behind a handle."""
    plain = sqlite3.connect(tmp_path / "plain.db")
    plain.execute("pragma journal_mode=wal").fetchall()
    plain.execute("create table t (a)")
    plain.execute("insert into t values ('zanzibar')")
    plain.commit()
    _, guilty = hunt(tmp_path, os.getpid(), b"zanzibar")
    plain.close()
    assert str(tmp_path / "plain.db-wal") in guilty
    with open(tmp_path / "gone", "w+") as file:
        file.write("zanzibar")
        file.flush()
        os.unlink(tmp_path / "gone")
        _, guilty = hunt(tmp_path / "nothing", os.getpid(), b"zanzibar")
    assert any("gone" in name for name in guilty) == os.path.isdir("/proc/self/fd")


@pytest.mark.req("V8")
def test_deleted_text_is_gone_from_every_page(tmp_path: pathlib.Path) -> None:
    """Not in a free page, not in the full-text index, not in the journal: looked for in the file, decrypted."""
    path = tmp_path / "diary.ricordo"
    vault, _ = new_vault(path)
    word = "zanzibarine"

    def confess(connection: apsw.Connection) -> tuple[int, int]:
        talk = conversations.create(connection, "A day", None, NOON)
        ordinary = [
            messages.NewMessage(Role.USER, f"An ordinary line {number} about the harbour.", NOON) for number in range(500)
        ]
        messages.insert(connection, talk.id, ordinary)
        message = messages.append(connection, talk.id, messages.NewMessage(Role.USER, f"My {word} confession. " * 900, NOON))
        messages.insert(connection, talk.id, ordinary)
        return message.id, facts.insert(connection, f"Confessed {word}", Origin.USER, Global(), NOON).id

    def decrypted(connection: apsw.Connection) -> bytes:
        return connection.serialize("main")

    async def story() -> None:
        message, fact = await vault.write(confess)
        await vault.checkpoint()
        assert word.encode() in await vault.read(decrypted)

        def regret(connection: apsw.Connection) -> None:
            conversations.delete_message(connection, message)
            facts.delete(connection, fact, None)

        await vault.write(regret)
        assert await vault.checkpoint()
        assert word[:9].encode() not in await vault.read(decrypted)
        assert (tmp_path / "diary.ricordo-wal").stat().st_size == 0
        await vault.copy_to(tmp_path / "later.ricordo")
        await vault.close()
        later = Database.open(tmp_path / "later.ricordo", PASSPHRASE)
        assert word[:9].encode() not in await later.read(decrypted)
        assert len(await later.read(said)) == 1000
        await later.close()

    asyncio.run(story())


@pytest.mark.req("V4")
def test_behind_the_header_stands_an_ordinary_encrypted_database(tmp_path: pathlib.Path) -> None:
    """`tail -c +8193` and the data key are enough for any SQLite3MultipleCiphers: nobody is locked in."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")
    key = bytes(vault._file.data_key)
    asyncio.run(say(vault, "Today I moved to Trieste."))
    shut(vault)
    (tmp_path / "cut.db").write_bytes((tmp_path / "diary.ricordo").read_bytes()[FRONT_BYTES:])
    connection = apsw.Connection(str(tmp_path / "cut.db"))
    connection.pragma("cipher", "chacha20")
    connection.execute(f"pragma hexkey='{(b'raw:' + key).hex()}'").fetchall()
    assert said(connection) == ["Today I moved to Trieste."]
    assert connection.pragma("integrity_check") == "ok"
    connection.close()


@pytest.mark.req("V1", "V2")
def test_two_vaults_of_the_same_passphrase_and_text_have_nothing_in_common(tmp_path: pathlib.Path) -> None:
    """Each has a data key and salts of its own, so no page of one is found in the other."""
    contents = []
    for name in ("one", "two"):
        vault, _ = new_vault(tmp_path / name)
        asyncio.run(say(vault, "The same words. " * 1000))
        shut(vault)
        contents.append((tmp_path / name).read_bytes()[FRONT_BYTES:])
    blocks = [{content[start : start + 32] for start in range(0, len(content), 32)} for content in contents]
    assert not blocks[0] & blocks[1]
