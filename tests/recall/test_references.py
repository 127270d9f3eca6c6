"""Direct references: a list of phrases with what they mean, the reported failures, and the laws that hold for any text."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ricordo.conversation import Moment
from ricordo.recall.dates.positions import Place, Spot, pick
from ricordo.recall.references import Days, Position, Reference, Stamp, find, minute, named, narrowed, rest
from ricordo.recall.stamps import stamp
from tests.cases import dates as reported
from tests.conftest import data_folder

BRUSSELS = ZoneInfo("Europe/Brussels")
NOW = Moment.of(datetime(2026, 8, 5, 8, tzinfo=UTC))  # a Wednesday, 10:00 in Brussels
PHRASES = Path(__file__).with_name("date_phrases.tsv")
CASES = data_folder.parent / "cases" / "open.yaml"


def labelled() -> Iterator[tuple[str, str, str, str]]:
    for line in PHRASES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            _, _, text, meant, *where = line.split("\t")
            at, zone = where or ("2026-08-05T08:00Z", "Europe/Brussels")
            yield text, meant, at, zone


def shown(references: tuple[Reference, ...]) -> str:
    """Write references as the list of phrases does."""
    return " + ".join(_one(reference) for reference in references) or "-"


def _one(reference: Reference) -> str:
    match reference:
        case Days(first, last):
            return f"{first}" if first == last else f"{first}..{last}"
        case Stamp(at):
            return f"stamp {at.isoformat(timespec='minutes')}"
        case Position(spot, days=within):
            count = f"x{spot.count}" if spot.count > 1 else ""
            return f"{spot.place} {spot.number}{count}" + (f"@{_one(within)}" if within else "")


def ask(text: str, day_first: bool | None = None, week_starts: int = 0) -> str:
    return shown(find(text, NOW, BRUSSELS, day_first=day_first, week_starts=week_starts))


@pytest.mark.req("R6")
@pytest.mark.parametrize(("text", "meant", "at", "zone"), list(labelled()))
def test_phrase_means_what_its_label_says(text: str, meant: str, at: str, zone: str) -> None:
    """Each labelled phrase gives just its days or positions, and those that are none give nothing."""
    assert shown(find(text, Moment.of(datetime.fromisoformat(at)), ZoneInfo(zone))) == meant


@pytest.mark.req("R6")
@pytest.mark.parametrize(
    "case",
    [case for case in yaml.safe_load(CASES.read_text(encoding="utf-8")) if case["area"] in reported.AREAS],
    ids=lambda case: case["id"],
)
def test_reported_failure_does_not_happen_here(case: dict[str, object]) -> None:
    """What went wrong elsewhere with dates and zones goes right here."""
    met, why = reported.run(case)
    assert met, why


@pytest.mark.req("R6")
def test_order_of_day_and_month_is_asked_not_guessed() -> None:
    """03/04/2024 is a reference only once the person's habit is known; an impossible order is never taken."""
    assert ask("03/04/2024") == "-"
    assert ask("03/04/2024", day_first=True) == "2024-04-03"
    assert ask("03/04/2024", day_first=False) == "2024-03-04"
    assert ask("13/04/2024", day_first=False) == ask("04/13/2024", day_first=True) == "2024-04-13"
    assert ask("on 3/4", day_first=True) == "2026-04-03"
    assert ask("on 3/4") == "-"


@pytest.mark.req("R6")
def test_weeks_begin_on_the_day_that_is_set() -> None:
    """A week that begins on Sunday moves last week, but not the weekday within it."""
    assert ask("last week", week_starts=6) == "2026-07-26..2026-08-01"
    assert ask("this Tuesday", week_starts=6) == "2026-08-04"


@pytest.mark.req("R6")
def test_month_without_year_falls_back_to_another_year_that_holds_something() -> None:
    """ "In June" is the last one, but never an empty answer while some June was written in."""
    (june,) = find("the barbecue in June", NOW, BRUSSELS)
    assert isinstance(june, Days)
    written = [date(2023, 6, 3), date(2021, 6, 1), date(2026, 2, 11)]
    assert narrowed(june, written) == (date(2023, 6, 3),)
    assert narrowed(june, [*written, date(2026, 6, 30)]) == (date(2026, 6, 30),)
    assert narrowed(june, [date(2026, 2, 11)]) == ()


@pytest.mark.req("R6")
def test_last_day_of_february_is_found_in_leap_years_too() -> None:
    """A whole month stays whole in whichever year it is found."""
    (february,) = find("in February", NOW, BRUSSELS)
    assert isinstance(february, Days)
    assert narrowed(february, [date(2024, 2, 29)]) == (date(2024, 2, 29),)


