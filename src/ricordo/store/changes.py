"""The change log (U2): what the model did to the fact list, and taking it back. A change and its log are one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, assert_never

import apsw

from ricordo.change import Change, Edit, Removed, Saved, Updated
from ricordo.conversation import Moment
from ricordo.errors import InvalidInput, NotFound
from ricordo.fact import Fact, Global, Home, InConversation, InSpace, Origin
from ricordo.store import facts, homes, tombstones

_COLUMNS = (
    "id, kind, fact, before, after, conversation, model, at, at_offset, undone, undone_offset,"
    " (select group_concat(message) from (select message from change_messages where change = changes.id order by message))"
)


def record(
    connection: apsw.Connection, edit: Edit, *, now: Moment, conversation: int | None, messages: Sequence[int], model: str
) -> Change:
    """Apply an edit to the facts and write it into the log; a saved fact with the id 0 gets its own. Raises NotFound."""
    match edit:
        case Saved(after):
            edit = Saved(facts.put(connection, after))
        case Updated(before, after):
            facts.get(connection, before.id)
            facts.put(connection, after)
        case Removed(before):
            facts.take_out(connection, before.id)
        case _:
            assert_never(edit)
    kind, old, new = _parts(edit)
    connection.execute(
        "insert into changes (kind, fact, before, after, conversation, model, at, at_offset) values (?, ?, ?, ?, ?, ?, ?, ?)",
        (kind, _fact_of(edit).id, _written(old), _written(new), conversation, model, now.utc, now.offset),
    )
    key = connection.last_insert_rowid()
    connection.executemany(
        "insert or ignore into change_messages (change, message) values (?, ?)", [(key, message) for message in messages]
    )
    return Change(key, edit, now, conversation, tuple(sorted(set(messages))), model)


def undo(connection: apsw.Connection, key: int, now: Moment) -> Change:
    """Take a change back: a saved fact goes, an updated one gets its old words, a removed one stands where it stood.

    What was taken back is not learned again from the same messages (E17). Raises NotFound; InvalidInput when it was taken
    back already, when the fact was changed since, or when the place it belonged to is gone.
    """
    change = get(connection, key)
    if change.undone is not None:
        raise InvalidInput("That change was undone already.")
    match change.edit:
        case Saved(after):
            _require_untouched(connection, after)
            facts.take_out(connection, after.id)
            tombstones.add(connection, after.text, after.home, change.messages, now)
        case Updated(before, after):
            now_there = _require_untouched(connection, after)
            facts.put(connection, replace(before, pinned=now_there.pinned, shared=now_there.shared))
            tombstones.add(connection, after.text, after.home, change.messages, now)
        case Removed(before):
            _require_home(connection, before.home)
            facts.put(connection, before)
            tombstones.add(connection, _removal(before.text), before.home, change.messages, now)
        case _:
            assert_never(change.edit)
    connection.execute("update changes set undone = ?, undone_offset = ? where id = ?", (now.utc, now.offset, key))
    return replace(change, undone=now)


def removal_forbidden(connection: apsw.Connection, text: str, messages: Sequence[int]) -> bool:
    """Say whether removing a fact in these words was taken back, and none of these messages asked anew."""
    return tombstones.forbidden(connection, _removal(text), messages)


def get(connection: apsw.Connection, key: int) -> Change:
    """Return one change; raises NotFound."""
    row = connection.execute(f"select {_COLUMNS} from changes where id = ?", (key,)).fetchone()
    if row is None:
        raise NotFound(f"There is no change {key} any more. `ricordo changes` lists them.")
    return _change(row)


def listed(connection: apsw.Connection, limit: int, before: int | None = None) -> list[Change]:
    """Return the latest changes, newest first; with `before`, only older ones."""
    bound = (1 << 62) if before is None else before
    rows = connection.execute(f"select {_COLUMNS} from changes where id < ? order by id desc limit ?", (bound, limit))
    return [_change(row) for row in rows]


def newest(connection: apsw.Connection) -> int:
    """Return the id of the latest change, 0 when there is none."""
    return int(connection.execute("select coalesce(max(id), 0) from changes").get)


def standing(connection: apsw.Connection, conversation: int, after: int) -> list[Change]:
    """Return the changes learned from a conversation after change `after` that were not undone, oldest first."""
    rows = connection.execute(
        f"select {_COLUMNS} from changes where conversation = ? and id > ? and undone is null order by id", (conversation, after)
    )
    return [_change(row) for row in rows]


def forget_home(connection: apsw.Connection, home: Home) -> None:
    """Delete the log of facts that were at home there, when their Space or conversation goes."""
    connection.execute(
        "delete from changes where json_extract(coalesce(after, before), '$.home') = ?", (json.dumps(homes.columns(home)),)
    )


def _require_untouched(connection: apsw.Connection, fact: Fact) -> Fact:
    """Return the fact as it stands; pins and shares may have changed since, words and owner may not."""
    try:
        there = facts.get(connection, fact.id)
    except NotFound:
        raise InvalidInput("That memory was deleted since, so there is nothing to undo.") from None
    if (there.text, there.origin) != (fact.text, fact.origin):
        raise InvalidInput("That memory was changed since, so it was left as it is. Edit it by hand if it is wrong.")
    return there


def _require_home(connection: apsw.Connection, home: Home) -> None:
    match home:
        case InConversation(key):
            found = connection.execute("select 1 from conversations where id = ?", (key,)).fetchone()
        case InSpace(key):
            found = connection.execute("select 1 from spaces where id = ?", (key,)).fetchone()
        case Global():
            return
        case _:
            assert_never(home)
    if not found:
        raise InvalidInput("The place that memory belonged to was deleted since, so it cannot be put back.")


def _removal(text: str) -> str:
    return f"removal {text}"


def _parts(edit: Edit) -> tuple[str, Fact | None, Fact | None]:
    match edit:
        case Saved(after):
            return "saved", None, after
        case Updated(before, after):
            return "updated", before, after
        case Removed(before):
            return "removed", before, None
        case _:
            assert_never(edit)


def _fact_of(edit: Edit) -> Fact:
    return edit.before if isinstance(edit, Removed) else edit.after


def _written(fact: Fact | None) -> str | None:
    if fact is None:
        return None
    return json.dumps(
        {
            "id": fact.id, "text": fact.text, "origin": fact.origin, "home": json.dumps(homes.columns(fact.home)),
            "pinned": fact.pinned, "shared": fact.shared, "sources": fact.sources,
            "created": [fact.created.utc, fact.created.offset], "updated": [fact.updated.utc, fact.updated.offset],
        },
        ensure_ascii=False,
    )  # fmt: skip


def _read(text: str | None) -> Fact | None:
    if text is None:
        return None
    value = json.loads(text)
    return Fact(
        value["id"], value["text"], Origin(value["origin"]), homes.home(*json.loads(value["home"])), value["pinned"],
        value["shared"], Moment(*value["created"]), Moment(*value["updated"]), tuple(value["sources"]),
    )  # fmt: skip


def _change(row: tuple[Any, ...]) -> Change:
    key, _, _, before, after, conversation, model, at, offset, undone, undone_offset, messages = row
    match _read(before), _read(after):
        case None, Fact() as saved:
            edit: Edit = Saved(saved)
        case Fact() as old, Fact() as new:
            edit = Updated(old, new)
        case Fact() as removed, None:
            edit = Removed(removed)
        case _:
            raise NotFound(f"Change {key} holds no fact.")
    told = tuple(int(part) for part in messages.split(",")) if messages else ()
    return Change(
        key, edit, Moment(at, offset), conversation, told, model, None if undone is None else Moment(undone, undone_offset)
    )
