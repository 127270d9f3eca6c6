"""A stretch of a conversation: what a page shows of it at once. The one rule: only what is returned is read, and one row on."""

from __future__ import annotations

import apsw

from ricordo.conversation import Message, Stretch
from ricordo.store import conversations, messages

Place = tuple[int, int]


def newest(connection: apsw.Connection, conversation: int, limit: int) -> Stretch:
    """Return the last messages of the shown branch; raises NotFound."""
    conversations.known(connection, conversation)
    found, more = _run(connection, conversation, None, limit, back=True)
    return Stretch(tuple(found), more, False)


def before(connection: apsw.Connection, conversation: int, key: int, limit: int) -> Stretch:
    """Return the messages ahead of one, or the newest where that is not shown; raises NotFound."""
    place = _place(connection, conversation, key)
    if place is None:
        return newest(connection, conversation, limit)
    found, more = _run(connection, conversation, ("<", place), limit, back=True)
    return Stretch(tuple(found), more, True)


def after(connection: apsw.Connection, conversation: int, key: int, limit: int) -> Stretch:
    """Return the messages that follow one, or the newest where that is not shown; raises NotFound."""
    place = _place(connection, conversation, key)
    if place is None:
        return newest(connection, conversation, limit)
    found, more = _run(connection, conversation, (">", place), limit, back=False)
    return Stretch(tuple(found), True, more)


def around(connection: apsw.Connection, conversation: int, key: int, limit: int) -> Stretch:
    """Return one message and those on both sides, or the newest where it is not shown; raises NotFound.

    What one side does not need of its half, the side before it has.
    """
    place = _place(connection, conversation, key)
    if place is None:
        return newest(connection, conversation, limit)
    following, later = _run(connection, conversation, (">", place), limit // 2, back=False)
    leading, earlier = _run(connection, conversation, ("<=", place), limit - len(following), back=True)
    return Stretch((*leading, *following), earlier, later)


def _place(connection: apsw.Connection, conversation: int, key: int) -> Place | None:
    conversations.known(connection, conversation)
    row = connection.execute(
        "select place, id from messages where id = ? and conversation = ? and active = 1", (key, conversation)
    ).fetchone()
    return (int(row[0]), int(row[1])) if row else None


def _run(
    connection: apsw.Connection, conversation: int, bound: tuple[str, Place] | None, limit: int, *, back: bool
) -> tuple[list[Message], bool]:
    """Return up to `limit` messages from a bound on, oldest first, and whether there are more that way."""
    where, values = ("", ()) if bound is None else (f" and (place, id) {bound[0]} (?, ?)", bound[1])
    order = "desc" if back else "asc"
    rows = connection.execute(
        f"select {messages.COLUMNS} from messages where conversation = ? and active = 1{where}"
        f" order by place {order}, id {order} limit ?",
        (conversation, *values, limit + 1),
    ).fetchall()
    found = messages.of_rows(connection, rows[:limit])
    return (found[::-1] if back else found), len(rows) > limit
