"""Waiting turns: ids of messages whose turn has yet to be read by the extractor (E4). Never a second copy of their text."""

from __future__ import annotations

import apsw

from ricordo.conversation import Moment


def add(connection: apsw.Connection, message: int, now: Moment) -> None:
    """Put a finished turn, named by the person's message, among the waiting ones if it has somewhere to go (W4)."""
    connection.execute(
        "insert or ignore into waiting (message, conversation, since)"
        " select id, conversation, ? from messages where id = ? and learn_kind is not null",
        (now.utc, message),
    )


def listed(connection: apsw.Connection) -> list[tuple[int, int]]:
    """Return (conversation, message) of all waiting turns, the longest-waiting conversation first, each in order."""
    rows = connection.execute(
        "select conversation, message from waiting w order by"
        " (select min(since) from waiting where conversation = w.conversation), conversation, since, message"
    )
    return [(int(conversation), int(message)) for conversation, message in rows]
