"""The power goes: unsynced writes reach the disk in part, in any order, torn. A kill is milder: it loses none of them."""

import asyncio
import os
import pathlib
import random

import apsw
import pytest

from ricordo.errors import VaultError, WrongPassphrase
from ricordo.store import vfs
from ricordo.store.connection import Database
from ricordo.store.header import read_front
from tests.store.box import LOW, PASSPHRASE, new_vault, said, say, shut

CUTS = int(os.environ.get("RICORDO_CUTS", "30"))


class Disk(apsw.VFS):
    """A disk that forgets: it keeps what stood under each write until the file is synced, and loses power at a given write."""

    def __init__(self) -> None:
        self.unsynced: dict[str, list[tuple[int, bytes, int]]] = {}
        self.writes_left = 10**9
        super().__init__("forgetful", base="unix", maxpathname=512)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "Platter":
        return Platter(self, name, flags)

    def tick(self) -> None:
        """Count a write; without power none works."""
        self.writes_left -= 1
        if self.writes_left < 0:
            raise apsw.IOError("the power is gone")

    def come_back(self, chance: random.Random) -> None:
        """Have the power again: of what was not synced, each write is there, not there, or there in part."""
        for path, writes in self.unsynced.items():
            with open(path, "rb+") as file:
                for offset, before, length in reversed(writes):
                    start = chance.choice([0, length, 512 * chance.randrange(length // 512 + 1)])
                    file.seek(offset + start)
                    file.write(before[start:])
        self.unsynced = {}
        self.writes_left = 10**9


class Platter(apsw.VFSFile):
    """One file on the disk."""

    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self.disk = disk
        self.path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        super().__init__("unix", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self.disk.tick()
        with open(self.path, "rb", buffering=0) as file:
            file.seek(offset)
            before = file.read(len(data)).ljust(len(data), b"\0")
        self.disk.unsynced.setdefault(self.path, []).append((offset, before, len(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        self.disk.tick()
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        self.disk.tick()
        super().xSync(flags)
        self.disk.unsynced.pop(self.path, None)


@pytest.fixture(scope="module")
def disk() -> Disk:
    """The disk of this module; SQLite knows it by name."""
    return Disk()


@pytest.mark.req("V4", "V2")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(CUTS))
def test_when_the_power_goes_every_acknowledged_write_is_on_the_disk(
    tmp_path: pathlib.Path, disk: Disk, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Texts in their order, the full-text index, and a passphrase that opens: the one acknowledged, or the one asked for."""
    chance = random.Random(seed)
    path = tmp_path / "diary.ricordo"

    def delete(files: apsw.VFS, name: str, sync: bool) -> None:
        disk.tick()
        apsw.VFS.xDelete(files, name, sync)

    monkeypatch.setattr(vfs._Files, "xDelete", delete, raising=False)
    monkeypatch.setattr(vfs._files, "_system", "forgetful")
    vault, recovery = new_vault(path)
    disk.unsynced = {}
    disk.writes_left = chance.randrange(3, 400)
    kept: list[str] = []
    passphrases = [PASSPHRASE]

    async def write_until_dark() -> None:
        number = 0
        while True:
            number += 1
            text = f"Entry {number} about the harbour. " + "On and on. " * chance.choice([1, 10, 2000])
            await say(vault, text)
            kept.append(text)
            if chance.random() < 0.2:
                await vault.checkpoint()
            if chance.random() < 0.1:
                passphrases.append(f"pass {number}")
                await vault.change_passphrase(recovery, passphrases[-1], cost=LOW)
                del passphrases[:-1]

    with pytest.raises(VaultError):
        asyncio.run(write_until_dark())
    shut(vault)
    disk.come_back(chance)
    vault = open_with_one_of(path, passphrases)
    found = asyncio.run(vault.read(said))
    assert found[: len(kept)] == kept
    assert len(found) <= len(kept) + 1
    assert asyncio.run(vault.write(check)) == "ok"
    shut(vault)
    assert not read_front(str(path)).behind


def check(connection: apsw.Connection) -> str:
    """Check tables, index, and that the index holds what the tables do: a job for `write`."""
    connection.execute("insert into excerpt_words (excerpt_words, rank) values ('integrity-check', 1)")
    return str(connection.pragma("integrity_check"))


def open_with_one_of(path: pathlib.Path, passphrases: list[str]) -> Database:
    """Open with the last passphrase that opens; there is one acknowledged, and perhaps one that was being set."""
    for passphrase in reversed(passphrases[1:]):
        try:
            return Database.open(path, passphrase)
        except WrongPassphrase:
            continue
    return Database.open(path, passphrases[0])


def test_the_forgetful_disk_forgets(tmp_path: pathlib.Path, disk: Disk) -> None:
    """Without syncing, rows that were acknowledged are lost: the simulation can tell."""
    lost = 0
    for seed in range(10):
        path = str(tmp_path / f"plain {seed}.db")
        connection = apsw.Connection(path, vfs="forgetful")
        connection.execute("create table t (a)")
        disk.unsynced = {}
        connection.pragma("journal_mode", "off")
        connection.pragma("synchronous", "off")
        for number in range(20):
            connection.execute("insert into t values (?)", (str(number) * 1000,))
        connection.close()
        disk.come_back(random.Random(seed))
        connection = apsw.Connection(path)
        try:
            lost += connection.execute("select count(*) from t").get != 20 or connection.pragma("integrity_check") != "ok"
        except apsw.Error:
            lost += 1
        connection.close()
    assert lost
