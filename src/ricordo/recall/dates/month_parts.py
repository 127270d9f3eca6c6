"""What parts of a month mean: its first Monday, its last week, its second weekend. Values and results as in meanings."""

from __future__ import annotations

from ricordo.recall import days
from ricordo.recall.dates.meanings import Frame, Span, month_of, span_of

_LENGTH = {"day": 1, "week": 7}


def nth_weekday_of(frame: Frame, nth: int, day: int, month: int, year: int | None = None) -> Span | None:
    """Take "the last Monday of January 2013"; nth is -1 for the last."""
    whole = month_of(frame, month, year)
    found = days.nth_weekday(whole.first, whole.last, day, nth) if whole else None
    return span_of(found, found)


def last_weekday_of(frame: Frame, day: int, month: int, year: int | None = None) -> Span | None:
    """Take "the last Monday of January"."""
    return nth_weekday_of(frame, -1, day, month, year)


def nth_unit_of(frame: Frame, nth: int, unit: str, month: int, year: int | None = None) -> Span | None:
    """Take "the second week of July": seven days after the first seven; weeks of a month begin with it."""
    whole = month_of(frame, month, year)
    length = _LENGTH.get(unit)
    first = days.days_on(whole.first, length * (nth - 1)) if whole and length else None
    last = days.days_on(first, length - 1) if first and length else None
    return span_of(first, last) if whole and last and last <= whole.last else None


def first_units_of(frame: Frame, number: int, unit: str, month: int, year: int | None = None) -> Span | None:
    """Take "the first two weeks of July"."""
    whole = month_of(frame, month, year)
    last = days.days_on(whole.first, _LENGTH.get(unit, 0) * number - 1) if whole else None
    return span_of(whole.first, last) if whole and last and last <= whole.last else None


def last_units_of(frame: Frame, number: int, unit: str, month: int, year: int | None = None) -> Span | None:
    """Take "the last ten days of July"."""
    whole = month_of(frame, month, year)
    first = days.days_on(whole.last, 1 - _LENGTH.get(unit, 0) * number) if whole else None
    return span_of(first, whole.last) if whole and first and first >= whole.first else None


def last_unit_of(frame: Frame, unit: str, month: int, year: int | None = None) -> Span | None:
    """Take "the last week of July"."""
    return last_units_of(frame, 1, unit, month, year)


def nth_weekend_of(frame: Frame, nth: int, month: int, year: int | None = None) -> Span | None:
    """Take "the first weekend of October": it belongs to the month of its Saturday; nth is -1 for the last."""
    whole = month_of(frame, month, year)
    saturday = days.nth_weekday(whole.first, whole.last, 5, nth) if whole else None
    return span_of(saturday, days.days_on(saturday, 1) if saturday else None)


def last_weekend_of(frame: Frame, month: int, year: int | None = None) -> Span | None:
    """Take "the last weekend of October"."""
    return nth_weekend_of(frame, -1, month, year)


def first_day_of(frame: Frame, year: int) -> Span | None:
    """Take "the first day of 2024"."""
    day = days.make(year, 1, 1)
    return span_of(day, day)


def last_day_of(frame: Frame, year: int) -> Span | None:
    """Take "the last day of 2024"."""
    day = days.make(year, 12, 31)
    return span_of(day, day)
