"""How a conversation that its client keeps is known again: by the client's own name for it, else by digests of what was said.

The one rule: what is not surely the same conversation begins a new one. A wrong guess would hide what was said in the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import apsw

from ricordo.conversation import Moment, Role
from ricordo.said import Said

_AGAIN_WITHIN = 3600 * 1_000_000  # microseconds in which the very first message, sent anew, asks for another reply to it
_TELLING = 40  # letters of two messages in a row that are hardly ever the same by chance


@dataclass(frozen=True, slots=True)
class Known:
    """A conversation that was known again: `said` things of it are stored, the last of them that is still there as `after`.

    `messages` are the ids of those, `whole` says that they begin where it does. `cut` says that the last is a reply that
    broke off, of which the client has another part.
    """

    conversation: int
    said: int
    after: int | None
    messages: tuple[int, ...] = ()
    whole: bool = False
    cut: bool = False


@dataclass(frozen=True, slots=True)
class _Sought:
    """Where is looked: in one conversation, in one Space, or (None) anywhere."""

    connection: apsw.Connection
    said: Sequence[Said]
    talk: int | None
    space: int | None
    now: Moment


def find(connection: apsw.Connection, said: Sequence[Said], key: str, space: int | None, now: Moment) -> Known | None:
    """Return the conversation that a client goes on with, None for a new one.

    `key` is the client's own name for it, if it gives one; with `space` only conversations of that Space are looked at.
    """
    talk = _named(connection, key, space) if key else None
    sought = _Sought(connection, said, talk, space, now)
    found = _by_chain(sought) or _by_link(sought)
    if found is None:
        return None if talk is None else Known(talk, 0, _tip(connection, talk))
    if key and talk is None and _any_key(connection, found.conversation):
        return None  # another name for the same beginning: the client has made two of one
    return _with_cut(sought, found)


def _named(connection: apsw.Connection, key: str, space: int | None) -> int | None:
    row = connection.execute("select conversation from client_keys where key = ?", (_key(key, space),)).fetchone()
    return int(row[0]) if row else None


def _any_key(connection: apsw.Connection, conversation: int) -> bool:
    return bool(connection.execute("select 1 from client_keys where conversation = ? limit 1", (conversation,)).fetchone())


def _key(key: str, space: int | None) -> str:
    return f"{space or ''}/{key}"


def _by_chain(sought: _Sought) -> Known | None:
    """Return the conversation that shares the longest beginning."""
    for at in range(len(sought.said), 0, -1):
        for talk, message in _marks(sought, "chain", sought.said[at - 1].chain):
            if message is None and at == len(sought.said):
                continue  # deleted, and now said anew
            if _answered(sought.said[:at]) or _goes_on_from(sought, talk, message):
                return replace(_known(sought, talk, at), whole=True)
    return None


def _by_link(sought: _Sought) -> Known | None:
    """Return the conversation whose end is known: of clients that send only the last part of it, or have changed its start."""
    last = len(sought.said)
    for at in range(last, 1 if sought.talk is not None else max(1, last - 2), -1):
        two = sought.said[at - 2 : at]
        if not _answered(two) or sum(len(each.text) for each in two) < _TELLING:
            continue
        for talk, message in _marks(sought, "link", sought.said[at - 1].link):
            if message is not None and (sought.talk is not None or not _followed(sought.connection, talk, message)):
                return _known(sought, talk, at)
    return None


def _marks(sought: _Sought, column: str, digest: bytes) -> list[tuple[int, int | None]]:
    """Return where a digest stands: conversations and messages, first those that nothing was said after, the newest first."""
    rows = sought.connection.execute(
        f"select k.conversation, k.message from chains k join conversations t on t.id = k.conversation where k.{column} = :digest"
        " and (:talk is null or k.conversation = :talk) and (:space is null or t.space = :space)"
        " order by exists (select 1 from messages m where m.parent = k.message and m.role = 'user'), k.id desc",
        {"digest": digest, "talk": sought.talk, "space": sought.space},
    ).fetchall()
    return [(talk, message) for talk, message in rows]  # type: ignore[misc]


def _answered(said: Sequence[Said]) -> bool:
    return any(each.role is Role.MODEL for each in said)


def _goes_on_from(sought: _Sought, talk: int, message: int | None) -> bool:
    """Say whether a beginning without any reply in it is surely this conversation's: many of them begin with "Hi"."""
    if message is None or _followed(sought.connection, talk, message):
        return False
    at = sought.connection.execute("select at from messages where id = ?", (message,)).get
    return sought.talk is not None or abs(sought.now.utc - int(at)) <= _AGAIN_WITHIN


def _followed(connection: apsw.Connection, talk: int, message: int) -> bool:
    """Say whether the person has said anything in a conversation since a message."""
    row = connection.execute(
        "select 1 from messages where conversation = ? and role = 'user' and id > ? limit 1", (talk, message)
    ).fetchone()
    return row is not None


def _known(sought: _Sought, talk: int, said: int) -> Known:
    """Return what is stored of what was said."""
    rows = sought.connection.execute(
        "select message, chain, link from chains where conversation = ? and message is not null order by id", (talk,)
    ).fetchall()
    by_chain = {chain: message for message, chain, _ in rows}
    by_link = {link: message for message, _, link in rows}
    found = (by_chain.get(each.chain, by_link.get(each.link)) for each in sought.said[:said])
    there = [int(message) for message in found if message is not None]
    return Known(talk, said, there[-1] if there else None, tuple(there))


def _with_cut(sought: _Sought, known: Known) -> Known:
    """Count in a reply that broke off: the client may have got less of it than was kept, or more."""
    if known.said >= len(sought.said) - 1 or known.after is None or sought.said[known.said].role is not Role.MODEL:
        return known
    has = sought.said[known.said].text.strip()
    rows = sought.connection.execute(
        "select id, text from messages where parent = ? and role = 'model' and status <> 'complete' order by id desc",
        (known.after,),
    )
    for key, text in rows:
        kept = text.strip()
        if kept.startswith(has) or has.startswith(kept):
            messages = (*known.messages, int(key))
            return replace(known, said=known.said + 1, after=int(key), messages=messages, cut=True)
    return known


def _tip(connection: apsw.Connection, talk: int) -> int | None:
    row = connection.execute(
        "select id from messages where conversation = ? and active = 1 order by place desc, id desc limit 1", (talk,)
    ).fetchone()
    return int(row[0]) if row else None


def put(connection: apsw.Connection, conversation: int, message: int, said: Said) -> None:
    """Remember by what a message is known again."""
    connection.execute(
        "insert into chains (conversation, message, chain, link) values (?, ?, ?, ?)",
        (conversation, message, said.chain, said.link),
    )


def name(connection: apsw.Connection, conversation: int, key: str, space: int | None) -> None:
    """Remember a client's own name for a conversation."""
    connection.execute("insert or ignore into client_keys (key, conversation) values (?, ?)", (_key(key, space), conversation))
