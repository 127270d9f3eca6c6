"""Imports: what was brought in from where. A message that was imported carries its source key, so that none comes in twice."""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from ricordo.conversation import Moment
from ricordo.errors import NotFound
from ricordo.store import conversations, messages, summaries


def begin(connection: apsw.Connection, kind: str, name: str, now: Moment) -> int:
    """Note an import of a format from a file of that name; return its id, which its messages carry."""
    connection.execute("insert into imports (format, name, at, at_offset) values (?, ?, ?, ?)", (kind, name, now.utc, now.offset))
    return connection.last_insert_rowid()


def known(connection: apsw.Connection, keys: Iterable[str]) -> dict[str, int]:
    """Return those source keys that messages carry already, with the conversation each is in."""
    rows = connection.execute(
        "select source_key, conversation from messages where source_key in (select value from json_each(?))",
        (json.dumps(list(keys)),),
    )
    return {str(key): int(conversation) for key, conversation in rows}


def conversation_of(connection: apsw.Connection, kind: str, name: str) -> int | None:
    """Return the conversation that the last import of that format and name went into, None when nothing of it is left."""
    row = connection.execute(
        "select m.conversation from imports i join messages m on m.import = i.id where i.format = ? and i.name = ?"
        " order by i.id desc limit 1",
        (kind, name),
    ).fetchone()
    return int(row[0]) if row else None


def undo(connection: apsw.Connection, key: int, now: Moment) -> int:
    """Delete the messages that an import brought, and what then holds none; return how many there were. Raises NotFound."""
    if connection.execute("select 1 from imports where id = ? and undone is null", (key,)).fetchone() is None:
        raise NotFound(f"There is no import {key}, or it was undone already.")
    rows: list[tuple[int, int]] = list(connection.execute("select id, conversation from messages where import = ?", (key,)))
    messages.delete(connection, [message for message, _ in rows])
    for talk in {talk for _, talk in rows}:
        if connection.execute("select 1 from messages where conversation = ? limit 1", (talk,)).fetchone():
            summaries.drop(connection, talk)
            connection.execute("update conversations set deletions = deletions + 1 where id = ?", (talk,))
        else:
            conversations.delete(connection, talk)
    connection.execute("update imports set undone = ? where id = ?", (now.utc, key))
    return len(rows)
