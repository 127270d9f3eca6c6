"""In which rows words stand, kept in RAM from one search to the next: listing them is most of what a search costs.

The one rule: each connection is answered as of the moment it sees, whatever another one that shares the lists has seen.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import Literal
from weakref import WeakKeyDictionary

import apsw
import numpy as np
from numpy.typing import NDArray

from ricordo.store.moments import may_be_undone

Table = Literal["excerpt_words", "fact_words"]
Rows = NDArray[np.uint32]  # numbers of rows, of which no vault has four thousand million

_MOST = 8_000_000  # rows kept for a vault: 32 MB; the words of some two hundred searches of a million excerpts
_STATE = {
    "excerpt_words": "select times, (select coalesce(max(id), 0) from excerpts) from words_taken_out",
    "fact_words": "select 0, coalesce(max(id), 0) from facts",
}
# As one text: rows that come one by one to Python take four times as long.
_LIST = {
    "excerpt_words": "select group_concat(rowid) from"
    " (select rowid from excerpt_words where excerpt_words match ? and rowid > ? limit ?)",
    "fact_words": "select group_concat(rowid) from (select rowid from fact_words where fact_words match ? and rowid > ? limit ?)",
}


@dataclass(slots=True)
class Listed:
    """The rows of an index by query, as of a number of times that rows were taken out of it; lists only grow."""

    taken_out: int = 0
    count: int = 0
    lists: OrderedDict[str, tuple[int, Rows]] = field(default_factory=OrderedDict)  # the row up to which it is, and the rows
    lock: Lock = field(default_factory=Lock)

    def get(self, query: str) -> tuple[int, Rows]:
        """Return the row up to which a query was listed, and its rows."""
        with self.lock:
            if query in self.lists:
                self.lists.move_to_end(query)
                return self.lists[query]
        return 0, np.zeros(0, np.uint32)

    def put(self, query: str, upto: int, rows: Rows) -> None:
        """Keep what a query was listed up to, if that is further than before; what was not asked for longest goes."""
        with self.lock:
            before, others = self.lists.get(query, (-1, ()))
            if upto <= before:
                return
            self.lists[query] = upto, rows
            self.count += len(rows) - len(others)
            while self.count > _MOST and len(self.lists) > 1:
                self.count -= len(self.lists.popitem(last=False)[1][1])


@dataclass(slots=True)
class Shelf:
    """What the connections of one vault share: the newest lists, and what is known of how frequent words are."""

    listed: Listed = field(default_factory=Listed)
    known: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)  # rows then, and rows of a word


_SHELVES: WeakKeyDictionary[apsw.Connection, Shelf] = WeakKeyDictionary()


def share(connections: Iterable[apsw.Connection]) -> None:
    """Have the connections of one vault share what is kept, until `forget`."""
    shelf = Shelf()
    for connection in connections:
        _SHELVES[connection] = shelf


def forget(connections: Iterable[apsw.Connection]) -> None:
    """Let go of what is kept for connections that are about to be closed: it holds words that were looked for (V3)."""
    for connection in connections:
        _SHELVES.pop(connection, None)


def shelf_of(connection: apsw.Connection) -> Shelf:
    """Return what a connection shares, or has for itself."""
    return _SHELVES.setdefault(connection, Shelf())


@dataclass(frozen=True, slots=True)
class Postings:
    """The rows of an index by query, as one connection sees them now."""

    table: Table
    newest: int  # the last row that is there
    listed: Listed

    def rows(self, connection: apsw.Connection, query: str) -> Rows:
        """Return the rows that a query finds, in order."""
        return self.first(connection, query, -1)[0]

    def first(self, connection: apsw.Connection, query: str, most: int) -> tuple[Rows, bool]:
        """Return the first rows that a query finds, `most` (-1 is all) or more if there are so many; and whether they are all."""
        upto, rows = self.listed.get(query)
        if upto < self.newest and not 0 <= most <= len(rows):
            more = _listed(connection, self.table, query, upto, most if most < 0 else most - len(rows))
            rows = np.concatenate((rows, more))
            upto = int(rows[-1]) if len(rows) == most else self.newest
            self.listed.put(query, upto, rows)
        if len(rows) and rows[-1] > self.newest:  # another connection sees a later moment
            rows = rows[: np.searchsorted(rows, self.newest, "right")]
        return rows, upto >= self.newest


def postings(connection: apsw.Connection, table: Table) -> Postings:
    """Return what is kept, as true as what a connection sees now.

    Nothing is kept of facts, which are few and come back under the same number when a change is undone; nor within a
    transaction that writes, which may be undone; nor of an earlier moment than others see.
    """
    taken_out, newest = connection.execute(_STATE[table]).get
    if table == "fact_words" or may_be_undone(connection):
        return Postings(table, newest, Listed(taken_out))
    shelf = shelf_of(connection)
    if taken_out > shelf.listed.taken_out:
        shelf.listed = Listed(taken_out)
    listed = shelf.listed
    return Postings(table, newest, listed if listed.taken_out == taken_out else Listed(taken_out))


def _listed(connection: apsw.Connection, table: Table, query: str, after: int, most: int) -> Rows:
    listed: str | None = connection.execute(_LIST[table], (query, after, most)).get
    return np.fromstring(listed, np.uint32, sep=",") if listed else np.zeros(0, np.uint32)
