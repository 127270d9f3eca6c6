"""Facts by keys that another program chose, as a key-value store has them.

The one rule: what a program writes is a change by it, held to what holds for our own model, announced, and undone by a click.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from apsw import Connection

from ricordo.change import Change, Removed, Saved, Updated
from ricordo.conversation import Moment
from ricordo.errors import InvalidInput, NotFound, SwitchedOff
from ricordo.events import Announcement, Learned, ListChanged
from ricordo.fact import Fact, Global, Home, InSpace
from ricordo.learn import told
from ricordo.settings import Settings
from ricordo.shelves.facts import require_open
from ricordo.store import conversations, fact_keys, facts, words
from ricordo.store.connection import Database

_MOST_KEY = 500  # letters


@dataclass(frozen=True, slots=True)
class Kept:
    """A fact and the key it is known by; `score` is that of a search, positive, more is better."""

    key: str
    fact: Fact
    score: float | None = None


class Keyed:
    """The facts of the global list and of Spaces, by key. While global memories are off, the global list holds nothing (W3)."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], Moment],
        settings: Callable[[], Settings],
        announce: Callable[[Announcement], None],
    ) -> None:
        self._database, self._now, self._settings, self._announce = database, now, settings, announce

    async def get(self, home: Home, key: str) -> Kept | None:
        """Return what is known by a key there, None if nothing is."""
        if not self._shown(home):
            return None
        found = await self._database.read(lambda c: fact_keys.find(c, home, key))
        return Kept(key, found) if found else None

    async def all(self, home: Home) -> list[Kept]:
        """Return all that is at home there, what was changed last first."""
        if not self._shown(home):
            return []

        def job(connection: Connection) -> list[Kept]:
            return _kept(connection, sorted(facts.of_home(connection, home), key=lambda fact: -fact.updated.utc))

        return await self._database.read(job)

    async def find(self, home: Home, text: str, limit: int) -> list[Kept]:
        """Return what there holds any of the words of `text`, best first."""
        if not self._shown(home):
            return []

        def job(connection: Connection) -> list[Kept]:
            place = facts.reach_tokens(home, False)
            scores = dict(words.search(connection, "fact_words", text, (place,), limit))
            return [
                Kept(each.key, each.fact, scores[each.fact.id])
                for each in _kept(connection, facts.some(connection, list(scores)))
            ]

        return await self._database.read(job)

    async def put(self, program: str, home: Home | str, key: str, text: str) -> Fact:
        """Keep a fact under a key, in place of what the program or the model kept under it.

        For a home the name of a Space may stand, which is made with its first fact. Raises SwitchedOff where nothing may be
        learned, NotFound for a home that is not there, InvalidInput for what is not kept: no lasting fact, a secret, what is
        remembered under another key, what the person wrote or did away with.
        """
        if not self._settings().remember:
            raise SwitchedOff(told.OFF)
        if not key.strip() or len(key) > _MOST_KEY:
            raise InvalidInput(f"A key has between one and {_MOST_KEY} letters.")
        now = self._now()

        def job(connection: Connection) -> Fact | Change:
            there = InSpace(_space(connection, home, now)) if isinstance(home, str) else home
            require_open(connection, there, self._settings())
            known = fact_keys.find(connection, there, key)
            if known is not None:
                return told.rewrite(connection, known, text, now, program)
            made = told.remember(connection, text, there, now, program)
            fact = _new(made) if isinstance(made, Change) else _same(connection, made, text)
            fact_keys.put(connection, fact, key)
            return made

        spaces = (ListChanged("spaces"),) if isinstance(home, str) else ()
        made = await self._database.write(job, ListChanged("facts"), *spaces)
        if isinstance(made, Fact):
            return made
        self._announce(Learned((made,)))
        return _new(made)

    async def delete(self, program: str, home: Home, key: str) -> bool:
        """Remove what is known by a key, as a change that can be undone; say whether there was anything."""
        if not self._shown(home):
            return False
        now = self._now()

        def job(connection: Connection) -> Change | None:
            known = fact_keys.find(connection, home, key)
            return told.forget(connection, known.id, now, program) if known else None

        made = await self._database.write(job, ListChanged("facts"))
        if made is not None:
            self._announce(Learned((made,)))
        return made is not None

    def _shown(self, home: Home) -> bool:
        return home != Global() or self._settings().global_memories


def _space(connection: Connection, name: str, now: Moment) -> int:
    """Return the Space of just this name, made if there is none. Raises InvalidInput where capitals differ."""
    try:
        known = conversations.named_space(connection, name)
    except NotFound:
        return conversations.create_space(connection, name, "", now).id
    if known.name != name:
        raise InvalidInput(f"That Space is called {known.name}. Write it with the same capitals.")
    return known.id


def _kept(connection: Connection, found: list[Fact]) -> list[Kept]:
    keys = fact_keys.given(connection, found)
    return [Kept(keys.get(fact.id, str(fact.id)), fact) for fact in found]


def _new(change: Change) -> Fact:
    """Return a fact as a change left it."""
    match change.edit:
        case Saved(after) | Updated(_, after):
            return after
        case Removed(before):
            return before
        case _:
            assert_never(change.edit)


def _same(connection: Connection, known: Fact, text: str) -> Fact:
    """Return a fact that may have a program's key from now on: nobody gave it one, and it says just this. Raises InvalidInput."""
    keys = fact_keys.given(connection, [known])
    if keys or known.text.split() != text.split():
        key = keys.get(known.id, str(known.id))
        raise InvalidInput(f"That is remembered already, as “{known.text}”, under the key {key}. Use that key to reword it.")
    return known
