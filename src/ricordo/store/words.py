"""Finding by words: how text is folded before it is indexed, and how a person's words become a query.

The one rule: a person's text is never query syntax. It is folded, cut into words, and each word is quoted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Literal
from weakref import WeakKeyDictionary

import apsw

# Scripts written without spaces, and Hangul, whose particles cling to the noun: indexed as overlapping pairs.
_RUN = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]+"
)
_WORD = re.compile(r"[^\W_]+(?:[\u0300-\u036f\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]|[^\W_])*")
# Only here accents are split off letters: Japanese voicing marks and Hangul syllables stay whole.
_ACCENTED = re.compile("[\u00c0-\u06ff\u1e00-\u1fff]+")
# Marks that a person leaves out when typing: Latin, Greek, Cyrillic accents; Hebrew points; Arabic vowels.
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670]")
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"})

# Words that stand in nearly every English text and say nothing about what is looked for.
STOP_WORDS = frozenset(
    "a about after all also am an and any are as at be because been before being but by can could did do does doing "
    "don for from get got had has have having he her here hers him his how i if in into is it its just ll me more most "
    "my no nor not of off on once one only or other our out over own re s same she should so some such t than that the "
    "their them then there these they this those through to too up us ve very was we were what when where which while "
    "who whom why will with would you your yours".split()
)
_MOST_WORDS = 32  # of a query: a pasted page is looked for by its first words
# Rows that the words of a query may stand in together: FTS5 scores 700 a millisecond, and within a reach it still counts
# them all to know how rare each word is.
_MOST_ROWS = 6_000
_MOST_IN_REACH = 15_000
_COUNTED = 2_000  # rows that a word is counted in: a fifth of a millisecond
_SMALL = 20_000  # rows of an index in which counting anew costs nothing
_MOST_KNOWN = 20_000  # words whose number of rows is remembered
# By connection, so that what it says of the vault's words goes with it when the vault is locked (V3).
_KNOWN: WeakKeyDictionary[apsw.Connection, dict[tuple[str, str], tuple[int, int]]] = WeakKeyDictionary()

Table = Literal["excerpt_words", "fact_words"]


def fold(text: str) -> str:
    """Return text as it is indexed: small letters, no accents, scripts without spaces as overlapping pairs.

    The last letter of such a run is indexed alone too, so that a single letter is found as a prefix.
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text).casefold().translate(_LETTERS)
    text = unicodedata.normalize("NFC", _MARKS.sub("", _ACCENTED.sub(_taken_apart, text)))
    return _RUN.sub(_pairs, text)


