"""Messages with what stands around them: their neighbours in the sitting they were written in, and their pieces as indexed.

The one rule: only what is shown. A message on a branch that was left, or a reply that failed, is not there.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import NamedTuple

import apsw

from ricordo.conversation import Role, Scope
from ricordo.store import excerpts, reach

SITTING = 4 * 3600 * 1_000_000  # microseconds: a longer pause ends a sitting

_AROUND = (
    "select m.id, m.conversation, m.role, m.at, m.at_offset, p.id, p.at, g.at, n.id, n.at from messages m"
    " left join messages p on p.id = m.parent left join messages g on g.id = p.parent"
    " left join messages n on n.parent = m.id and n.active = 1"
    " where m.id in (select value from json_each(?)) and m.active = 1 and m.status <> 'error'"
)
_PIECES = "select message, id, start, stop, words from excerpts where message in (select value from json_each(?)) order by id"
_MESSAGES = "select id, message from excerpts where id in (select value from json_each(?))"


class Placed(NamedTuple):
    """Where a message stands: its neighbours in its sitting, and whether it is one of the first two there.

    `at` is in microseconds UTC, `offset` in minutes, as in `Moment`.
    """

    conversation: int
    by_person: bool
    at: int
    offset: int
    previous: int | None
    following: int | None
    opens: bool


class Piece(NamedTuple):
    """A piece of a message: the excerpt's id, its letters in the text, and its folded words."""

    excerpt: int
    start: int
    stop: int
    words: str


def placed(connection: apsw.Connection, keys: Iterable[int]) -> dict[int, Placed]:
    """Return where messages stand, by id; those that are not shown are left out. Their texts are not read."""
    found: dict[int, Placed] = {}
    for key, talk, role, at, offset, before, before_at, earlier_at, after, after_at in connection.execute(
        _AROUND, (json.dumps(list(keys)),)
    ):
        together = before is not None and abs(at - before_at) <= SITTING
        opens = not together or earlier_at is None or abs(before_at - earlier_at) > SITTING
        goes_on = after is not None and abs(after_at - at) <= SITTING
        if key not in found:
            by_person = role == Role.USER.value
            found[key] = Placed(talk, by_person, at, offset, before if together else None, after if goes_on else None, opens)
    return found


def pieces(connection: apsw.Connection, keys: Collection[int]) -> dict[int, list[Piece]]:
    """Return the pieces of messages, by message; a message too short for one is left out."""
    found: dict[int, list[Piece]] = {}
    for message, *piece in connection.execute(_PIECES, (json.dumps(list(keys)),)):
        found.setdefault(message, []).append(Piece(*piece))
    return found


def messages_of(connection: apsw.Connection, keys: Iterable[int]) -> dict[int, int]:
    """Return the message of each excerpt."""
    rows: list[tuple[int, int]] = list(connection.execute(_MESSAGES, (json.dumps(list(keys)),)))
    return dict(rows)


def anything(
    connection: apsw.Connection,
    scope: Scope,
    but_messages: Collection[int],
    but_facts: Collection[int],
    *,
    global_ones: bool,
) -> bool:
    """Say whether a scope holds any excerpt or fact beside these: with none there is nothing to search.

    With `global_ones` off, facts that are at home everywhere do not count (W3).
    """
    condition, values = reach.condition(scope)
    found = connection.execute(
        f"select 1 from messages where active = 1 and length(text) >= :least and {condition}"
        " and id not in (select value from json_each(:but)) limit 1",
        {**values, "but": json.dumps(list(but_messages)), "least": excerpts.SHORTEST},
    ).fetchone()
    if found:
        return True
    condition, values = reach.fact_condition(scope)
    condition += "" if global_ones else " and home_kind <> 'global'"
    return (
        connection.execute(
            f"select 1 from facts where {condition} and id not in (select value from json_each(:but)) limit 1",
            {**values, "but": json.dumps(list(but_facts))},
        ).fetchone()
        is not None
    )
