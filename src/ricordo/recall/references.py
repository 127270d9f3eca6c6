"""Direct references in a message: days, positions in the diary, clicked timestamps. Pure, and a wrong day is worse than none.

Our own grammar: parsers of dates guess, and take each "may", "sun" and "second" for one. Words and patterns are tables
(words, rules, positions); what fits two readings, or only looks like a day, is left to the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from typing import assert_never

from ricordo.conversation import Moment
from ricordo.recall import days
from ricordo.recall.dates import phrases, positions, rules
from ricordo.recall.dates.meanings import Frame, Span
from ricordo.recall.dates.numeric import ShortYear
from ricordo.recall.dates.phrases import Rule, Token
from ricordo.recall.dates.positions import Place, Spot
from ricordo.recall.dates.ranges import Found, joined

READ = 20_000  # characters of a message that are read: a longer one holds pasted text, with the question before or after it


@dataclass(frozen=True, slots=True)
class Days:
    """Local days, first and last included; `phrase` is `text[start:end]`.

    The words may leave room, for when nothing was written on just these days: `slack` days either side ("a year ago"), or
    the same days of any other year ("in June"). `narrowed` uses it.
    """

    first: date
    last: date
    phrase: str
    start: int
    end: int
    slack: int = 0
    any_year: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the order of entries, within or (for previous and next) counted from `days` if there are any."""

    spot: Spot
    phrase: str
    start: int
    end: int
    days: Days | None = None


@dataclass(frozen=True, slots=True)
class Stamp:
    """A timestamp as the app shows it (stamps): the wall clock where it was lived, to the minute, without a zone."""

    at: datetime
    phrase: str
    start: int
    end: int


Reference = Days | Position | Stamp


def find(text: str, now: Moment, zone: tzinfo, *, week_starts: int = 0, day_first: bool | None = None) -> tuple[Reference, ...]:
    """Return what a message refers to outright, in the order of its words.

    `week_starts` is 0 for Monday to 6 for Sunday. `day_first` says how the person writes 03/04/2024; unless it is known,
    such a date is no reference. Of a message over 20,000 characters the first and the last 10,000 are read.
    """
    frame = Frame(days.today(now, zone), zone, week_starts, day_first)
    return tuple(reference for offset, part in _parts(text) for reference in _read(part, offset, frame))


def named(reference: Reference) -> str:
    """Name what is referred to in the prompt's words, as in "no entry for 2026-03-18"."""
    match reference:
        case Days(first, last):
            return first.isoformat() if first == last else f"{first.isoformat()} to {last.isoformat()}"
        case Position(_, phrase) | Stamp(_, phrase):
            return phrase
        case _:
            assert_never(reference)


def rest(text: str, references: Iterable[Reference]) -> str:
    """Return the message without what was looked up outright: what is left to search for."""
    for reference in sorted(references, key=lambda found: found.start, reverse=True):
        text = f"{text[: reference.start]} {text[reference.end :]}"
    return " ".join(text.split())


def narrowed(meant: Days, written: Iterable[date]) -> tuple[date, ...]:
    """Return those of the days on which something was written that are meant, in order.

    They are the days themselves; if there are none, the nearest that the words leave room for.
    """
    on = sorted(set(written))
    exact = tuple(day for day in on if meant.first <= day <= meant.last)
    if exact:
        return exact
    if meant.any_year:
        return _other_years(meant, on)
    near = [day for day in on if _distance(meant, day) <= meant.slack]
    closest = min((_distance(meant, day) for day in near), default=0)
    return tuple(day for day in near if _distance(meant, day) == closest)


def _distance(meant: Days, day: date) -> int:
    return max((meant.first - day).days, (day - meant.last).days, 0)