@pytest.mark.req("R6")
def test_long_ago_means_around_then_only_when_nothing_stands_on_the_day() -> None:
    """ "A year ago" is that day; without an entry there, the nearest within a month; "today" makes it exact."""
    (about,) = find("a year ago", NOW, BRUSSELS)
    (exact,) = find("a year ago today", NOW, BRUSSELS)
    assert isinstance(about, Days) and isinstance(exact, Days)
    near = [date(2025, 7, 30), date(2025, 8, 20), date(2025, 12, 1)]
    assert narrowed(about, near) == (date(2025, 7, 30),)
    assert narrowed(about, [*near, date(2025, 8, 5)]) == (date(2025, 8, 5),)
    assert narrowed(about, [date(2025, 12, 1)]) == narrowed(exact, near) == ()


@pytest.mark.req("R6")
def test_around_a_day_reaches_a_week_either_side() -> None:
    """ "Around 3 May" is that day or the nearest entry within a week."""
    (around,) = find("around 3 May 2024", NOW, BRUSSELS)
    assert isinstance(around, Days)
    assert narrowed(around, [date(2024, 5, 8), date(2024, 5, 20)]) == (date(2024, 5, 8),)


@pytest.mark.req("R6")
def test_written_date_is_never_stretched() -> None:
    """A day named outright has no neighbours: nothing there is said as such."""
    (day,) = find("2026-03-18", NOW, BRUSSELS)
    assert isinstance(day, Days)
    assert narrowed(day, [date(2026, 3, 17), date(2025, 3, 18)]) == ()
    assert named(day) == "2026-03-18"


@pytest.mark.req("R6")
def test_names_are_what_the_prompt_says() -> None:
    """A span is named by its ends, a position by the person's own words."""
    assert [named(one) for one in find("last week, and my first entry", NOW, BRUSSELS)] == [
        "2026-07-27 to 2026-08-02",
        "my first entry",
    ]


@pytest.mark.req("R6")
def test_what_was_looked_up_is_not_searched_for() -> None:
    """The rest of the message goes to the search, without stray figures."""
    text = "what about Ghent on 2026-07-25/26 or last week?"
    assert rest(text, find(text, NOW, BRUSSELS)) == "what about Ghent or ?"


@pytest.mark.req("R6", "R7")
@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)), st.integers(-14 * 60, 14 * 60))
def test_stamp_shown_by_the_app_is_read_back(when: datetime, offset: int) -> None:
    """A clicked timestamp finds the minute it was made from, in whatever zone that was."""
    utc = (when - datetime(1970, 1, 1)) // timedelta(microseconds=1)
    moment = Moment(utc, offset)
    (found,) = find(f"and [{stamp(moment)}]?", NOW, BRUSSELS)
    assert isinstance(found, Stamp)
    assert found.at == minute(moment)


ENTRIES = [(7, date(2024, 3, 1)), (3, date(2024, 3, 9)), (5, date(2025, 1, 1)), (4, date(2026, 8, 2))]


@pytest.mark.req("R6")
@pytest.mark.parametrize(
    ("spot", "that", "within", "ids"),
    [
        (Spot(Place.FIRST), (), None, (7,)),
        (Spot(Place.FIRST, 2), (), None, (3,)),
        (Spot(Place.FIRST, 9), (), None, ()),
        (Spot(Place.FIRST, 1, 9), (), None, (7, 3, 5, 4)),
        (Spot(Place.LAST), (), None, (4,)),
        (Spot(Place.LAST, 1, 3), (), None, (3, 5, 4)),
        (Spot(Place.LAST, 2), (), None, (5,)),
        (Spot(Place.LAST, 9), (), None, ()),
        (Spot(Place.LAST), (), (date(2024, 3, 1), date(2024, 3, 31)), (3,)),
        (Spot(Place.PREVIOUS), (5,), None, (3,)),
        (Spot(Place.PREVIOUS, 2), (5,), None, (7,)),
        (Spot(Place.PREVIOUS, 1, 2), (5,), None, (7, 3)),
        (Spot(Place.PREVIOUS), (7,), None, ()),
        (Spot(Place.PREVIOUS), (), None, ()),
        (Spot(Place.PREVIOUS), (), (date(2024, 12, 1), date(2024, 12, 1)), (3,)),
        (Spot(Place.NEXT), (7, 3), None, (5,)),
        (Spot(Place.NEXT), (4,), None, ()),
        (Spot(Place.NEXT), (), (date(2024, 3, 9), date(2024, 3, 9)), (5,)),
    ],
)
def test_position_is_counted_in_the_order_lived(
    spot: Spot, that: tuple[int, ...], within: tuple[date, date] | None, ids: tuple[int, ...]
) -> None:
    """Positions go by the day of an entry, not by its id, and past either end there is none."""
    assert pick(spot, ENTRIES, that, within) == ids


