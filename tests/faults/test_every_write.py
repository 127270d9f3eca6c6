"""A disk that is full, or refuses one write, at any write of all that a person does: a sentence, and nothing half made.

Each action is tried once for each operation on the disk that it takes. It begins from the vault as the actions before left it.
"""

import asyncio
import pathlib
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from unittest import mock

import pytest

from ricordo.errors import StorageFull
from ricordo.store.connection import Database
from ricordo.vault import AsyncVault
from tests.faults import often, story
from tests.faults.disk import Disk, Fault, under
from tests.faults.sound import Rows, difference, picture, sound
from tests.vaults import CHEAP, PASSPHRASE

pytestmark = pytest.mark.slow

TRIES = often.often(2, 10**6)  # of each action, for each kind of fault
failed: dict[Fault, int] = dict.fromkeys(Fault, 0)


@dataclass
class Begun:
    """An action as it goes when nothing fails: the file it begins from, and the vault after each of its writes, itself first."""

    file: pathlib.Path
    day: int
    operations: int = 0
    states: list[Rows] = field(default_factory=list)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Begun]]:
    """Do all actions once, with a copy of the vault ahead of each."""
    folder = tmp_path_factory.mktemp("story")
    path = folder / "diary.ricordo"
    found: dict[str, Begun] = {}

    async def work(disk: Disk) -> None:
        await (await AsyncVault.create(path, PASSPHRASE, cost=CHEAP)).close()
        for day, name in enumerate(story.ACTIONS):
            here = found[name] = Begun(folder / f"{day}.ricordo", day)
            shutil.copy(path, here.file)
            async with followed(path, here.states, day) as vault:
                disk.fail_at(None)
                await story.ACTIONS[name](vault)
                here.operations = disk.count
            (folder / "copy.ricordo").unlink(missing_ok=True)

    with under() as disk:
        asyncio.run(work(disk))
    yield found
    for fault, count in failed.items():
        often.told(f"writes failed ({fault})", count)


@asynccontextmanager
async def followed(path: pathlib.Path, states: list[Rows], day: int) -> AsyncIterator[AsyncVault]:
    """Open a vault and keep what is in it now and after each write that is acknowledged."""
    write = Database.write

    async def written(database: Database, *job: object) -> object:
        result = await write(database, *job)  # type: ignore[arg-type]
        states.append(await database.read(picture))
        return result

    async with await story.opened(path, day=day) as vault:
        states.append(await vault._database.read(picture))
        with mock.patch.object(Database, "write", written):
            yield vault


@pytest.mark.req("X3", "V4")
@pytest.mark.parametrize("fault", list(Fault))
@pytest.mark.parametrize("name", list(story.ACTIONS))
def test_whatever_write_fails_nothing_is_half_made(
    begun: dict[str, Begun], tmp_path: pathlib.Path, name: str, fault: Fault
) -> None:
    """The vault holds just what was acknowledged, also when it is opened anew; the same once more ends as if nothing had been."""
    here = begun[name]
    with under() as disk:
        for at in often.some(range(here.operations), TRIES):
            for ending in (".ricordo", ".ricordo-wal"):
                (tmp_path / f"diary{ending}").unlink(missing_ok=True)
            shutil.copy(here.file, tmp_path / "diary.ricordo")
            asyncio.run(one(tmp_path / "diary.ricordo", disk, name, here, at, fault))


async def one(path: pathlib.Path, disk: Disk, name: str, here: Begun, at: int, fault: Fault) -> None:
    """Fail one operation, look, have room again, look, do it again, look."""
    where = f"{name}, operation {at + 1} of {here.operations}, {fault}"
    states: list[Rows] = []
    try:
        async with followed(path, states, here.day) as vault:
            disk.fail_at(at, fault)
            failure = await tried(vault, name)
            assert disk.hit or failure is None
            if failure is None:
                same(states[-1], here.states[-1], f"{where}: said to be done")
            expected = here.states[len(states) - 1]
            same(await vault._database.read(picture), expected, f"{where}: just after")
    finally:
        failed[fault] += disk.hit
        disk.fail_at(None)  # the vault was closed on a full disk
    async with await story.opened(path, day=here.day) as vault:
        same(await vault._database.read(picture), expected, f"{where}: opened anew")
        await sound(vault._database)
        if failure is not None:
            await story.told_to_do(vault, name)
        same(await vault._database.read(picture), here.states[-1], f"{where}: done again")
        await sound(vault._database)
    path.with_name("copy.ricordo").unlink(missing_ok=True)


async def tried(vault: AsyncVault, name: str) -> StorageFull | None:
    """Do an action on a disk that fails; only the sentence for the person may come of it."""
    try:
        await story.ACTIONS[name](vault)
    except StorageFull as error:
        assert "was not saved" in str(error)
        return error
    return None


def same(found: Rows, expected: Rows, where: str) -> None:
    """Fail where two vaults are not the same."""
    if found != expected:
        pytest.fail(f"{where}: {difference(found, expected)}")
