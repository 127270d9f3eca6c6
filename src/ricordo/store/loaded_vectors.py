"""The vectors of the model that serves, in RAM while the vault is unlocked, and searching them within a scope.

The one rule: it follows the table by itself. SQLite tells the writer which vectors a transaction touched; once that is
committed they are read again, so that whatever added, deleted or undid them is seen, and what was rolled back is not.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable

import apsw
import numpy as np

from ricordo.conversation import Scope
from ricordo.store import reach, vectors
from ricordo.store.vector_index import Places, VectorIndex
from ricordo.store.vectors import Kind, Vector

SLICE = 4096  # rows read at a time while loading: 3 MB, some 40 ms, so that nobody waits long for a reader
_BATCH = 4096  # of what a transaction touched
_CANDIDATES = 50  # more than are asked for are scored exactly: int8 puts them nearly in order


class LoadedVectors:
    """One model's vectors of both kinds. `search` and `scores` run on readers, at the same time as the writer changes them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: str | None = None
        self._ready = False
        self._indexes: dict[int, tuple[Kind, VectorIndex]] = {}  # by the number of the set
        self._ahead: dict[int, int] = {}  # by set: the id after which to load on
        self._touched: set[tuple[int, int]] = set()  # since loading began: what the slices must not bring back
        self._changed: set[int] = set()  # in the transaction that runs; the writer's alone

    def follow(self, writer: apsw.Connection) -> None:
        """Have the writer's connection tell which vectors it touches."""
        writer.set_update_hook(self._notice)

    def _notice(self, _: int, database: str, table: str, key: int) -> None:
        if table == "vectors" and database == "main":  # loaded or not: loading may begin before this transaction ends
            self._changed.add(key)

    def rolled_back(self) -> None:
        """Take note that the writer's transaction came to nothing."""
        self._changed.clear()

    def committed(self, writer: apsw.Connection) -> None:
        """Take over what the writer's transaction did. Never fails: what cannot be read is loaded anew when asked for."""
        changed, self._changed = self._changed, set()
        by_set: defaultdict[int, list[int]] = defaultdict(list)
        for key in changed:
            number, one = vectors.split(key)
            by_set[number].append(one)
        try:
            with self._lock:
                for number, ids in by_set.items():
                    self._take_over(writer, number, ids)
        except apsw.Error:
            self.forget()

    def _take_over(self, writer: apsw.Connection, number: int, ids: list[int]) -> None:
        index = self._index(writer, number)
        if index is None:
            return
        if not self._ready:
            self._touched.update((number, one) for one in ids)
        for start in range(0, len(ids), _BATCH):
            part = ids[start : start + _BATCH]
            index.remove(np.array(part, np.int64))
            self._add(writer, number, *vectors.stored(writer, number, part))

    def _index(self, connection: apsw.Connection, number: int) -> VectorIndex | None:
        """Return the index of a set, made when it is the first time that this model's set is heard of."""
        if number not in self._indexes and (named := vectors.named(connection, number)) and named[1] == self._model:
            self._indexes[number] = (named[0], VectorIndex(named[2]))
        return self._indexes[number][1] if number in self._indexes else None

    def _add(self, connection: apsw.Connection, number: int, ids: list[int], rows: Vector) -> None:
        kind, index = self._indexes[number]
        places = vectors.places(connection, kind, ids)
        kept = [row for row, one in enumerate(ids) if one in places]
        if kept:
            stood = np.array([places[ids[row]] for row in kept], np.int32)
            index.add(np.array(ids, np.int64)[kept], stood, rows[kept])

    def begin(self, connection: apsw.Connection, model: str) -> None:
        """Begin to load a model's vectors in place of any other's; what is loaded or being loaded already stays.

        To be called first in a transaction: what is committed after it is taken over, what was before is loaded.
        """
        with self._lock:
            if self._model == model:
                return
            self._drop()
            self._model = model
            for kind in vectors.KINDS:
                if found := vectors.set_of(connection, kind, model):
                    self._indexes[found[0]] = (kind, VectorIndex(found[1]))
            self._ahead = dict.fromkeys(self._indexes, 0)

    def load_more(self, connection: apsw.Connection, model: str) -> bool:
        """Load the next slice; return whether there may be more. Until there is none, `search` finds nothing."""
        with self._lock:
            if self._model != model or self._ready:
                return False
            if not self._ahead:
                self._ready = True
                self._touched.clear()
                return False
            number, after = next(iter(self._ahead.items()))
        ids, rows = vectors.following(connection, number, after, SLICE)
        with self._lock:
            if self._model != model or self._ahead.get(number) != after:
                return True  # another call was quicker
            fresh = [row for row, one in enumerate(ids) if (number, one) not in self._touched]
            self._add(connection, number, [ids[row] for row in fresh], rows[fresh])
            del self._ahead[number]
            if len(ids) == SLICE:
                self._ahead[number] = ids[-1]
        return True

    def search(
        self, connection: apsw.Connection, kind: Kind, model: str, vector: Vector, scope: Scope, limit: int
    ) -> list[tuple[int, float]] | None:
        """Return (id, cosine) of what is nearest to a vector within a scope, best first; None while they are not loaded.

        Of facts those are in reach that are at home there, global, or shared; whether global ones are sent is a switch
        that the caller looks at. Raises ModelGarbled for a vector of another length than the model's.
        """
        if not self.serves(model):  # before waiting for the slice that is being loaded
            return None
        allowed = _allowed(connection, kind, scope)
        found = vectors.set_of(connection, kind, model)
        with self._lock:
            if not self.serves(model):
                return None
            # By its number: a set that was dropped and begun anew has another, and the old one may still be here, empty.
            if found is None or found[0] not in self._indexes:
                return []
            index = self._indexes[found[0]][1]
            vectors.require(vector, index.dimension, model)
            near = index.search(vector, limit + _CANDIDATES, allowed)
        exact = self.scores(connection, kind, model, vector, near.tolist())
        return sorted(exact.items(), key=lambda found: (-found[1], -found[0]))[:limit]

    def serves(self, model: str) -> bool:
        """Say whether this model's vectors are the ones that are loaded."""
        return self._ready and self._model == model

    def scores(self, connection: apsw.Connection, kind: Kind, model: str, vector: Vector, ids: Iterable[int]) -> dict[int, float]:
        """Return the cosines of those ids that have a vector, whether they are loaded or not.

        Raises ModelGarbled for a vector of another length than the model's.
        """
        found = vectors.set_of(connection, kind, model)
        if found is None:
            return {}
        vectors.require(vector, found[1], model)
        there, rows = vectors.stored(connection, found[0], ids)
        if not there:
            return {}
        lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(vector)
        cosines = rows @ vector / np.maximum(lengths, np.float32(1e-12))
        return dict(zip(there, cosines.tolist(), strict=True))

    @property
    def ready(self) -> bool:
        """Whether a model's vectors are loaded, so that `search` looks through them."""
        return self._ready

    def size(self) -> int:
        """Return how many vectors are in RAM."""
        with self._lock:
            return sum(index.size() for _, index in self._indexes.values())

    def forget(self) -> None:
        """Overwrite and let go of everything (V3)."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        for _, index in self._indexes.values():
            index.clear()
        self._model, self._ready = None, False
        self._indexes, self._ahead, self._touched = {}, {}, set()


def _allowed(connection: apsw.Connection, kind: Kind, scope: Scope) -> Places | None:
    """Return the places that a scope may see, None for all: conversations, or facts, each of which is a place of its own."""
    condition, values = reach.fact_condition(scope) if kind == "fact" else reach.condition(scope, "id")
    if condition == reach.ALL:
        return None
    table = "facts" if kind == "fact" else "conversations"
    rows = connection.execute(f"select id from {table} where {condition}", values)
    return np.fromiter((row[0] for row in rows), np.int32)
