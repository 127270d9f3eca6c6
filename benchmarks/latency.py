"""How long does what a person waits for take, and what does encryption cost? python -m benchmarks.latency [--sizes 1000 10000]

Beside each vault stands the same database in plain SQLite: the same code, tables and pragmas, no cipher, no header, no layer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pathlib
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import apsw

from benchmarks import texts
from benchmarks.tables import bar, console, percentile, show
from ricordo.models.scripted import ScriptedModel
from ricordo.store import schema
from ricordo.store.connection import Database
from ricordo.store.file import VaultFile
from ricordo.store.header import Header
from ricordo.store.keys import KdfCost
from ricordo.store.ownership import claim
from ricordo.vault import AsyncVault

PASSPHRASE = "only for measuring"
CHEAP = KdfCost(19456, 2, 1)
ROUNDS = 200
IMPORTS = 3


class PlainFile(VaultFile):
    """A database file without cipher and header, opened with just the pragmas of a vault."""

    def connect(self, *, cache_kib: int, read_only: bool = False) -> apsw.Connection:
        """Open a connection."""
        connection = apsw.Connection(self.path)
        connection.set_busy_timeout(5000)
        for name, value in (("synchronous", "full"), ("temp_store", "memory"), ("secure_delete", True), ("foreign_keys", True),
                            ("cache_size", -cache_kib), ("query_only", read_only)):  # fmt: skip
            connection.pragma(name, value)
        return connection


def plain_database(path: pathlib.Path) -> Database:
    """Return a database without encryption."""
    file = PlainFile(str(path), Header("0" * 32, "none", ()), bytearray(32))
    writer = file.connect(cache_kib=32_768)
    writer.pragma("journal_mode", "wal")
    schema.migrate(writer, lambda: None)
    return Database(
        file, claim(str(path), "benchmark"), writer, [file.connect(cache_kib=16_384, read_only=True) for _ in range(2)]
    )


@dataclass
class Pair:
    """The same figure of a vault and of plain SQLite, in milliseconds or rows a second."""

    vault: list[float]
    plain: list[float]

    def ratio(self) -> float:
        """Return how many times longer the vault takes, by the medians."""
        return percentile(self.vault, 0.5) / percentile(self.plain, 0.5)


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    """Return how many milliseconds some work takes."""
    start = time.perf_counter()
    await work()
    return (time.perf_counter() - start) * 1000


async def in_turn(first: Callable[[int], Awaitable[object]], second: Callable[[int], Awaitable[object]], rounds: int) -> Pair:
    """Time two things in turn, so that the machine's moods meet both."""
    pair = Pair([], [])
    for number in range(rounds):
        pair.vault.append(await timed(lambda number=number: first(number)))  # type: ignore[misc]
        pair.plain.append(await timed(lambda number=number: second(number)))  # type: ignore[misc]
    return pair


async def after_writing(one: tuple[AsyncVault, int], other: tuple[AsyncVault, int], asked: list[str]) -> Pair:
    """Time preparing a prompt as a turn does: right after a message was stored, which empties what readers keep of the file."""
    pair = Pair([], [])
    for text in asked:
        for (vault, talk), spent in ((one, pair.vault), (other, pair.plain)):
            await vault.write(talk, text)
            spent.append(await timed(lambda vault=vault, talk=talk, text=text: vault.prompt(text, talk)))  # type: ignore[misc]
    return pair


