"""How does finding hold up to a million excerpts, beside what people would take instead? python -m benchmarks.scale [--keep DIR]

The texts are a real diary's; the vectors the embedding model's own of 20,000 of them, beyond that those moved a little (cosine
0.93), which is harder than chance: each has near-copies. Ours is encrypted and follows every write; of the others none is.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import pathlib
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks import scale_app, scale_peers, scale_vault
from benchmarks.scale_peers import Ids, Within
from benchmarks.scale_vault import MODEL, PASSPHRASE, Corpus
from benchmarks.tables import bar, console, percentile, show
from benchmarks.written import GROWTH
from ricordo.conversation import Moment, Reach, Role, Scope
from ricordo.store import conversations, messages, reach, vectors, words
from ricordo.store.connection import Database

QUERIES = 200
COUNT = 10
GROWN = ("excerpts", "unlock, s", "prompt ready, ms p95", "search, ms p95", "Memory screen, ms", "RAM, MB")
_PATIENCE = 20.0  # seconds that one reach of a slow tool is measured for
SHARES: dict[str, tuple[Scope, Within]] = {
    "1 %": (Scope(Reach.CONVERSATION, 1, 1), np.array([1], np.int32)),
    "10 %": (Scope(Reach.SPACE, 1, 1), np.arange(1, scale_vault.IN_SPACE + 1, dtype=np.int32)),
    "100 %": (Scope(Reach.VAULT, 1, 1), None),
}


@dataclass
class Measured:
    """One tool's figures: milliseconds and rows found by reach, seconds till ready, megabytes, milliseconds a change."""

    spent: dict[str, list[float]] = field(default_factory=dict)
    found: dict[str, list[Ids]] = field(default_factory=dict)
    ready: float = 0.0
    megabytes: float = 0.0
    adding: float = 0.0
    deleting: float = 0.0


def megabytes() -> float:
    """Return what this process holds in RAM, files that are mapped left out."""
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) / 1024
    return 0.0


async def ours(path: pathlib.Path, held: Corpus) -> dict[str, Measured]:
    """Measure words, vectors, and both in one read as recall asks for them."""
    before = megabytes()
    database = await asyncio.to_thread(Database.open, path, PASSPHRASE)
    start = time.perf_counter()
    await database.load_vectors(MODEL)
    made = {what: Measured(ready=time.perf_counter() - start) for what in ("words", "vectors", "both")}
    for share, (scope, _) in SHARES.items():
        for what, measured in made.items():
            measured.spent[share], measured.found[share] = [], []
            for number in range(QUERIES):
                begun = time.perf_counter()
                rows = await database.read(lambda c, w=what, s=scope, n=number: _find(c, database, held, w, s, n))  # type: ignore[misc]
                measured.spent[share].append((time.perf_counter() - begun) * 1000)
                measured.found[share].append(rows)
    for measured in made.values():
        measured.megabytes = megabytes() - before
    adding, deleting = await _changes(database, held)
    for measured in made.values():
        measured.adding, measured.deleting = adding, deleting
    await database.close()
    return made


def _find(connection: object, database: Database, held: Corpus, what: str, scope: Scope, number: int) -> Ids:
    rows: list[tuple[int, float]] = []
    if what != "vectors":
        rows = words.search(connection, "excerpt_words", held.queries[number], reach.tokens(scope), COUNT)  # type: ignore[arg-type]
    if what != "words":
        near = database.vectors.search(connection, "excerpt", MODEL, held.query_vectors[number], scope, COUNT)  # type: ignore[arg-type]
        rows = near or []
    return [row - 1 for row, _ in rows]


async def _changes(database: Database, held: Corpus, rounds: int = 30) -> tuple[float, float]:
    """Return the milliseconds to store a message with its vector, and to delete it, both durable when they return."""
    adding, deleting = [], []
    for number in range(rounds):

        def add(connection: object, number: int = number) -> int:
            new = messages.NewMessage(Role.USER, held.texts[number], Moment(1 << 50, 0))
            message = messages.append(connection, 1, new)  # type: ignore[arg-type]
            due = vectors.missing(connection, "excerpt", MODEL, 1)  # type: ignore[arg-type]
            vectors.add(connection, "excerpt", MODEL, [(due[0][0], held.vectors[number])])  # type: ignore[arg-type]
            return message.id

        start = time.perf_counter()
        key = await database.write(add)
        adding.append((time.perf_counter() - start) * 1000)
        start = time.perf_counter()
        await database.write(lambda c, key=key: conversations.delete_message(c, key))  # type: ignore[misc]
        deleting.append((time.perf_counter() - start) * 1000)
    return percentile(adding, 0.5), percentile(deleting, 0.5)


def theirs(tool: type[scale_peers.Peer], held: Corpus) -> Measured | None:
    """Measure one of the others; None when it is not installed, or would take too long to build."""
    if len(held.texts) > getattr(tool, "most", len(held.texts)):
        console.print(f"{tool.__name__}: left out, building its graph over {len(held.texts):,} takes many minutes")
        return None
    before, start = megabytes(), time.perf_counter()
    try:
        peer = tool(held)
    except ImportError as error:
        console.print(f"{tool.__name__}: left out, {error}")
        return None
    measured = Measured(ready=time.perf_counter() - start, megabytes=megabytes() - before)
    for share, (_, within) in SHARES.items():
        spent, found = measured.spent.setdefault(share, []), measured.found.setdefault(share, [])
        until = time.perf_counter() + _PATIENCE
        for number in range(QUERIES):
            begun = time.perf_counter()
            try:
                found.append(peer.search(number, within, COUNT))
            except RuntimeError:  # hnswlib, when its graph leads to too few in reach
                found.append([])
            spent.append((time.perf_counter() - begun) * 1000)
            if time.perf_counter() > until:
                break
    measured.adding = _median(lambda row: peer.add(row))
    measured.deleting = _median(lambda row: peer.delete(row))
    return measured


