"""The index in RAM: one model's vectors of one kind as int8, scanned whole or only where the scope allows.

The one rule: it gives candidates, nearly in order. Whoever asks scores them anew by the float16 rows of the vault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int8]
Vectors = NDArray[np.float32]
Ids = NDArray[np.int64]
Places = NDArray[np.int32]
Dots = Callable[[Rows, Rows], Vectors]

CHUNK = 16_384  # rows: memory grows by 6 MB at 384 numbers, never by copying all there is
_BLOCK = 2048  # rows that numpy turns to floats at a time: what a processor's cache holds
_WAITING = 2048  # rows that wait to be looked through for the best
_GATHER = 4  # fewer than one row in so many are copied out; more are scanned where they lie and the others struck out


def _dots() -> Dots:
    """Return what multiplies int8 rows: numkong where the extra `local` is there, else numpy, four times slower."""
    try:
        from numkong import cdist  # noqa: PLC0415
    except ImportError:
        return _numpy_dots
    return lambda rows, query: np.asarray(cdist(query[None], rows, "dot"), np.float32)[0]


def _numpy_dots(rows: Rows, query: Rows) -> Vectors:
    wide = query.astype(np.float32)
    found = np.empty(len(rows), np.float32)
    for start in range(0, len(rows), _BLOCK):
        np.dot(rows[start : start + _BLOCK].astype(np.float32), wide, out=found[start : start + _BLOCK])
    return found


def _small(vectors: Vectors) -> tuple[Rows, Vectors]:
    """Return vectors as int8, each by a step of its own, and the steps."""
    steps = np.maximum(np.abs(vectors).max(axis=1), np.float32(1e-12)) / np.float32(127)
    return np.rint(vectors / steps[:, None]).astype(np.int8), steps


@dataclass(slots=True)
class _Chunk:
    """Some rows; the first `used` of each array mean something, the rest has never been touched or is zero."""

    rows: Rows
    steps: Vectors
    ids: Ids
    places: Places
    used: int = 0

    @classmethod
    def empty(cls, dimension: int) -> _Chunk:
        return cls(
            np.empty((CHUNK, dimension), np.int8),
            np.empty(CHUNK, np.float32),
            np.empty(CHUNK, np.int64),
            np.empty(CHUNK, np.int32),
        )

    def arrays(self) -> tuple[NDArray[np.generic], ...]:
        return self.rows, self.steps, self.ids, self.places

    def remove(self, gone: NDArray[np.bool_]) -> None:
        """Take out rows: the last ones move into the holes, and what they leave is overwritten."""
        left = self.used - int(gone.sum())
        holes = np.flatnonzero(gone[:left])
        movers = np.flatnonzero(~gone[left:]) + left
        for array in self.arrays():
            array[holes] = array[movers]
            array[left : self.used] = 0
        self.used = left


class VectorIndex:
    """Vectors of one length by id, each with its place: the conversation of an excerpt, a fact's own id.

    Not thread-safe: whoever shares it holds a lock.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._chunks: list[_Chunk] = []
        self._dots = _dots()

    def build(self, slices: Iterable[tuple[Ids, Places, Vectors]]) -> None:
        """Begin anew with slices of (ids, places, vectors)."""
        self.clear()
        for ids, places, vectors in slices:
            self.add(ids, places, vectors)

    def add(self, ids: Ids, places: Places, vectors: Vectors) -> None:
        """Add unit vectors, each in place of the one at its id if there is one."""
        self.remove(ids)
        rows, steps = _small(vectors)
        start = 0
        while start < len(ids):
            chunk = next((chunk for chunk in self._chunks if chunk.used < CHUNK), None)
            if chunk is None:
                chunk = _Chunk.empty(self.dimension)
                self._chunks.append(chunk)
            count = min(CHUNK - chunk.used, len(ids) - start)
            into, given = slice(chunk.used, chunk.used + count), slice(start, start + count)
            chunk.rows[into], chunk.steps[into] = rows[given], steps[given]
            chunk.ids[into], chunk.places[into] = ids[given], places[given]
            chunk.used += count
            start += count

    def remove(self, ids: Ids) -> None:
        """Take out the vectors of some ids; those that are not there are passed over."""
        for chunk in self._chunks:
            there = chunk.ids[: chunk.used]
            gone = there == ids[0] if len(ids) == 1 else np.isin(there, ids)  # mostly one message is deleted
            if gone.any():
                chunk.remove(gone)
        self._chunks = [chunk for chunk in self._chunks if chunk.used]

    def size(self) -> int:
        """Return how many vectors are there."""
        return sum(chunk.used for chunk in self._chunks)

    def search(self, vector: Vectors, count: int, places: Places | None = None) -> Ids:
        """Return the ids nearest to a vector, nearly in order, best first; only of those places, if any are given."""
        query, _ = _small(vector[None])
        within = None if places is None else _Within(places)
        best = _Best(count)
        for chunk in self._chunks:
            chosen = slice(0, chunk.used) if within is None else within.chosen(chunk.places[: chunk.used])
            if chosen is None:
                continue
            if isinstance(chosen, slice):
                dots = self._dots(chunk.rows[chosen], query[0])
            elif len(chosen) * _GATHER < chunk.used:
                dots = self._dots(chunk.rows.take(chosen, axis=0), query[0])
            else:
                dots = self._dots(chunk.rows[: chunk.used], query[0])[chosen]
            best.take(chunk.ids[chosen], dots * chunk.steps[chosen])
        return best.ordered()

    def clear(self) -> None:
        """Overwrite and let go of all vectors (V3)."""
        for chunk in self._chunks:
            for array in chunk.arrays():
                array[: chunk.used] = 0
        self._chunks = []


class _Within:
    """Which rows stand at the places that a search may see."""

    def __init__(self, places: Places) -> None:
        self._only = int(places[0]) if len(places) == 1 else None
        self._last = int(places.max(initial=-1)) + 1
        self._seen = np.zeros(self._last + 1, np.bool_)
        self._seen[places] = True

    def chosen(self, places: Places) -> slice | NDArray[np.intp] | None:
        """Return which rows of a chunk: a slice where they lie together, which copies nothing; None for none."""
        seen = places == self._only if self._only is not None else self._seen[np.minimum(places, self._last)]
        found = np.flatnonzero(seen)
        if not len(found):
            return None
        first, last = int(found[0]), int(found[-1])
        return slice(first, last + 1) if last - first + 1 == len(found) else found


class _Best:
    """The best so many of all that was taken; what cannot be among them is dropped at once, so that sorting costs little."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._ids: list[Ids] = []
        self._scores: list[Vectors] = []
        self._held = 0
        self._floor = np.float32(-np.inf)

    def take(self, ids: Ids, scores: Vectors) -> None:
        if self._floor > -np.inf:
            good = scores > self._floor
            ids, scores = ids[good], scores[good]
        self._ids.append(ids)
        self._scores.append(scores)
        self._held += len(ids)
        if self._held > self._count + _WAITING:  # a few at a time cost more than they are worth
            self._drop()

    def _drop(self) -> None:
        ids, scores = np.concatenate(self._ids), np.concatenate(self._scores)
        if len(ids) > self._count:
            kept = np.argpartition(scores, -self._count)[-self._count :]
            ids, scores = ids[kept], scores[kept]
            self._floor = scores.min()
        self._ids, self._scores, self._held = [ids], [scores], len(ids)

    def ordered(self) -> Ids:
        if not self._ids:
            return np.empty(0, np.int64)
        self._drop()
        return self._ids[0][np.argsort(-self._scores[0], kind="stable")]
