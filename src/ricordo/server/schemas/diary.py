"""The diary by days."""

from __future__ import annotations

from datetime import date

from ricordo.server.schemas.messages import Message
from ricordo.server.schemas.wire import Shown


class Ends(Shown):
    """The day that it is for the person, and the days of the first and the last entry, null while there is none."""

    today: date
    first: date | None
    last: date | None


class WrittenDay(Shown):
    """A day with how many entries it has."""

    day: date
    entries: int


class Entry(Shown):
    """What the person wrote, the title of its conversation, and whether a reply to it is there."""

    message: Message
    title: str
    replied: bool


class SameDay(Shown):
    """The same day of another year: how it begins, and how many entries it has."""

    day: date
    total: int
    entries: list[Entry]


class Day(SameDay):
    """A slice of a day's entries, oldest first, and the days before and after it that have entries, null where none has."""

    before: date | None
    after: date | None