def _other_years(meant: Days, on: Sequence[date]) -> tuple[date, ...]:
    """Return the days of the nearest other year that holds any."""
    years = sorted({day.year for day in on}, key=lambda year: (abs(year - meant.first.year), -year))
    for year in years:
        months = 12 * (year - meant.first.year)
        first, last = days.months_on(meant.first, months), days.months_on(meant.last, months)
        if first and last and meant.last == days.month_end(meant.last) and meant.first.day == 1:
            last = days.month_end(last)  # a whole month is one in leap years too
        if first and last and (found := tuple(day for day in on if first <= day <= last)):
            return found
    return ()


def _parts(text: str) -> Iterator[tuple[int, str]]:
    if len(text) <= READ:
        yield 0, text
        return
    half = READ // 2
    # Cut between words: half a date would be another date.
    yield 0, text[: max(text.rfind(" ", 0, half), text.rfind("\n", 0, half), 0)]
    cuts = [cut for cut in (text.find(" ", len(text) - half), text.find("\n", len(text) - half)) if cut >= 0]
    if cuts:
        yield min(cuts), text[min(cuts) :]


def _stamped(frame: Frame, text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


_TREE = phrases.tree((*rules.RULES, *positions.RULES, Rule("STAMP", _stamped)))
_BETWEEN = frozenset("in of from on for during before after di de von van".split())


def _read(text: str, offset: int, frame: Frame) -> list[Reference]:
    tokens = phrases.read(text)
    spans: list[Found] = []
    spots: list[tuple[int, int, Spot]] = []
    found: list[Reference] = []
    for match in phrases.matches(tokens, _TREE):
        if match.rule.only and not match.rule.only(tokens, match.begin, match.end):
            continue
        meaning = match.rule.meaning(frame, *(_whole_year(value, frame) for value in match.values))
        if isinstance(meaning, Span):
            spans.append(Found(match.begin, match.end, meaning))
        elif isinstance(meaning, Spot):
            spots.append((match.begin, match.end, meaning))
        elif isinstance(meaning, datetime):
            start, end = tokens[match.begin].start, tokens[match.begin].end
            found.append(Stamp(meaning, text[start:end], start + offset, end + offset))
    places = {at for _, end, _ in spots for at in (end - 1, end)}
    dated = {one.begin: one for one in joined(tokens, spans, frame, places)}
    for begin, end, spot in spots:
        found.append(_position(text, offset, tokens, (begin, end), spot, dated.pop(_follows(tokens, end, dated), None)))
    found += (_days(text, offset, tokens, one) for one in dated.values())
    return sorted(found, key=lambda reference: reference.start)


def _whole_year(value: object, frame: Frame) -> object:
    return value.until(frame.today) if isinstance(value, ShortYear) else value


def _follows(tokens: Sequence[Token], end: int, dated: Mapping[int, Found]) -> int:
    """Return where days begin that belong to the position before them: "my first entry in March"."""
    apart = end not in dated and end < len(tokens) and tokens[end].word in _BETWEEN
    return end + apart


def _days(text: str, offset: int, tokens: Sequence[Token], one: Found) -> Days:
    start, end = tokens[one.begin].start, tokens[one.end - 1].end
    span = one.span
    return Days(span.first, span.last, text[start:end], start + offset, end + offset, span.slack, span.any_year)


def _position(text: str, offset: int, tokens: Sequence[Token], place: tuple[int, int], spot: Spot, one: Found | None) -> Position:
    begin, end = place
    start, stop = tokens[begin].start, tokens[(one.end if one else end) - 1].end
    if one is None:
        return Position(spot, text[start:stop], start + offset, stop + offset)
    match tokens[end].word:
        case "before":
            spot = replace(spot, place=Place.PREVIOUS)
        case "after":
            spot = replace(spot, place=Place.NEXT)
    return Position(spot, text[start:stop], start + offset, stop + offset, _days(text, offset, tokens, one))


def minute(at: Moment) -> datetime:
    """Return the wall clock that a `Stamp` holds: two messages of one minute share it."""
    return at.local.replace(tzinfo=None) - timedelta(seconds=at.local.second, microseconds=at.local.microsecond)
