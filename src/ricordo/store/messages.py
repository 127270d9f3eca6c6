"""Messages: exactly as written, in the order of their place. An edited one stands beside the old one, on another branch."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import apsw

from ricordo.conversation import Attachment, Message, Moment, Role, Status
from ricordo.errors import NotFound
from ricordo.fact import Home
from ricordo.store import excerpts, homes, names, traces
from ricordo.store.reach import ALL

DAY = 86_400_000_000  # microseconds
EPOCH = 719_163  # 1970-01-01 as an ordinal
ENTRY = "active = 1 and role = 'user' and status = 'complete'"  # what counts as an entry of the diary
_LOCAL = "(at + at_offset * 60000000)"
# Days since 1970 on the writer's clock. Rounds down before then too, where times are negative and SQL rounds towards zero.
LOCAL_DAY = f"(({_LOCAL} - (({_LOCAL} % {DAY}) + {DAY}) % {DAY}) / {DAY})"
COLUMNS = "id, conversation, parent, role, text, at, at_offset, status, active, model"
_ROLES = {role.value: role for role in Role}  # looked up: making an enum of a word takes ten times as long
_STATUSES = {status.value: status for status in Status}


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message that has no id yet. `learn` is where its facts will go (W4), None nowhere.

    `import_` and `source_key` say what it was imported from.
    """

    role: Role
    text: str
    at: Moment
    status: Status = Status.COMPLETE
    model: str = ""
    attachments: tuple[Attachment, ...] = ()
    learn: Home | None = None
    import_: int | None = None
    source_key: str | None = None


def _of_row(row: tuple[Any, ...], attachments: tuple[Attachment, ...] = ()) -> Message:
    """Return the message that a row of COLUMNS holds."""
    key, conversation, parent, role, text, at, offset, status, active, model = row
    return Message(
        key,
        conversation,
        parent,
        _ROLES[role],
        text,
        Moment(at, offset),
        _STATUSES[status],
        bool(active),
        model,
        attachments,
    )


def of_rows(connection: apsw.Connection, rows: Iterable[tuple[Any, ...]]) -> list[Message]:
    """Return the messages that rows of COLUMNS hold, with what was given along."""
    found = [_of_row(row) for row in rows]
    if not found:
        return []
    attached: dict[int, list[Attachment]] = {}
    for message, name, kind, text in connection.execute(
        "select message, name, media_type, text from attachments where message in (select value from json_each(?)) order by id",
        (json.dumps([message.id for message in found]),),
    ):
        attached.setdefault(int(message), []).append(Attachment(name, kind, text))
    if not attached:
        return found
    return [replace(message, attachments=tuple(attached.get(message.id, ()))) for message in found]


def append(connection: apsw.Connection, conversation: int, new: NewMessage) -> Message:
    """Add a message at the end of the branch that is shown; raises NotFound."""
    return insert(connection, conversation, [new])[0]


def insert(connection: apsw.Connection, conversation: int, new: Iterable[NewMessage], *, dated: bool = False) -> list[Message]:
    """Add messages with their excerpts, in order.

    Each follows the one before. With `dated` their times decide their places, as for entries of a diary that is imported;
    else they stand at the end whatever the clock says.
    """
    row = connection.execute("select space from conversations where id = ?", (conversation,)).fetchone()
    if row is None:
        raise NotFound(f"There is no conversation {conversation}. `ricordo conversations` lists them.")
    reach = excerpts.reach_tokens(conversation, row[0])
    last = connection.execute(
        "select id, place from messages where conversation = ? and active = 1 order by place desc, id desc limit 1",
        (conversation,),
    ).fetchone()
    parent, place = last if last else (None, None)
    added = []
    for each in new:
        place = each.at.utc if dated or place is None else max(place + 1, each.at.utc)
        key = put_row(connection, conversation, parent, place, each)
        added.append(
            Message(
                key,
                conversation,
                parent,
                each.role,
                each.text,
                each.at,
                each.status,
                True,
                each.model,
                each.attachments,
            )
        )
        parent = key
    excerpts.add(connection, ((message.id, message.text, reach) for message in added))
    names.add(connection, ((conversation, message.role, message.text) for message in added))
    if added:
        touch(connection, conversation, max(added, key=lambda message: message.at.utc).at)
    return added


