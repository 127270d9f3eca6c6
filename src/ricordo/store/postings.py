"""In which rows words stand, kept in RAM from one search to the next: listing them is most of what a search costs.

The one rule: what was taken out of the index is in no list from then on. What came since is put to the end of a list.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Literal
from weakref import WeakKeyDictionary

import apsw
import numpy as np
from numpy.typing import NDArray

Table = Literal["excerpt_words", "fact_words"]
Rows = NDArray[np.int64]

_MOST = 2_000_000  # rows kept for a connection: 16 MB
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
_KEPT: WeakKeyDictionary[apsw.Connection, Postings] = WeakKeyDictionary()


@dataclass(slots=True)
class Postings:
    """The rows of an index by query, as one connection has listed them; goes with it when the vault is locked."""

    table: Table
    newest: int  # the last row as of now
    taken_out: int = 0  # how often rows had been taken out of the index when these were listed
    count: int = 0
    lists: OrderedDict[str, tuple[int, Rows]] = field(default_factory=OrderedDict)  # the row up to which it is, and the rows

    def rows(self, connection: apsw.Connection, query: str) -> Rows:
        """Return the rows that a query finds, in order."""
        return self.first(connection, query, -1)[0]

    def first(self, connection: apsw.Connection, query: str, most: int) -> tuple[Rows, bool]:
        """Return the first rows that a query finds, `most` (-1 is all) or more if there are so many; and whether they are all."""
        upto, rows = self.lists.pop(query, (0, np.zeros(0, np.int64)))
        if upto < self.newest and not 0 <= most <= len(rows):
            self.count -= len(rows)
            more = _listed(connection, self.table, query, upto, most if most < 0 else most - len(rows))
            rows = np.concatenate((rows, more))
            upto = int(rows[-1]) if len(rows) == most else self.newest
            self.count += len(rows)
        self.lists[query] = upto, rows
        while self.count > _MOST and len(self.lists) > 1:
            self.count -= len(self.lists.popitem(last=False)[1][1])
        return rows, upto >= self.newest


def postings(connection: apsw.Connection, table: Table) -> Postings:
    """Return what is kept for a connection, as true as what it sees now.

    Nothing is kept of facts, which are few and come back under the same number when a change is undone; nor within a
    transaction that writes, which may be undone.
    """
    taken_out, newest = connection.execute(_STATE[table]).get
    if table == "fact_words" or connection.txn_state("main") == apsw.SQLITE_TXN_WRITE:
        return Postings(table, newest)
    kept = _KEPT.get(connection)
    if kept is None or kept.taken_out != taken_out:
        kept = _KEPT[connection] = Postings(table, newest, taken_out)
    kept.newest = newest
    return kept


def _listed(connection: apsw.Connection, table: Table, query: str, after: int, most: int) -> Rows:
    listed: str | None = connection.execute(_LIST[table], (query, after, most)).get
    return np.fromstring(listed, np.int64, sep=",") if listed else np.zeros(0, np.int64)
