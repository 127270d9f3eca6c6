"""Dates as people write them over diary entries and into file names. One that could be two days is none.

Read are 2024-05-03 (also with / . or _ and one-digit months), 20240503, 3.5.2024, and dates in words of five languages;
each may be followed by a time. 03/05/2024 is not read: it is a day in March or in May.
"""

from __future__ import annotations

import re
from datetime import date, time
from pathlib import PurePath

from ricordo.recall.dates.words import LEXICON
from ricordo.store.words import fold
from ricordo.transfer.entry import When

_YEAR_FIRST = re.compile(r"(?P<y>[0-9]{4})(?P<s>[-/._])(?P<m>[0-9]{1,2})(?P=s)(?P<d>[0-9]{1,2})(?![0-9])")
_YEAR_LAST = re.compile(r"(?P<d>[0-9]{1,2})\.\s?(?P<m>[0-9]{1,2})\.\s?(?P<y>[0-9]{4})(?![0-9])")
_COMPACT = re.compile(r"(?P<y>[0-9]{4})(?P<m>[0-9]{2})(?P<d>[0-9]{2})(?![0-9])")
_TOKEN = re.compile(r"[^\W\d_]+|[0-9]+|[^\w\s]|_")
_CLOCK = re.compile(
    r"(?:[Tt]|[\s,]+(?:at\s|um\s|alle\s|à\s|a las\s)?\s*)(?P<h>[0-9]{1,2}):(?P<min>[0-9]{2})"
    r"(?::(?P<sec>[0-9]{2})(?:[.,](?P<f>[0-9]{1,9}))?)?"
    r"\s?(?P<half>[AaPp]\.?[Mm]\.?)?\s?(?P<zone>[Zz]|[+-][0-9]{2}:?[0-9]{2})?(?![\w:])"
)
# In file names a colon is not allowed everywhere, so times are written 14-05, 14.05, 1405. Four figures alone may be a title
# ("1984 again"): they count only at the end, or after a T.
_FILE_CLOCK = re.compile(
    r"(?:T|[\s_-]+(?:at\s)?)(?P<h>[0-9]{2})[-.:_h](?P<min>[0-9]{2})(?:[-.:_](?P<sec>[0-9]{2}))?(?P<zone>Z)?(?![0-9])"
    r"|(?:T(?=[0-9]{4,6}Z?(?![0-9]))|[\s_-](?=[0-9]{4,6}Z?$))(?P<h2>[0-9]{2})(?P<min2>[0-9]{2})(?P<sec2>[0-9]{2})?(?P<zone2>Z)?"
)
_FILLERS = frozenset("the of on st nd rd th le du er il lo el los de del den der am vom".split())
_SIGNS = frozenset(",.-/'’")
_FOLDER_YEAR = re.compile(r"[0-9]{4}")
_FOLDER_MONTH = re.compile(r"([0-9]{1,2})(?:[\s_-].*)?")
_FOLDER_DAY = re.compile(r"([0-9]{1,2})(?![0-9])(.*)")


def exact(text: str) -> When | None:
    """Return the date that a text is, all of it; None when it is anything else."""
    found = leading(text)
    return found[0] if found and not found[1] else None


def leading(text: str) -> tuple[When, str] | None:
    """Return the date, and time, that a line begins with, and the rest of the line; None when it begins with none."""
    text = text.strip()
    found = _in_figures(text, _YEAR_FIRST, _YEAR_LAST, _COMPACT) or _in_words(text)
    if found is None:
        return None
    day, stop = found
    if clock := _CLOCK.match(text, stop):
        if (when := _with_clock(day, clock)) is None:
            return None
        return when, text[clock.end() :].strip()
    if text[stop : stop + 1].isalnum():
        return None
    return When(day), text[stop:].strip()


def of_file(path: PurePath) -> When | None:
    """Return the date that a file's name begins with, or that it stands for in folders: 2024/05/03.md."""
    name = path.stem
    found = _in_figures(name, _YEAR_FIRST, _YEAR_LAST, _COMPACT) or _in_words(name)
    if found is not None:
        day, stop = found
    elif (foldered := _in_folders(path)) is not None:
        day, stop = foldered
    else:
        return None
    clock = _FILE_CLOCK.match(name, stop)
    return (clock and _with_clock(day, clock)) or When(day)


def _in_figures(text: str, *patterns: re.Pattern[str]) -> tuple[date, int] | None:
    for pattern in patterns:
        if match := pattern.match(text):
            day = _day(int(match["y"]), int(match["m"]), int(match["d"]))
            return (day, match.end()) if day else None
    return None


def _in_words(text: str) -> tuple[date, int] | None:
    """Read "Friday, 3 May 2024", "May 3rd, 2024", "3. Mai 2024", "3 de mayo de 2024": day, month, year, and nothing else."""
    day = month = year = 0
    for match in _TOKEN.finditer(text[:60]):
        word = fold(match.group())
        if word.isdigit():
            if len(word) <= 2 and not day:
                day = int(word)
            elif len(word) == 4 and day and month:
                year = int(word)
                found = _day(year, month, day)
                return (found, match.end()) if found else None
            else:
                return None
        elif not month and (number := _named(word, "MONTH")) is not None:
            month = number
        elif word not in _FILLERS and word not in _SIGNS and _named(word, "WEEKDAY") is None:
            return None
    return None


def _named(word: str, kind: str) -> int | None:
    return next((int(value) for name, value in LEXICON.get(word, {}).items() if name.partition(":")[0] == kind), None)


def _in_folders(path: PurePath) -> tuple[date, int] | None:
    folders = path.parent.parts[-2:]
    if len(folders) < 2 or not _FOLDER_YEAR.fullmatch(folders[0]):
        return None
    month, number = _FOLDER_MONTH.fullmatch(folders[1]), _FOLDER_DAY.match(path.stem)
    if not month or not number:
        return None
    day = _day(int(folders[0]), int(month[1]), int(number[1]))
    return (day, number.end(1)) if day else None


def _with_clock(day: date, match: re.Match[str]) -> When | None:
    parts = match.groupdict()
    hour, minute = int(parts["h"] or parts["h2"]), int(parts["min"] or parts["min2"])
    second = int(parts["sec"] or parts.get("sec2") or 0)
    half = (parts.get("half") or "").replace(".", "").lower()
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    fraction = int((parts.get("f") or "").ljust(6, "0")[:6])
    zone = parts["zone"] or parts.get("zone2") or ""
    clock = time(hour, minute, second, fraction)
    if zone in ("Z", "z"):
        return When(day, clock, instant=True)
    if not zone:
        return When(day, clock)
    offset = int(zone[1:3]) * 60 + int(zone[-2:])
    if offset > 18 * 60 or int(zone[-2:]) > 59:  # nobody's clock has ever been further off
        return None
    return When(day, clock, -offset if zone[0] == "-" else offset)


def _day(year: int, month: int, day: int) -> date | None:
    """Return the day if there is one; the first and last year are left out, where an offset leads out of the calendar."""
    try:
        return date(year, month, day) if 1 < year < 9999 else None
    except ValueError:
        return None
