"""Ricordo behind the calls that benchmarks/peer_tools.py has for all: its vault, and finding as a reply does it."""

from __future__ import annotations

import asyncio
import pathlib
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Any

import apsw

from benchmarks.peer_tools import Row, Vector
from benchmarks.recall import MODEL_AUTHORS, ROLES, _moment
from ricordo.conversation import Moment, Reach, Role, Scope
from ricordo.models.embedder import EmbeddedEmbedder
from ricordo.recall.gather import Search, Where, gather
from ricordo.store import conversations, messages, surroundings, vectors
from ricordo.store.connection import Database
from ricordo.store.keys import KdfCost

_PASSPHRASE, _CHEAP = "only for measuring", KdfCost(19456, 2, 1)
_SPACE = 10  # of the first conversations, which stand in a Space
_MODEL = EmbeddedEmbedder.name
_BATCH = 2000


class Ricordo:
    """Ricordo's vault: words, vectors, neighbours, dates and speakers in one ranking."""

    kind, held = "memory store", "encrypted, durable when it returns"

    def __init__(self, folder: pathlib.Path) -> None:
        self.told: Mapping[int, Mapping[str, Any]] = {}  # what a set of questions says of its messages: who, and when
        self.now = ""
        self._loop = asyncio.new_event_loop()
        path = folder / "diary.ricordo"
        self._messages: dict[int, int] = {}  # a message's number here → there
        if path.exists():
            self._database = Database.open(path, _PASSPHRASE)
            self._run(self._database.load_vectors(_MODEL))
            rows = self._run(self._database.read(lambda c: c.execute("select id from messages order by id").fetchall()))
            self._messages = {int(key): number for number, (key,) in enumerate(rows, start=1)}
        else:
            self._database, _ = Database.create(path, _PASSPHRASE, cost=_CHEAP)
        self._keys = {number: key for key, number in self._messages.items()}

    def _run(self, work: Any) -> Any:
        return self._loop.run_until_complete(work)

    def fill(self, rows: Sequence[Row]) -> None:
        """Put many in."""
        self._run(self._database.write(lambda c: _lay_out(c, max(row.talk for row in rows))))
        last = Moment(0, 0)
        for start in range(0, len(rows), _BATCH):
            part, new = rows[start : start + _BATCH], []
            for row in part:
                message, last = self._message(row, last)
                new.append(message)
            keys = self._run(self._database.write(lambda c, part=part, new=new: _insert(c, part, new)))  # type: ignore[misc]
            self._know(part, keys)
        self._run(self._database.load_vectors(_MODEL))

    def add(self, row: Row) -> None:
        """Put one in."""
        message, _ = self._message(row, Moment(1 << 50, 0))
        self._know([row], self._run(self._database.write(lambda c: _insert(c, [row], [message]))))

    def delete(self, row: Row) -> None:
        """Take one out; its text is gone from the file then."""
        self._run(self._database.erase(lambda c: conversations.delete_message(c, self._keys[row.key])))

    def search(self, text: str, vector: Vector, talks: Sequence[int] | None, count: int) -> list[int]:
        """Return the best messages."""
        reach = Reach.VAULT if talks is None else Reach.CONVERSATION if len(talks) == 1 else Reach.SPACE
        where = Where(Scope(reach, talks[0] if talks else 1, 1), _moment(self.now, Moment(1 << 50, 0)), UTC, _MODEL)
        job = lambda c: gather(c, self._database.vectors, [Search(text, vector)], where, count)  # noqa: E731
        found = self._run(self._database.read(job))
        return [self._messages[each.found.id] for each in found if each.found.id in self._messages]

    def close(self) -> None:
        """Lock it."""
        self._run(self._database.close())
        self._loop.close()

    def _message(self, row: Row, last: Moment) -> tuple[messages.NewMessage, Moment]:
        told = self.told.get(row.key)
        if told is None:
            at = Moment(last.utc + 3_600_000_000, 0)
            return messages.NewMessage(Role.USER, row.text, at), at
        at, author = _moment(told.get("at") or "", last), told["author"].lower()
        role = Role.MODEL if author in MODEL_AUTHORS else Role.USER
        return messages.NewMessage(role, told["text"] if author in ROLES else row.text, at), at

    def _know(self, rows: Sequence[Row], keys: Sequence[int]) -> None:
        for row, key in zip(rows, keys, strict=True):
            self._messages[key], self._keys[row.key] = row.key, key


def _lay_out(connection: apsw.Connection, talks: int) -> None:
    space = conversations.create_space(connection, "The first", "", Moment(0, 0))
    for number in range(talks):
        conversations.create(connection, f"talk {number}", space.id if number < _SPACE else None, Moment(0, 0))


def _insert(connection: apsw.Connection, rows: Sequence[Row], new: Sequence[messages.NewMessage]) -> list[int]:
    """Store messages with the vectors that were given; a long one's pieces all get that of the whole."""
    keys: list[int] = []
    at = 0
    while at < len(rows):  # runs of one conversation, in order
        end = at
        while end < len(rows) and rows[end].talk == rows[at].talk:
            end += 1
        keys += [message.id for message in messages.insert(connection, rows[at].talk, list(new[at:end]))]
        at = end
    given = {key: row.vector for key, row in zip(keys, rows, strict=True)}
    while missing := vectors.missing(connection, "excerpt", _MODEL, _BATCH):
        of = surroundings.messages_of(connection, [key for key, _ in missing])
        vectors.add(connection, "excerpt", _MODEL, [(key, given[of[key]]) for key, _ in missing])
    return keys
