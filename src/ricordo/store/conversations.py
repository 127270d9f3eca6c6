"""Conversations and Spaces: where messages stand. Deleting one takes along just what S1 and S4 say."""

from __future__ import annotations

from typing import Any

import apsw

from ricordo.conversation import Conversation, Message, Moment, Reach, Role, Space
from ricordo.errors import InvalidInput, NotFound
from ricordo.fact import Fact, InConversation, InSpace
from ricordo.store import branches, changes, excerpts, facts, messages, summaries, traces

_MISSING = "There is no conversation {}. `ricordo conversations` lists them."
_TITLE = 60  # letters of a title made from a message
_COLUMNS = (
    "id, title, space, created, created_offset, updated, updated_offset,"
    " (select count(*) from messages where conversation = conversations.id and active = 1)"
)


def _conversation(row: tuple[Any, ...]) -> Conversation:
    key, title, space, created, created_offset, updated, updated_offset, count = row
    return Conversation(key, title, space, Moment(created, created_offset), Moment(updated, updated_offset), count)


def create(connection: apsw.Connection, title: str, space: int | None, now: Moment) -> Conversation:
    """Begin a conversation, in a Space or in none; raises NotFound for a Space that is not there."""
    if space is not None:
        get_space(connection, space)
    connection.execute(
        "insert into conversations (title, space, created, created_offset, updated, updated_offset) values (?, ?, ?, ?, ?, ?)",
        (title.strip(), space, now.utc, now.offset, now.utc, now.offset),
    )
    return get(connection, connection.last_insert_rowid())


def space_of(connection: apsw.Connection, key: int) -> int | None:
    """Return the Space that a conversation is in, None for none; raises NotFound. Counts no messages, as `get` does."""
    row = connection.execute("select space from conversations where id = ?", (key,)).fetchone()
    if row is None:
        raise NotFound(_MISSING.format(key))
    space: int | None = row[0]
    return space


def get(connection: apsw.Connection, key: int) -> Conversation:
    """Return one conversation; raises NotFound."""
    row = connection.execute(f"select {_COLUMNS} from conversations where id = ?", (key,)).fetchone()
    if row is None:
        raise NotFound(_MISSING.format(key))
    return _conversation(row)


def known(connection: apsw.Connection, key: int) -> None:
    """Raise NotFound unless there is such a conversation; its messages are not counted, as for `get`."""
    if connection.execute("select 1 from conversations where id = ?", (key,)).fetchone() is None:
        raise NotFound(_MISSING.format(key))


def listed(connection: apsw.Connection) -> list[Conversation]:
    """Return all conversations, the one written in last first."""
    rows = connection.execute(f"select {_COLUMNS} from conversations order by updated desc, id desc")
    return [_conversation(row) for row in rows]


def rename(connection: apsw.Connection, key: int, title: str) -> Conversation:
    """Give a conversation another title."""
    connection.execute("update conversations set title = ? where id = ?", (title.strip(), key))
    return get(connection, key)


def title_from(connection: apsw.Connection, key: int, text: str) -> None:
    """Title a conversation that has no title yet after the first line written in it, cut at a word."""
    first = next((line for line in text.splitlines() if line.strip()), "").strip(" #*_>-")
    title = first if len(first) <= _TITLE else first[: _TITLE + 1].rsplit(maxsplit=1)[0][:_TITLE] + "…"
    connection.execute("update conversations set title = ? where id = ? and title = ''", (title, key))


def move(connection: apsw.Connection, key: int, space: int | None) -> Conversation:
    """Move a conversation to a Space, or out of any; what was learned from it stays where it is (W4)."""
    if space is not None:
        get_space(connection, space)
    get(connection, key)
    connection.execute("update conversations set space = ? where id = ?", (space, key))
    excerpts.move(connection, key, excerpts.reach_tokens(key, space))
    return get(connection, key)


def delete(connection: apsw.Connection, key: int) -> None:
    """Delete a conversation with its messages, excerpts, notes, pinned facts, summary and traces (S4).

    Facts learned from it that live in a Space or globally stay, without their link.
    """
    get(connection, key)
    ids = _ids(connection, "select id from messages where conversation = ?", key)
    facts.delete_home(connection, InConversation(key))
    changes.forget_home(connection, InConversation(key))
    connection.executemany("delete from fact_sources where message = ?", [(message,) for message in ids])
    connection.executemany("delete from change_messages where message = ?", [(message,) for message in ids])
    connection.execute("update changes set conversation = null where conversation = ?", (key,))
    traces.forget_words(connection, messages=ids)
    excerpts.remove(connection, ids)
    connection.execute("delete from messages where conversation = ?", (key,))
    connection.execute("delete from conversations where id = ?", (key,))


def _ids(connection: apsw.Connection, sql: str, key: int) -> list[int]:
    return [int(row[0]) for row in connection.execute(sql, (key,))]


def _space(row: tuple[Any, ...]) -> Space:
    key, name, instructions, memory, reach, created, offset = row
    return Space(key, name, instructions, bool(memory), Reach(reach), Moment(created, offset))


