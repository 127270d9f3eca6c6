"""The dates over diary entries and in file names: what is read, and what is left alone because it could be two days."""

from datetime import date, datetime, time
from pathlib import PurePath
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ricordo.transfer.dates import exact, leading, of_file
from ricordo.transfer.entry import When

THIRD = date(2024, 5, 3)


@pytest.mark.req("I6")
@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("2024-05-03", When(THIRD)),
        (" 2024-5-3 ", When(THIRD)),
        ("2024/05/03", When(THIRD)),
        ("20240503", When(THIRD)),
        ("3.5.2024", When(THIRD)),
        ("03.05.2024", When(THIRD)),
        ("1660-01-01", When(date(1660, 1, 1))),
        ("2024-05-03T14:05", When(THIRD, time(14, 5))),
        ("2024-05-03 14:05:09", When(THIRD, time(14, 5, 9))),
        ("2024-05-03T14:05:09.25", When(THIRD, time(14, 5, 9, 250_000))),
        ("2024-05-03T14:05+02:00", When(THIRD, time(14, 5), 120)),
        ("2024-05-03T14:05:00-0330", When(THIRD, time(14, 5), -210)),
        ("2024-05-03T14:05Z", When(THIRD, time(14, 5), instant=True)),
        ("3 May 2024", When(THIRD)),
        ("May 3rd, 2024", When(THIRD)),
        ("Friday, May 3, 2024", When(THIRD)),
        ("Fri 3 May 2024, 9:05 pm", When(THIRD, time(21, 5))),
        ("May 3, 2024 at 12:05 AM", When(THIRD, time(0, 5))),
        ("the 3rd of May 2024", When(THIRD)),
        ("Freitag, 3. Mai 2024", When(THIRD)),
        ("3 maggio 2024", When(THIRD)),
        ("viernes, 3 de mayo de 2024", When(THIRD)),
        ("le 1er août 2024", When(date(2024, 8, 1))),
    ],
)
def test_a_date_is_read_in_the_ways_people_write_it(text: str, when: When) -> None:
    """In figures with the year first, with dots, and in words of five languages; with a time or without."""
    assert exact(text) == when


@pytest.mark.req("I6")
@pytest.mark.parametrize(
    "text",
    [
        "03/05/2024", "2024-13-01", "2024-02-30", "2024-05-03T25:00", "2024-05-03T14:05+99:00", "2024-05-03 13:05 pm",
        "24-05-03", "May 2024", "3 May", "yesterday", "", "2024-05-033", "31 April 2024", "0001-01-01", "9999-12-31",
        "maybe 3 2024", "3 May 2024 and more",
    ],
)  # fmt: skip
def test_what_is_no_single_day_is_no_date(text: str) -> None:
    """Neither what may be two days, nor what no calendar has."""
    assert exact(text) is None


@pytest.mark.req("I6")
@pytest.mark.parametrize(
    ("path", "when"),
    [
        ("2024-05-03.md", When(THIRD)),
        ("2024-05-03 A walk.md", When(THIRD)),
        ("2024_05_03-a-walk.txt", When(THIRD)),
        ("20240503.md", When(THIRD)),
        ("2024-05-03T14-05-09Z.md", When(THIRD, time(14, 5, 9), instant=True)),
        ("2024-05-03 14.05.md", When(THIRD, time(14, 5))),
        ("2024-05-03-1405.md", When(THIRD, time(14, 5))),
        ("20240503T140509.md", When(THIRD, time(14, 5, 9))),
        ("2024-05-03 1984 read again.md", When(THIRD)),
        ("2024-05-03 99-99.md", When(THIRD)),
        ("May 3, 2024.md", When(THIRD)),
        ("diary/2024/05/03.md", When(THIRD)),
        ("diary/2024/05-May/03 A walk.md", When(THIRD)),
        ("2024/05/2024-05-04.md", When(date(2024, 5, 4))),
    ],
)
def test_a_file_is_dated_by_its_name_or_its_folders(path: str, when: When) -> None:
    """What follows the date in the name may be a time or a title."""
    assert of_file(PurePath(path)) == when


@pytest.mark.req("I6")
@pytest.mark.parametrize("path", ["walk.md", "2024/May/walk.md", "2024/13/03.md", "5/03.md", "3.md", "2024-05.md", "12345678.md"])
def test_a_file_whose_name_is_no_date_has_none(path: str) -> None:
    """Figures alone are no date."""
    assert of_file(PurePath(path)) is None


@pytest.mark.req("I6")
def test_what_follows_a_date_on_its_line_is_kept_apart() -> None:
    """A heading may be a date and a title."""
    assert leading("2024-05-03: A walk") == (When(THIRD), ": A walk")
    assert leading("2024-05-03 14:05 A walk") == (When(THIRD, time(14, 5)), "A walk")
    assert leading("A walk on 2024-05-03") is None


@pytest.mark.req("I6")
@given(some.dates(date(2, 1, 1), date(9998, 12, 31)), some.none() | some.times(), some.none() | some.integers(-1079, 1079))
def test_every_date_and_time_comes_back_from_its_iso_form(day: date, clock: time | None, offset: int | None) -> None:
    """To the microsecond, in every year there is."""
    if clock is None:
        assert exact(day.isoformat()) == When(day)
    else:
        ahead = "" if offset is None else f"{'-' if offset < 0 else '+'}{abs(offset) // 60:02}:{abs(offset) % 60:02}"
        assert exact(f"{day.isoformat()}T{clock.isoformat()}{ahead}") == When(day, clock, offset)


@pytest.mark.req("I6", "R6")
@given(
    some.dates(date(2, 1, 1), date(9998, 12, 31)),
    some.none() | some.times(),
    some.sampled_from(
        ["Europe/Rome", "Europe/Paris", "Europe/London", "America/New_York", "Pacific/Apia", "Asia/Kolkata", "UTC"]
    ),
)
def test_an_entry_keeps_its_day_and_its_wall_clock_in_every_zone(day: date, clock: time | None, zone: str) -> None:
    """Also before standard time, when Paris was 9 min 21 s ahead of Greenwich; an entry without a time stands at noon."""
    moment = When(day, clock).moment(ZoneInfo(zone))
    assert moment.local.replace(tzinfo=None) == datetime.combine(day, clock or time(12))


@pytest.mark.req("I6")
def test_a_time_in_utc_is_shown_by_the_clock_of_the_person() -> None:
    """ "Z" says when it was; an offset says by which clock it was lived, and is kept."""
    rome = ZoneInfo("Europe/Rome")
    assert When(THIRD, time(23, 5), instant=True).moment(rome).local.isoformat() == "2024-05-04T01:05:00+02:00"
    assert When(THIRD, time(23, 5), -210).moment(rome).local.isoformat() == "2024-05-03T23:05:00-03:30"
