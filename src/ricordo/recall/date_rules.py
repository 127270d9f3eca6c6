"""The phrases about days, by language: each a pattern (see phrases) and the function of date_meanings it stands for.

Of overlapping phrases the longest holds, so `nothing` rules only have to be longer than what they forbid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ricordo.recall import date_meanings as dates
from ricordo.recall import month_parts
from ricordo.recall import relative_meanings as relative
from ricordo.recall.date_words import COUNTED, DOUBTFUL, FEASTS, NOT_PLURAL
from ricordo.recall.phrases import Rule, Token

_INTRODUCE = frozenset("on the in since between from to and until till after before by of – — - last".split())
_PARTS = frozenset("whole all end start beginning rest middle half most entry entries days months".split())
_CLAUSE_END = frozenset(".,;:!?)]\n–—-")


def _counted(token: Token) -> bool:
    word = token.word
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("'s") and word not in NOT_PLURAL
    return word in COUNTED or plural


def _not_counted(tokens: Sequence[Token], begin: int, end: int) -> bool:
    return end == len(tokens) or tokens[end].word not in COUNTED


def _whole(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """ "The last year of school" is no year of the calendar's."""
    return end == len(tokens) or tokens[end].word not in ("of", "before", "after")


def _part_of(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """ "The end of 2021" is about that year; "the Act of 1978" is not."""
    return begin > 0 and tokens[begin - 1].word in _PARTS


def _clause_ends(tokens: Sequence[Token], begin: int, end: int) -> bool:
    return end == len(tokens) or tokens[end].word in _CLAUSE_END


def _day_meant(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Tell a day ("3 August") from a count ("3 August lilies") or a verb ("may 5 people come")."""
    inside = tokens[begin:end]
    if "YEAR" in inside[-1].classes and not _not_counted(tokens, begin, end):
        return False
    if inside[0].word in _INTRODUCE or (begin and tokens[begin - 1].word in _INTRODUCE):
        return True
    if any("YEAR" in token.classes or "NTHDAY" in token.classes or "ORDINAL" in token.classes for token in inside):
        return True
    if any(token.word in DOUBTFUL and (token.text.islower() or token is inside[0]) for token in inside):
        return _clause_ends(tokens, begin, end)
    return end == len(tokens) or not _counted(tokens[end])


def _month_meant(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Tell a month from a verb: "we may this year go"."""
    if tokens[begin].word in _INTRODUCE:
        return True
    return all(token.word not in DOUBTFUL or token.text[0].isupper() for token in tokens[begin:end])


_FIGURES = (
    Rule("on|from? DATE", dates.written),
    Rule("INSTANT", dates.instant),
    Rule("on DAYMONTH", dates.day_and_month),
    Rule("version|v|release|build|section|chapter|page|§|rfc DATE", dates.nothing),
)

_DAYS = (
    Rule("today|today's|tonight|tonight's", lambda frame: relative.ago(frame, 0, "day")),
    Rule("this morning|afternoon|evening|morning's|afternoon's|evening's", lambda frame: relative.ago(frame, 0, "day")),
    Rule("yesterday|yesterday's morning|afternoon|evening|night?", lambda frame: relative.ago(frame, 1, "day")),
    Rule("last night|night's|evening", lambda frame: relative.ago(frame, 1, "day")),
    Rule("the? day before yesterday", lambda frame: relative.ago(frame, 2, "day")),
    Rule("the night before last", lambda frame: relative.ago(frame, 2, "day")),
    Rule("NUM|ONE UNIT ago", relative.ago),
    Rule("NUM|ONE UNIT ago today", relative.ago_exactly),
    Rule("NUM or|to NUM UNIT ago", dates.nothing),
    Rule("half ONE UNIT ago", dates.nothing),
    Rule("over|than|under NUM|ONE UNIT ago", dates.nothing),
    Rule("NUM|ONE UNIT from today|now|yesterday|tomorrow|WEEKDAY", dates.nothing),
    Rule("on? this|the same? day REL year", relative.same_day),
    Rule("today REL year", relative.same_day),
    Rule("this time REL year", lambda frame, back: relative.ago(frame, -back, "year")),
    Rule("on? this|the same? day in YEAR", dates.same_day_in),
)

_WEEKDAYS = (
    Rule("WEEKDAYNAME morning|afternoon|evening|night?", relative.weekday),
    Rule("on|from|since|between|after|until|before|by WEEKDAY morning|afternoon|evening|night?", relative.weekday),
    Rule("on|from? last|past|previous WEEKDAY|WEEKDAY's morning|afternoon|evening|night?", relative.last_weekday),
    Rule("on|from? this past WEEKDAY", relative.last_weekday),
    Rule("on? this WEEKDAY morning|afternoon|evening|night?", relative.this_weekday),
    Rule("on? the WEEKDAY before last", relative.weekday_before_last),
    Rule("on? WEEKDAY of? REL week", relative.weekday_of_week),
    Rule("REL week ,? on? WEEKDAY", relative.week_weekday),
    Rule("on? WEEKDAY NUM|ONE UNIT ago", relative.weekday_ago),
    Rule("NUM|ONE UNIT ago on? WEEKDAY", relative.ago_weekday),
    Rule("on? every|each|next|coming|any|a|one|some|most|another|other|the|happy|black|good WEEKDAY", dates.nothing),
    Rule("on? the this? next|coming|following WEEKDAY", dates.nothing),
    Rule("ash|palm|easter|whit|super|bloody|cyber|it's|its WEEKDAY", dates.nothing),
    Rule("my|our|your|his|her|their|usual|regular WEEKDAY", dates.nothing),
    Rule("WEEKDAY mornings|afternoons|evenings|nights", dates.nothing),
    Rule("WEEKDAY next|after|times|closing week?", dates.nothing),
    Rule("next week on? WEEKDAY", dates.nothing),
    Rule("from? WEEKDAY to|through|until|till|-|–|— WEEKDAY", dates.nothing),
    Rule("WEEKDAY WEEKDAY", dates.nothing),
)

_PERIODS = (
    Rule("REL SINGLE|SINGLE's", relative.period, _whole),
    Rule("the last|past SINGLE", relative.past, _whole),
    Rule("past SINGLE", relative.past, _whole),
    Rule("this past SINGLE", relative.past, _whole),
    Rule("the SINGLE before last", relative.before_last),
    Rule("the? last|past NUM UNIT", relative.rolling, _whole),
    Rule("REL weekend|weekend's", relative.rel_weekend, _whole),
    Rule("this? past weekend", lambda frame: relative.rel_weekend(frame, -1), _whole),
    Rule("on|over|at|during the weekend", relative.weekend, _whole),
    Rule("in|on|over? the? last weekend of|in MONTH ,? YEAR?", month_parts.last_weekend_of),
    Rule("in|on|over? the? ORDINAL|NTH weekend of|in MONTH ,? YEAR?", month_parts.nth_weekend_of),
)

_DATES = (
    Rule("on|in? the? DAY of? MONTH .? ,? YEAR?", dates.day_month, _day_meant),
    Rule("on? the? ORDINAL of MONTH ,? YEAR?", dates.day_month, _day_meant),
    Rule("on|last? MONTH .? the? DAY ,? YEAR?", dates.month_day, _day_meant),
    Rule("on? MONTH the ORDINAL ,? YEAR?", dates.month_day),
    Rule("on? WEEKDAY ,? the? DAY of? MONTH .? ,? YEAR?", dates.weekday_day_month),
    Rule("on? WEEKDAY ,? MONTH .? the? DAY ,? YEAR?", dates.weekday_month_day),
    Rule("on? the? DAY of? MONTH of? REL year", dates.day_month_back),
    Rule("on? MONTH .? the? DAY ,? REL year", dates.month_day_back),
    Rule("on? MONTH the? DAY ,? NUM|ONE UNIT ago", dates.month_day_ago),
    Rule("on the NTHDAY", dates.day_of_month, _clause_ends),
    Rule("on? the? NTHDAY of REL month", dates.day_of_rel_month),
    Rule("on|over? the? DAYS of? MONTH ,? YEAR?", dates.days_month),
    Rule("on? MONTH .? DAYS ,? YEAR?", dates.month_days),
    Rule("between|from the? DAY and|to|until|till|through the? DAY of? MONTH ,? YEAR?", dates.day_day_month),
    Rule("the? DAY to|until|till|through|-|–|— the? DAY of? MONTH ,? YEAR?", dates.day_day_month),
    Rule("from? MONTH the? DAY to|until|till|through|-|–|— the? DAY ,? YEAR?", dates.month_day_day),
    Rule("between MONTH the? DAY and the? DAY ,? YEAR?", dates.month_day_day),
    Rule("on? MONTH the? DAY and|& the? DAY ,? YEAR?", dates.neighbours),
    Rule("on? the? DAY and|& the? DAY of? MONTH ,? YEAR?", dates.neighbours_of),
    Rule("on? the? first day of YEAR", month_parts.first_day_of),
    Rule("on? the? last day of YEAR", month_parts.last_day_of),
    Rule("on? the? last WEEKDAY of|in MONTH ,? YEAR?", month_parts.last_weekday_of),
    Rule("on? the? ORDINAL|NTH WEEKDAY of|in MONTH ,? YEAR?", month_parts.nth_weekday_of),
    Rule("in|on? the? last UNIT of|in MONTH ,? YEAR?", month_parts.last_unit_of),
    Rule("in|during? the? first NUM UNIT of|in MONTH ,? YEAR?", month_parts.first_units_of),
    Rule("in|during? the? last NUM UNIT of|in MONTH ,? YEAR?", month_parts.last_units_of),
    Rule("in|on? the? ORDINAL|NTH UNIT of|in MONTH ,? YEAR?", month_parts.nth_unit_of),
)

_MONTHS = (
    Rule("in|during|throughout early|mid|late? MONTH", dates.month_of),
    Rule("early|mid|late MONTHNAME", dates.month_of, _month_meant),
    Rule("in|during|throughout|of? early|mid|late? MONTH .? ,? of? YEAR", dates.month_of, _not_counted),
    Rule("in MONTH and MONTH YEAR?", dates.two_months),
    Rule("in? REL MONTHNAME", dates.rel_month_named, _month_meant),
    Rule("in? MONTH of? REL year", dates.month_back, _month_meant),
    Rule("in? MONTH ,? NUM|ONE UNIT ago", dates.month_ago, _month_meant),
    Rule("MONTHNAME", dates.bare_month),
    Rule("next|coming|every MONTH the? DAY?", dates.nothing),
    Rule("in|during|throughout early|mid|late? the? year? YEAR", dates.year_of, _not_counted),
    Rule("of YEAR", dates.year_of, _part_of),
    Rule("the? year YEAR", dates.year_of, _not_counted),
    Rule("YEAR", dates.bare_year, _not_counted),
    Rule("in? the? SEASON of? YEAR", relative.season_of),
    Rule("REL SEASON", lambda frame, back, season: relative.last_season(frame, season) if back else None),
)

_GERMAN = (
    Rule("heute", lambda frame: relative.ago(frame, 0, "day")),
    Rule("gestern", lambda frame: relative.ago(frame, 1, "day")),
    Rule("vorgestern", lambda frame: relative.ago(frame, 2, "day")),
    Rule("vor NUM|NUM:de UNIT:de", relative.ago),
    Rule("am? letzten|vergangenen WEEKDAY:de", relative.last_weekday),
    Rule("letzte|vergangene|letzten|vergangenen|letztes UNIT:de", lambda frame, unit: relative.period(frame, -1, unit)),
    Rule("diese|diesen|dieses UNIT:de", lambda frame, unit: relative.period(frame, 0, unit)),
    Rule("am|vom|den|der DAY . MONTH:de YEAR?", dates.day_month),
    Rule("DAY . MONTH:de YEAR", dates.day_month),
    Rule("im MONTH:de YEAR?", dates.month_of),
)

_ITALIAN = (
    Rule("oggi", lambda frame: relative.ago(frame, 0, "day")),
    Rule("ieri", lambda frame: relative.ago(frame, 1, "day")),
    Rule("l'altro ieri", lambda frame: relative.ago(frame, 2, "day")),
    Rule("altroieri|l'altroieri", lambda frame: relative.ago(frame, 2, "day")),
    Rule("NUM|NUM:it UNIT:it fa", relative.ago),
    Rule("WEEKDAY:it scorso|scorsa", relative.last_weekday),
    Rule("la|il|lo|l'? UNIT:it scorsa|scorso", lambda frame, unit: relative.period(frame, -1, unit)),
    Rule("questa|questo UNIT:it", lambda frame, unit: relative.period(frame, 0, unit)),
    Rule("il|del|al? DAY MONTH:it YEAR?", dates.day_month),
    Rule("a|in|nel MONTH:it YEAR?", dates.month_of),
)

_FRENCH = (
    Rule("aujourd'hui", lambda frame: relative.ago(frame, 0, "day")),
    # "hier" alone is German for "here".
    Rule("avant hier", lambda frame: relative.ago(frame, 2, "day")),
    Rule("il y a NUM|NUM:fr UNIT:fr", relative.ago),
    Rule("WEEKDAY:fr dernier", relative.last_weekday),
    Rule("la|le|l'? UNIT:fr derniere|dernier|passe|passee", lambda frame, unit: relative.period(frame, -1, unit)),
    Rule("cette|ce UNIT:fr", lambda frame, unit: relative.period(frame, 0, unit)),
    Rule("le|du|au DAY MONTH:fr YEAR?", dates.day_month),
    Rule("DAY MONTH:fr YEAR", dates.day_month),
    Rule("en MONTH:fr YEAR?", dates.month_of),
)

_SPANISH = (
    Rule("hoy", lambda frame: relative.ago(frame, 0, "day")),
    Rule("ayer", lambda frame: relative.ago(frame, 1, "day")),
    Rule("anteayer|antier", lambda frame: relative.ago(frame, 2, "day")),
    Rule("hace NUM|NUM:es UNIT:es", relative.ago),
    Rule("el? WEEKDAY:es pasado", relative.last_weekday),
    Rule("la|el? UNIT:es pasada|pasado", lambda frame, unit: relative.period(frame, -1, unit)),
    Rule("esta|este UNIT:es", lambda frame, unit: relative.period(frame, 0, unit)),
    Rule("el|del|al? DAY de MONTH:es de|del? YEAR?", dates.day_month),
    Rule("en MONTH:es de|del? YEAR?", dates.month_of),
)


def _feasts() -> Iterator[Rule]:
    for words, (month, day) in FEASTS.items():
        yield Rule(f"on|last? {words} ,? in|of? YEAR?", _feast(month, day))


def _feast(month: int, day: int) -> Callable[..., Any]:
    return lambda frame, year=None: dates.day_month(frame, day, month, year)


RULES: tuple[Rule, ...] = (
    *_FIGURES,
    *_DAYS,
    *_WEEKDAYS,
    *_PERIODS,
    *_DATES,
    *_MONTHS,
    *_feasts(),
    *_GERMAN,
    *_ITALIAN,
    *_FRENCH,
    *_SPANISH,
)
