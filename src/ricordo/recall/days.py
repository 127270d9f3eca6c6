"""Local days: calendar arithmetic, and where they begin and end in UTC. Nothing here leaves the years 1 to 9999: None instead."""

from __future__ import annotations

import calendar
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache

from ricordo.conversation import Moment

_EPOCH = date(1970, 1, 1).toordinal()
_DAY = 86_400_000_000  # microseconds
_SECOND = 1_000_000


def today(now: Moment, zone: tzinfo) -> date:
    """Return the day it is in `zone`, whatever offset `now` was lived in."""
    return _local(now.utc, zone).date()


def bounds(first: date, last: date, zone: tzinfo) -> tuple[int, int]:
    """Return the UTC microseconds from which and up to which (exclusive) local days run, first and last included.

    A day may have 23 or 25 hours; one that a zone left out has none. Neighbouring days meet without gap or overlap.
    This is where days lie on *this* zone's clock. A message belongs to the day it was lived: `Moment.local.date()`.
    """
    return _begin(first.toordinal(), zone), _begin(last.toordinal() + 1, zone)


def sure(first: date, last: date) -> tuple[int, int]:
    """Return UTC bounds that hold every message lived on these days, whatever offset it was written at (tests tell 24 h)."""
    day_before, day_after = first.toordinal() - 1, last.toordinal() + 2
    return (day_before - _EPOCH) * _DAY, (day_after - _EPOCH) * _DAY


def _local(utc: int, zone: tzinfo) -> datetime:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=utc)).astimezone(zone)


def _begin(ordinal: int, zone: tzinfo) -> int:
    """Return the first microsecond whose local day is that one or later; where midnight comes twice, its first time."""
    here = min(ordinal, date.max.toordinal())
    midnight = datetime.combine(date.fromordinal(here), time())
    wall = (ordinal - _EPOCH) * _DAY
    # As integers, because year 1 in Rome begins before the first datetime there is.
    early = wall - _micros(midnight.replace(tzinfo=zone, fold=0).utcoffset())
    late = wall - _micros(midnight.replace(tzinfo=zone, fold=1).utcoffset())
    if early <= late:
        return early  # midnight comes once, or twice
    # Midnight was skipped (early > late says so): find the jump between the two readings, to the second.
    low, high = late // _SECOND, early // _SECOND
    while low < high:
        middle = (low + high) // 2
        if _local(middle * _SECOND, zone).date().toordinal() >= ordinal:
            high = middle
        else:
            low = middle + 1
    return low * _SECOND


def _micros(offset: timedelta | None) -> int:
    return (offset or timedelta()) // timedelta(microseconds=1)


def make(year: int, month: int, day: int) -> date | None:
    """Return the date, or None when there is no such day."""
    if not MINYEAR <= year <= MAXYEAR or not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        return None
    return date(year, month, day)


def days_on(day: date, days: int) -> date | None:
    """Return the day that many days later (earlier when negative)."""
    ordinal = day.toordinal() + days
    return date.fromordinal(ordinal) if 1 <= ordinal <= date.max.toordinal() else None


def months_on(day: date, months: int) -> date | None:
    """Return the same day that many months later, or the month's last where it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not MINYEAR <= year <= MAXYEAR:
        return None
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def month_end(day: date) -> date:
    """Return the last day of that day's month."""
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def week_start(day: date, starts: int) -> date:
    """Return the first day of that day's week; `starts` is 0 for Monday to 6 for Sunday."""
    return days_on(day, -((day.weekday() - starts) % 7)) or date.min


def nth_weekday(first: date, last: date, weekday: int, n: int) -> date | None:
    """Return the n-th such weekday between two days, counted from the end when n is negative."""
    if n > 0:
        found = days_on(first, (weekday - first.weekday()) % 7 + 7 * (n - 1))
    else:
        found = days_on(last, -((last.weekday() - weekday) % 7) + 7 * (n + 1))
    return found if found and first <= found <= last else None


@lru_cache(maxsize=64)
def southern(zone: tzinfo) -> bool | None:
    """Say whether January is summer there, or None when its clocks do not tell.

    A zone's name has no latitude, its summer time has: 2005 is when the most zones kept one.
    """
    january = datetime(2005, 1, 10, tzinfo=zone).utcoffset()
    july = datetime(2005, 7, 10, tzinfo=zone).utcoffset()
    if january is None or july is None or january == july:
        return None
    return january > july