def put_row(
    connection: apsw.Connection, conversation: int, parent: int | None, place: int, new: NewMessage, *, active: bool = True
) -> int:
    """Store one message with its attachments just there and return its id; excerpts and names are the caller's to add."""
    kind, home = homes.columns(new.learn) if new.learn else (None, None)
    connection.execute(
        "insert into messages (conversation, parent, role, text, at, at_offset, place, status, active, model, learn_kind,"
        " learn_id, import, source_key) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (conversation, parent, new.role, new.text, new.at.utc, new.at.offset, place, new.status, int(active), new.model, kind,
         home, new.import_, new.source_key),
    )  # fmt: skip
    key = connection.last_insert_rowid()
    for file in new.attachments:
        connection.execute(
            "insert into attachments (message, name, media_type, text) values (?, ?, ?, ?)",
            (key, file.name, file.media_type, file.text),
        )
    return key


def touch(connection: apsw.Connection, conversation: int, at: Moment) -> None:
    """Note that something in a conversation is from then, if nothing is younger."""
    connection.execute(
        "update conversations set updated = ?, updated_offset = ? where id = ? and updated < ?",
        (at.utc, at.offset, conversation, at.utc),
    )


def get(connection: apsw.Connection, key: int) -> Message:
    """Return one message; raises NotFound."""
    found = of_rows(connection, connection.execute(f"select {COLUMNS} from messages where id = ?", (key,)).fetchall())
    if not found:
        raise NotFound(f"There is no message {key}. It may have been deleted.")
    return found[0]


def of_ids(connection: apsw.Connection, keys: Iterable[int]) -> dict[int, Message]:
    """Return messages by id, as far as they are there."""
    rows = connection.execute(
        f"select {COLUMNS} from messages where id in (select value from json_each(?))", (json.dumps(list(keys)),)
    )
    return {message.id: message for message in of_rows(connection, rows)}


def newest(connection: apsw.Connection, conversation: int, letters: int, before: int | None = None) -> list[Message]:
    """Return the last messages of the shown branch, oldest first: as many as hold `letters` characters, and one more.

    With `before`, only those that stand ahead of that message.
    """
    bound = "" if before is None else "and (place, id) < (select place, id from messages where id = :before)"
    rows = []
    for row in connection.execute(
        f"select {COLUMNS} from messages where conversation = :talk and active = 1 {bound} order by place desc, id desc",
        {"talk": conversation} | ({} if before is None else {"before": before}),
    ):
        rows.append(row)
        letters -= len(row[4])
        if letters < 0:
            break
    return of_rows(connection, reversed(rows))


def since(connection: apsw.Connection, conversation: int, first: int, before: int | None = None) -> list[Message]:
    """Return the messages of the shown branch from message `first` on, oldest first; with `before`, only those ahead of it.

    Empty when `first` is no longer on the branch.
    """
    bound = "" if before is None else "and (place, id) < (select place, id from messages where id = :before)"
    rows = connection.execute(
        f"select {COLUMNS} from messages where conversation = :talk and active = 1 {bound} and (place, id) >="
        " (select place, id from messages where id = :first and active = 1) order by place, id",
        {"talk": conversation, "first": first} | ({} if before is None else {"before": before}),
    ).fetchall()
    return of_rows(connection, rows)


def listed(connection: apsw.Connection, conversation: int) -> list[Message]:
    """Return all messages of the shown branch, oldest first."""
    rows = connection.execute(
        f"select {COLUMNS} from messages where conversation = ? and active = 1 order by place, id", (conversation,)
    ).fetchall()
    return of_rows(connection, rows)


def between(connection: apsw.Connection, start: int, stop: int, talks: str, values: dict[str, int], limit: int) -> list[Message]:
    """Return complete messages written in [start, stop) (microseconds UTC), oldest first, where `talks` holds (see reach.py)."""
    rows = connection.execute(
        f"select {COLUMNS} from messages where at >= :start and at < :stop and active = 1 and status = 'complete' and {talks}"
        " order by at, id limit :limit",
        {"start": start, "stop": stop, "limit": limit, **values},
    ).fetchall()
    return of_rows(connection, rows)


