"""Waiting turns: ids of messages whose turn has yet to be read by the extractor (E4). Never a second copy of their text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from ricordo.conversation import Moment

MOST_TRIES = 3  # then a turn is unread, and shown (E16)


@dataclass(frozen=True, slots=True)
class Unread:
    """A turn that could not be read: the person's message, its conversation, and why, in a sentence."""

    message: int
    conversation: int
    reason: str


def add(connection: apsw.Connection, message: int, now: Moment) -> None:
    """Put a finished turn, named by the person's message, among the waiting ones if it has somewhere to go (W4)."""
    connection.execute(
        "insert or ignore into waiting (message, conversation, since)"
        " select id, conversation, ? from messages where id = ? and learn_kind is not null",
        (now.utc, message),
    )


def listed(connection: apsw.Connection, most_tries: int | None = MOST_TRIES) -> list[tuple[int, int]]:
    """Return (conversation, message) of waiting turns, the longest-waiting conversation first, each in order.

    Those tried `most_tries` times are unread and left out, and what is on no shown branch waits on; None takes all.
    """
    rows = connection.execute(
        "select conversation, message from waiting w where tries < :most"
        " and (:all or exists (select 1 from messages where id = w.message and active = 1)) order by"
        " (select min(since) from waiting where conversation = w.conversation and tries < :most), conversation, since, message",
        {"most": (1 << 62) if most_tries is None else most_tries, "all": most_tries is None},
    )
    return [(int(conversation), int(message)) for conversation, message in rows]


def done(connection: apsw.Connection, messages: Iterable[int]) -> None:
    """Take turns off the list: they are read, or have nowhere to go any more."""
    connection.executemany("delete from waiting where message = ?", [(message,) for message in messages])


def still(connection: apsw.Connection, messages: Iterable[int]) -> list[int]:
    """Return those of the turns that still wait: others were deleted or read meanwhile."""
    return [m for m in messages if connection.execute("select 1 from waiting where message = ?", (m,)).fetchone()]


def failed(connection: apsw.Connection, messages: Iterable[int], reason: str) -> None:
    """Count a try that came to nothing, and keep why."""
    connection.executemany(
        "update waiting set tries = tries + 1, reason = ? where message = ?", [(reason, message) for message in messages]
    )


def unread(connection: apsw.Connection, most_tries: int = MOST_TRIES) -> list[Unread]:
    """Return the turns that were tried so often without success, oldest first (E16)."""
    rows = connection.execute(
        "select message, conversation, reason from waiting where tries >= ? order by since, message", (most_tries,)
    )
    return [Unread(int(message), int(talk), str(reason)) for message, talk, reason in rows]


def try_again(connection: apsw.Connection) -> None:
    """Let unread turns wait again as if they had not been tried."""
    connection.execute("update waiting set tries = 0, reason = ''")
