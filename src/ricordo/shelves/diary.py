"""The shelf of the diary: what the person wrote, day by day, wherever in the vault it stands."""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import MAXYEAR, MINYEAR, date

from apsw import Connection

from ricordo.conversation import Message, Moment
from ricordo.diary import Day, Entry, WrittenDay
from ricordo.errors import InvalidInput
from ricordo.store import diary, messages
from ricordo.store.connection import Database

Now = Callable[[], Moment]

_LETTERS = 200_000  # of a slice of a day: about a hundred pages
_BEGINNING = 2  # entries shown of each year in *On this day*


class Diary:
    """What the person wrote, by the days on their own clock (S8): all of the vault, but none of the replies."""

    def __init__(self, database: Database, now: Now) -> None:
        self._database, self._now = database, now

    def today(self) -> date:
        """Return the day that it is for the person."""
        return self._now().local.date()

    async def written(self, year: int, month: int | None = None) -> list[WrittenDay]:
        """Return the days of a year or month that have entries, in order. Raises InvalidInput for one that no calendar has."""
        if not MINYEAR <= year <= MAXYEAR or (month is not None and not 1 <= month <= 12):
            raise InvalidInput(f"Choose a year from {MINYEAR} to {MAXYEAR}, and a month from 1 to 12.")
        first = date(year, month or 1, 1)
        last = date(year, month or 12, calendar.monthrange(year, month or 12)[1])
        return await self._database.read(lambda c: diary.written(c, first, last))

    async def day(self, day: date, skip: int = 0, limit: int = 50) -> Day:
        """Return a day's entries, oldest first, as a slice: `skip` passed over, `limit` at most, fewer where they are long."""

        def job(connection: Connection) -> Day:
            total = diary.total(connection, day, day)
            return Day(day, total, tuple(diary.entries(connection, day, day, skip, limit, _LETTERS)))

        return await self._database.read(job)

    async def between(
        self, first: date, last: date, skip: int = 0, limit: int = 50, *, space: int | None = None
    ) -> tuple[list[Entry], int]:
        """Return a slice of the entries of all days from first to last, oldest first, and how many these days have in all.

        With `space` only what was written in conversations of that Space.
        """

        def job(connection: Connection) -> tuple[list[Entry], int]:
            total = diary.total(connection, first, last, space)
            return diary.entries(connection, first, last, skip, limit, _LETTERS, space), total

        return await self._database.read(job)

    async def first(self) -> Entry | None:
        """Return the first entry of all, None while there is none."""
        return await self._database.read(lambda c: diary.end(c, last=False))

    async def last(self) -> Entry | None:
        """Return the last entry of all, None while there is none."""
        return await self._database.read(lambda c: diary.end(c, last=True))

    async def before(self, day: date) -> date | None:
        """Return the last day before a day that has entries, None where there is none."""
        return await self._database.read(lambda c: diary.before(c, day))

    async def after(self, day: date) -> date | None:
        """Return the first day after a day that has entries, None where there is none."""
        return await self._database.read(lambda c: diary.after(c, day))

    async def on_this_day(self, day: date) -> list[Day]:
        """Return the same day of other years as far as it has entries, the latest first, each with how it begins."""

        def job(connection: Connection) -> list[Day]:
            return [
                Day(found.day, found.entries, tuple(diary.entries(connection, found.day, found.day, 0, _BEGINNING, _LETTERS)))
                for found in diary.other_years(connection, day)
            ]

        return await self._database.read(job)

    async def reply(self, entry: int) -> Message | None:
        """Return the reply to an entry, None where there is none. Raises NotFound for an entry that is not there."""

        def job(connection: Connection) -> Message | None:
            return diary.reply(connection, messages.get(connection, entry).id)

        return await self._database.read(job)
