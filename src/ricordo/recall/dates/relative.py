"""What phrases counted from today mean: days ago, weekdays, periods, seasons. Values and results as in meanings."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ricordo.recall import days
from ricordo.recall.dates.meanings import Frame, Span, span_of, year_of

# The longer the unit, the less is "so many ago" meant to the day: days either side.
_SLACK = {"day": 0, "week": 3, "month": 10, "year": 30}


def weekday_ago(frame: Frame, day: int, number: int, unit: str) -> Span | None:
    """Take "on Friday two weeks ago": of the week that was then."""
    return weekday_of_week(frame, day, -number) if unit == "week" else None


def ago_weekday(frame: Frame, number: int, unit: str, day: int) -> Span | None:
    """Take "two weeks ago on Friday", like `weekday_ago`."""
    return weekday_ago(frame, day, number, unit)


def week_weekday(frame: Frame, back: int, day: int) -> Span | None:
    """Take "last week on Thursday", like `weekday_of_week`."""
    return weekday_of_week(frame, day, back)


def ago(frame: Frame, number: int, unit: str, exactly: bool = False) -> Span | None:
    """Take "three weeks ago": that day, and the longer the unit the less is it meant to the day."""
    found = back(frame.today, number, unit)
    return Span(found, found, slack=0 if exactly else _SLACK[unit]) if found else None


def ago_exactly(frame: Frame, number: int, unit: str) -> Span | None:
    """Take "a year ago today"."""
    return ago(frame, number, unit, exactly=True)


def back(day: date, number: int, unit: str) -> date | None:
    """Return the day so many units earlier, or later when negative."""
    match unit:
        case "day":
            return days.days_on(day, -number)
        case "week":
            return days.days_on(day, -7 * number)
        case "month":
            return days.months_on(day, -number)
        case _:
            return days.months_on(day, -12 * number)


def same_day(frame: Frame, years: int) -> Span | None:
    """Take "this day last year"."""
    return ago(frame, -years, "year", exactly=True)


def period(frame: Frame, back: int, unit: str) -> Span | None:
    """Take "last week" or "this month": the calendar's, 0 or less from the one it is."""
    today = frame.today
    match unit:
        case "day":
            return None  # "the last day" is some other one
        case "week":
            first = days.days_on(days.week_start(today, frame.week_starts), 7 * back)
            return span_of(first, first and days.days_on(first, 6))
        case "month":
            first = days.months_on(today.replace(day=1), back)
            return span_of(first, first and days.month_end(first))
        case _:
            return year_of(frame, today.year + back)


def before_last(frame: Frame, unit: str) -> Span | None:
    """Take "the week before last"."""
    return period(frame, -2, unit)


def rolling(frame: Frame, number: int, unit: str) -> Span | None:
    """Take "the last three days": so many, today being one of them."""
    before = back(frame.today, number, unit)
    return span_of(before and days.days_on(before, 1), frame.today)


def past(frame: Frame, unit: str) -> Span | None:
    """Take "the past week": seven days up to today, not the calendar's. "The last day" is some other one."""
    return None if unit == "day" else rolling(frame, 1, unit)


def weekend(frame: Frame) -> Span | None:
    """Take "over the weekend": the one it is, or the most recent."""
    saturday = days.days_on(frame.today, -((frame.today.weekday() - 5) % 7))
    return span_of(saturday, saturday and days.days_on(saturday, 1), leaning=True)


def rel_weekend(frame: Frame, back: int) -> Span | None:
    """Take "last weekend": one that is over; or "this weekend", which on a working day is still to come."""
    recent = weekend(frame)
    if recent is None:
        return None
    over = recent.last < frame.today
    if back == 0:
        return None if over else recent
    saturday = days.days_on(recent.first, 7 * (back + over))
    return span_of(saturday, saturday and days.days_on(saturday, 1))


def weekday(frame: Frame, day: int) -> Span | None:
    """Take "on Friday": the most recent one before today."""
    found = days.days_on(frame.today, -((frame.today.weekday() - day - 1) % 7) - 1)
    return span_of(found, found, leaning=True)


def last_weekday(frame: Frame, day: int) -> Span | None:
    """Take "last Friday", which is never one to come."""
    found = weekday(frame, day)
    return found and replace(found, leaning=False)


def this_weekday(frame: Frame, day: int) -> Span | None:
    """Take "this Tuesday": of this week, when it has come."""
    found = days.days_on(days.week_start(frame.today, frame.week_starts), (day - frame.week_starts) % 7)
    return Span(found, found) if found and found <= frame.today else None


def weekday_before_last(frame: Frame, day: int) -> Span | None:
    """Take "the Friday before last"."""
    found = weekday(frame, day)
    earlier = days.days_on(found.first, -7) if found else None
    return span_of(earlier, earlier)


def weekday_of_week(frame: Frame, day: int, back: int) -> Span | None:
    """Take "Tuesday of last week", weeks being 0 or less from this one."""
    week = period(frame, back, "week")
    found = days.nth_weekday(week.first, week.last, day, 1) if week else None
    return span_of(found, found)


def weekdays(frame: Frame, first: int, last: int) -> Span | None:
    """Take "from Monday to Friday", when it was: the most recent that are over."""
    end = weekday(frame, last)
    begin = days.days_on(end.last, -((last - first) % 7)) if end else None
    return span_of(begin, end.last, leaning=True) if end else None


def weekdays_of_week(frame: Frame, back: int, first: int, last: int) -> Span | None:
    """Take "last week, Monday to Friday"."""
    begin, end = weekday_of_week(frame, first, back), weekday_of_week(frame, last, back)
    return span_of(begin.first, end.last) if begin and end else None


def week_weekdays(frame: Frame, first: int, last: int, back: int) -> Span | None:
    """Take "Monday to Friday of last week", like `weekdays_of_week`."""
    return weekdays_of_week(frame, back, first, last)


def weekdays_ago(frame: Frame, number: int, day: int) -> Span | None:
    """Take "two Mondays ago"."""
    recent = weekday(frame, day)
    found = days.days_on(recent.first, -7 * (number - 1)) if recent else None
    return span_of(found, found)
