"""Dates written in figures. One that can be read in two ways stays two readings: a wrong day is worse than none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from ricordo.recall import days

_YEAR_FIRST = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})")
_YEAR_MONTH = re.compile(r"([12][0-9]{3})([-/])([0-9]{1,2})")
_WEEK = re.compile(r"([12][0-9]{3})-[wW]([0-9]{2})")
_TWO_DAYS = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})/([0-9]{2})")
_INTERVAL = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})/([0-9]{4})-([0-9]{2})-([0-9]{2})")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4})")
_NO_YEAR = re.compile(r"([0-9]{1,2})/([0-9]{1,2})")
_FROM_TO = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_NUMERAL = re.compile(r"([0-9]{1,4})(st|nd|rd|th|er)?")
_YEARS = re.compile(r"([12][0-9]{3})[-–]([12][0-9]{3})")
_DECADE = re.compile(r"([12][0-9]{2}0)(?:s|'s)")
_YEAR_SHORT = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{2})")
_CJK = re.compile(r"([0-9]{4})\s?[年년](?:\s?([0-9]{1,2})\s?[月월](?:\s?([0-9]{1,2})\s?[日일号])?)?")


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a date in figures; `day_first` is None where the order is not in doubt."""

    first: date
    last: date
    day_first: bool | None = None


@dataclass(frozen=True, slots=True)
class ShortYear:
    """A year of two figures, as in `May '24`."""

    figures: int

    def until(self, today: date) -> int:
        """Return the last such year that has begun."""
        return today.year - (today.year - self.figures) % 100


@dataclass(frozen=True, slots=True)
class ShortDate:
    """A date whose year has two figures, in whichever order they stand."""

    figures: tuple[str, str, str]
    dotted: bool

    def readings(self, today: date, year_first: bool) -> tuple[Reading, ...]:
        """Return the days up to today that it can be: 25/12/24 is one of 2024, or of 2025 if the year may stand first."""
        one, two, three = (int(part) for part in self.figures)
        year = ShortYear(three).until(today)
        found = _year_last(one, two, year, self.dotted)
        if year_first and not self.dotted and all(len(part) == 2 for part in self.figures):
            first = days.make(ShortYear(one).until(today), two, three)
            found += (Reading(first, first),) if first else ()
        return tuple(dict.fromkeys(reading for reading in found if reading.first <= today))


Classes = Mapping[str, Any]
_NOTHING: Classes = {}


def classes(figures: str) -> Classes:
    """Return what figures may stand for in a pattern: NUM, DAY, YEAR, NTH, DAYS, DATE (readings), DAYMONTH,
    YEARS, DECADE, SHORTDATE, and MAYBEDATE, which is as often a version."""
    if match := _NUMERAL.fullmatch(figures):
        return _numeral(int(match[1]), len(match[1]), bool(match[2]))
    if match := _FROM_TO.fullmatch(figures):
        first, last = int(match[1]), int(match[2])
        return {"DAYS": (first, last)} if 1 <= first < last <= 31 else _NOTHING
    if match := _NO_YEAR.fullmatch(figures):
        return {"DAYMONTH": (int(match[1]), int(match[2]))}
    if (match := _YEARS.fullmatch(figures)) and match[1] < match[2]:
        return {"YEARS": (int(match[1]), int(match[2]))}
    if match := _DECADE.fullmatch(figures):
        return {"DECADE": int(match[1])}
    if match := _YEAR_SHORT.fullmatch(figures):
        dotted = match[2] == "."
        return {"SHORTDATE" if match[2] == "/" else "MAYBEDATE": ShortDate((match[1], match[3], match[4]), dotted)}
    found = _dates(figures)
    return {"DATE": found} if found else _NOTHING


def _numeral(number: int, digits: int, ordinal: bool) -> Classes:
    found: dict[str, Any] = {"NTH": number} if ordinal else {"NUM": number}
    if 1 <= number <= 31 and digits <= 2:
        found["DAY"] = number
        if ordinal:
            found["NTHDAY"] = number
    if digits == 4 and number >= 1000 and not ordinal:
        found["YEAR"] = number
    return found


def _dates(figures: str) -> tuple[Reading, ...]:
    if match := _YEAR_FIRST.fullmatch(figures):
        return _one(days.make(int(match[1]), int(match[3]), int(match[4])))
    if match := _YEAR_MONTH.fullmatch(figures):
        first = days.make(int(match[1]), int(match[3]), 1)
        return (Reading(first, days.month_end(first)),) if first else ()
    if match := _WEEK.fullmatch(figures):
        return _week(int(match[1]), int(match[2]))
    if match := _TWO_DAYS.fullmatch(figures):
        year, month, day, last_day = (int(part) for part in match.groups())
        return _span(days.make(year, month, day), days.make(year, month, last_day))
    if match := _INTERVAL.fullmatch(figures):
        parts = [int(part) for part in match.groups()]
        return _span(days.make(*parts[:3]), days.make(*parts[3:]))
    if match := _YEAR_LAST.fullmatch(figures):
        return _year_last(int(match[1]), int(match[3]), int(match[4]), dotted=match[2] == ".")
    return _cjk(figures)


def _cjk(figures: str) -> tuple[Reading, ...]:
    match = _CJK.fullmatch(figures)
    if not match:
        return ()
    year = int(match[1])
    if match[3]:
        return _one(days.make(year, int(match[2]), int(match[3])))
    first = days.make(year, int(match[2] or 1), 1)
    last = days.make(year, int(match[2] or 12), 1)
    return (Reading(first, days.month_end(last)),) if first and last else ()


def _year_last(one: int, two: int, year: int, dotted: bool) -> tuple[Reading, ...]:
    day_first, month_first = days.make(year, two, one), days.make(year, one, two)
    if dotted or month_first is None or day_first == month_first:
        return _one(day_first)  # with dots the day stands first wherever dates are written so
    if day_first is None:
        return _one(month_first)
    return (Reading(day_first, day_first, True), Reading(month_first, month_first, False))


def _week(year: int, week: int) -> tuple[Reading, ...]:
    try:
        monday = date.fromisocalendar(year, week, 1)
    except ValueError:
        return ()
    return (Reading(monday, monday + timedelta(days=6)),)


def _one(day: date | None) -> tuple[Reading, ...]:
    return (Reading(day, day),) if day else ()


def _span(first: date | None, last: date | None) -> tuple[Reading, ...]:
    return (Reading(first, last),) if first and last and first <= last else ()
