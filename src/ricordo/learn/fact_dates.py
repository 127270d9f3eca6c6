"""Bringing days, times of day and amounts of money in a line of stems to one form each.

The one rule: only the form changes. A day without a year stays without one; 6:30 is not taken for the evening.
"""

from __future__ import annotations

import re

from ricordo.learn.fact_words import MONTHS, WEEKDAYS

_MONTH = f"(?P<m>{'|'.join(MONTHS)})"
_DAY = r"(?P<d>[0-3]?\d)[.º]?"


def _day(match: re.Match[str]) -> str:
    parts = match.groupdict()
    month = MONTHS.get(parts["m"]) or int(parts["m"])
    return f" on {parts.get('y') or 'x'}-{month:02}-{int(parts['d']):02} "


def _time(match: re.Match[str]) -> str:
    hour = int(match["h"]) % 12 + (12 if match["half"] == "pm" else 0)
    return f" at {hour}:{match['min'] or '00'} "


def _money(match: re.Match[str]) -> str:
    return f"{match[2]} {match[1]}"


_TIME = re.compile(r"(?:\bon |\bat )?(?<!\S)(?P<h>\d\d?)(?:[:.](?P<min>\d\d))? (?P<half>am|pm)(?!\S)")
_DAYS = (
    re.compile(r"(?:\bon |\bin )?(?<!\S)(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?!\S)"),
    re.compile(rf"(?:\bon )?(?<!\S){_DAY} (?:of )?{_MONTH}(?: ,)?(?: (?P<y>\d{{4}}))?(?!\S)"),
    re.compile(rf"(?:\bon )?(?<!\S){_MONTH} {_DAY}(?: ,)?(?: (?P<y>\d{{4}}))?(?!\S)"),
)
_MONEY = re.compile(r"(?<!\S)(euro|dollar|quid) (-?\d\S*)")
_EVERY = re.compile(rf"\b(?:on|in|at) (?=every (?:{'|'.join(WEEKDAYS)}|weekend)(?!\S))")
_WEEKEND = re.compile(r"\b(?:on|at) weekend(?!\S)")


def dated(line: str) -> str:
    """Bring days and times in a line of stems to one form: May 3rd, 3 May and 3rd of May are on x-05-03."""
    if any(map(str.isdigit, line)):
        line = _TIME.sub(_time, line)
        for pattern in _DAYS:
            line = pattern.sub(_day, line)
        line = _MONEY.sub(_money, line)
    if "weekend" in line:
        line = _WEEKEND.sub("every weekend", line)
    return _EVERY.sub("", line) if "every" in line else line
