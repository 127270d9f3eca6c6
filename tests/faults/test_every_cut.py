"""The power goes at any moment of all that a person does: what was acknowledged is there, the rest is there whole or not at all.

All is done once, and each operation on the disk written down. Then, for each of them, the disk is made as it would be if the
power had gone right after it: what was synced is there; of what was not, each write is there, or not, or in part.
"""

import asyncio
import pathlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from unittest import mock

import pytest

from ricordo.errors import WrongPassphrase
from ricordo.store import file as vault_file
from ricordo.store.connection import Database
from ricordo.store.file import VaultFile
from ricordo.vault import AsyncVault
from tests.faults import often, story
from tests.faults.disk import Acknowledged, Done, under
from tests.faults.sound import difference, picture, sound
from tests.faults.talk import scripted
from tests.vaults import CHEAP, PASSPHRASE

pytestmark = pytest.mark.slow

CUTS = often.often(30, 10**6)  # at each kind of place
SECTOR = 512  # bytes that a disk writes whole


@dataclass
class Recorded:
    """What was done from the first state on, with the secrets that open the vault at each time."""

    first: bytes
    path: str
    recovery: str
    log: list[Done | Acknowledged]


@dataclass
class Platter:
    """One file: what is on the disk for certain, what is on its way there, and what a deletion may have left."""

    certain: bytes | None = None
    coming: list[Done] = field(default_factory=list)

    def take(self, done: Done) -> None:
        """Follow one operation."""
        match done.what:
            case "sync":
                self.certain, self.coming = self.with_all(), []
            case "delete":
                self.coming = [done]  # the folder is not synced: it may come back as it was
            case _:
                self.coming.append(done)

    def with_all(self) -> bytes | None:
        """Return the file with all that is on its way."""
        content = self.certain
        for done in self.coming:
            content = _done(content, done, len(done.data))
        return content

    def after_the_cut(self, chance: random.Random | None) -> bytes | None:
        """Return the file as it is found again: without what was not synced, or with any part of it."""
        content = self.certain
        for done in self.coming if chance else ():
            assert chance is not None
            whole = chance.choice([True, True, False])
            part = chance.choice([0, SECTOR * chance.randrange(len(done.data) // SECTOR + 1)])
            if whole or done.what == "write":
                content = _done(content, done, len(done.data) if whole else part)
        return content


def _done(content: bytes | None, done: Done, length: int) -> bytes | None:
    match done.what:
        case "delete":
            return None
        case "truncate":
            return (content or b"")[: done.offset].ljust(done.offset, b"\0")
        case _:
            before = (content or b"").ljust(done.offset, b"\0")
            return before[: done.offset] + done.data[:length] + before[done.offset + length :]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Do all that there is, with a checkpoint every few pages, so that cuts fall into those too."""
    path = tmp_path_factory.mktemp("story") / "diary.ricordo"
    log: list[Done | Acknowledged] = []
    write = Database.write
    passphrase = PASSPHRASE

    async def written(database: Database, *job: object) -> object:
        result = await write(database, *job)  # type: ignore[arg-type]
        log.append(Acknowledged(await database.read(picture), {"passphrase": passphrase}))
        return result

    async def work() -> tuple[bytes, str]:
        nonlocal passphrase
        day = 0
        made = await AsyncVault.create(path, PASSPHRASE, cost=CHEAP)
        recovery = made.recovery_key or ""
        await made.close()
        first = path.read_bytes()
        async with await AsyncVault.open(path, PASSPHRASE, model=scripted(), clock=lambda: story.clock(day)()) as vault:
            vault._in_use._embedder = story.HashEmbedder()
            log.append(Acknowledged(await vault._database.read(picture), {"passphrase": passphrase}))
            with mock.patch.object(Database, "write", written):
                for day, action in enumerate(story.ACTIONS.values()):
                    await action(vault)
                    if day % 5 == 4:
                        await vault._database.change_passphrase(passphrase, f"pass {day}", cost=CHEAP)
                        passphrase = f"pass {day}"
                        log.append(Acknowledged(await vault._database.read(picture), {"passphrase": passphrase}))
        return first, recovery

    with under() as disk, mock.patch.object(vault_file, "_JOURNAL_PAGES", 40):
        disk.log = log
        try:
            first, recovery = asyncio.run(work())
        finally:
            disk.log = None
    return Recorded(first, str(path), recovery, log)


def cuts(recorded: Recorded, places: set[int]) -> Iterator[tuple[int, dict[str, Platter], Acknowledged, Acknowledged]]:
    """Yield, for each place, what the disk holds and is sent, what was acknowledged by then, and what is next."""
    names = {recorded.path: "", f"{recorded.path}-wal": "-wal"}
    platters = {"": Platter(recorded.first), "-wal": Platter()}
    following = [each for each in recorded.log if isinstance(each, Acknowledged)]
    last = following.pop(0)
    for place, each in enumerate(recorded.log):
        if isinstance(each, Done):
            if each.path in names:
                platters[names[each.path]].take(each)
        elif each is not last:
            last = following.pop(0)
        if place in places:
            yield place, platters, last, following[0] if following else last


@pytest.mark.req("V4", "X3", "V2")
def test_when_the_power_goes_at_any_operation_what_was_acknowledged_is_there(recorded: Recorded, tmp_path: pathlib.Path) -> None:
    """All rows are as at the last acknowledgement, or as at the one that was coming; one of their passphrases opens."""
    places = [place for place, each in enumerate(recorded.log) if isinstance(each, Done) and each.path.startswith(recorded.path)]
    syncs = [place for place in places if getattr(recorded.log[place], "what", "") == "sync"]
    chosen = {*often.some(places, CUTS), *often.some(syncs, CUTS)}
    tried = 0
    for place, platters, last, following in cuts(recorded, chosen):
        for chance in (None, random.Random(place)):
            path = tmp_path / "diary.ricordo"
            for name, platter in platters.items():
                found = platter.after_the_cut(chance)
                path.with_name(f"diary.ricordo{name}").unlink(missing_ok=True)
                if found is not None:
                    path.with_name(f"diary.ricordo{name}").write_bytes(found)
            asyncio.run(look(path, recorded, place, last, following))
            tried += 1
    often.told("power cuts simulated", tried)
    often.told("power cuts right after a sync", 2 * len(chosen & set(syncs)))


async def look(path: pathlib.Path, recorded: Recorded, place: int, last: Acknowledged, following: Acknowledged) -> None:
    """Open what the cut left, and hold it against what was acknowledged."""
    assert any(opens(path, each.more["passphrase"]) for each in (last, following)), place
    database = Database.open(path, recorded.recovery)
    try:
        found = await database.read(picture)
        if found not in (last.state, following.state):
            pytest.fail(f"{place}: {difference(found, last.state)} ||| {difference(found, following.state)}")
        await sound(database)
    finally:
        await database.close()


def opens(path: pathlib.Path, secret: str) -> bool:
    """Say whether a passphrase opens a vault."""
    try:
        VaultFile.unlock(str(path), secret).forget()
    except WrongPassphrase:
        return False
    return True


def test_a_disk_that_syncs_nothing_loses_something(recorded: Recorded, tmp_path: pathlib.Path) -> None:
    """Were the syncs left out, what was acknowledged would be lost: the simulation can tell."""
    bare = [each for each in recorded.log if isinstance(each, Acknowledged) or each.what != "sync"]
    last = max(place for place, each in enumerate(bare) if isinstance(each, Done) and each.path == f"{recorded.path}-wal")
    for _, platters, acknowledged, _ in cuts(Recorded(recorded.first, recorded.path, recorded.recovery, bare), {last}):
        path = tmp_path / "diary.ricordo"
        path.write_bytes(platters[""].after_the_cut(None) or b"")
        database = Database.open(path, recorded.recovery)
        assert asyncio.run(database.read(picture)) != acknowledged.state
        database.shut()
