"""Finding by words: how text is folded before it is indexed, and how a person's words become a query.

The one rule: a person's text is never query syntax. It is folded, cut into words, and each word is quoted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

import apsw

from ricordo.letters import visible
from ricordo.store import word_rows
from ricordo.store.word_rows import Held as Held
from ricordo.store.word_rows import Table as Table
from ricordo.store.word_rows import frequencies as frequencies
from ricordo.store.word_rows import total as total

# Scripts written without spaces, and Hangul, whose particles cling to the noun: indexed as overlapping pairs.
_RUN = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]+"
)
_GRAMMAR = re.compile("[\u3040-\u309f]")  # hiragana: endings and particles, where a run has anything else
_SCRIPT = re.compile("[\u3040-\u309f]+|[\u30a0-\u30ff]+|[\uac00-\ud7af]+|[^\u3040-\u30ff\uac00-\ud7af]+")
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
# A lone capital is a name: plan B, vitamin D, shares of $V. So is a capital within a sentence: "How is Will doing?"
_NAME = re.compile(r"(?<![\w'’])[B-HJ-Z](?![\w'’])|(?<=[a-z] )[A-Z][a-z]+(?![\w’]|'[^s])")
_MOST_WORDS = 32  # of a query: a pasted page is looked for by its first words
_MOST_LETTERS = 20_000  # of a query that are read


def fold(text: str) -> str:
    """Return text as it is indexed: small letters, no accents, scripts without spaces as overlapping pairs.

    The last letter of such a run is indexed alone too, so that a single letter is found as a prefix.
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", visible(text)).casefold().translate(_LETTERS)
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

    Stop words go unless nothing else is left, single letters and digits go; but not those that are names. Empty when there is
    nothing to look for.
    """
    terms: dict[str, None] = {}
    rest: dict[str, None] = {}
    text = text[:_MOST_LETTERS]
    named = names(text)
    for word in _spaced_words(text):
        for term in (f'"{word}"',) if word in named else _terms(word):
            (rest if word in STOP_WORDS and word not in named else terms).setdefault(term)
        if len(terms) >= _MOST_WORDS:
            break
    return list(terms or rest)[:_MOST_WORDS]


def names(text: str) -> set[str]:
    """Return the words, in small letters, that their capitals show to be names though they may be little words: V, Will, Don."""
    return {name.lower() for name in _NAME.findall(text)}


def unspaced(term: str) -> bool:
    """Tell a pair of letters of a script without spaces, which may lie across the border of two words."""
    return _RUN.match(term.strip('"*')) is not None


def _spaced_words(text: str) -> Iterable[str]:
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", visible(text)).casefold()
    start = 0
    for run in _RUN.finditer(folded):
        yield from _WORD.findall(folded[start : run.start()])
        yield run.group()
        start = run.end()
    yield from _WORD.findall(folded[start:])


def _terms(word: str) -> Iterable[str]:
    """Return what to look for of one word: of a run without spaces each pair of letters, but for grammar where there is more."""
    if not _RUN.match(word):
        folded = fold(word)
        return (f'"{folded}"',) if len(folded) > 1 else ()
    parts: list[str] = _SCRIPT.findall(word)
    telling = [part for part in parts if not _GRAMMAR.match(part)] or parts
    return [term for part in telling for term in _pair_terms(part)]


def _pair_terms(part: str) -> list[str]:
    return [f'"{part[at : at + 2]}"' for at in range(len(part) - 1)] or [f'"{part}"*']


def search(
    connection: apsw.Connection, table: Table, text: str, reach: tuple[str, ...] = (), limit: int = 50
) -> list[tuple[int, float]]:
    """Return (row id, BM25 score) of the best rows that hold any of the words, best first; scores are positive.

    `reach` are reach tokens, one of which a row must have; empty means the whole vault. In a large index the score counts a
    word once a row, and the most frequent words may not be looked for: they cost the most and tell the least.
    """
    return ranked(connection, table, searchable(text), reach, limit)


def ranked(
    connection: apsw.Connection, table: Table, terms: Sequence[str], reach: tuple[str, ...], limit: int
) -> list[tuple[int, float]]:
    """Return what `search` does, for the terms of `searchable`."""
    if not terms:
        return []
    within = _within(reach)
    if word_rows.total(connection, table) >= word_rows.MANY:
        return word_rows.best(connection, table, terms, within, limit)
    query = f"words : ({' OR '.join(terms)})" + (f" AND reach : ({within})" if within else "")
    return [(int(row), float(score)) for row, score in connection.execute(_SEARCH[table], (query, limit))]


def held(connection: apsw.Connection, terms: Sequence[str], reach: tuple[str, ...]) -> Held:
    """Return in which excerpts the terms of `searchable` stand, as far as `ranked` looks for them in a large index.

    In a small one none is known: reading the texts that were found is quicker than listing the rows of each word.
    """
    if word_rows.total(connection, "excerpt_words") < word_rows.MANY:
        return word_rows.Held()
    return word_rows.held(connection, "excerpt_words", terms, _within(reach))


def _within(reach: tuple[str, ...]) -> str:
    return " OR ".join(f'"{token}"' for token in reach)


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
    _taken_out(connection, table)


def clear(connection: apsw.Connection, table: Table) -> None:
    """Take all rows out of the index."""
    connection.execute(f"insert into {table} ({table}) values ('delete-all')")
    _taken_out(connection, table)


def rebuild(connection: apsw.Connection, table: Table) -> None:
    """Make the index anew from the table it is made of."""
    connection.execute(f"insert into {table} ({table}) values ('rebuild')")
    _taken_out(connection, table)


def _taken_out(connection: apsw.Connection, table: Table) -> None:
    if table == "excerpt_words":
        connection.execute("update words_taken_out set times = times + 1")  # `postings` forgets what it has listed