async def measure(size: int, folder: pathlib.Path) -> dict[str, Pair]:
    """Fill a vault and a plain database with `size` messages and time both."""
    source = folder / "diary.jsonl"
    with source.open("w") as lines:
        for number, text in enumerate(texts.messages(size)):
            day = time.strftime("%Y-%m-%dT%H:%M", time.gmtime(number * 3600))
            lines.write(json.dumps({"date": day, "text": text}) + "\n")
    found: dict[str, Pair] = {}
    speeds = Pair([], [])
    for number in range(IMPORTS):  # in turn, into new files; the last ones are measured further
        path, plain_path = folder / f"{number}.ricordo", folder / f"{number}.db"
        vault = await AsyncVault.create(path, PASSPHRASE, cost=CHEAP, model=ScriptedModel())
        plain = AsyncVault(plain_database(plain_path), vault.settings, ScriptedModel(), None)
        spent = await in_turn(
            lambda _, into=vault: into.imports.bring(source),  # type: ignore[misc]
            lambda _, into=plain: into.imports.bring(source),  # type: ignore[misc]
            1,
        )
        speeds.vault.append(size / spent.vault[0] * 1000)
        speeds.plain.append(size / spent.plain[0] * 1000)
        if number < IMPORTS - 1:
            await vault.close()
            await plain.close()
    found["import, messages a second"] = speeds
    questions = texts.queries(ROUNDS)
    found["search, six words"] = await in_turn(lambda n: vault.search(questions[n]), lambda n: plain.search(questions[n]), ROUNDS)
    talks = (await vault.conversations.create()).id, (await plain.conversations.create()).id
    said = list(texts.messages(ROUNDS, 25))
    found["store a message"] = await in_turn(
        lambda n: vault.write(talks[0], said[n]), lambda n: plain.write(talks[1], said[n]), ROUNDS
    )
    await vault.set(whole_diary=True)
    await plain.set(whole_diary=True)
    asked = [  # of other words than were searched for
        f"What did I write on 19{70 + n % 7}-0{1 + n % 9}-1{n % 9}?" if n % 2 else f"I wonder about {q}"
        for n, q in enumerate(texts.queries(ROUNDS, seed=11))
    ]
    found["prepare a prompt"] = await in_turn(
        lambda n: vault.prompt(asked[n], talks[0]), lambda n: plain.prompt(asked[n], talks[1]), ROUNDS
    )
    found["prepare right after a message"] = await after_writing((vault, talks[0]), (plain, talks[1]), asked)
    await vault.close()
    await plain.close()
    found["unlock to first prompt"] = await opening(path, plain_path, talks)
    return found


async def opening(path: pathlib.Path, plain_path: pathlib.Path, talks: tuple[int, int]) -> Pair:
    """Time opening a locked vault until its first prompt is made; the key derivation is taken off."""
    pair = Pair([], [])
    for _ in range(5):
        derivation = await timed(lambda: asyncio.to_thread(VaultFile.unlock, str(path), PASSPHRASE))
        start = time.perf_counter()
        vault = await AsyncVault.open(path, PASSPHRASE, model=ScriptedModel())
        await vault.prompt("What did I write on 1970-02-03?", talks[0])
        pair.vault.append((time.perf_counter() - start) * 1000 - derivation)
        await vault.close()
        start = time.perf_counter()
        plain = AsyncVault(plain_database(plain_path), vault.settings, ScriptedModel(), None)
        await plain.prompt("What did I write on 1970-02-03?", talks[1])
        pair.plain.append((time.perf_counter() - start) * 1000)
        await plain.close()
    return pair


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    sizes = parser.parse_args().sizes
    results: dict[int, dict[str, Pair]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            results[size] = asyncio.run(measure(size, pathlib.Path(folder)))
    rows = [
        (
            what,
            size,
            percentile(pair.vault, 0.5),
            percentile(pair.vault, 0.95),
            percentile(pair.plain, 0.5),
            percentile(pair.plain, 0.95),
            pair.ratio(),
        )
        for size, found in results.items()
        for what, pair in found.items()
    ]
    show("Latency in milliseconds", ("what", "excerpts", "vault p50", "p95", "plain p50", "p95", "vault/plain"), rows)
    last = results[sizes[-1]]
    imported = last["import, messages a second"]
    console.print(f"Bars, at {sizes[-1]:,} excerpts:")
    bar("import, encrypted against plain, times", 1 / imported.ratio(), 1.3)
    bar("search, encrypted against plain, times", last["search, six words"].ratio(), 1.3)
    bar("one small commit, encrypted against plain, times", last["store a message"].ratio(), 1.7)
    bar("prepare a prompt, p95 in ms", percentile(last["prepare a prompt"].vault, 0.95), 10)
    bar("prepare right after a message, p95 in ms", percentile(last["prepare right after a message"].vault, 0.95), 10)
    bar("unlock to first prompt, ms beside the key derivation", percentile(last["unlock to first prompt"].vault, 0.5), 500)
    bar("import, messages a second", percentile(imported.vault, 0.5), 5000, at_least=True)


if __name__ == "__main__":
    main()
