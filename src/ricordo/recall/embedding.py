"""Embedding what is stored: every excerpt and fact gets a vector of the embedder in use, newest first, in the background.

The one rule: it may end at any moment. Each batch is a transaction of its own, and what has no vector yet is asked of the vault.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

import apsw

from ricordo.errors import ContextOverflow, ModelGarbled, ModelRefused
from ricordo.models.base import Embedder
from ricordo.models.gate import Preempted
from ricordo.store import vectors
from ricordo.store.connection import Database
from ricordo.store.vectors import Kind, Vector

Text = tuple[int, str]
Progress = Callable[[int, int], None]
Turn = Callable[[], AbstractAsyncContextManager[None]]
PassedOver = set[tuple[str, Kind, int]]

_KINDS: tuple[Kind, ...] = ("fact", "excerpt")  # facts first: they are few, and asked for most
# Texts a batch: embedded in a third of a second, which is what an interruption throws away, and one write to the disk.
_BATCH = 32
_SLICE = 8 * _BATCH  # texts a call, so that whoever calls can do something else every few seconds
# Letters of a text: as long as a piece of a message may be. A fact may be longer, but few embedding models read more, and one
# that refuses it would be asked again and again for its halves.
_READ = 1500
_PLAIN = "diary"  # what any embedder can embed


async def embed_due(database: Database, embedder: Embedder, turn: Turn, progress: Progress, passed_over: PassedOver) -> bool:
    """Embed some of what has no vector of this embedder; return whether to call again.

    A batch is embedded within `turn()`, the gate's background: a person's message ends it, and it is embedded again later.
    `progress` is told how many have a vector, and of how many. `passed_over` collects the texts that the embedder cannot take
    while it takes others: words alone find them until the next unlocking. Vectors of other embedders go once no text lacks one
    of this. Raises what `Embedder.embed` and `Database.write` do.
    """
    try:
        async with turn():
            await embedder.embed(())  # its name may be known only now
        due = await database.read(lambda connection: _due(connection, embedder.name, passed_over))
        if due is None:
            return not await database.write(lambda connection: vectors.drop_other(connection, embedder.name))
        kind, texts, done, total = due
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            async with turn():
                found = await _vectors(embedder, [text[:_READ] for _, text in batch])
            passed_over |= {(embedder.name, kind, key) for (key, _), vector in zip(batch, found, strict=True) if vector is None}
            done += await _keep(database, kind, embedder.name, batch, found)
            progress(done, total)
    except Preempted:
        return True
    return True


def _due(connection: apsw.Connection, model: str, passed_over: PassedOver) -> tuple[Kind, list[Text], int, int] | None:
    """Return the next texts, all of one kind, with how many of both kinds have a vector and of how many; None: all have."""
    for kind in _KINDS:
        missing = vectors.missing(connection, kind, model, _SLICE + len(passed_over))
        texts = [(key, text) for key, text in missing if (model, kind, key) not in passed_over][:_SLICE]
        if texts:
            counts = [vectors.count(connection, each, model) for each in _KINDS]
            return kind, texts, sum(have for have, _ in counts), sum(of for _, of in counts)
    return None


async def _vectors(embedder: Embedder, texts: Sequence[str]) -> list[Vector | None]:
    """Return a vector for each text, None for one that this embedder cannot take. Raises when it takes none at all."""
    try:
        return list(await embedder.embed(texts))
    except (ModelGarbled, ModelRefused, ContextOverflow):
        await embedder.embed([_PLAIN])
        if len(texts) == 1:
            return [None]
        return [vector for text in texts for vector in await _vectors(embedder, [text])]


async def _keep(database: Database, kind: Kind, model: str, batch: Sequence[Text], found: Sequence[Vector | None]) -> int:
    """Store a batch but for what was deleted or reworded while it was embedded; return how many that were."""

    def store(connection: apsw.Connection) -> int:
        now = vectors.texts(connection, kind, [key for key, _ in batch])
        rows = [
            (key, vector) for (key, text), vector in zip(batch, found, strict=True) if vector is not None and now.get(key) == text
        ]
        vectors.add(connection, kind, model, rows)
        return len(rows)

    return await database.write(store)
