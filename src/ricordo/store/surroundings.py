"""Messages with what stands around them: their neighbours in the sitting they were written in, and their pieces as indexed.

The one rule: only what is shown. A message on a branch that was left, or a reply that failed, is not there.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

import apsw

from ricordo.conversation import Role, Scope
from ricordo.store import excerpts, reach

SITTING = 4 * 3600 * 1_000_000  # microseconds: a longer pause ends a sitting

_PLACED = (
    "select m.id, m.conversation, m.role, m.at, m.at_offset, p.id, p.at, g.at, n.id, n.at, e.id, e.start, e.stop, e.words"
    " from messages m"
    " left join messages p on p.id = m.parent left join messages g on g.id = p.parent"
    " left join messages n on n.parent = m.id and n.active = 1"
    " join excerpts e on e.message = m.id"
    " where m.id in ({}) and m.active = 1 and m.status <> 'error' order by m.id, e.id"
)
_BY_ID = _PLACED.format("select value from json_each(?)")
_BY_EXCERPT = _PLACED.format("select message from excerpts where id in (select value from json_each(?))")
_MESSAGES = "select id, message from excerpts where id in (select value from json_each(?))"


class Piece(NamedTuple):
    """A piece of a message: the excerpt's id, its letters in the text, and its folded words."""

    excerpt: int
    start: int
    stop: int
    words: str


class Placed(NamedTuple):
    """Where a message stands: its neighbours in its sitting, whether it is one of the first two there; and its pieces.

    `at` is in microseconds UTC, `offset` in minutes, as in `Moment`.
    """

    conversation: int
    by_person: bool
    at: int
    offset: int
    previous: int | None
    following: int | None
    opens: bool
    pieces: list[Piece]


def placed(connection: apsw.Connection, keys: Iterable[int]) -> dict[int, Placed]:
    """Return messages where they stand, by id; left out are those that are not shown, and those too short for a piece."""
    return _placed(connection.execute(_BY_ID, (json.dumps(list(keys)),)))


def placed_of(connection: apsw.Connection, excerpts_found: Iterable[int]) -> dict[int, Placed]:
    """Return the messages of excerpts, as `placed` does."""
    return _placed(connection.execute(_BY_EXCERPT, (json.dumps(list(excerpts_found)),)))


def _placed(rows: Iterable[tuple[Any, ...]]) -> dict[int, Placed]:
    found: dict[int, Placed] = {}
    for key, talk, role, at, offset, before, before_at, earlier_at, after, after_at, *piece in rows:
        if key not in found:
            together = before is not None and abs(at - before_at) <= SITTING
            opens = not together or earlier_at is None or abs(before_at - earlier_at) > SITTING
            goes_on = after is not None and abs(after_at - at) <= SITTING
            by_person = role == Role.USER.value
            found[key] = Placed(talk, by_person, at, offset, before if together else None, after if goes_on else None, opens, [])
        pieces = found[key].pieces
        if not pieces or pieces[-1].excerpt != piece[0]:  # a second reply to one message brings each piece twice
            pieces.append(Piece(*piece))
    return found


def messages_of(connection: apsw.Connection, keys: Iterable[int]) -> dict[int, int]:
    """Return the message of each excerpt."""
    rows: list[tuple[int, int]] = list(connection.execute(_MESSAGES, (json.dumps(list(keys)),)))
    return dict(rows)


def shown(connection: apsw.Connection, scope: Scope, keys: Collection[int]) -> int:
    """Return how many of some messages are shown in their conversations, and within a scope."""
    condition, values = reach.condition(scope)
    found: int = connection.execute(
        f"select count(*) from messages where id in (select value from json_each(:keys)) and active = 1 and {condition}",
        {**values, "keys": json.dumps(list(keys))},
    ).get
    return found


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
    return found is not None or any_fact(connection, scope, but_facts, global_ones=global_ones)


def any_fact(connection: apsw.Connection, scope: Scope, but: Collection[int], *, global_ones: bool) -> bool:
    """Say whether a scope holds any fact beside some; `global_ones` as for `anything`."""
    condition, values = reach.fact_condition(scope)
    condition += "" if global_ones else " and home_kind <> 'global'"
    found = connection.execute(
        f"select 1 from facts where {condition} and id not in (select value from json_each(:but)) limit 1",
        {**values, "but": json.dumps(list(but))},
    )
    return found.fetchone() is not None
