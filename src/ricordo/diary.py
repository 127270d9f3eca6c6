"""Values: the diary by days. A day is the writer's own: the one on their clock when they wrote, wherever that was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from ricordo.conversation import Message


@dataclass(frozen=True, slots=True)
class WrittenDay:
    """A day with how many entries it has."""

    day: date
    entries: int


@dataclass(frozen=True, slots=True)
class Entry:
    """What the person wrote, the title of its conversation, and whether a reply to it is there."""

    message: Message
    title: str
    replied: bool


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the diary, or a slice of it: `entries` are oldest first, `total` counts all of that day."""

    day: date
    total: int
    entries: tuple[Entry, ...]
