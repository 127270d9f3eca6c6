"""Imports: what was brought in from where, and taking it back. A message that was imported carries its source key, so that
none comes in twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import cast

import apsw

from ricordo.conversation import Moment
from ricordo.errors import InvalidInput, NotFound
from ricordo.imported import Import, Undoing
from ricordo.store import branches, changes, conversations, excerpts, facts, messages, summaries

_TURNS = "role = 'user' and active = 1 and status = 'complete' and text <> ''"  # what the learner can read
_IS_TURN = "m.role = 'user' and m.active = 1 and m.status = 'complete' and m.text <> ''"
_LISTED = f"""
  select i.id, format, name, i.at, i.at_offset, finished, learning, count(distinct m.conversation), count(m.id),
    coalesce(sum({_IS_TURN}), 0), coalesce(sum({_IS_TURN} and m.id <= read_upto), 0)
  from imports i left join messages m on m.import = i.id
  where undone is null and (i.id = :only or :only is null) group by i.id order by i.id desc
"""


def begin(connection: apsw.Connection, kind: str, name: str, now: Moment) -> int:
    """Note an import of a format from a file of that name; return its id, which its messages carry.

    One of the same that was cut off is gone on with, so that what is one import to the person is listed and undone as one.
    """
    row = connection.execute(
        "select id from imports where format = ? and name = ? and finished is null and undone is null order by id desc limit 1",
        (kind, name),
    ).fetchone()
    if row:
        return int(row[0])
    connection.execute("insert into imports (format, name, at, at_offset) values (?, ?, ?, ?)", (kind, name, now.utc, now.offset))
    return connection.last_insert_rowid()


def finish(connection: apsw.Connection, kind: str, name: str, now: Moment) -> None:
    """Note that the file was read to its end."""
    connection.execute(
        "update imports set finished = ? where format = ? and name = ? and finished is null", (now.utc, kind, name)
    )


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


def brought(connection: apsw.Connection, key: int, kind: str, record: int) -> None:
    """Note that an import brought a record that is no message: a fact, a Space, a conversation."""
    connection.execute("insert or ignore into imported (import, kind, id) values (?, ?, ?)", (key, kind, record))


def listed(connection: apsw.Connection, only: int | None = None) -> list[Import]:
    """Return the imports with what is left of each, newest first; those that were undone are left out."""
    return [
        Import(key, kind, name, Moment(at, offset), finished is not None, talks, said, turns, read, bool(learning))
        for key, kind, name, at, offset, finished, learning, talks, said, turns, read in connection.execute(
            _LISTED, {"only": only}
        )
    ]


def get(connection: apsw.Connection, key: int) -> Import:
    """Return one import; raises NotFound when it is not there or was undone."""
    found = listed(connection, key)
    if not found:
        raise NotFound(f"There is no import {key}, or it was undone already. `ricordo imports` lists them.")
    return found[0]


def set_learning(connection: apsw.Connection, key: int, on: bool) -> Import:
    """Let the turns of an import be handed to the learner, or no more of them; raises NotFound."""
    get(connection, key)
    connection.execute("update imports set learning = ? where id = ?", (int(on), key))
    return get(connection, key)


def any_learned_from(connection: apsw.Connection) -> bool:
    """Say whether the turns of an import are to be handed to the learner."""
    return connection.execute("select 1 from imports where learning = 1 and undone is null limit 1").fetchone() is not None


def unread_turns(connection: apsw.Connection, most: int) -> list[tuple[int, int]]:
    """Return (message, conversation) of the next turns of an import that is learned from, all of one conversation, and pass on.

    An import that has no more is done with; empty when none has.
    """
    while row := connection.execute("select id, read_upto from imports where learning = 1 order by id limit 1").fetchone():
        key, upto = row
        rows = connection.execute(
            f"select id, conversation from messages where import = ? and id > ? and {_TURNS} order by id limit ?",
            (key, upto, most),
        )
        found = [(int(message), int(talk)) for message, talk in rows]
        found = [each for each in found if each[1] == found[0][1]]
        if found:
            connection.execute("update imports set read_upto = ? where id = ?", (found[-1][0], key))
            return found
        connection.execute("update imports set learning = 0 where id = ?", (key,))
    return []


def weighed(connection: apsw.Connection, key: int) -> Undoing:
    """Say what undoing an import would take. Raises NotFound."""
    get(connection, key)
    going = _talks(connection, key)
    emptied = [talk for talk in going if not _other(connection, talk, key)]
    said = int(connection.execute("select count(*) from messages where import = ?", (key,)).get)
    return Undoing(said, len(emptied), len(_facts(connection, key, emptied)))


def undo(connection: apsw.Connection, key: int, now: Moment) -> Undoing:
    """Take back all that an import brought, what was learned from it, and conversations that then hold nothing.

    What the model changed in older memories because of it is changed back, unless the person edited it since. Facts the
    person wrote, and messages written in its conversations since, stay. Raises NotFound.
    """
    gone = weighed(connection, key)
    said = [int(row[0]) for row in connection.execute("select id from messages where import = ? order by id desc", (key,))]
    talks = _talks(connection, key)
    excerpts.remove_many(connection, said)
    _take_back(connection, key, now)
    emptied = [talk for talk in talks if not _other(connection, talk, key)]
    for fact in _facts(connection, key, emptied):
        facts.delete(connection, fact, None)
    connection.executemany("delete from fact_sources where message = ?", [(message,) for message in said])
    connection.executemany("delete from change_messages where message = ?", [(message,) for message in said])
    for talk in emptied:
        conversations.delete(connection, talk)
    for talk in talks:
        if talk not in emptied:
            _take_out(connection, talk, key)
    _take_records(connection, key)
    # The name of its file goes, too (V8): it is the person's words, and is listed nowhere any more.
    connection.execute("update imports set undone = ?, learning = 0, name = '' where id = ?", (now.utc, key))
    return gone


def _talks(connection: apsw.Connection, key: int) -> list[int]:
    """Return the conversations that hold something of an import, or were made by it and hold nothing else."""
    rows = connection.execute(
        "select distinct conversation from messages where import = ?1 union select i.id from imported i"
        " join conversations c on c.id = i.id where i.import = ?1 and i.kind = 'conversation'",
        (key,),
    )
    return [int(row[0]) for row in rows]


def _other(connection: apsw.Connection, talk: int, key: int) -> bool:
    """Say whether a conversation holds what the import did not bring."""
    row = connection.execute("select 1 from messages where conversation = ? and import is not ? limit 1", (talk, key)).fetchone()
    return row is not None


def _facts(connection: apsw.Connection, key: int, emptied: list[int]) -> list[int]:
    """Return the facts that go: those it brought, those the model learned from it alone, those of conversations that go."""
    rows = connection.execute(
        "select i.id from imported i join facts f on f.id = i.id where i.import = :key and i.kind = 'fact'"
        " union select f.id from facts f where f.origin = 'model'"
        " and exists (select 1 from fact_sources s join messages m on m.id = s.message where s.fact = f.id and m.import = :key)"
        " and not exists (select 1 from fact_sources s left join messages m on m.id = s.message"
        "   where s.fact = f.id and m.import is not :key)"
        " union select id from facts where home_kind = 'conversation' and home_id in (select value from json_each(:emptied))",
        {"key": key, "emptied": json.dumps(emptied)},
    )
    return [int(row[0]) for row in rows]


def _take_back(connection: apsw.Connection, key: int, now: Moment) -> None:
    """Undo what the model changed because of an import, newest first, and forget that it did."""
    rows = connection.execute(
        "select id from changes c where exists (select 1 from change_messages s join messages m on m.id = s.message"
        "   where s.change = c.id and m.import = :key)"
        " and not exists (select 1 from change_messages s left join messages m on m.id = s.message"
        "   where s.change = c.id and m.import is not :key) order by id desc",
        {"key": key},
    ).fetchall()
    for (change,) in cast(list[tuple[int]], rows):
        try:
            if changes.get(connection, change).undone is None:
                changes.undo(connection, change, now)
        except InvalidInput:
            pass  # edited or deleted by the person since: theirs stands
        connection.execute("delete from changes where id = ?", (change,))


def _take_out(connection: apsw.Connection, talk: int, key: int) -> None:
    """Take an import's messages out of a conversation that goes on without them."""
    going = [int(row[0]) for row in connection.execute(
        "select id from messages where conversation = ? and import = ? order by id desc", (talk, key))]  # fmt: skip
    messages.delete(connection, going)
    summaries.drop(connection, talk)
    connection.execute("update conversations set deletions = deletions + 1 where id = ?", (talk,))
    shown, newest = connection.execute("select max(active), max(id) from messages where conversation = ?", (talk,)).get
    if not shown:
        branches.show(connection, newest)


def _take_records(connection: apsw.Connection, key: int) -> None:
    """Delete the Spaces an import made, where nothing else is in them, and its tombstones."""
    made = connection.execute(
        "select i.id from imported i join spaces s on s.id = i.id where i.import = ? and i.kind = 'space'"
        " and not exists (select 1 from conversations where space = i.id)"
        " and not exists (select 1 from facts where home_kind = 'space' and home_id = i.id)",
        (key,),
    ).fetchall()
    for (space,) in cast(list[tuple[int]], made):
        conversations.delete_space(connection, space, keep_conversations=True)
    connection.execute(
        "delete from tombstones where id in (select id from imported where import = ? and kind = 'tombstone')", (key,)
    )
    connection.execute("delete from imported where import = ?", (key,))
