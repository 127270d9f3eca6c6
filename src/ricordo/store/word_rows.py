"""In which rows words stand: how many, and the best rows of a large index, where FTS5's own ranking would take too long.

The one rule: what is remembered of a vault's words belongs to its connections, and goes with them when it is locked.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from ricordo.store.postings import Postings, Rows, postings, shelf_of
from ricordo.store.postings import Table as Table
from ricordo.store.stems import stemmer

MANY = 20_000  # rows of an index from which on `best` is the quicker way, and counting words anew takes time
# Rows in which the words of one search may stand together. FTS5 lists eight a microsecond and scores one; what is out of reach
# it passes over no faster, yet an answer from a small reach is expected at once.
_MOST_ROWS = 120_000
_MOST_IN_REACH = 12_000
_CANDIDATES = 200  # whose lengths are looked up, at least
_COUNTED = 2_000  # rows that a word is counted in: a fifth of a millisecond
_ALIKE, _ALIKE_LARGE = 50, 10  # an index is about as large while it has changed by no more than one row in so many
_MOST_KNOWN = 20_000  # words whose number of rows is remembered
_K1, _B = 1.2, 0.75  # BM25 as FTS5 has it: the length of a row is that of all its columns

_AVERAGES = {
    "excerpt_words": "select block from excerpt_words_data where id = 1",
    "fact_words": "select block from fact_words_data where id = 1",
}
_LENGTHS = {
    "excerpt_words": "select id, sz from excerpt_words_docsize where id in (select value from json_each(?))",
    "fact_words": "select id, sz from fact_words_docsize where id in (select value from json_each(?))",
}
_ROWS_OF = {
    "excerpt_words": "select term, doc from excerpt_words_vocabulary where col = 'words' and term in"
    " (select value from json_each(?))",
    "fact_words": "select term, doc from fact_words_vocabulary where col = 'words' and term in (select value from json_each(?))",
}


@dataclass(frozen=True, slots=True)
class Held:
    """Which terms of a search stand in which rows: bit `n` for term `n`. Only those in `known` were looked up."""

    known: int = 0
    lists: Sequence[tuple[int, Rows]] = ()  # a term's bit, and its rows

    def of(self, rows: Sequence[int]) -> list[int]:
        """Return the terms of each row."""
        asked = np.asarray(rows, np.uint32)
        found = np.zeros(len(asked), np.uint32)
        for bit, there in self.lists:
            at = np.searchsorted(there, asked)
            found[there[np.minimum(at, len(there) - 1)] == asked] |= np.uint32(bit)
        return found.tolist()


def total(connection: apsw.Connection, table: Table) -> int:
    """Return how many rows are indexed, as of the last commit, without counting them."""
    return _averages(connection, table)[0]


def _averages(connection: apsw.Connection, table: Table) -> tuple[int, float]:
    """Return the number of rows and the mean number of words in one, from what FTS5 keeps of them in its row 1."""
    numbers = _numbers(connection.execute(_AVERAGES[table]).get or b"")
    return (numbers[0], sum(numbers[1:]) / max(1, numbers[0])) if numbers else (0, 0.0)


def _numbers(block: bytes) -> list[int]:
    """Return the numbers of a block: seven bits a byte, the highest first; the eighth says that more follow."""
    numbers, number = [], 0
    for byte in block:
        number = number << 7 | byte & 127
        if byte < 128:
            numbers.append(number)
            number = 0
    return numbers


def frequencies(connection: apsw.Connection, table: Table, terms: Iterable[str]) -> dict[str, int]:
    """Return in how many rows each term of `words.searchable` stands.

    Exact up to 2,000 rows; more are judged by how densely the first 2,000 lie. Remembered as long as the vault is open: while
    the index is about as large.
    """
    rows = total(connection, table)
    if not rows:
        return dict.fromkeys(terms, 0)
    known = shelf_of(connection).known
    found: dict[str, int] = {}
    anew = []
    for term in terms:
        then, found[term] = known.get((table, term), (-1, 0))
        if then < 0 or abs(rows - then) * (_ALIKE if rows < MANY else _ALIKE_LARGE) > rows:
            anew.append(term)
    if anew:
        found |= _counted(connection, table, anew, rows)
        known |= {(table, term): (rows, found[term]) for term in anew}
        if len(known) > _MOST_KNOWN:
            known.clear()
    return found


def _counted(connection: apsw.Connection, table: Table, terms: Sequence[str], rows: int) -> dict[str, int]:
    """Count terms: those of one word that are looked for whole all at once, where no list of rows is long."""
    together: dict[str, str] = {}
    if rows < MANY:
        stems = stemmer(connection)
        together = {term: stem[0] for term in terms if term[-1] == '"' and len(stem := stems(term.strip('"'))) == 1}
    there = dict(connection.execute(_ROWS_OF[table], (json.dumps(list(together.values())),))) if together else {}
    kept = postings(connection, table)
    return {term: there.get(together[term], 0) if term in together else _count(connection, kept, term) for term in terms}


def _count(connection: apsw.Connection, kept: Postings, term: str) -> int:
    rows, all_of_them = kept.first(connection, _query(term, ""), _COUNTED)
    return len(rows) if all_of_them else len(rows) * kept.newest // int(rows[-1])


def best(connection: apsw.Connection, table: Table, terms: Sequence[str], within: str, limit: int) -> list[tuple[int, float]]:
    """Return (row id, BM25 score) of the best rows that hold any of the terms, newer ones first among equals.

    `within` is a query on the reach column, or empty. A word counts once a row, however often it stands there.
    """
    indexed, mean = _averages(connection, table)
    known = frequencies(connection, table, terms)
    lists = {term: rows for term, rows in _listed(connection, table, terms, within).items() if len(rows)}
    if not lists:
        return []
    oldest, span = _span(lists.values())
    weights = np.zeros(span, np.float32)
    touched = []
    for term, rows in lists.items():
        rarity = max(1e-6, math.log((indexed - known[term] + 0.5) / (known[term] + 0.5)))
        at = np.subtract(rows, oldest, dtype=np.intp)
        before = weights[at]
        touched.append(at[before == 0])
        weights[at] = before + np.float32(rarity)
    kept = _heaviest(weights, np.concatenate(touched), max(_CANDIDATES, limit * 3 // 2))
    measured = list(connection.execute(_LENGTHS[table], (json.dumps((kept + oldest).tolist()),)))
    ids = np.array([row for row, _ in measured])
    lengths = np.array([_words_in(block) for _, block in measured])
    scored = weights[ids - oldest] * (_K1 + 1) / (1 + _K1 * (1 - _B + _B / mean * lengths))
    first = np.lexsort((-ids, -scored))[:limit]
    return list(zip(ids[first].tolist(), scored[first].tolist(), strict=True))


def held(connection: apsw.Connection, table: Table, terms: Sequence[str], within: str) -> Held:
    """Return in which rows each of the terms stands that `best` looks for; `within` is as there."""
    bits = {term: 1 << at for at, term in enumerate(terms)}
    found = _listed(connection, table, terms, within)
    return Held(sum(bits[term] for term in found), [(bits[term], rows) for term, rows in found.items() if len(rows)])


def _listed(connection: apsw.Connection, table: Table, terms: Sequence[str], within: str) -> dict[str, Rows]:
    """Return the rows of the rarest terms, as many as may be looked for in one search: the frequent ones tell the least."""
    known = frequencies(connection, table, terms)
    kept = postings(connection, table)
    lists: dict[str, Rows] = {}
    left = _MOST_IN_REACH if within else _MOST_ROWS
    for term in sorted(terms, key=lambda term: known[term]):
        if lists and known[term] > left:
            break
        left -= known[term]
        lists[term] = kept.rows(connection, _query(term, within))
    return lists


def _query(term: str, within: str) -> str:
    return f"words : {term}" + (f" AND reach : ({within})" if within else "")


def _span(lists: Iterable[Rows]) -> tuple[int, int]:
    """Return the oldest row of lists that are not empty, and how many lie between it and the newest, both counted."""
    ends = [(int(rows[0]), int(rows[-1])) for rows in lists]
    oldest = min(first for first, _ in ends)
    return oldest, max(last for _, last in ends) - oldest + 1


def _heaviest(weights: NDArray[np.float32], found: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """Return where the greatest of the weights that were found stand, the last ones first among equals."""
    if count >= len(found):
        return found
    # Where the last weight that is kept is that of many, the oldest of them go.
    weighed = weights[found]
    least = np.sort(weighed)[-count]  # few values, each many times: a partition takes twenty times as long
    above = found[weighed > least]
    return np.concatenate((np.sort(found[weighed == least])[len(above) - count :], above))


def _words_in(block: bytes) -> int:
    """Return how many words stand in the columns of a row; below 128 each takes a byte."""
    return sum(block) if max(block) < 128 else sum(_numbers(block))
