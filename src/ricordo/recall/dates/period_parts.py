"""What parts of a year mean: quarters, halves, numbered weeks, decades, feasts that move. Values, results: see meanings."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ricordo.recall import days
from ricordo.recall.dates.meanings import Frame, Span, day_month, month_of, span_of
from ricordo.recall.dates.relative import period

_FRIDAY, _SUNDAY, _MONDAY = 4, 6, 0


def quarter_of(frame: Frame, quarter: int, year: int | None = None) -> Span | None:
    """Take "Q2 2025", or "the second quarter": the most recent that has begun."""
    if not 1 <= quarter <= 4:
        return None
    first = days.make(frame.today.year if year is None else year, 3 * quarter - 2, 1)
    if first and year is None and first > frame.today:
        first = days.make(first.year - 1, first.month, 1)
    last = days.months_on(first, 2) if first else None
    found = span_of(first, last and days.month_end(last), leaning=year is None)
    return found and replace(found, any_year=year is None)


def rel_quarter(frame: Frame, back: int) -> Span | None:
    """Take "last quarter"."""
    begun = days.make(frame.today.year, (frame.today.month - 1) // 3 * 3 + 1, 1)
    first = days.months_on(begun, 3 * back) if begun else None
    return quarter_of(frame, (first.month + 2) // 3, first.year) if first else None


def half_of(frame: Frame, half: int, month: int, year: int | None = None) -> Span | None:
    """Take "the second half of May": its first fifteen days (fourteen in February), or the rest; -1 is the last."""
    whole = month_of(frame, month, year)
    middle = whole and days.days_on(whole.first, 13 if month == 2 else 14)
    return _half(whole, middle or None, half)


def half_of_year(frame: Frame, half: int, year: int) -> Span | None:
    """Take "the first half of 2024"."""
    first, middle, last = days.make(year, 1, 1), days.make(year, 6, 30), days.make(year, 12, 31)
    return _half(span_of(first, last), middle, half)


def _half(whole: Span | None, middle: date | None, half: int) -> Span | None:
    if whole is None or middle is None or half not in (1, 2, -1):
        return None
    after = days.days_on(middle, 1)
    if after is None or (half != 1 and whole.leaning and after > whole.last):
        return None
    return replace(whole, last=middle) if half == 1 else replace(whole, first=after)


def week_of_year(frame: Frame, week: int, year: int | None = None) -> Span | None:
    """Take "week 2 of 2025", as ISO counts them; without a year the most recent that has begun."""
    for wanted in (year,) if year else (frame.today.year, frame.today.year - 1):
        try:
            monday = date.fromisocalendar(wanted, week, 1)
        except ValueError:
            continue
        if year or monday <= frame.today:
            return span_of(monday, days.days_on(monday, 6), leaning=year is None)
    return None


def decade_of(frame: Frame, year: int) -> Span | None:
    """Take "the 1990s"."""
    if year > frame.today.year:
        return None
    return span_of(days.make(year, 1, 1), days.make(year + 9, 12, 31))


def years(frame: Frame, pair: tuple[int, int]) -> Span | None:
    """Take "during 2020-2022"; years to come count something else."""
    return span_of(days.make(pair[0], 1, 1), days.make(pair[1], 12, 31)) if pair[1] <= frame.today.year else None


def edge_day(frame: Frame, back: int, unit: str, last: bool = False) -> Span | None:
    """Take "the first day of last month", or the last."""
    whole = period(frame, back, unit)
    day = whole and (whole.last if last else whole.first)
    return Span(day, day) if day and unit != "day" else None


def christmas(frame: Frame, year: int | None = None) -> Span | None:
    """Take "at Christmas": its eve and both its days."""
    eve = day_month(frame, 24, 12, year)
    last = days.days_on(eve.first, 2) if eve else None
    return replace(eve, last=last) if eve and last else None


def easter(frame: Frame, weekday: int, year: int | None = None) -> Span | None:
    """Take "Easter Sunday" and "Easter Monday", where the calendar of the West is kept."""
    return _from_easter(frame, {_SUNDAY: 0, _MONDAY: 1}.get(weekday), year)


def good_friday(frame: Frame, weekday: int, year: int | None = None) -> Span | None:
    """Take "Good Friday"; no other day has that name."""
    return _from_easter(frame, -2 if weekday == _FRIDAY else None, year)


# Where Easter is mostly kept by the Julian calendar, and the word alone does not tell which is meant.
_EAST = frozenset(
    "Europe/Athens Europe/Sofia Europe/Bucharest Europe/Chisinau Europe/Belgrade Europe/Skopje Europe/Podgorica "
    "Europe/Sarajevo Europe/Kyiv Europe/Kiev Europe/Minsk Europe/Moscow Europe/Nicosia Asia/Nicosia Asia/Famagusta "
    "Asia/Tbilisi Africa/Cairo Africa/Addis_Ababa Africa/Asmara Asia/Beirut Asia/Damascus Asia/Amman".split()
)


def _from_easter(frame: Frame, after: int | None, year: int | None) -> Span | None:
    if after is None or getattr(frame.zone, "key", "") in _EAST:
        return None
    for back in range(2):
        sunday = _easter_sunday(frame.today.year - back if year is None else year)
        found = sunday and days.days_on(sunday, after)
        if found and (year is not None or found <= frame.today):
            return Span(found, found, leaning=year is None)
    return None


def _easter_sunday(year: int) -> date | None:
    """Return Easter Sunday by Gauss's rule for the Gregorian calendar, as Meeus and Jones wrote it; there since 1583."""
    if year < 1583:
        return None
    golden, century, of_century = year % 19, year // 100, year % 100
    moon = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - century // 4 - moon + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - epact - of_century % 4) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return days.make(year, month, day + 1)
