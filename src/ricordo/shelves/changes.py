"""The shelf of what the model did to the facts, which the person looks through and takes back."""

from __future__ import annotations

from collections.abc import Callable

from ricordo.change import Change
from ricordo.conversation import Moment
from ricordo.events import ListChanged
from ricordo.run import Run
from ricordo.store import changes, runs, waiting
from ricordo.store.connection import Database
from ricordo.store.waiting import Unread

Now = Callable[[], Moment]


class Changes:
    """What the model did to the facts: the log, taking back, and the turns it could not read."""

    def __init__(self, database: Database, now: Now) -> None:
        self._database, self._now = database, now

    async def all(self, limit: int = 100, before: int | None = None) -> list[Change]:
        """Return the latest changes, newest first; with `before`, only those older than that change."""
        return await self._database.read(lambda c: changes.listed(c, limit, before))

    async def undo(self, change: int) -> Change:
        """Take a change back (U1, U2). Raises NotFound; InvalidInput when the fact was changed since, and then does nothing."""
        return await self._database.write(lambda c: changes.undo(c, change, self._now()), ListChanged("facts"))

    async def runs(self, limit: int = 20) -> list[Run]:
        """Return the latest readings of turns, newest first: how the model was asked, what it proposed in vain, and why."""
        return await self._database.read(lambda c: runs.listed(c, limit))

    async def unread(self) -> list[Unread]:
        """Return the turns that could not be read after three tries, with the reason (E16)."""
        return await self._database.read(lambda c: waiting.unread(c))

    async def waiting(self) -> int:
        """Return how many turns wait to be read."""
        return len(await self._database.read(lambda c: waiting.listed(c)))
