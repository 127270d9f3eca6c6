"""The shelf of everything that is remembered, to be looked through (F4). It changes nothing: the other shelves do."""

from __future__ import annotations

from collections.abc import Callable, Collection

from apsw import Connection

from ricordo.conversation import Message, Summary
from ricordo.fact import Fact, Global
from ricordo.memory import FACTS, Kind, Listed, Sieve
from ricordo.settings import Settings
from ricordo.store import facts, memories
from ricordo.store.connection import Database


class Memories:
    """Everything that is remembered, by kind, sifted, in stretches of `limit` rows from the row `offset` on, newest first."""

    def __init__(self, database: Database, settings: Callable[[], Settings]) -> None:
        self._database, self._settings = database, settings

    async def count(self, kinds: Collection[Kind] = tuple(Kind), sieve: Sieve | None = None) -> dict[Kind, int]:
        """Return how many rows each of some kinds has."""
        return await self._database.read(lambda c: memories.count(c, kinds, sieve or Sieve()))

    async def facts(
        self, kinds: Collection[Kind] = FACTS, sieve: Sieve | None = None, offset: int = 0, limit: int = 100
    ) -> list[Listed]:
        """Return facts of some kinds in one list: pinned ones, facts and notes, or what is asked for of them."""
        global_memories = self._settings().global_memories

        def job(connection: Connection) -> list[Listed]:
            found = memories.facts_of(connection, kinds, sieve or Sieve(), offset, limit)
            sources = memories.sources(connection, found)
            sent = _sent(connection, found, global_memories)
            return [Listed(fact, fact.id in sent, sources.get(fact.id)) for fact in found]

        return await self._database.read(job)

    async def summaries(self, sieve: Sieve | None = None, offset: int = 0, limit: int = 100) -> list[Summary]:
        """Return summaries; each is at home in its conversation."""
        return await self._database.read(lambda c: memories.summaries(c, sieve or Sieve(), offset, limit))

    async def excerpts(self, sieve: Sieve | None = None, offset: int = 0, limit: int = 100) -> list[Message]:
        """Return the messages that have excerpts, by which they are found; all pieces of one are one row."""
        return await self._database.read(lambda c: memories.excerpts(c, sieve or Sieve(), offset, limit))


def _sent(connection: Connection, found: Collection[Fact], global_memories: bool) -> frozenset[int]:
    """Return which of some facts are sent without being looked for; none of the global list while that is off (W3)."""
    homes = {fact.home for fact in found if global_memories or fact.home != Global()}
    return frozenset().union(*(facts.sent(connection, home) for home in homes))
