"""Branches: what was edited or replied to anew stays, not shown, beside what took its place.

The one rule: messages that follow the same one are versions of each other, and one path through them is shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from ricordo.conversation import Message, Role
from ricordo.errors import InvalidInput
from ricordo.store import messages

# A message and all of the shown branch that follows it.
_SHOWN_FROM = """
  with recursive following (id) as (
    select id from messages where id = ? and active = 1
    union all select m.id from messages m join following f on m.parent = f.id where m.active = 1
  ) select id from following
"""
_BESIDE = "conversation = :talk and parent is :parent and active = 0"


def set_aside(connection: apsw.Connection, key: int) -> Message:
    """Leave a message of the person, and all that follows it, on a branch that is not shown; return it.

    Raises NotFound, InvalidInput for a reply and for what is not shown.
    """
    message = messages.get(connection, key)
    if message.role is not Role.USER:
        raise InvalidInput("Only what you wrote yourself can be edited. *Try again* asks for another reply.")
    if not message.active:
        raise InvalidInput("Another version of this message is shown now. Go back to this one first.")
    messages.set_active(connection, _shown_from(connection, key), False)
    return message


def follow(connection: apsw.Connection, message: Message, parent: int | None) -> None:
    """Let a message follow another, or begin its conversation."""
    connection.execute("update messages set parent = ? where id = ?", (parent, message.id))


def show(connection: apsw.Connection, key: int) -> Message:
    """Show the branch that a message stands on, up to what was said last on it; return the message. Raises NotFound."""
    message = messages.get(connection, key)
    if message.active:
        return message
    path = [message]
    while (parent := path[0].parent) is not None and not (above := messages.get(connection, parent)).active:
        path.insert(0, above)
    values = {"talk": message.conversation, "parent": path[0].parent}
    instead = [row[0] for row in connection.execute(
        "select id from messages where conversation = :talk and parent is :parent and active = 1", values)]  # fmt: skip
    for each in instead:
        messages.set_active(connection, _shown_from(connection, each), False)
    shown = [each.id for each in path]
    while (row := connection.execute("select max(id) from messages where parent = ?", (shown[-1],)).fetchone()) and row[0]:
        shown.append(int(row[0]))
    messages.set_active(connection, shown, True)
    return message


def go_on_from(connection: apsw.Connection, key: int) -> Message:
    """Show the branch that ends with a message, and leave what follows it on one that is not shown. Raises NotFound."""
    message = show(connection, key)
    followers = connection.execute("select id from messages where parent = ? and active = 1", (key,)).fetchall()
    for row in followers:
        messages.set_active(connection, _shown_from(connection, row[0]), False)  # type: ignore[arg-type]
    return message


def versions(connection: apsw.Connection, shown: Iterable[Message]) -> dict[int, tuple[int, ...]]:
    """Return, of each message that has other versions, the ids of all, itself among them, oldest first."""
    wanted = list(shown)
    parents = json.dumps([message.parent for message in wanted if message.parent is not None])
    beside: dict[int | None, list[int]] = {}
    rows = connection.execute(
        "select parent, id from messages where parent in (select value from json_each(:parents)) and active = 0"
        " union all select parent, id from messages where conversation = :talk and parent is null and active = 0",
        {"parents": parents, "talk": wanted[0].conversation if wanted else 0},
    )
    for parent, key in rows:
        beside.setdefault(parent, []).append(int(key))
    return {each.id: tuple(sorted([*beside[each.parent], each.id])) for each in wanted if each.parent in beside}


def show_instead(connection: apsw.Connection, gone: Message) -> None:
    """Once a shown message is deleted that nothing followed, show its newest other version: nothing else leads there."""
    values = {"talk": gone.conversation, "parent": gone.parent}
    row = connection.execute(
        f"select max(id) from messages where {_BESIDE} and not exists"
        " (select 1 from messages where conversation = :talk and parent is :parent and active = 1)",
        values,
    ).fetchone()
    if gone.active and row and row[0]:
        show(connection, int(row[0]))


def _shown_from(connection: apsw.Connection, key: int) -> list[int]:
    return [int(row[0]) for row in connection.execute(_SHOWN_FROM, (key,))]
