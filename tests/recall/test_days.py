"""Where local days lie in UTC: they follow each other without gap or overlap, whatever a zone did to its clocks."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.conversation import Moment
from ricordo.recall.days import bounds, month_end, months_on, nth_weekday, sure, today

HOUR = 3_600_000_000  # microseconds
# Rome: 23 and 25 hours. São Paulo, Beirut: midnight skipped. Havana, Azores: midnight twice. Apia, Kwajalein: a day left
# out or lived twice. Kathmandu: 5:45. Lord Howe: half an hour. Toronto 1919 jumped from 23:30. Casablanca: four changes a year.
ZONES = [
    ZoneInfo(name)
    for name in (
        "Europe/Rome America/Sao_Paulo Pacific/Apia Asia/Kathmandu America/Havana Asia/Beirut Atlantic/Azores "
        "Australia/Lord_Howe Pacific/Kwajalein America/Toronto Africa/Casablanca America/St_Johns UTC"
    ).split()
]


def local_day(utc: int, zone: tzinfo) -> date:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=utc)).astimezone(zone).date()


@pytest.mark.req("R6")
@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Rome", date(2026, 8, 5), 24),
        ("Europe/Rome", date(2026, 3, 29), 23),
        ("Europe/Rome", date(2026, 10, 25), 25),
        ("America/Sao_Paulo", date(2018, 11, 4), 23),
        ("America/Sao_Paulo", date(2018, 2, 17), 25),
        ("Asia/Kathmandu", date(2026, 3, 29), 24),
        ("Pacific/Apia", date(2011, 12, 29), 24),
        ("Pacific/Apia", date(2011, 12, 30), 0),
        ("Pacific/Apia", date(2011, 12, 31), 24),
        ("Australia/Lord_Howe", date(2026, 4, 5), 24.5),
    ],
)
def test_day_is_as_long_as_it_was_lived(zone: str, day: date, hours: float) -> None:
    """Clock changes make days of 23 and 25 hours, and one that Samoa never had."""
    begin, end = bounds(day, day, ZoneInfo(zone))
    assert end - begin == hours * HOUR


@pytest.mark.req("R6")
@given(st.dates(date(1, 1, 1), date(9999, 12, 30)), st.sampled_from(ZONES))
def test_days_tile_the_time(day: date, zone: ZoneInfo) -> None:
    """Each day ends where the next begins, and together they are both."""
    after = day + timedelta(days=1)
    begin, middle = bounds(day, day, zone)
    assert bounds(after, after, zone)[0] == middle
    assert bounds(day, after, zone) == (begin, bounds(after, after, zone)[1])
    assert begin <= middle


@pytest.mark.req("R6")
@given(st.dates(date(1880, 1, 1), date(2030, 12, 31)), st.sampled_from(ZONES), st.integers(0, 86_399))
def test_days_hold_just_their_own_time(day: date, zone: ZoneInfo, second: int) -> None:
    """A time within a day's bounds has that local day, but for the hour that a clock set back at midnight repeats."""
    begin, end = bounds(day, day, zone)
    if begin == end:
        return  # left out by that zone
    assert local_day(end - 1, zone) <= day
    inside = begin + second * 1_000_000 % (end - begin)
    assert local_day(begin, zone) == day
    assert local_day(inside, zone) == day or local_day(inside, zone) == day - timedelta(days=1)


@pytest.mark.req("R6")
@given(st.dates(date(2, 1, 1), date(9998, 12, 31)), st.integers(-24 * 60, 24 * 60), st.integers(0, 86_399))
def test_message_lived_on_a_day_is_within_its_sure_bounds(day: date, offset: int, second: int) -> None:
    """However far from home it was written, the wide bounds hold it: the local day then decides."""
    local = datetime(day.year, day.month, day.day) + timedelta(seconds=second)
    moment = Moment((local - datetime(1970, 1, 1)) // timedelta(microseconds=1) - offset * 60_000_000, offset)
    begin, end = sure(day, day)
    assert begin <= moment.utc < end


@pytest.mark.req("R6")
@given(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)), st.sampled_from(ZONES))
def test_today_is_the_day_where_the_person_is(when: datetime, zone: ZoneInfo) -> None:
    """The zone decides what day it is, not the offset that the clock was read with."""
    aware = when.replace(tzinfo=UTC)
    assert today(Moment.of(aware), zone) == today(Moment.of(aware.astimezone(ZONES[2])), zone)
    assert today(Moment.of(aware), zone) == aware.astimezone(zone).date()


def test_months_end_where_they_do() -> None:
    """A month on from the 31st is the next month's last day; beyond the years there are is None."""
    assert months_on(date(2026, 1, 31), 1) == date(2026, 2, 28)
    assert months_on(date(2024, 2, 29), -12) == date(2023, 2, 28)
    assert months_on(date(1, 1, 1), -1) is None
    assert months_on(date(9999, 12, 1), 1) is None
    assert month_end(date(2024, 2, 3)) == date(2024, 2, 29)


def test_weekdays_are_counted_from_either_end() -> None:
    """The first and the last Monday of a month, and no sixth one."""
    march = date(2026, 3, 1), date(2026, 3, 31)
    assert nth_weekday(*march, 0, 1) == date(2026, 3, 2)
    assert nth_weekday(*march, 0, 5) == date(2026, 3, 30)
    assert nth_weekday(*march, 0, -1) == date(2026, 3, 30)
    assert nth_weekday(*march, 1, 5) == date(2026, 3, 31)
    assert nth_weekday(*march, 2, 5) is None
