"""What dates in figures and words mean. Every function takes a phrase's values in their order; None is no day at all.

A diary looks back: what lacks a year is the most recent one that has begun.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo

from ricordo.recall import days
from ricordo.recall.dates.numeric import Reading, ShortDate


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the person stands: the day it is, their zone, how their weeks begin (0 Monday) and how they write figures."""

    today: date
    zone: tzinfo
    week_starts: int
    day_first: bool | None


@dataclass(frozen=True, slots=True)
class Span:
    """Local days, first and last included.

    `slack` is how many days either side the words leave open; `any_year` says that the year was filled in here. `leaning`
    says that only today makes it a day ("on Friday"), `bare` that it is one only beside others ("2019" in "since 2019").
    """

    first: date
    last: date
    slack: int = 0
    any_year: bool = False
    leaning: bool = False
    bare: bool = False


_AHEAD = 100  # years
_OLDEST = 12  # the same date falls on the same weekday again within so many years


def nothing(frame: Frame, *values: object) -> None:
    """Mean no day: the words only look like one."""


def span_of(first: date | None, last: date | None, leaning: bool = False) -> Span | None:
    """Return the days from first to last, or None when one of them does not exist."""
    return Span(first, last, leaning=leaning) if first and last and first <= last else None


def written(frame: Frame, readings: tuple[Reading, ...]) -> Span | None:
    """Take a date in figures, unless it can be read in two ways and nobody said which."""
    for reading in readings:
        if len(readings) == 1 or reading.day_first is frame.day_first:
            return Span(reading.first, reading.last)
    return None


def short(frame: Frame, figures: ShortDate) -> Span | None:
    """Take 30/6/24, like `written`; no reading of it lies ahead."""
    readings = figures.readings(frame.today, year_first=frame.day_first is None)
    return written(frame, readings) if len(readings) == 1 or frame.day_first is not None else None


def instant(frame: Frame, text: str) -> Span | None:
    """Take the local day of a date with time; without an offset it is local time already."""
    try:
        when = datetime.fromisoformat(text)
        day = (when.astimezone(frame.zone) if when.tzinfo else when).date()
    except (ValueError, OverflowError):
        return None
    return Span(day, day)


def day_and_month(frame: Frame, pair: tuple[int, int]) -> Span | None:
    """Take `25/12`, where one order is impossible or known."""
    day, month = pair if frame.day_first is not False else pair[::-1]
    both = pair[0] <= 12 and pair[1] <= 12
    if both and pair[0] != pair[1] and frame.day_first is None:
        return None
    return day_month(frame, day, month) or (None if both else day_month(frame, month, day))


def day_month(frame: Frame, day: int, month: int, year: int | None = None) -> Span | None:
    """Take a day and month: of that year, or the most recent one that has come."""
    if year is not None:
        found = days.make(year, month, day)
        return span_of(found, found)
    for back in range(9):  # 29 February is at most eight years away
        found = days.make(frame.today.year - back, month, day)
        if found and found <= frame.today:
            return Span(found, found, any_year=True, leaning=True)
    return None


def month_day(frame: Frame, month: int, day: int, year: int | None = None) -> Span | None:
    """Take a month and day, like `day_month`."""
    return day_month(frame, day, month, year)


def weekday_day_month(frame: Frame, weekday: int, day: int, month: int, year: int | None = None) -> Span | None:
    """Take a date with its weekday: without a year it is the most recent on which they agree. A year given outweighs it."""
    if year is not None:
        return day_month(frame, day, month, year)
    for back in range(_OLDEST):
        found = days.make(frame.today.year - back, month, day)
        if found and found <= frame.today and found.weekday() == weekday:
            return Span(found, found, leaning=True)
    return None


def weekday_month_day(frame: Frame, weekday: int, month: int, day: int, year: int | None = None) -> Span | None:
    """Take a weekday, month and day, like `weekday_day_month`."""
    return weekday_day_month(frame, weekday, day, month, year)


def day_month_back(frame: Frame, day: int, month: int, years: int) -> Span | None:
    """Take a day and month of the year so many (0 or less) from this one."""
    return day_month(frame, day, month, frame.today.year + years)


def month_day_back(frame: Frame, month: int, day: int, years: int) -> Span | None:
    """Take a month and day, like `day_month_back`."""
    return day_month_back(frame, day, month, years)