def _median(work: Callable[[int], None], rounds: int = 20) -> float:
    spent = []
    for row in range(rounds):
        start = time.perf_counter()
        work(row)
        spent.append((time.perf_counter() - start) * 1000)
    return percentile(spent, 0.5)


def nearest(held: Corpus) -> dict[str, list[Ids]]:
    """Return the true best rows of each query by reach, by computing all."""
    true: dict[str, list[Ids]] = {}
    for share, (_, within) in SHARES.items():
        rows = np.arange(len(held.texts)) if within is None else np.flatnonzero(np.isin(held.talks, within))
        scores = held.query_vectors @ held.vectors[rows].T
        true[share] = [rows[np.argsort(-each)[:COUNT]].tolist() for each in scores]
    return true


def recall(found: list[Ids], true: list[Ids]) -> float:
    """Return which part of the true best was found."""
    pairs = list(zip(found, true, strict=False))
    wanted = sum(len(best) for _, best in pairs)
    return sum(len(set(got) & set(best)) for got, best in pairs) / wanted if wanted else 1.0


def report(held: Corpus, made: dict[str, Measured], others: dict[str, dict[str, Measured]]) -> None:
    """Print one size's tables; the ratios are to ours, by the medians."""
    true = nearest(held)
    rows: list[tuple[object, ...]] = []
    for kind in ("words", "vectors", "both"):
        for name, measured in {"Ricordo": made[kind], **others.get(kind, {})}.items():
            for share in SHARES:
                ratio = percentile(measured.spent[share], 0.5) / percentile(made[kind].spent[share], 0.5)
                good = recall(measured.found[share], true[share]) if kind == "vectors" else "-"
                p50, p95 = (percentile(measured.spent[share], part) for part in (0.5, 0.95))
                rows.append((f"{kind}: {name}", share, p50, p95, ratio, good))
    size = f"{len(held.texts):,}"
    show(f"Search, ms, {size} excerpts", ("tool", "in reach", "p50", "p95", "times ours", f"recall@{COUNT}"), rows)
    rows = [
        (f"{kind}: {name}", each.ready, each.megabytes, each.adding, each.deleting)
        for kind in ("words", "vectors")
        for name, each in {"Ricordo": made[kind], **others.get(kind, {})}.items()
    ]
    show(f"Beside it, {size} excerpts", ("tool", "ready, s", "RAM, MB", "add, ms", "delete, ms"), rows)
    console.print("Ricordo's figures of this table are for words and vectors together, encrypted, and durable when they return.")


def bars(size: int, made: dict[str, Measured]) -> None:
    """Print which of the bars hold."""
    both = made["both"].spent
    if size in (100_000, 1_000_000):
        bar(f"search, {size:,} excerpts in reach, p95 in ms", percentile(both["100 %"], 0.95), 15 if size == 100_000 else 60)
    bar(f"search, 1 % of {size:,} in reach, p95 in ms", percentile(both["1 %"], 0.95), 5)
    bar(f"RAM at {size:,}, MB", made["both"].megabytes, 1024)


def growth(size: int, made: dict[str, Measured], app: scale_app.App) -> tuple[object, ...]:
    """Return one size's row of what grows."""
    screen, search = percentile(app.memory_screen, 0.5), percentile(made["both"].spent["100 %"], 0.95)
    return size, app.unlock, percentile(app.prompts, 0.95), search, screen, app.megabytes


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the vaults, to use them again: a million takes minutes")
    parser.add_argument("--no-app", action="store_true", help="leave out the server and the browser")
    names = [tool.__name__ for tool in (*scale_peers.VECTORS, *scale_peers.WORDS)]
    parser.add_argument("--tools", nargs="*", choices=names, default=names, help="what to measure beside it")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept: pathlib.Path = asked.keep or pathlib.Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        base, queries = scale_vault.embedded(kept, QUERIES)
        grown: list[tuple[object, ...]] = []
        for size in asked.sizes:
            held = scale_vault.corpus(size, QUERIES, base, queries)
            path, took = scale_vault.vault(kept, held)
            for what, speed in took.items():
                console.print(f"{what}: {speed:,.0f} a second")
            made = asyncio.run(ours(path, held))
            app = None if asked.no_app else scale_app.measure(path, made["vectors"].ready)
            others: dict[str, dict[str, Measured]] = {}
            for kind, tools in (("vectors", scale_peers.VECTORS), ("words", scale_peers.WORDS)):
                for tool in tools:
                    gc.collect()
                    if tool.__name__ in asked.tools and (measured := theirs(tool, held)):
                        others.setdefault(kind, {})[tool.__name__] = measured
            report(held, made, others)
            bars(size, made)
            if app:
                scale_app.bars(size, app)
                grown.append(growth(size, made, app))
        if grown:
            show(GROWTH, GROWN, grown)
            good = recall(made["vectors"].found["100 %"], nearest(held)["100 %"])
            bar(f"recall@{COUNT} of vectors at {size:,}", good, 0.98, at_least=True)


if __name__ == "__main__":
    main()
