"""Killed at any moment while it learns: no turn is lost, none is learned twice, no change is half made."""

import asyncio
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time
from collections import Counter

import apsw
import pytest

from ricordo.change import apply
from ricordo.fact import Fact
from ricordo.store import changes, facts, words
from ricordo.store.connection import Database
from ricordo.vault import AsyncVault
from tests.fake_server import Asked, FakeServer, Reply
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
    shown = asked.messages[-1]["content"]
    known, _, talk = shown.partition("The person wrote:")
    places = {int(number): int(place) for place, number in re.findall(r"^(\d+)\. .*barrel (\d+)", known, re.MULTILINE)}
    add = [
        {"text": f"The user has barrel {number} in the cellar.", "quote": f"I have barrel {number} in the cellar"}
        for number in re.findall(r"I have barrel (\d+)", talk)
    ]
    sold = [int(number) for number in re.findall(r"I sold barrel (\d+)", talk)]
    remove = [{"id": places[number], "quote": f"I sold barrel {number}"} for number in sold if number in places]
    return Reply(json.dumps({"add": add, "rewrite": [], "remove": remove}), pause=0.001)


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
    finished = {
        int(key): int(re.findall(r"\d+", text)[0]) + (3 if "sold" in text else 0)
        for key, text in connection.execute(
            "select u.id, u.text from messages u join messages r on r.parent = u.id"
            " where u.role = 'user' and r.role = 'model' and r.status = 'complete'"
        )
    }
    waits = {int(row[0]) for row in connection.execute("select message from waiting")}
    assert waits <= set(finished), "only finished turns wait"
    log = changes.listed(connection, 10**6)
    times = Counter(message for change in log for message in change.messages)
    assert set(times.values()) <= {1}, "no turn is learned twice"
    assert set(times) | waits == set(finished), "no turn is lost"
    assert not set(times) & waits, "what was learned does not wait any more"
    there = tuple(sorted(facts.listed(connection), key=lambda fact: fact.id))
    replayed: tuple[Fact, ...] = ()
    for change in sorted(log, key=lambda change: change.id):
        replayed = apply(change.edit, replayed)
    assert there == replayed, "the facts are what the log says"
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