def _taken_apart(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFD", match.group())


def _pairs(match: re.Match[str]) -> str:
    run = match.group()
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    return f" {' '.join([*pairs, run[-1]])} "


def searchable(text: str) -> list[str]:
    """Return the words of a text worth looking for, each once, in order, as FTS5 strings or prefixes.

    Stop words go unless nothing else is left; single letters and digits go. Empty when there is nothing to look for.
    """
    terms: dict[str, None] = {}
    rest: dict[str, None] = {}
    for word in _spaced_words(text):
        term = _term(word)
        if term is None:
            continue
        (rest if word in STOP_WORDS else terms).setdefault(term)
        if len(terms) >= _MOST_WORDS:
            break
    return list(terms or rest)


def _spaced_words(text: str) -> Iterable[str]:
    folded = text[:20_000]
    folded = folded.lower() if folded.isascii() else unicodedata.normalize("NFKC", folded).casefold()
    start = 0
    for run in _RUN.finditer(folded):
        yield from _WORD.findall(folded[start : run.start()])
        yield run.group()
        start = run.end()
    yield from _WORD.findall(folded[start:])


def _term(word: str) -> str | None:
    if _RUN.match(word):
        if len(word) == 1:
            return f'"{word}"*'
        return '"' + " ".join(word[i : i + 2] for i in range(len(word) - 1)) + '"'
    folded = fold(word)
    return f'"{folded}"' if len(folded) > 1 else None


def search(
    connection: apsw.Connection, table: Table, text: str, reach: tuple[str, ...] = (), limit: int = 50
) -> list[tuple[int, float]]:
    """Return (row id, BM25 score) of the best rows that hold any of the words, best first; scores are positive.

    `reach` are reach tokens, one of which a row must have; empty means the whole vault. In a large vault the most frequent
    words are not looked for: they cost the most and tell the least.
    """
    terms = _rarest(connection, table, searchable(text), _MOST_IN_REACH if reach else _MOST_ROWS)
    if not terms:
        return []
    query = f"words : ({' OR '.join(terms)})"
    if reach:
        tokens = " OR ".join(f'"{token}"' for token in reach)
        query = f"{query} AND reach : ({tokens})"
    return [(int(row), float(score)) for row, score in connection.execute(_SEARCH[table], (query, limit))]


def _rarest(connection: apsw.Connection, table: Table, terms: list[str], most: int) -> list[str]:
    """Return the rarest terms that stand in at most so many rows together, and at least one."""
    if not terms or total(connection, table) * len(terms) <= most:
        return terms
    rows = frequencies(connection, table, terms)
    kept: list[str] = []
    for term in sorted(terms, key=lambda term: rows[term]):
        if kept and rows[term] > most:
            break
        kept.append(term)
        most -= rows[term]
    return kept


def total(connection: apsw.Connection, table: Table) -> int:
    """Return how many rows are indexed, as of the last commit, without counting them."""
    # Row 1 holds FTS5's averages: the number of rows as a variable-length number, then the number of words in each column.
    block: bytes = connection.execute(_AVERAGES[table]).get or b""
    rows = 0
    for byte in block[:8]:
        rows = rows << 7 | byte & 127
        if byte < 128:
            break
    return rows


def frequencies(connection: apsw.Connection, table: Table, terms: Iterable[str]) -> dict[str, int]:
    """Return in how many rows each term of `searchable` stands.

    Exact up to 2,000 rows; more are judged by how densely the first 2,000 lie. Remembered as long as the connection is open,
    and while the index is about as large.
    """
    rows = total(connection, table)
    known = _KNOWN.setdefault(connection, {})
    found = {}
    for term in terms:
        then, count = known.get((table, term), (-1, 0))
        if then != rows and (rows < _SMALL or abs(then - rows) * 10 > rows):
            count = _count(connection, table, term)
            known[table, term] = rows, count
        found[term] = count
    if len(known) > _MOST_KNOWN:
        known.clear()
    return found


def _count(connection: apsw.Connection, table: Table, term: str) -> int:
    rows: list[tuple[int, int, int]] = list(connection.execute(_COUNT[table], (f"words : {term}", _COUNTED)))
    count, last, newest = rows[0]
    return count if count < _COUNTED else count * newest // last


_AVERAGES = {
    "excerpt_words": "select block from excerpt_words_data where id = 1",
    "fact_words": "select block from fact_words_data where id = 1",
}
_COUNT = {
    "excerpt_words": "select count(*), max(rowid), (select max(id) from excerpts)"
    " from (select rowid from excerpt_words where excerpt_words match ? limit ?)",
    "fact_words": "select count(*), max(rowid), (select max(id) from facts)"
    " from (select rowid from fact_words where fact_words match ? limit ?)",
}
# `order by rank` alone lets FTS5 keep only the best; the schema sets rank to BM25 with no weight on the reach column.
_SEARCH = {
    "excerpt_words": "select rowid, -rank from excerpt_words where excerpt_words match ? order by rank limit ?",
    "fact_words": "select rowid, -rank from fact_words where fact_words match ? order by rank limit ?",
}
_INSERT = {
    "excerpt_words": "insert into excerpt_words (rowid, words, reach) values (?, ?, ?)",
    "fact_words": "insert into fact_words (rowid, words, reach) values (?, ?, ?)",
}
_DELETE = {
    "excerpt_words": "insert into excerpt_words (excerpt_words, rowid, words, reach) values ('delete', ?, ?, ?)",
    "fact_words": "insert into fact_words (fact_words, rowid, words, reach) values ('delete', ?, ?, ?)",
}


def add(connection: apsw.Connection, table: Table, rows: Iterable[tuple[int, str, str]]) -> None:
    """Index rows of (id, folded words, reach tokens)."""
    connection.executemany(_INSERT[table], rows)


def remove(connection: apsw.Connection, table: Table, rows: Iterable[tuple[int, str, str]]) -> None:
    """Take rows out of the index; words and reach must be just what was indexed."""
    connection.executemany(_DELETE[table], rows)


def rebuild(connection: apsw.Connection, table: Table) -> None:
    """Make the index anew from the table it is made of."""
    connection.execute(f"insert into {table} ({table}) values ('rebuild')")
