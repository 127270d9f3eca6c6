"""A person who talks, writes, imports, takes back and deletes until killed: each line that is reported is acknowledged.

What is begun is reported too, where a kill may fall between. `Child` is one, in a process of its own.
"""

import asyncio
import itertools
import json
import multiprocessing
import pathlib
from multiprocessing.connection import Connection

from ricordo.change import Saved
from ricordo.events import ReplyDone
from ricordo.models.openai_api import OpenAIModel
from ricordo.transfer.source import Upload
from ricordo.vault import AsyncVault
from tests.faults.talk import have, sold
from tests.transfer import files
from tests.vaults import PASSPHRASE

TALKS = 3  # of an import, two messages each

# A fork of a process that has imported all of it already: a child is there in a few milliseconds.
_NURSERY = multiprocessing.get_context("forkserver")
_NURSERY.set_forkserver_preload([__name__])
_told: list[Connection] = []


class Child:
    """A person in a process of its own, from a round on; with `rounds` it ends by itself, when nothing waits any more."""

    def __init__(self, path: pathlib.Path, url: str, first: int, rounds: int | None = None) -> None:
        self._lines, told = _NURSERY.Pipe(duplex=False)
        self._process = _NURSERY.Process(target=begin, args=(told, str(path), url, first, rounds))
        self._process.start()
        told.close()

    def line(self) -> str:
        """Wait for the next line; empty when there is none any more."""
        try:
            return str(self._lines.recv())
        except (EOFError, OSError):
            return ""

    def rest(self) -> list[str]:
        """Wait for the end; return all lines until then."""
        lines = list(iter(self.line, ""))
        self._process.join()
        self._lines.close()
        return lines

    def kill(self) -> None:
        """End it at once, wherever it is."""
        self._process.kill()


def begin(told: Connection, path: str, url: str, first: int, rounds: int | None) -> None:
    """Be that process."""
    _told.append(told)
    asyncio.run(live(path, url, first, rounds))


def report(*words: object) -> None:
    """Tell the parent."""
    _told[0].send(" ".join(map(str, words)))


def entry(number: int) -> str:
    """Return what is just written."""
    return f"Entry {number}: walked with Ada Byron to the harbour, and the long way home."


def exported(number: int) -> Upload:
    """Return an export, by its number."""
    talks = [
        files.simple(
            f"{number}-{each}", f"Import {number} of Ada Byron, {each}: what of the casks?", f"Reply {number} {each}: leave them."
        )
        for each in range(TALKS)
    ]
    return Upload(f"{number}.json", ((f"{number}.json", json.dumps(talks).encode()),))


async def live(path: str, url: str, first: int, rounds: int | None) -> None:
    """Do all of it, round by round; first what the one before may have left half done: its last import."""
    async with await AsyncVault.open(path, PASSPHRASE, model=OpenAIModel(url, "fake")) as vault:
        vault.work_in_background()
        report("open")
        await begin_again(vault)
        talk = (await vault.conversations.create()).id
        for number in itertools.islice(itertools.count(first), rounds):
            await say(vault, talk, number)
            await ROUND[number % len(ROUND)](vault, talk, number)
            if number % 4 == 3:
                await quiet(vault)
        await quiet(vault)
        await vault.embed()
        report("end")


async def begin_again(vault: AsyncVault) -> None:
    """Bring the newest import again: what is there already must not come twice."""
    for made in (await vault.imports.all())[:1]:
        await vault.imports.bring(exported(int(made.name.removesuffix(".json"))))


async def say(vault: AsyncVault, talk: int, number: int) -> None:
    """One turn; of four, the last tells that what the first told is over."""
    text = sold(number - 3) if number % 4 == 3 else have(number)
    async for event in vault.reply(talk, text):
        if isinstance(event, ReplyDone):
            report("said", number)


async def write(vault: AsyncVault, talk: int, number: int) -> None:
    """Just write."""
    await vault.write(talk, entry(number))
    report("wrote", number)


async def bring(vault: AsyncVault, talk: int, number: int) -> None:
    """Import."""
    await vault.imports.bring(exported(number))
    report("imported", number)


async def undo_import(vault: AsyncVault, talk: int, number: int) -> None:
    """Take the newest import back."""
    for made in (await vault.imports.all())[:1]:
        report("undoing", made.name.removesuffix(".json"))
        await vault.imports.undo(made.id)
        report("undone", made.name.removesuffix(".json"))


async def delete(vault: AsyncVault, talk: int, number: int) -> None:
    """Delete the newest entry that was just written."""
    shown = await vault.conversations.messages(talk)
    for message in [each for each in shown if each.text.startswith("Entry")][-1:]:
        which = message.text.split(":")[0].split()[1]
        report("deleting", which)
        await vault.conversations.delete_message(message.id)
        report("deleted", which)


async def undo_change(vault: AsyncVault, talk: int, number: int) -> None:
    """Take a change back: of a barrel that is never sold, so that no later change hangs on it."""
    for change in await vault.changes.all(10):
        match change.edit:
            case Saved(after) if change.undone is None and int(after.text.split()[4]) % 4 == 1:
                await vault.changes.undo(change.id)
                report("took back", change.id)
                return
            case _:
                pass


ROUND = (write, bring, write, undo_change, delete, bring, undo_import)


async def quiet(vault: AsyncVault) -> None:
    """Wait until no turn waits."""
    while await vault.changes.waiting():  # noqa: ASYNC110  learning tells of what was learned, not that nothing is left
        await asyncio.sleep(0.005)
