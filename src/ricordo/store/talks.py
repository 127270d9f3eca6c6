"""Conversations that come from elsewhere, with all their versions, put in beside what is there.

The one rule: a message is known by its source key, so a conversation that comes again brings only what is new in it, and
what was written here since stays what is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import apsw

from ricordo.conversation import Attachment, Moment, Role
from ricordo.store import conversations, excerpts, messages, names


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message as it stands in a file: what it follows by key (None begins), and its time where one is known."""

    key: str
    parent: str | None
    role: Role
    text: str
    at: Moment | None
    model: str = ""
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation as it stands in a file: messages after what they follow, and the last of those that are shown.

    `dated`: entries of a diary, whose times decide their places. Talks with the same `group` go into one conversation: a diary
    comes in several.
    """

    title: str
    created: Moment | None
    said: tuple[Incoming, ...]
    shown: str | None
    dated: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Put:
    """What came of one conversation: where it is, and how many of its messages were new, and were there."""

    conversation: int | None
    made: bool
    added: int
    there: int


@dataclass(slots=True)
class _There:
    """A message that is in the vault."""

    id: int
    conversation: int
    parent: int | None
    place: int
    at: Moment
    active: bool


def put(connection: apsw.Connection, talk: Talk, import_: Callable[[], int], now: Moment, into: int | None = None) -> Put:
    """Put in what is new of a conversation; `import_` is asked for the import's id when something is.

    `into` is the conversation for what belongs to none yet; without it one is made.
    """
    there = _known(connection, [said.key for said in talk.said])
    known = frozenset(there)
    new = list({said.key: said for said in talk.said if said.key not in known}.values())
    where = next((there[said.key].conversation for said in talk.said if said.key in known), into)
    if not new:
        return Put(where, False, 0, len(known))
    made = where is None
    if where is None:
        where = conversations.create(connection, talk.title, None, _begun(talk, now)).id
    if talk.dated:
        messages.insert(connection, where, (_dated(said, import_(), now) for said in new), dated=True)
    else:
        _grow(connection, where, talk, there, import_(), now)
    if made and not talk.title.strip():
        first = next((said.text for said in talk.said if said.role is Role.USER), "")
        conversations.title_from(connection, where, first)
    return Put(where, made, len(new), len(known))


def _begun(talk: Talk, now: Moment) -> Moment:
    times = [said.at for said in talk.said if said.at is not None]
    return talk.created or min(times, default=now)


def _dated(said: Incoming, import_: int, now: Moment) -> messages.NewMessage:
    return messages.NewMessage(
        said.role, said.text, said.at or now, model=said.model, attachments=said.attachments, import_=import_, source_key=said.key
    )


def _known(connection: apsw.Connection, keys: list[str]) -> dict[str, _There]:
    rows = connection.execute(
        "select source_key, id, conversation, parent, place, at, at_offset, active from messages"
        " where source_key in (select value from json_each(?))",
        (json.dumps(keys),),
    )
    return {
        str(key): _There(message, talk, parent, place, Moment(at, offset), bool(active))
        for key, message, talk, parent, place, at, offset, active in rows
    }


def _grow(connection: apsw.Connection, talk_id: int, talk: Talk, there: dict[str, _There], import_: int, now: Moment) -> None:
    """Add the new messages of a tree to a conversation, each below what it follows."""
    keep_shown = bool(there) and _written_here(connection, talk_id)
    shown = _ahead_of(talk, [key for key, each in there.items() if each.active]) if keep_shown else _path(talk)
    if there and not keep_shown:
        others = [each.id for key, each in there.items() if each.active and key not in shown]
        messages.set_active(connection, others, False)
    space = connection.execute("select space from conversations where id = ?", (talk_id,)).get
    reach = excerpts.reach_tokens(talk_id, space)
    newest: Moment | None = None
    indexed: list[tuple[int, str, str]] = []
    mentioned: list[tuple[int, str, str]] = []
    for said in talk.said:
        above = there.get(said.parent) if said.parent is not None else None
        if (old := there.get(said.key)) is not None:
            if (above.id if above else None) != old.parent and old.conversation == talk_id:
                # What it follows was deleted here and has come again.
                connection.execute("update messages set parent = ? where id = ?", (above.id if above else None, old.id))
            if said.key in shown and not old.active:
                messages.set_active(connection, [old.id], True)
            continue
        at = said.at or (above.at if above else _begun(talk, now))
        if above and at.utc < above.at.utc:  # a clock that went back: nothing was said before what it follows
            at = above.at
        new = messages.NewMessage(
            said.role, said.text, at, model=said.model, attachments=said.attachments, import_=import_, source_key=said.key
        )
        place = max(above.place + 1, at.utc) if above else at.utc
        active = said.key in shown
        key = messages.put_row(connection, talk_id, above.id if above else None, place, new, active=active)
        there[said.key] = _There(key, talk_id, above.id if above else None, place, at, active)
        indexed.append((key, said.text, reach))
        newest = at if newest is None or at.utc > newest.utc else newest
        if active:
            mentioned.append((talk_id, said.role, said.text))
    excerpts.add(connection, indexed)
    names.add(connection, mentioned)
    if newest is not None:
        messages.touch(connection, talk_id, newest)


def _written_here(connection: apsw.Connection, talk: int) -> bool:
    """Say whether something that was not imported is shown in a conversation."""
    row = connection.execute(
        "select 1 from messages where conversation = ? and active = 1 and import is null limit 1", (talk,)
    ).fetchone()
    return row is not None


def _path(talk: Talk) -> frozenset[str]:
    """Return the keys of what is shown: the last one and all that it follows."""
    return _ahead_of(talk, [] if talk.shown is None else [talk.shown])


def _ahead_of(talk: Talk, keys: Iterable[str]) -> frozenset[str]:
    """Return keys with those of all that they follow: what comes back ahead of a shown message is shown, too."""
    above = {said.key: said.parent for said in talk.said}
    found: set[str] = set()
    for key in keys:
        at: str | None = key
        while at is not None and at in above and at not in found:
            found.add(at)
            at = above[at]
    return frozenset(found)