def day_of_month(frame: Frame, day: int) -> Span | None:
    """Take "the 3rd": of this month or the most recent one that has such a day behind it."""
    for back in range(3):
        month = days.months_on(frame.today.replace(day=1), -back)
        found = month and days.make(month.year, month.month, day)
        if found and found <= frame.today:
            return Span(found, found, leaning=True)
    return None


def day_of_rel_month(frame: Frame, day: int, months: int) -> Span | None:
    """Take "the 3rd of last month"."""
    month = days.months_on(frame.today.replace(day=1), months)
    found = month and days.make(month.year, month.month, day)
    return span_of(found, found)


def days_month(frame: Frame, pair: tuple[int, int], month: int, year: int | None = None) -> Span | None:
    """Take `3-9 May`."""
    first = day_month(frame, pair[0], month, year)
    last = first and days.make(first.first.year, month, pair[1])
    return replace(first, last=last) if first and last and first.first <= last else None


def month_days(frame: Frame, month: int, pair: tuple[int, int], year: int | None = None) -> Span | None:
    """Take `May 3-9`."""
    return days_month(frame, pair, month, year)


def day_day_month(frame: Frame, first: int, last: int, month: int, year: int | None = None) -> Span | None:
    """Take "between 3 and 9 May"."""
    return days_month(frame, (first, last), month, year)


def month_day_day(frame: Frame, month: int, first: int, last: int, year: int | None = None) -> Span | None:
    """Take "May 3 to 9"."""
    return days_month(frame, (first, last), month, year)


def neighbours(frame: Frame, month: int, first: int, last: int, year: int | None = None) -> Span | None:
    """Take "August 2nd and 3rd", when the one follows the other."""
    return days_month(frame, (first, last), month, year) if last == first + 1 else None


def neighbours_of(frame: Frame, first: int, last: int, month: int, year: int | None = None) -> Span | None:
    """Take "2 and 3 August", like `neighbours`."""
    return neighbours(frame, month, first, last, year)


def month_of(frame: Frame, month: int, year: int | None = None) -> Span | None:
    """Take a whole month: of that year, or the most recent one that has begun."""
    first = days.make(frame.today.year if year is None else year, month, 1)
    if first and year is None and first > frame.today:
        first = days.make(first.year - 1, month, 1)
    return Span(first, days.month_end(first), any_year=year is None, leaning=year is None) if first else None


def two_months(frame: Frame, month: int, other: int, year: int | None = None) -> Span | None:
    """Take "in March and April", when the one follows the other."""
    first = month_of(frame, month, year)
    last = days.months_on(first.first, 1) if first else None
    return replace(first, last=days.month_end(last)) if first and last and last.month == other else None


def bare_month(frame: Frame, month: int) -> Span | None:
    """Take a month's name that needs "since" or "from … to …" beside it."""
    found = month_of(frame, month)
    return found and replace(found, bare=True)


def last_month_named(frame: Frame, month: int) -> Span | None:
    """Take "last March": the most recent one that is over."""
    found = month_of(frame, month)
    if found and found.last >= frame.today:
        found = month_of(frame, month, found.first.year - 1)
    return found and replace(found, any_year=False)


def month_back(frame: Frame, month: int, years: int) -> Span | None:
    """Take "March of last year", years being 0 or less."""
    return month_of(frame, month, frame.today.year + years)


def rel_month_named(frame: Frame, back: int, month: int) -> Span | None:
    """Take "last March": the most recent one that is over; or "this March": this year's, when it has begun."""
    if back:
        return last_month_named(frame, month)
    found = month_of(frame, month, frame.today.year)
    return found if found and found.first <= frame.today else None


def month_ago(frame: Frame, month: int, number: int, unit: str) -> Span | None:
    """Take "in May two years ago"."""
    return month_back(frame, month, -number) if unit == "year" else None


def month_day_ago(frame: Frame, month: int, day: int, number: int, unit: str) -> Span | None:
    """Take "May 3 two years ago"."""
    return day_month_back(frame, day, month, -number) if unit == "year" else None


def year_of(frame: Frame, year: int) -> Span | None:
    """Take a whole year. A number far ahead counts something else."""
    if year > frame.today.year + _AHEAD:
        return None
    return span_of(days.make(year, 1, 1), days.make(year, 12, 31))


def bare_year(frame: Frame, year: int) -> Span | None:
    """Take a year that needs "since" or "from … to …" beside it."""
    found = year_of(frame, year)
    return found and replace(found, bare=True)


def same_day_in(frame: Frame, year: int) -> Span | None:
    """Take "on this day in 2019"."""
    return day_month(frame, frame.today.day, frame.today.month, year)
