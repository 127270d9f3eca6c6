"""Puts single phrases about days together: "from … to …", "since …", "the day after …"; and leaves out what has yet to come."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ricordo.recall import days
from ricordo.recall.dates import relative
from ricordo.recall.dates.meanings import Frame, Span
from ricordo.recall.dates.outlook import ahead
from ricordo.recall.dates.phrases import Token

_FROM = frozenset("from between vom von zwischen tra fra entre du del van tussen".split())
_BETWEEN = frozenset("between zwischen tra fra entre tussen".split())
_SINCE = frozenset("since seit depuis sinds".split())
_FROM_OR_SINCE = frozenset("dal dall desde vanaf".split())
_UNTIL = frozenset("before until till by bis fino entro hasta ate tot jusqu'au apres nach dopo".split())
_OPENERS = _FROM | _SINCE | _FROM_OR_SINCE | _UNTIL | {"after"}
_LINKS = frozenset("to until till through - – — & bis zum al all au hasta tot".split())
_AND = frozenset("and und e et y en".split())
_YEARS_IN = frozenset("in during years of for".split())
_BESIDE = frozenset(", ( of in de del do des di".split())
_WITHIN = frozenset("of in from for during di de von van".split())
_AROUND = 7  # days


@dataclass(frozen=True, slots=True)
class Found:
    """Days that the tokens from `begin` to `end` (exclusive) stand for."""

    begin: int
    end: int
    span: Span


def joined(tokens: Sequence[Token], found: Sequence[Found], frame: Frame, places: Collection[int] = ()) -> list[Found]:
    """Join what belongs together and drop what is no reference by itself.

    `places` are where phrases about a position end: what follows one ("the entry before 3 May") keeps its days as they are.
    """
    found = _beside_each_other(tokens, found)
    result: list[Found] = []
    at = 0
    while at < len(found):
        one = found[at]
        opener = _opener(tokens, one)
        other = found[at + 1] if at + 1 < len(found) else None
        if other and _linked(tokens, one, other, opener):
            at += 2
            both = _from_to(one.span, other.span)
            if both and not ahead(tokens, one.begin, other.end, both, frame.today):
                _take_in(tokens, result, Found(one.begin if opener is None else opener, other.end, both))
            continue
        at += 1
        if one.begin - 1 in places and tokens[one.begin - 1].word in _WITHIN:  # "the first entry of May"
            one = replace(one, span=replace(one.span, bare=False))
        single = one if opener in places and not one.span.bare else _opened(tokens, one, opener, frame)
        if single and not single.span.bare and not ahead(tokens, single.begin, single.end, single.span, frame.today):
            _take_in(tokens, result, single)
    return result


def _take_in(tokens: Sequence[Token], result: list[Found], one: Found) -> None:
    """Add days to the result, in place of those whose words they take in: "the last Friday before 8 May" names one day.

    Where those were counted from another day themselves ("the Monday before the Monday before 8 May") neither is sure.
    """
    if not result or result[-1].end <= one.begin:
        result.append(one)
        return
    before = result.pop()
    if not any(token.word in _OPENERS for token in tokens[before.begin : before.end]):
        _take_in(tokens, result, replace(one, begin=min(before.begin, one.begin)))


def _beside_each_other(tokens: Sequence[Token], found: Sequence[Found]) -> list[Found]:
    """Put together what tells of one day twice: "on 3 May of last year", "last year, in May", "2026-08-02 (Sunday)"."""
    kept: list[Found] = []
    for one in found:
        before = kept[-1] if kept else None
        between = {token.word for token in tokens[before.end : one.begin]} if before else set()
        both = _same(tokens, before, one) if before and between <= _BESIDE else None
        if before and both:
            kept[-1] = Found(before.begin, one.end, both)
        else:
            kept.append(one)
    return kept


def _same(tokens: Sequence[Token], one: Found, other: Found) -> Span | None:
    for inner, outer in ((one, other), (other, one)):
        year = outer.span
        if inner.span.any_year and _is_year(year) and not year.bare:
            placed = _in_year(inner.span, year.first.year, back=False, limit=year.first)
            return replace(placed, any_year=False, leaning=False, bare=False)
        if _weekday_alone(tokens, inner) and not _weekday_alone(tokens, outer) and outer.span.first == outer.span.last:
            return outer.span
    return None


def _is_year(span: Span) -> bool:
    return (span.first.month, span.first.day, span.last) == (1, 1, date(span.first.year, 12, 31)) and not span.any_year


def _weekday_alone(tokens: Sequence[Token], one: Found) -> bool:
    named = any("WEEKDAY" in token.classes for token in tokens[one.begin : one.end])
    return named and one.span.leaning and one.span.first == one.span.last


def _opener(tokens: Sequence[Token], one: Found) -> int | None:
    """Return where the word stands that opens a range: within the phrase or right before it."""
    for at in (one.begin, one.begin - 1):
        if at >= 0 and tokens[at].word in _OPENERS:
            return at
    return None


def _linked(tokens: Sequence[Token], one: Found, other: Found, opener: int | None) -> bool:
    begin = other.begin + (tokens[other.begin].word in _LINKS)
    between = [token.word for token in tokens[one.end : begin]]
    word = "" if opener is None else tokens[opener].word
    if len(between) == 1 and between[0] in _AND:
        return word in _BETWEEN
    if len(between) != 1 or between[0] not in _LINKS:
        return False
    if between[0] == "through":
        return True
    if one.span.bare and _is_year(one.span) and word not in _FROM and _before(tokens, one) not in _YEARS_IN:
        return False  # pages, as often as years
    # "yesterday - today I rest" is no range, but figures either side of a dash are.
    return word in _FROM or word in _FROM_OR_SINCE or (_figures(tokens, one) and _figures(tokens, other))


def _before(tokens: Sequence[Token], one: Found) -> str:
    return tokens[one.begin - 1].word if one.begin else ""


def _figures(tokens: Sequence[Token], one: Found) -> bool:
    return any(token.text[:1].isdigit() for token in tokens[one.begin : one.end])


def _beside(tokens: Sequence[Token], one: Found, opener: int, unit: str) -> Found | None:
    """Take "the week before 3 May" (its seven days) and "two weeks before 3 May" (a day)."""
    number = None
    if opener > 1:
        classes = tokens[opener - 2].classes
        number = classes.get("NUM", classes.get("ONE"))
    later = tokens[opener].word == "after"
    far = one.span.last if later else one.span.first
    if one.span.bare or one.span.first != one.span.last:
        return None
    if number is not None or unit == "day":
        away = relative.back(far, -(number or 1) if later else number or 1, unit)
        return Found(opener - 1 - (number is not None), one.end, replace(one.span, first=away, last=away)) if away else None
    near = days.days_on(far, 1 if later else -1)
    away = relative.back(far, -1 if later else 1, unit)
    if near is None or away is None:
        return None
    return Found(opener - 1, one.end, replace(one.span, first=min(near, away), last=max(near, away)))


def _weekday_beside(tokens: Sequence[Token], one: Found, opener: int) -> Found | None:
    """Take "the Saturday after 3 May"."""
    later = tokens[opener].word == "after"
    near = days.days_on(one.span.last, 1) if later else days.days_on(one.span.first, -1)
    far = near and days.days_on(near, 6 if later else -6)
    if near is None or far is None or one.span.bare:
        return None
    day = days.nth_weekday(min(near, far), max(near, far), tokens[opener - 1].classes["WEEKDAY"], 1)
    return Found(opener - 1, one.end, replace(one.span, first=day, last=day)) if day else None


def _opened(tokens: Sequence[Token], one: Found, opener: int | None, frame: Frame) -> Found | None:
    today = frame.today
    span = one.span
    if opener is None:
        return _week_of(tokens, one, frame)
    word = tokens[opener].word
    if word in ("after", "before") and opener and "WEEKDAY" in tokens[opener - 1].classes:
        return _weekday_beside(tokens, one, opener)
    if word in ("after", "before") and opener and (unit := tokens[opener - 1].classes.get("UNIT", "")):
        return _beside(tokens, one, opener, unit)
    if word in _SINCE or (word in _FROM_OR_SINCE and span.first == span.last):
        return Found(opener, one.end, Span(span.first, today)) if span.first <= today else None
    if word == "after":
        first = days.days_on(span.last, 1)
        return Found(opener, one.end, Span(first, today)) if first and first <= today else None
    return None if word in _UNTIL else one  # "by Friday", "until last week": days without a beginning


def _week_of(tokens: Sequence[Token], one: Found, frame: Frame) -> Found:
    """Take "the week of 3 May": the one that it lies in; and "around 3 May" with days either side."""
    if one.begin and tokens[one.begin - 1].word in ("around", "circa", "roughly"):
        return replace(one, span=replace(one.span, slack=max(one.span.slack, _AROUND)))
    named = [token.word for token in tokens[max(0, one.begin - 2) : one.begin]]
    if named != ["week", "of"] or one.span.first != one.span.last:
        return one
    first = days.week_start(one.span.first, frame.week_starts)
    last = days.days_on(first, 6) or date.max
    return Found(one.begin - 2, one.end, replace(one.span, first=first, last=last))


def _from_to(one: Span, other: Span) -> Span | None:
    """Return all days from one to the other; the year that one lacks is such that they follow each other."""
    first, last = one, other
    if first.any_year:
        first = _in_year(one, other.last.year, back=True, limit=other.last)
    elif last.any_year:
        last = _in_year(other, one.first.year, back=False, limit=one.first)
    elif first.leaning and first.first > last.last:
        earlier = days.days_on(one.first, -7)
        first = replace(one, first=earlier) if earlier else one
    if first.first > last.last:
        return None
    return Span(first.first, last.last, any_year=one.any_year and other.any_year, leaning=one.leaning and other.leaning)


def _in_year(span: Span, year: int, back: bool, limit: date) -> Span:
    for wanted in (year, year - 1 if back else year + 1):
        first = days.months_on(span.first, 12 * (wanted - span.first.year))
        last = days.months_on(span.last, 12 * (wanted - span.last.year))
        if first and last and (first <= limit if back else last >= limit):
            return replace(span, first=first, last=last)
    return span
