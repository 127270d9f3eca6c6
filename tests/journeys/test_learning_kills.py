"""Killed at any moment while it learns: no turn is lost, none is learned twice, no change is half made."""

import asyncio
import os
import pathlib
import random
import re
import subprocess
import sys
import time

import apsw
import pytest

from ricordo.store import facts, words
from ricordo.store.connection import Database
from ricordo.vault import AsyncVault
from tests.fake_server import Asked, FakeServer, Reply
from tests.faults.sound import finished_turns, learned_once
from tests.faults.talk import proposals
from tests.store.box import ROOT, line
from tests.vaults import CHEAP, PASSPHRASE

KILLS = int(os.environ.get("RICORDO_KILLS", "15"))
LONGEST = 0.1  # seconds that a child lives on after the last line that is waited for


def answer(asked: Asked) -> Reply:
    """Reply at once; to a hidden call propose what was said, each piece a little later, so that kills fall into it."""
    if "lasting facts" not in asked.text:
        return Reply("Well.")
    if asked.body["max_tokens"] == 1:
        return Reply("no")
    return Reply(proposals(asked.messages[-1]["content"]), pause=0.001)


def child(path: pathlib.Path, url: str, first: int, *turns: str) -> "subprocess.Popen[str]":
    """Start a learner."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "tests.journeys.learner", str(path), PASSPHRASE, url, str(first), *turns],
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def checked(connection: apsw.Connection) -> tuple[set[int], set[int]]:
    """Return the finished turns and those of them that wait, by number, after holding all tables against each other."""
    assert connection.pragma("integrity_check") == "ok"
    assert connection.execute("pragma foreign_key_check").fetchall() == []
    connection.execute("insert into fact_words (fact_words, rank) values ('integrity-check', 1)")
    finished = finished_turns(connection)
    learned, waits = learned_once(connection, finished)
    assert waits <= set(finished), "only finished turns wait"
    assert learned | waits == set(finished)
    there = facts.listed(connection)
    indexed = {key for key, _ in words.search(connection, "fact_words", "barrel", limit=10**6)}
    assert indexed == {fact.id for fact in there}, "and so is the index"
    return set(finished.values()), {finished[key] for key in waits}


async def look(path: pathlib.Path) -> tuple[set[int], set[int]]:
    """Open the vault that a kill left, and check it."""
    database = Database.open(path, PASSPHRASE)
    try:
        return await database.write(checked)
    finally:
        await database.close()


@pytest.mark.req("E16", "E4", "V4")
@pytest.mark.slow
def test_killed_while_learning_nothing_is_lost_doubled_or_half_made(tmp_path: pathlib.Path) -> None:
    """After each kill: fact, index row, change and waiting turn agree; at the end all that was said has been learned."""
    path = tmp_path / "diary.ricordo"

    async def make() -> None:
        async with await AsyncVault.create(path, PASSPHRASE, cost=CHEAP) as vault:
            await vault.set(global_memories=True)

    asyncio.run(make())
    chance = random.Random(16)
    first, acknowledged, caught = 0, set[int](), 0
    with FakeServer() as server:
        server.on(answer)
        for _ in range(KILLS):
            process = child(path, server.url, first)
            try:
                told = [line(process) for _ in range(chance.randrange(2, 9))]
                time.sleep(chance.uniform(0.0, LONGEST))  # the moment of the kill
            finally:
                process.kill()
                with process:
                    assert process.stdout is not None
                    told += process.stdout.read().splitlines()  # `communicate` loses what was read ahead
            assert told[0] == "open"
            acknowledged |= {int(each.split()[1]) for each in told if re.fullmatch(r"said \d+", each)}
            finished, waiting = asyncio.run(look(path))
            assert acknowledged <= finished, "what was acknowledged is there"
            caught += bool(waiting)
            first = (max(finished, default=0) // 4 + 2) * 4
        last = child(path, server.url, first, "4")
        assert last.communicate(timeout=120)[0].endswith("end\n")
    finished, waiting = asyncio.run(look(path))
    assert waiting == set()
    assert len(finished) > KILLS
    assert caught, "no kill fell into learning: it would prove nothing"
