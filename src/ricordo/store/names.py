"""Names of a conversation with their mentions on the shown branch (N4). Derived: `rebuild` makes them again.

What a message adds is a function of its text alone, so that the same is taken away when it goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import apsw

from ricordo.store.name_reading import folded, mentions

_MOST = 200  # names that are handed on: more never fit in a prompt

Said = tuple[int, str, str]  # conversation, role, text


def add(connection: apsw.Connection, said: Iterable[Said]) -> None:
    """Count the mentions in messages that are shown from now on."""
    connection.executemany(
        "insert into names (conversation, folded, name, mentions) values (?, ?, ?, ?)"
        " on conflict (conversation, folded) do update set mentions = mentions + excluded.mentions",
        [(talk, key, name, count) for (talk, key), (name, count) in _counted(said).items()],
    )


def take_away(connection: apsw.Connection, keys: Iterable[int]) -> None:
    """Take away the mentions in messages of the shown branch; call it before they go."""
    said: list[Said] = []
    for key in keys:
        row = connection.execute("select conversation, role, text from messages where id = ? and active = 1", (key,)).fetchone()
        if row is not None:
            said.append((int(row[0]), str(row[1]), str(row[2])))
    counted = _counted(said)
    connection.executemany(
        "update names set mentions = mentions - ? where conversation = ? and folded = ?",
        [(count, talk, key) for (talk, key), (_, count) in counted.items()],
    )
    connection.executemany("delete from names where conversation = ? and folded = ? and mentions <= 0", list(counted))


def most_frequent(connection: apsw.Connection, conversation: int) -> tuple[str, ...]:
    """Return a conversation's names, the most frequent first."""
    rows = connection.execute(
        "select name from names where conversation = ? order by mentions desc, folded limit ?", (conversation, _MOST)
    )
    return tuple(str(row[0]) for row in rows)


def rebuild(connection: apsw.Connection) -> None:
    """Make all names again from the messages."""
    connection.execute("delete from names")
    rows = connection.execute("select conversation, role, text from messages where active = 1 order by id")
    batch: list[Said] = []
    for talk, role, text in rows.fetchall():
        batch.append((int(talk), str(role), str(text)))  # type: ignore[arg-type]
    add(connection, batch)


def _counted(said: Iterable[Said]) -> dict[tuple[int, str], tuple[str, int]]:
    """Return (conversation, folded name) → (name as first written, mentions)."""
    counts: Counter[tuple[int, str]] = Counter()
    written: dict[tuple[int, str], str] = {}
    for talk, role, text in said:
        for name in mentions(text, codes_only=role != "user"):
            key = (talk, folded(name))
            counts[key] += 1
            written.setdefault(key, name)
    return {key: (written[key], count) for key, count in counts.items()}
