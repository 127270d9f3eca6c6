"""What seasons mean: their whole months, where the zone tells which half of the year is summer. Results as in meanings."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ricordo.recall import days
from ricordo.recall.dates.meanings import Frame, Span


def _season(frame: Frame, season: int, year: int) -> tuple[date, date] | None:
    """Return the whole months of the season that begins in a year, or None where the zone does not tell."""
    south = days.southern(frame.zone)
    first = None if south is None else days.make(year, (3 + 3 * season + 6 * south) % 12 or 12, 1)
    end = first and days.months_on(first, 2)
    return (first, days.month_end(end)) if first and end else None


def season_of(frame: Frame, season: int, year: int) -> Span | None:
    """Take "the summer of 2023"; a season that crosses New Year has no year of its own."""
    found = _season(frame, season, year)
    return Span(*found) if found and found[0].year == found[1].year else None


def season_back(frame: Frame, season: int, years: int) -> Span | None:
    """Take "the summer of last year"."""
    return season_of(frame, season, frame.today.year + years)


def season_ago(frame: Frame, season: int, number: int, unit: str) -> Span | None:
    """Take "the summer two years ago"."""
    return season_back(frame, season, -number) if unit == "year" else None


def rel_season(frame: Frame, back: int, season: int) -> Span | None:
    """Take "last summer": the most recent one that is over; or "this summer": this year's, when it has begun."""
    if back:
        return _recent(frame, season, over=True)
    found = _recent(frame, season, over=False)
    return found if found and frame.today.year in (found.first.year, found.last.year) and _near(frame, found) else None


def _near(frame: Frame, span: Span) -> bool:
    """ "This winter" said in August may be the one to come."""
    return span.first.year == span.last.year or span.last >= frame.today


def season(frame: Frame, season: int) -> Span | None:
    """Take "over the summer": the most recent one that has begun."""
    found = _recent(frame, season, over=False)
    return found and replace(found, leaning=True, any_year=True)


def _recent(frame: Frame, season: int, over: bool) -> Span | None:
    for back in range(3):
        found = _season(frame, season, max(1, frame.today.year - back))
        if found and (found[1] < frame.today if over else found[0] <= frame.today):
            return Span(*found)
    return None