_SPACE = "select id, name, instructions, memory, reach, created, created_offset from spaces"


def get_space(connection: apsw.Connection, key: int) -> Space:
    """Return one Space; raises NotFound."""
    row = connection.execute(f"{_SPACE} where id = ?", (key,)).fetchone()
    if row is None:
        raise NotFound(f"There is no Space {key}. `ricordo spaces` lists them.")
    return _space(row)


def named_space(connection: apsw.Connection, name: str) -> Space:
    """Return the Space of that name, whatever its capitals; raises NotFound."""
    row = connection.execute(f"{_SPACE} where name = ? collate nocase", (name.strip(),)).fetchone()
    if row is None:
        raise NotFound(f"There is no Space called {name.strip()}. `ricordo spaces` lists them.")
    return _space(row)


def spaces(connection: apsw.Connection) -> list[Space]:
    """Return all Spaces by name."""
    return [_space(row) for row in connection.execute(f"{_SPACE} order by name collate nocase")]


def create_space(connection: apsw.Connection, name: str, instructions: str, now: Moment) -> Space:
    """Make a Space with its memory on; raises InvalidInput for a name that is empty or taken."""
    name = _free_name(connection, name, None)
    connection.execute(
        "insert into spaces (name, instructions, created, created_offset) values (?, ?, ?, ?)",
        (name, instructions.strip(), now.utc, now.offset),
    )
    return get_space(connection, connection.last_insert_rowid())


def change_space(connection: apsw.Connection, space: Space) -> Space:
    """Store a Space's name, instructions and switches as the value has them."""
    get_space(connection, space.id)
    connection.execute(
        "update spaces set name = ?, instructions = ?, memory = ?, reach = ? where id = ?",
        (_free_name(connection, space.name, space.id), space.instructions.strip(), space.memory, space.reach, space.id),
    )
    return get_space(connection, space.id)


def _free_name(connection: apsw.Connection, name: str, own: int | None) -> str:
    name = " ".join(name.split())
    if not name:
        raise InvalidInput("A Space needs a name.")
    taken = connection.execute("select id from spaces where name = ? collate nocase and id is not ?", (name, own)).fetchone()
    if taken:
        raise InvalidInput(f"There is a Space called {name} already. Choose another name.")
    return name


def delete_space(connection: apsw.Connection, key: int, *, keep_conversations: bool) -> None:
    """Delete a Space and its memory; its conversations are moved out, or deleted too (S1)."""
    get_space(connection, key)
    for talk in _ids(connection, "select id from conversations where space = ?", key):
        if keep_conversations:
            move(connection, talk, None)
        else:
            delete(connection, talk)
    facts.delete_home(connection, InSpace(key))
    changes.forget_home(connection, InSpace(key))
    connection.execute(
        "update messages set learn_kind = null, learn_id = null where learn_kind = 'space' and learn_id = ?", (key,)
    )
    connection.execute("delete from tokens where space = ?", (key,))
    connection.execute("delete from spaces where id = ?", (key,))


def delete_message(connection: apsw.Connection, key: int) -> list[int]:
    """Delete one message with its excerpt, and drop its conversation's summary (S4).

    Returns the ids of the facts and notes that were learned from it, for the person to decide about.
    """
    message = messages.get(connection, key)
    learned = [row[0] for row in connection.execute("select fact from fact_sources where message = ? order by fact", (key,))]
    messages.delete(connection, [key])
    branches.show_instead(connection, message)
    summaries.drop(connection, message.conversation)
    connection.execute("update conversations set deletions = deletions + 1 where id = ?", (message.conversation,))
    return learned


def learned_from(connection: apsw.Connection, key: int) -> list[Fact]:
    """Return the facts and notes that were learned from a message, oldest first."""
    return [
        facts.get(connection, fact)
        for fact in _ids(connection, "select fact from fact_sources where message = ? order by fact", key)
    ]


def deletions(connection: apsw.Connection, key: int) -> int:
    """Return how many messages were deleted from a conversation."""
    row = connection.execute("select deletions from conversations where id = ?", (key,)).fetchone()
    return int(row[0]) if row else 0


def standing(connection: apsw.Connection, key: int) -> tuple[int, int | None]:
    """Return how often the messages of a conversation changed but for one more at its end, and the last one that is shown."""
    row = connection.execute(
        "select rearranged, (select m.id from messages m where m.conversation = c.id and active = 1"
        " order by place desc, m.id desc limit 1) from conversations c where c.id = ?",
        (key,),
    ).fetchone()
    return (int(row[0]), row[1]) if row else (-1, None)


def set_reply_aside(connection: apsw.Connection, key: int) -> Message:
    """Leave the last reply on a branch that is not shown; return the message that it answers. Raises NotFound."""
    get(connection, key)
    branch = messages.newest(connection, key, 0)
    replies = []
    while branch and branch[-1].role is Role.MODEL:
        replies.append(branch[-1].id)
        branch = messages.newest(connection, key, 0, before=branch[-1].id)
    if not branch:
        raise NotFound("There is nothing to reply to in this conversation yet. Write something first.")
    messages.set_active(connection, replies, False)
    return branch[-1]
