"""Imports: what was brought in from where. A message that was imported carries its source key, so that none comes in twice."""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from ricordo.conversation import Moment


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