def days(connection: apsw.Connection, talks: str, values: dict[str, int]) -> list[int]:
    """Return the local days on which the person wrote, as ordinals of the proleptic calendar, where `talks` holds."""
    rows = connection.execute(f"select distinct {LOCAL_DAY} from messages where {ENTRY} and {talks}", values)
    return [int(row[0]) + EPOCH for row in rows]


def nth(
    connection: apsw.Connection, talks: str, values: dict[str, int], skip: int, count: int, *, last: bool, but: int
) -> list[Message]:
    """Return `count` entries of the person from the first or the last on, `skip` of them passed over; oldest first."""
    order = "desc" if last else "asc"
    # Told outright where it is to look: it would sort a whole vault to find the first.
    index = "indexed by messages_by_time" if talks == ALL else ""
    rows = connection.execute(
        f"select {COLUMNS} from messages {index} where {ENTRY} and id <> :but and {talks}"
        f" order by at {order}, id {order} limit :count offset :skip",
        {**values, "but": but, "count": count, "skip": skip},
    ).fetchall()
    return of_rows(connection, rows[::-1] if last else rows)


def beside(
    connection: apsw.Connection, talks: str, values: dict[str, int], place: tuple[int, int], skip: int, count: int, *,
    after: bool, but: int,
) -> list[Message]:  # fmt: skip
    """Return `count` entries of the person before or after a place (time, id), `skip` passed over; oldest first."""
    compare, order = (">", "asc") if after else ("<", "desc")
    rows = connection.execute(
        f"select {COLUMNS} from messages where {ENTRY} and id <> :but and (at, id) {compare} (:at, :id) and {talks}"
        f" order by at {order}, id {order} limit :count offset :skip",
        {**values, "but": but, "at": place[0], "id": place[1], "count": count, "skip": skip},
    ).fetchall()
    return of_rows(connection, rows if after else rows[::-1])


def said(connection: apsw.Connection, conversation: int, before: int | None, count: int) -> list[Message]:
    """Return the person's last messages of the shown branch, newest first; with `before`, only those ahead of it."""
    bound = "" if before is None else "and (place, id) < (select place, id from messages where id = :before)"
    rows = connection.execute(
        f"select {COLUMNS} from messages where conversation = :talk and active = 1 and role = 'user' {bound}"
        " order by place desc, id desc limit :count",
        {"talk": conversation, "count": count} | ({} if before is None else {"before": before}),
    ).fetchall()
    return of_rows(connection, rows)


def learned_home(connection: apsw.Connection, key: int) -> Home | None:
    """Return where the facts of a message's turn go, as settled when it was sent (W4)."""
    row = connection.execute("select learn_kind, learn_id from messages where id = ?", (key,)).fetchone()
    return homes.home(*row) if row and row[0] is not None else None


def set_learned_home(connection: apsw.Connection, key: int, home: Home | None) -> None:
    """Settle where the facts of a message's turn go."""
    kind, home_id = homes.columns(home) if home else (None, None)
    connection.execute("update messages set learn_kind = ?, learn_id = ? where id = ?", (kind, home_id, key))


def reply_to(connection: apsw.Connection, key: int) -> Message | None:
    """Return the shown, complete reply to a message, None when there is none."""
    rows = connection.execute(
        f"select {COLUMNS} from messages where parent = ? and role = 'model' and active = 1 and status = 'complete'", (key,)
    ).fetchall()
    return of_rows(connection, rows)[0] if rows else None


def set_active(connection: apsw.Connection, keys: Iterable[int], active: bool) -> None:
    """Show messages, or leave them on a branch that is not shown."""
    keys = list(keys)
    names.take_away(connection, keys)
    connection.executemany("update messages set active = ? where id = ?", [(int(active), key) for key in keys])
    if active:
        shown = (get(connection, key) for key in keys)
        names.add(connection, ((message.conversation, message.role, message.text) for message in shown))


def delete(connection: apsw.Connection, keys: list[int]) -> None:
    """Delete messages with their excerpts; what followed one follows what it followed."""
    traces.forget_words(connection, messages=keys)
    excerpts.remove(connection, keys)
    names.take_away(connection, keys)
    for key in keys:
        connection.execute("update messages set parent = (select parent from messages where id = ?1) where parent = ?1", (key,))
        connection.execute("delete from messages where id = ?", (key,))