@pytest.mark.req("R6")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What did I do on the last Friday before 8 May 2024?", [("last Friday before 8 May 2024", date(2024, 5, 3))]),
        ("last monday before 2024-05-08", [("last monday before 2024-05-08", date(2024, 5, 6))]),
        ("last friday after 2024-05-08", [("last friday after 2024-05-08", date(2024, 5, 10))]),
        (
            "last friday, and the friday before 2024-05-08",
            [("last friday", date(2026, 7, 31)), ("friday before 2024-05-08", date(2024, 5, 3))],
        ),
        ("monday before monday before 2024-05-08", []),
    ],
)
def test_a_day_that_is_counted_from_another_is_the_only_one(text: str, found: list[tuple[str, date]]) -> None:
    """The words that count it name no day of their own, and no day is given twice."""
    named = [each for each in find(text, NOW, BRUSSELS) if isinstance(each, Days)]
    assert [(each.phrase, each.first) for each in named] == found


VOCABULARY = st.lists(
    st.sampled_from(
        "the last first on in between and from to since before may march 3 3rd 31 2024 2026-08-02 week of ago "
        "three days year entry friday tuesday's next , . - – [2026-08-02 14:05] 25/12/2024 9999 0 that summer "
        'years month february 29 monday weekend last 99999 until every vor tagen 年 \n " ` >'.split(" ")
    ),
    max_size=25,
).map(" ".join)


@pytest.mark.req("R6")
@given(
    st.one_of(st.text(), VOCABULARY),
    st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29)),
    st.sampled_from([None, True, False]),
)
def test_any_text_is_read_without_error_and_each_phrase_stands_in_it(text: str, when: datetime, day_first: bool | None) -> None:
    """Whatever is written, on whatever day: no error, spans in order within the text, first not after last."""
    now = Moment((when - datetime(1970, 1, 1)) // timedelta(microseconds=1), 0)
    references = find(text, now, BRUSSELS, day_first=day_first)
    end = 0
    for reference in references:
        assert text[reference.start : reference.end] == reference.phrase != ""
        assert reference.start >= end
        end = reference.end
        days = reference.days if isinstance(reference, Position) else reference
        if isinstance(days, Days):
            assert days.first <= days.last


@pytest.mark.req("R6")
@given(st.dates(), st.sampled_from(["{}", "on {} I", "日記{}を", "({})", "«{}»", "x\n{}\ny"]))
def test_every_iso_date_is_found_as_itself(day: date, around: str) -> None:
    """A date as the app writes it is understood in any year and beside any script."""
    (found,) = find(around.format(day.isoformat()), NOW, BRUSSELS)
    assert isinstance(found, Days)
    assert (found.first, found.last, found.phrase.removeprefix("on ")) == (day, day, day.isoformat())


@pytest.mark.req("R6")
@given(st.dates(), st.sampled_from(["{d} {m} {y}", "{m} {d}, {y}", "the {d} of {m}, {y}", "{m} {d} {y}"]))
def test_every_date_in_words_is_found_as_itself(day: date, form: str) -> None:
    """A day, a month's name and a year of four digits mean that day, from the year 1000 on."""
    text = form.format(d=day.day, m=f"{day:%B}", y=day.year)
    found = find(text, NOW, BRUSSELS)
    if 1000 <= day.year <= 2999:
        assert [(one.first, one.last) for one in found if isinstance(one, Days)] == [(day, day)]


@pytest.mark.req("R6")
def test_long_message_is_read_at_both_ends_and_in_little_time() -> None:
    """A megabyte takes half a second of the processor at most; a question before or after pasted text is understood, too."""
    filler = "on the last day of may 3 they came, and " * 25_000
    begun = time.thread_time()
    found = find(f"yesterday {filler} 2026-08-02", NOW, BRUSSELS)
    assert time.thread_time() - begun < 0.5
    assert (found[0].phrase, found[-1].phrase) == ("yesterday", "2026-08-02")


@pytest.mark.req("R6")
def test_half_a_date_at_the_cut_is_no_date() -> None:
    """Where a long message is cut, no word is: half of 2026-08-02 would be another month."""
    for shift in range(14):
        text = "x" * (9_995 - shift) + " 2026-08-02 " + "y" * 20_000
        assert all(reference.phrase == "2026-08-02" for reference in find(text, NOW, BRUSSELS))
