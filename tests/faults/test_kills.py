"""Killed at any moment while it talks, learns, imports, takes back and deletes: nothing acknowledged is lost or doubled."""

import asyncio
import os
import pathlib
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field

import apsw
import pytest

from ricordo.store.connection import Database
from ricordo.vault import AsyncVault
from tests.fake_server import Asked, FakeServer, Reply
from tests.faults import often
from tests.faults.person import TALKS, Child
from tests.faults.sound import finished_turns, learned_once, sound
from tests.faults.talk import answer
from tests.vaults import CHEAP, PASSPHRASE

KILLS = int(os.environ.get("RICORDO_KILLS", "0")) or often.often(6, 500)
LONGEST = 0.1  # seconds that a child lives on after the last line that is waited for


def replied(asked: Asked) -> Reply:
    """Reply at once; to a hidden call each piece a little later, so that kills fall into it."""
    if asked.body["max_tokens"] == 1:
        return Reply("no")
    text = answer([(str(each["role"]), str(each["content"])) for each in asked.messages])
    return Reply(text, pause=0.001 if text.startswith("{") else 0)


@dataclass
class Book:
    """What was acknowledged, by what is printed; of what was begun and not told to be done, either may be so."""

    there: set[tuple[str, int]] = field(default_factory=set)
    gone: set[tuple[str, int]] = field(default_factory=set)
    perhaps: set[tuple[str, int]] = field(default_factory=set)
    taken_back: set[int] = field(default_factory=set)

    def read(self, told: list[str]) -> None:
        """Take note of lines; one that the kill cut short is none."""
        for each in told:
            what, _, rest = each.rpartition(" ")
            number = int(rest) if rest.isdigit() else 0
            match what:
                case "said" | "wrote" | "imported":
                    self.there.add((what, number))
                case "undoing" | "deleting":
                    self._going("imported" if what == "undoing" else "wrote", number)
                case "undone" | "deleted":
                    self.gone.add(("imported" if what == "undone" else "wrote", number))
                case "took back":
                    self.taken_back.add(number)
        self.perhaps -= self.gone

    def _going(self, what: str, number: int) -> None:
        self.there.discard((what, number))
        self.perhaps.add((what, number))


def written(connection: apsw.Connection) -> Counter[tuple[str, int]]:
    """Return what stands in the vault, and how often."""
    found: Counter[tuple[str, int]] = Counter()
    for (text,) in connection.execute("select text from messages where role = 'user'").fetchall():
        number = int(re.findall(r"\d+", str(text))[0])
        match str(text).split()[0]:
            case "Entry":
                found["wrote", number] += 1
            case "Import":
                found["imported", number] += 1
            case _:
                found["asked", number + 3 if "sold" in str(text) else number] += 1
    return found


def learned(connection: apsw.Connection) -> tuple[dict[int, int], set[int]]:
    """Return the finished turns as id and number, and those that wait, after holding facts, log and turns against each other."""
    finished = finished_turns(connection)
    return finished, learned_once(connection, finished)[1]


async def look(path: pathlib.Path, book: Book, vectors_too: bool) -> tuple[int, bool]:
    """Open the vault that a kill left, and hold it against the book; return the highest number, and whether a turn waits."""
    database = Database.open(path, PASSPHRASE)
    try:
        await sound(database, vectors_too=vectors_too)
        found = await database.read(written)
        finished, waits = await database.read(learned)
        undone = await database.read(lambda c: {row[0] for row in c.execute("select id from changes where undone is not null")})
    finally:
        await database.close()
    said = Counter(("said", number) for number in finished.values())
    for key in book.there:
        assert (said if key[0] == "said" else found)[key] == (TALKS if key[0] == "imported" else 1), f"{key} was acknowledged"
    for key in book.gone:
        assert key not in found, f"{key} was taken away"
    for key, times in found.items():
        assert times == (TALKS if key[0] == "imported" else 1), f"{key} stands there {times} times"
    assert book.taken_back <= undone, "what was taken back stays so"
    return max((number for _, number in found), default=0), bool(waits)


@pytest.mark.req("V4", "E16", "E4", "I6", "V8", "X3")
@pytest.mark.slow
@pytest.mark.timeout(14400)
def test_killed_while_doing_everything_nothing_is_lost_or_doubled(tmp_path: pathlib.Path) -> None:
    """After each kill all agrees with what was acknowledged, what is derived is as made anew; in the end all is read."""
    path = tmp_path / "diary.ricordo"
    chance, book, first, caught = random.Random(16), Book(), 4, 0
    with FakeServer(models=("fake", "fake-embed")) as server:
        server.on(replied)

        async def make() -> None:
            async with await AsyncVault.create(path, PASSPHRASE, cost=CHEAP) as vault:
                await vault.set(embedder="server", server=server.url, model="fake-embed")

        asyncio.run(make())
        for kill in range(KILLS):
            process = Child(path, server.url, first)
            try:
                told = [process.line() for _ in range(chance.randrange(1, 30))]
                time.sleep(chance.uniform(0.0, LONGEST))  # the moment of the kill
            finally:
                process.kill()
            assert "" not in told, "it ended by itself"
            book.read(told + process.rest())
            highest, waits = asyncio.run(look(path, book, vectors_too=kill % 25 == 0))
            caught += waits
            first = max(first, (highest // 4 + 2) * 4)
        told = Child(path, server.url, first, rounds=8).rest()
        assert told[-1] == "end", told
        book.read(told)
    _, waits = asyncio.run(look(path, book, vectors_too=True))
    assert not waits
    assert caught, "no kill fell into learning: it would prove nothing"
    often.told("kills survived (talk, learning, imports, undo, deletion)", KILLS, "nothing lost, nothing doubled")
    often.told("acknowledged writes that were looked for after them", len(book.there | book.gone), "all there")
