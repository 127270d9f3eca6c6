"""Vectors of excerpts and facts, as float16 in the vault: the truth that the index in RAM is made of.

The one rule: a set is one model's vectors of one kind; vectors of different sets are never compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import apsw
import numpy as np
from numpy.typing import NDArray

from ricordo.errors import ModelGarbled

Kind = Literal["excerpt", "fact"]
KINDS: tuple[Kind, ...] = ("excerpt", "fact")
Vector = NDArray[np.float32]

_SET = 40  # bits of a key below the set: a million million excerpts
_ID = (1 << _SET) - 1
_SHORT = 1000  # rows deleted in one step: a step that took all of them would hold up the writer for many seconds

_PIECE = "select e.id, m.text, e.start, e.stop from excerpts e join messages m on m.id = e.message"
_WHOLE = "select e.id, e.text, 0, null from facts e"
_TEXT = {"excerpt": _PIECE, "fact": _WHOLE}
_TABLE = {"excerpt": "excerpts", "fact": "facts"}


def split(key: int) -> tuple[int, int]:
    """Return the set and the id of a key."""
    return key >> _SET, key & _ID


def set_of(connection: apsw.Connection, kind: Kind, model: str) -> tuple[int, int] | None:
    """Return the set of a model's vectors and their dimension; None before the first one was added."""
    row = connection.execute("select id, dimension from vector_sets where kind = ? and model = ?", (kind, model)).fetchone()
    return (int(row[0]), int(row[1])) if row else None


def any_set(connection: apsw.Connection) -> bool:
    """Say whether anything was embedded, by whatever model."""
    return connection.execute("select 1 from vector_sets limit 1").fetchone() is not None


def named(connection: apsw.Connection, number: int) -> tuple[Kind, str, int] | None:
    """Return the kind, model and dimension of a set, None when it is gone."""
    row = connection.execute("select kind, model, dimension from vector_sets where id = ?", (number,)).fetchone()
    return (row[0], str(row[1]), int(row[2])) if row else None


def missing(connection: apsw.Connection, kind: Kind, model: str, limit: int) -> list[tuple[int, str]]:
    """Return (id, text) of what has no vector of the model yet, newest first."""
    found = set_of(connection, kind, model)
    if found is None:  # nothing has
        return _texts(connection, f"{_TEXT[kind]} order by e.id desc limit ?", (limit,))
    due = "select id from vectors_due where vector_set = ? order by id desc limit ?"
    return _texts(connection, f"{_TEXT[kind]} where e.id in ({due}) order by e.id desc", (found[0], limit))


def texts(connection: apsw.Connection, kind: Kind, ids: Iterable[int]) -> dict[int, str]:
    """Return the texts as they are now; what is gone is left out.

    Whoever adds vectors compares them in the same transaction: a fact may have been reworded while the model read it.
    """
    return dict(_texts(connection, f"{_TEXT[kind]} where e.id in (select value from json_each(?))", (json.dumps(list(ids)),)))


def _texts(connection: apsw.Connection, sql: str, values: tuple[Any, ...]) -> list[tuple[int, str]]:
    # Cut here, not by SQL's substr, which ends at a NUL.
    return [(key, text[start:stop]) for key, text, start, stop in connection.execute(sql, values)]


def add(connection: apsw.Connection, kind: Kind, model: str, rows: Sequence[tuple[int, Vector]]) -> None:
    """Store vectors of a model, (id, unit vector) each; what was deleted meanwhile is left out.

    Raises ModelGarbled when one is not as long as the others of that model.
    """
    if not rows:
        return
    number, dimension = set_of(connection, kind, model) or _begin(connection, kind, model, len(rows[0][1]))
    for _, vector in rows:
        require(vector, dimension, model)
    there = connection.execute(
        f"select id from {_TABLE[kind]} where id in (select value from json_each(?))", (json.dumps([key for key, _ in rows]),)
    )
    kept = {int(row[0]) for row in there}
    connection.executemany(
        "insert or replace into vectors (key, value) values (?, ?)",
        [((number << _SET) + key, vector.astype("<f2").tobytes()) for key, vector in rows if key in kept],
    )
    connection.executemany("delete from vectors_due where vector_set = ? and id = ?", [(number, key) for key in kept])


def require(vector: Vector, dimension: int, model: str) -> None:
    """Raise ModelGarbled unless a vector is as long as those it is to be compared with, and a direction at all."""
    if vector.shape != (dimension,):
        raise ModelGarbled(
            f"The embedding model {model} gave {vector.size} numbers for a text where it gave {dimension} before. It is "
            "another model under the same name: choose it anew in Settings, under a name of its own."
        )
    if not np.isfinite(vector).all():
        raise ModelGarbled(f"The embedding model {model} gave a vector that holds no numbers. Choose another one in Settings.")


