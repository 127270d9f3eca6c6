"""The phrases about days in English and in figures: each a pattern (see phrases) and the function that says what it means.

Of overlapping phrases the longest holds, so `nothing` rules only have to be longer than what they forbid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ricordo.recall.dates import meanings as dates
from ricordo.recall.dates import month_parts, period_parts, relative, seasons, tenses, tongues
from ricordo.recall.dates.guards import (
    clause_ends,
    day_meant,
    feast_alone,
    month_alone,
    month_meant,
    named,
    no_name,
    not_counted,
    part_of,
    short_weekday,
    whole,
)
from ricordo.recall.dates.phrases import Rule
from ricordo.recall.dates.words import FEASTS

_FIGURES = (
    Rule("on|from? DATE", dates.written),
    Rule("on|from? SHORTDATE", dates.short),
    Rule("on|from|of|since|vom|am|den|il|del|le|du|el|op|van|em|de MAYBEDATE", dates.short),
    Rule("INSTANT", dates.instant),
    Rule("on DAYMONTH", dates.day_and_month),
    Rule("version|v|release|build|section|chapter|page|§|rfc DATE|SHORTDATE|MAYBEDATE", dates.nothing),
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
    Rule("a fortnight ago", lambda frame: relative.ago(frame, 2, "week")),
    Rule("exactly|precisely NUM|ONE UNIT ago", relative.ago_exactly),
    Rule("over|than|under NUM|ONE UNIT ago", dates.nothing),
    Rule("NUM|ONE UNIT from today|now|yesterday|tomorrow|WEEKDAY", dates.nothing),
    Rule("on? this|the same? day REL year", relative.same_day),
    Rule("today REL year", relative.same_day),
    Rule("this time REL year", lambda frame, back: relative.ago(frame, -back, "year")),
    Rule("on? this|the same? day in YEAR", dates.same_day_in),
)

_WEEKDAYS = (
    Rule("for WEEKDAY", relative.weekday, tenses.english_past),
    Rule("WEEKDAYNAME", relative.weekday, no_name),
    Rule("WEEKDAY|LOWDAY morning|afternoon|evening|night", relative.weekday),
    Rule("WEEKDAY|LOWDAY", relative.weekday, short_weekday),
    Rule("on|since LOWDAY", relative.weekday),
    Rule("last LOWDAY", relative.last_weekday, clause_ends),
    Rule("on? that|those|called|named WEEKDAY", dates.nothing),
    Rule("on|from|since|between|after|until|before|by WEEKDAY morning|afternoon|evening|night?", relative.weekday),
    Rule("on|from? last|past|previous WEEKDAY|WEEKDAY's morning|afternoon|evening|night?", relative.last_weekday),
    Rule("on|from? this past WEEKDAY", relative.last_weekday),
    Rule("on? this WEEKDAY morning|afternoon|evening|night?", relative.this_weekday),
    Rule("on? the WEEKDAY before last", relative.weekday_before_last),
    Rule("on? WEEKDAY of? REL week", relative.weekday_of_week),
    Rule("REL week ,? on? WEEKDAY", relative.week_weekday),
    Rule("on? WEEKDAY NUM|ONE UNIT ago", relative.weekday_ago),
    Rule("NUM|ONE UNIT ago on? WEEKDAY", relative.ago_weekday),
    Rule("on? every|each|next|coming|any|a|one|some|most|another|other|the|happy|black WEEKDAY", dates.nothing),
    Rule("on? the this? next|coming|following WEEKDAY", dates.nothing),
    Rule("ash|palm|whit|super|bloody|cyber|it's|its WEEKDAY", dates.nothing),
    Rule("my|our|your|his|her|their|usual|regular WEEKDAY", dates.nothing),
    Rule("easter WEEKDAYNAME YEAR?", period_parts.easter),
    Rule("good WEEKDAYNAME YEAR?", period_parts.good_friday, named),
    Rule("NUM WEEKDAYS ago", relative.weekdays_ago),
    Rule("WEEKDAY mornings|afternoons|evenings|nights", dates.nothing),
    Rule("WEEKDAY next|after|times|closing week?", dates.nothing),
    Rule("next week on? WEEKDAY", dates.nothing),
    Rule("REL week ,? from? WEEKDAY to|through|until|till|-|– WEEKDAY", relative.weekdays_of_week),
    Rule("from? WEEKDAY to|through|until|till|-|– WEEKDAY of? REL week", relative.week_weekdays),
    Rule("on? WEEKDAY of? the week before last", lambda frame, day: relative.weekday_of_week(frame, day, -2)),
    Rule("is|are|isn't|will on? WEEKDAY", dates.nothing),
    Rule("WEEKDAY to|through|until|till|-|–|— WEEKDAY", dates.nothing),
    Rule("from WEEKDAY to|through|until|till WEEKDAY", relative.weekdays, tenses.english_past),
    Rule("WEEKDAY WEEKDAY", dates.nothing),
)

_PERIODS = (
    Rule("REL SINGLE|SINGLE's", relative.period, whole),
    Rule("REL year ,? in MONTH", lambda frame, back, month: dates.month_back(frame, month, back)),
    Rule("in? this month REL year", lambda frame, back: dates.month_back(frame, frame.today.month, back)),
    Rule("in? REL week|weekend|quarter REL year", dates.nothing),
    Rule("the last|past SINGLE", relative.past, whole),
    Rule("past SINGLE", relative.past, whole),
    Rule("this past SINGLE", relative.past, whole),
    Rule("the SINGLE before last", relative.before_last),
    Rule("the? last|past NUM UNIT", relative.rolling, whole),
    Rule("REL weekend|weekend's", relative.rel_weekend, whole),
    Rule("this? past weekend", lambda frame: relative.rel_weekend(frame, -1), whole),
    Rule("on|over|at|during the weekend", relative.weekend, whole),
    Rule("the? weekend before last", lambda frame: relative.rel_weekend(frame, -2)),
    Rule("the|my|our weekend", relative.weekend, tenses.english_past),
    Rule("in|on|over? the? last weekend of|in MONTH ,? YEAR?", month_parts.last_weekend_of),
    Rule("in|on|over? the? ORDINAL|NTH weekend of|in MONTH ,? YEAR?", month_parts.nth_weekend_of),
)

_DATES = (
    Rule("on|in? the? DAY of? MONTH .? ,? YEAR?", dates.day_month, day_meant),
    Rule("on? the? ORDINAL of MONTH ,? YEAR?", dates.day_month, day_meant),
    Rule("on|last? MONTH .? the? DAY ,? YEAR?", dates.month_day, day_meant),
    Rule("on? MONTH the ORDINAL ,? YEAR?", dates.month_day),
    Rule("on? WEEKDAY ,? the? DAY of? MONTH .? ,? YEAR?", dates.weekday_day_month),
    Rule("on? WEEKDAY ,? MONTH .? the? DAY ,? YEAR?", dates.weekday_month_day),
    Rule("on? the? DAY of? MONTH of? REL year", dates.day_month_back),
    Rule("on? MONTH .? the? DAY ,? REL year", dates.month_day_back),
    Rule("on? MONTH the? DAY ,? NUM|ONE UNIT ago", dates.month_day_ago),
    Rule("NUM|ONE UNIT ago ,? on MONTH the? DAY", lambda frame, n, unit, m, d: dates.month_day_ago(frame, m, d, n, unit)),
    Rule("NUM|ONE UNIT ago ,? on the? DAY of? MONTH", lambda frame, n, unit, d, m: dates.month_day_ago(frame, m, d, n, unit)),
    Rule("the? first day of REL SINGLE", period_parts.edge_day),
    Rule("the? last day of REL SINGLE", lambda frame, back, unit: period_parts.edge_day(frame, back, unit, last=True)),
    Rule("REL month ,? on the NTHDAY", lambda frame, back, day: dates.day_of_rel_month(frame, day, back)),
    Rule("on? the? ORDINAL of REL month", dates.day_of_rel_month),
    Rule("on|about|from|for the NTHDAY", dates.day_of_month, clause_ends),
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
    Rule("early|mid|late MONTHNAME", dates.month_of, month_meant),
    Rule("in|during|throughout|of? early|mid|late? MONTH .? ,? of? YEAR", dates.month_of, not_counted),
    Rule("in MONTH DAY", dates.nothing),  # "in Feb 25" may be a year
    Rule("in MONTH and MONTH YEAR?", dates.two_months),
    Rule("in? REL MONTHNAME", dates.rel_month_named, month_meant),
    Rule("in? MONTH of? REL year", dates.month_back, month_meant),
    Rule("in? MONTH ,? NUM|ONE UNIT ago", dates.month_ago, month_meant),
    Rule("NUM|ONE UNIT ago ,? in MONTH", lambda frame, n, unit, month: dates.month_ago(frame, month, n, unit)),
    Rule("in|during? the? SEASON NUM|ONE UNIT ago", seasons.season_ago),
    Rule("NUM|ONE UNIT ago ,? in|during the? SEASON", lambda frame, n, unit, season: seasons.season_ago(frame, season, n, unit)),
    Rule("MONTHNAME", dates.bare_month),
    Rule("show|me|about|open|read MONTHNAME", dates.month_of, month_alone),
    Rule("at|in? the? end|start|beginning|middle of MONTH ,? of? YEAR?", dates.month_of),
    Rule("in|during|from|between|of|for YEARS", period_parts.years),
    Rule("in|during? the? ORDINAL|NTH half of|in MONTH .? ,? of? YEAR?", period_parts.half_of),
    Rule("in|during? the? ORDINAL|NTH half of|in YEAR", period_parts.half_of_year),
    Rule(
        "in|during? the? last|latter half of|in MONTH .? ,? of? YEAR?",
        lambda frame, month, year=None: period_parts.half_of(frame, -1, month, year),
    ),
    Rule("in|during? the? last|latter half of|in YEAR", lambda frame, year: period_parts.half_of_year(frame, -1, year)),
    Rule("in|during? QUARTER of|,? YEAR", period_parts.quarter_of),
    Rule("in|during QUARTER", period_parts.quarter_of),
    Rule("in|during? the? ORDINAL|NTH quarter of|in YEAR", period_parts.quarter_of),
    Rule("REL quarter", period_parts.rel_quarter, whole),
    Rule("in? iso|calendar? week NUM of|in|,? YEAR", period_parts.week_of_year),
    Rule("in? iso|calendar week NUM", period_parts.week_of_year),
    Rule("show|me|open|read week NUM", period_parts.week_of_year, clause_ends),
    Rule("in|during the? DECADE", period_parts.decade_of),
    Rule("next|coming|every MONTH the? DAY?", dates.nothing),
    Rule("in|during|throughout early|mid|late? YEAR", dates.year_of, not_counted),
    Rule("in|during|throughout the year YEAR", dates.year_of, not_counted),
    Rule("in|during|throughout the YEAR", dates.year_of, clause_ends),
    Rule("of YEAR", dates.year_of, part_of),
    Rule("the? year YEAR", dates.year_of, not_counted),
    Rule("YEAR", dates.bare_year, not_counted),
    Rule("in? the? SEASON of? YEAR", seasons.season_of),
    Rule("in|during|over the? SEASON of? REL year", seasons.season_back),
    Rule("SEASON of? REL year", seasons.season_back),
    Rule("in|during|over the SEASON", seasons.season, clause_ends),
    Rule("REL SEASON", seasons.rel_season),
)


def _feasts() -> Iterator[Rule]:
    yield Rule("at|last|over christmas|xmas ,? in|of? YEAR?", period_parts.christmas)
    yield Rule("christmas|xmas YEAR", period_parts.christmas)
    yield Rule("halloween", _feast(10, 31), feast_alone)
    yield Rule("on|last|at|for|since halloween", _feast(10, 31))
    yield Rule("on|last|at|for|since? halloween ,? in|of? YEAR", _feast(10, 31))
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
    *tongues.rules(),
)
