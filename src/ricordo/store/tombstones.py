"""Tombstones (E17): what must not be learned again from the same messages. They hold digests, never words (V8)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import apsw

from ricordo.conversation import Moment
from ricordo.fact import Home
from ricordo.store import homes, words


def digest(text: str) -> bytes:
    """Return what is kept of a fact: a digest of its folded words."""
    return hashlib.blake2b(" ".join(words.fold(text).split()).encode(), digest_size=16).digest()


def add(connection: apsw.Connection, text: str, home: Home, messages: Iterable[int], now: Moment) -> None:
    """Remember that a fact in these words, or anything like it from these messages, is not wanted."""
    kind, home_id = homes.columns(home)
    connection.execute(
        "insert into tombstones (digest, home_kind, home_id, at) values (?, ?, ?, ?)", (digest(text), kind, home_id, now.utc)
    )
    key = connection.last_insert_rowid()
    connection.executemany("insert or ignore into tombstone_messages (tombstone, message) values (?, ?)",
                           [(key, message) for message in messages])  # fmt: skip


def forbidden(connection: apsw.Connection, text: str, messages: Sequence[int]) -> bool:
    """Say whether a fact in these words was given up, and none of these messages said it anew.

    A message said it anew when it is younger than what was given up: not among the messages that that was learned from.
    """
    rows = connection.execute(
        "select t.id, m.message from tombstones t left join tombstone_messages m on m.tombstone = t.id where t.digest = ?",
        (digest(text),),
    )
    given_up: dict[int, set[int]] = {}
    for key, message in rows:
        given_up.setdefault(int(key), set()).update([] if message is None else [int(message)])
    return any(not told or set(messages) <= told for told in given_up.values())


def touched(connection: apsw.Connection, messages: Sequence[int]) -> set[int]:
    """Return those of the messages from which something was given up."""
    found: set[int] = set()
    for message in messages:
        if connection.execute("select 1 from tombstone_messages where message = ? limit 1", (message,)).fetchone():
            found.add(message)
    return found