def _begin(connection: apsw.Connection, kind: Kind, model: str, dimension: int) -> tuple[int, int]:
    """Make the sets of both kinds for a model that is new, with all there is as due; return the one of this kind."""
    made = {}
    for each in KINDS:
        connection.execute("insert into vector_sets (kind, model, dimension) values (?, ?, ?)", (each, model, dimension))
        made[each] = connection.last_insert_rowid()
        connection.execute(f"insert into vectors_due select ?, id from {_TABLE[each]}", (made[each],))
    return made[kind], dimension


def count(connection: apsw.Connection, kind: Kind, model: str) -> tuple[int, int]:
    """Return how many have a vector of the model, and of how many."""
    total = int(connection.execute(f"select count(*) from {_TABLE[kind]}").get)
    found = set_of(connection, kind, model)
    if found is None:
        return 0, total
    return total - int(connection.execute("select count(*) from vectors_due where vector_set = ?", (found[0],)).get), total


def counts(connection: apsw.Connection, model: str) -> tuple[int, int]:
    """Return how many of both kinds have a vector of the model, and of how many."""
    found = [count(connection, kind, model) for kind in KINDS]
    return sum(done for done, _ in found), sum(total for _, total in found)


def serving(connection: apsw.Connection, preferred: str) -> str | None:
    """Return the model whose vectors to search: the preferred one once it is complete, till then the one that lacks least.

    None when no model has any.
    """
    models = [str(row[0]) for row in connection.execute("select distinct model from vector_sets order by model")]
    if len(models) < 2:
        return models[0] if models else None
    counts = "select s.model, count(d.id) from vector_sets s left join vectors_due d on d.vector_set = s.id group by s.model"
    lacks: dict[str, int] = dict(connection.execute(counts))
    return min(models, key=lambda model: (lacks[model], model != preferred))


def drop_other(connection: apsw.Connection, model: str, most: int = 20 * _SHORT) -> bool:
    """Delete the vectors of all other models, at most `most` of them; return whether none is left.

    A step at a time, each a transaction of its own, so that nobody waits for the deletion of a million rows.
    """
    others = [int(row[0]) for row in connection.execute("select id from vector_sets where model <> ? order by id", (model,))]
    for number in others:
        connection.execute(
            "delete from vectors where key in (select key from vectors where key between ? and ? limit ?)",
            (number << _SET, (number << _SET) + _ID, most),
        )
        most -= connection.changes()
        if most <= 0:
            return False
        connection.execute("delete from vectors_due where vector_set = ?", (number,))
        connection.execute("delete from vector_sets where id = ?", (number,))
    return True


def read(connection: apsw.Connection, kind: Kind, model: str, ids: Sequence[int]) -> Vector:
    """Return the vectors of ids, a row each, in their order; raises KeyError where one has none."""
    found = set_of(connection, kind, model)
    if found is None:
        raise KeyError(model)
    there, rows = stored(connection, found[0], ids)
    if not ids:
        return np.zeros((0, found[1]), np.float32)
    at = {key: row for row, key in enumerate(there)}
    return rows[[at[key] for key in ids]]


def stored(connection: apsw.Connection, number: int, ids: Iterable[int]) -> tuple[list[int], Vector]:
    """Return those ids that have a vector in a set, in order, and their vectors, a row each."""
    keys = json.dumps([(number << _SET) + int(key) for key in ids])
    return _together(
        connection.execute("select key, value from vectors where key in (select value from json_each(?)) order by key", (keys,))
    )


def following(connection: apsw.Connection, number: int, after: int, limit: int) -> tuple[list[int], Vector]:
    """Return the next ids of a set after one, and their vectors, a row each: for reading all of it in slices."""
    return _together(
        connection.execute(
            "select key, value from vectors where key > ? and key <= ? order by key limit ?",
            ((number << _SET) + after, (number << _SET) + _ID, limit),
        )
    )


def _together(found: Iterable[tuple[Any, ...]]) -> tuple[list[int], Vector]:
    """Return the ids of rows of (key, value), and the vectors that the values are, unpacked at once."""
    rows = list(found)
    values = np.frombuffer(b"".join([value for _, value in rows]), "<f2").astype(np.float32)
    return [key & _ID for key, _ in rows], values.reshape(len(rows), -1 if rows else 0)


def places(connection: apsw.Connection, kind: Kind, ids: Sequence[int]) -> dict[int, int]:
    """Return the conversation that each excerpt stands in. A fact may move and be shared: it is a place of its own."""
    if kind == "fact":
        return {key: key for key in ids}
    return dict(
        connection.execute(
            "select e.id, m.conversation from excerpts e join messages m on m.id = e.message"
            " where e.id in (select value from json_each(?))",
            (json.dumps(list(ids)),),
        )
    )
