"""What lies on the disk: never plain text, and nothing of what was deleted."""

import asyncio
import os
import pathlib
import secrets
import sqlite3

import apsw
import pytest

from ricordo.conversation import Role
from ricordo.fact import Global, Origin
from ricordo.store import conversations, facts, messages
from ricordo.store.connection import Database
from ricordo.store.header import FRONT_BYTES
from tests.plaintext import Watch, hunt
from tests.store.box import NOON, PASSPHRASE, child, end, line, new_vault, said, say, shut, tell


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
