"""Values: what a reader finds in a diary, before it has a place in the vault. A date is kept as it was written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from ricordo.conversation import Moment

NOON = time(12)
_MINUTE = timedelta(minutes=1)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class When:
    """A day as someone wrote it down, with the time of day and the offset where they are known.

    `offset` is minutes east of UTC. `instant` says that day and time are UTC ("Z"): when it was, not what clock it was by.
    """

    day: date
    time: time | None = None
    offset: int | None = None
    instant: bool = False

    def moment(self, zone: tzinfo) -> Moment:
        """Return when that was: by its own offset, else by the person's zone; at noon where no time is known.

        Offsets before standard time have seconds and a Moment has minutes: they are rounded down, and the wall clock is kept
        to the second, so that no entry changes its day.
        """
        wall = datetime.combine(self.day, self.time or NOON)
        since = (wall - datetime(1970, 1, 1)) // _MICROSECOND
        if self.instant:
            return Moment(since, _minutes(wall.replace(tzinfo=UTC).astimezone(zone).utcoffset()))
        offset = self.offset if self.offset is not None else _minutes(wall.replace(tzinfo=zone).utcoffset())
        return Moment(since - offset * (_MINUTE // _MICROSECOND), offset)

    def __str__(self) -> str:
        """Return it in one spelling, whatever it was written like: for telling entries apart."""
        clock = f"T{self.time.isoformat()}" if self.time is not None else ""
        offset = "Z" if self.instant else f"{self.offset:+}" if self.offset is not None else ""
        return f"{self.day.isoformat()}{clock}{offset}"


def _minutes(offset: timedelta | None) -> int:
    return (offset or timedelta()) // _MINUTE


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a diary; `when` is None where it has no date of its own."""

    when: When | None
    text: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line or file that could not be read, named, and why."""

    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


Item = Entry | Unreadable
