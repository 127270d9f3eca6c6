"""The shelf of the facts that a person keeps by hand."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import assert_never

from apsw import Connection

from ricordo.conversation import Moment
from ricordo.errors import InvalidInput, SwitchedOff
from ricordo.events import ListChanged
from ricordo.fact import Fact, Global, Home, InConversation, InSpace, Origin
from ricordo.memory import FACTS, Kind, Sieve
from ricordo.settings import Settings
from ricordo.store import conversations, facts, memories, messages, words
from ricordo.store.connection import Database

Now = Callable[[], Moment]


class Facts:
    """The facts a person keeps: by hand these are theirs, and the model never changes them (E10)."""

    def __init__(self, database: Database, now: Now, settings: Callable[[], Settings]) -> None:
        self._database, self._now, self._settings = database, now, settings

    async def all(self, home: Home | None = None) -> list[Fact]:
        """Return the facts at home there, or all of the vault, newest first."""
        return await self._database.read(lambda c: facts.listed(c) if home is None else facts.of_home(c, home))

    async def count(self) -> dict[Home, int]:
        """Return how many facts each home has that has any."""
        return await self._database.read(facts.count)

    async def sent(self) -> frozenset[int]:
        """Return the ids of the facts that the model is sent without being looked for, each where it is at home (B2, F3)."""
        global_memories = self._settings().global_memories

        def job(connection: Connection) -> frozenset[int]:
            homes = [home for home in facts.count(connection) if global_memories or home != Global()]
            return frozenset().union(*(facts.sent(connection, home) for home in homes))

        return await self._database.read(job)

    async def get(self, fact: int) -> Fact:
        """Return one fact; raises NotFound."""
        return await self._database.read(lambda c: facts.get(c, fact))

    async def add(self, text: str, home: Home, *, pinned: bool = False, source: int | None = None) -> Fact:
        """Keep a fact in the person's own words; one that is there already in the same words becomes theirs.

        `source` is the message it was taken from. Raises InvalidInput for an empty one, NotFound for a home that is not
        there, SwitchedOff for one whose memory is off.
        """
        text = facts.clean(text)

        def job(connection: Connection) -> Fact:
            require_open(connection, home, self._settings())
            known = facts.same(connection, text, home)
            if known is None:
                sources = () if source is None else (source,)
                return facts.insert(connection, text, Origin.USER, home, self._now(), pinned=pinned, sources=sources)
            facts.set_origin(connection, known.id, Origin.USER)
            return facts.set_pinned(connection, known.id, pinned or known.pinned)

        return await self._database.write(job, ListChanged("facts"))

    async def pin_message(self, message: int) -> Fact:
        """Pin what a message says as a fact of its conversation (F3)."""
        found = await self._database.read(lambda c: messages.get(c, message))
        return await self.add(found.text, InConversation(found.conversation), pinned=True, source=message)

    async def edit(self, fact: int, text: str) -> Fact:
        """Give a fact other words; it is the person's from then on. Raises InvalidInput, NotFound."""
        text = facts.clean(text)

        def job(connection: Connection) -> Fact:
            facts.rewrite(connection, fact, text, self._now())
            facts.set_origin(connection, fact, Origin.USER)
            return facts.get(connection, fact)

        return await self._database.write(job, ListChanged("facts"))

    async def pin(self, fact: int, pinned: bool = True) -> Fact:
        """Pin a fact, or take the pin off."""
        return await self._database.write(lambda c: facts.set_pinned(c, fact, pinned), ListChanged("facts"))

    async def share(self, fact: int, shared: bool = True) -> Fact:
        """Let all conversations use a fact (*All conversations*), or only those of its home."""
        return await self._database.write(lambda c: facts.set_shared(c, fact, shared), ListChanged("facts"))

    async def delete(self, fact: int) -> Fact:
        """Delete a fact for good; returns what it was. Raises NotFound."""
        return await self._database.erase(lambda c: facts.delete(c, fact, self._now()), ListChanged("facts"))

    async def clear(self, sieve: Sieve | None = None, kinds: Collection[Kind] = FACTS, *, expected: int | None = None) -> int:
        """Delete all facts of some kinds that pass a sieve, for good and at once (F2); returns how many there were.

        `expected` is how many the person was told of: if there are others by now, nothing is deleted and InvalidInput raised.
        """
        sieve = sieve or Sieve()

        def job(connection: Connection) -> int:
            keys = memories.all_ids(connection, kinds, sieve)
            if expected is not None and len(keys) != expected:
                raise InvalidInput(f"The list has changed meanwhile: {len(keys)} are in it now. Nothing was deleted; look again.")
            return len(facts.delete_some(connection, keys, self._now()))

        return await self._database.erase(job, ListChanged("facts"))

    async def remember(self, text: str, space: int | None = None) -> Fact:
        """Keep a fact where a command puts it: in the Space, else globally (F5). Raises SwitchedOff when that is off."""
        return await self.add(text, InSpace(space) if space is not None else Global())

    async def matching(self, query: str, space: int | None = None) -> list[Fact]:
        """Return the facts that a command's words mean: of the Space, or global; by id, else by all of the words (F5)."""
        home = InSpace(space) if space is not None else Global()
        known = await self.all(home)
        wanted = query.strip().removeprefix("#")
        if wanted.isdigit():
            return [fact for fact in known if fact.id == int(wanted)]
        parts = words.fold(query).split()
        return [fact for fact in known if parts and all(part in words.fold(fact.text) for part in parts)]


def require_open(connection: Connection, home: Home, settings: Settings) -> None:
    """Raise NotFound for a home that is not there, SwitchedOff for one whose memory is off (F1, F5)."""
    match home:
        case Global():
            if not settings.global_memories:
                raise SwitchedOff(
                    "Global memories are off, so nothing was saved. Turn them on in Settings → Features, or with "
                    "`ricordo settings global_memories on`."
                )
        case InSpace(space):
            found = conversations.get_space(connection, space)
            if not found.memory:
                raise SwitchedOff(
                    f"The memory of {found.name} is off, so nothing was saved. Turn it on in the Space's Settings tab."
                )
        case InConversation(conversation):
            conversations.get(connection, conversation)
        case _:
            assert_never(home)
