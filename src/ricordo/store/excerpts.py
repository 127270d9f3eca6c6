"""Excerpts: the searchable copies of messages (N3). Derived: all of them can be made again from the messages.

A message under 24 characters has none; a long one has several pieces, cut between sentences, so that none of it is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import apsw

from ricordo.store import words

SHORTEST = 24  # characters (N3)
_DEARER = 40  # times as much it costs to take an excerpt out of the index than to put one in
_LISTED = "select value from json_each(?)"
_WORDS = 130  # of a piece: what an embedding model of 256 tokens can read
_LETTERS = 1200  # of a piece, for text without spaces between words
_BREAK = re.compile(r"\n\s*\n|\n|(?<=[.!?…。！？])[\"'”’)\]]*\s+|(?<=[。！？])|\s+")


def reach_tokens(conversation: int, space: int | None) -> str:
    """Return the tokens that say where a row belongs, as the index holds them."""
    return f"c{conversation}" if space is None else f"c{conversation} s{space}"


def pieces(text: str) -> list[tuple[int, int]]:
    """Cut a text into pieces (start, stop), which together cover all of it; an even cut, at the best break near it."""
    count = max(1, -(-len(text.split()) // _WORDS), -(-len(text) // _LETTERS))
    if count == 1:
        return [(0, len(text))]
    size = len(text) / count
    cuts = [0]
    for number in range(1, count):
        cuts.append(_best_break(text, max(cuts[-1] + 1, round(number * size - size / 4)), round(number * size + size / 4)))
    cuts.append(len(text))
    return [(start, stop) for start, stop in pairwise(cuts) if text[start:stop].strip()]


def _best_break(text: str, low: int, high: int) -> int:
    best, weight = min(high, len(text)), 0
    for match in _BREAK.finditer(text, low, min(high, len(text))):
        found = match.group()
        value = 4 if found.count("\n") > 1 else 3 if "\n" in found else 2 if text[match.start() - 1] in ".!?…。！？" else 1
        if value > weight:
            best, weight = match.end(), value
    return best


def piece(connection: apsw.Connection, key: int) -> tuple[int, int, int]:
    """Return an excerpt as (message id, start, stop)."""
    message, start, stop = connection.execute("select message, start, stop from excerpts where id = ?", (key,)).get
    return int(message), int(start), int(stop)


def add(connection: apsw.Connection, rows: Iterable[tuple[int, str, str]]) -> None:
    """Make and index the excerpts of messages, given as (message id, text, reach tokens)."""
    indexed = []
    for message, text, reach in rows:
        if len(text.strip()) < SHORTEST:
            continue
        for start, stop in pieces(text):
            folded = words.fold(text[start:stop])
            connection.execute(
                "insert into excerpts (message, start, stop, words, reach) values (?, ?, ?, ?, ?)",
                (message, start, stop, folded, reach),
            )
            indexed.append((connection.last_insert_rowid(), folded, reach))
    words.add(connection, "excerpt_words", indexed)


def remove(connection: apsw.Connection, messages: Iterable[int]) -> None:
    """Remove the excerpts of messages, with their words and, by a trigger, their vectors (V8)."""
    for message in messages:
        rows = list(connection.execute("select id, words, reach from excerpts where message = ?", (message,)))
        words.remove(connection, "excerpt_words", rows)
        connection.execute("delete from excerpts where message = ?", (message,))


def remove_many(connection: apsw.Connection, messages: Iterable[int]) -> None:
    """Remove the excerpts of many messages: where they are a good part of all, by making the index of the rest anew.

    Taking one out of the index costs 4 ms, since each of its words is looked for so that nothing of it stays (V8); putting one
    in costs a fortieth of that.
    """
    keys = json.dumps(list(messages))
    going = int(connection.execute(f"select count(*) from excerpts where message in ({_LISTED})", (keys,)).get)
    staying = int(connection.execute("select count(*) from excerpts").get) - going
    if going * _DEARER < staying:
        remove(connection, json.loads(keys))
        return
    connection.execute(f"delete from excerpts where message in ({_LISTED})", (keys,))
    words.rebuild(connection, "excerpt_words")


def move(connection: apsw.Connection, conversation: int, reach: str) -> None:
    """Index a conversation's excerpts under other reach tokens, when it moved to another Space."""
    rows = list(
        connection.execute(
            "select id, words, reach from excerpts where message in (select id from messages where conversation = ?)",
            (conversation,),
        )
    )
    words.remove(connection, "excerpt_words", rows)
    words.add(connection, "excerpt_words", [(row, folded, reach) for row, folded, _ in rows])
    connection.executemany("update excerpts set reach = ? where id = ?", [(reach, row) for row, _, _ in rows])


def rebuild(connection: apsw.Connection) -> None:
    """Make all excerpts and their index anew from the messages."""
    words.clear(connection, "excerpt_words")
    connection.execute("delete from excerpts")
    rows = connection.execute(
        "select m.id, m.text, m.conversation, c.space from messages m join conversations c on c.id = m.conversation order by m.id"
    )
    add(connection, _with_reach(rows.fetchall()))


def _with_reach(rows: Iterable[tuple[Any, ...]]) -> list[tuple[int, str, str]]:
    return [(message, text, reach_tokens(talk, space)) for message, text, talk, space in rows]
