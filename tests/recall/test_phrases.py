"""The labelled phrases as a whole: nearly all are understood, and none that is clear ever gives a wrong day."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from ricordo.conversation import Moment
from ricordo.recall.lookup import asks
from ricordo.recall.references import Days, find
from tests.recall.phrase_list import judged, phrases, rates


@pytest.mark.req("R6")
@pytest.mark.parametrize("split", ["seen", "unseen", "fresh", "later", "last"])
def test_nearly_all_phrases_mean_what_their_labels_say_and_no_day_is_wrong(split: str) -> None:
    """At least 0.97 of each part of the list are right; where the words are clear, no other day is ever given."""
    verdicts = [judged(phrase) for phrase in phrases(split)]
    right, wrong = rates(verdicts)
    missed = [(verdict.phrase.text, verdict.found) for verdict in verdicts if not verdict.right]
    assert right >= 0.97, missed
    assert not wrong, [(verdict.phrase.text, verdict.wrong_days) for verdict in verdicts if verdict.wrong_days]


@pytest.mark.req("R6")
def test_list_is_long_enough_and_every_kind_is_in_both_halves() -> None:
    """The bar says something only of a list that has each kind on both sides, and phrases that mean nothing."""
    seen, unseen = phrases("seen"), phrases("unseen")
    assert len(seen) + len(unseen) >= 250
    assert {phrase.kind for phrase in seen} == {phrase.kind for phrase in unseen}
    assert sum(phrase.means[0] == () for phrase in unseen) >= 30
    assert len({phrase.zone.key for phrase in phrases()}) >= 12


@pytest.mark.req("R6")
def test_questions_of_the_list_are_taken_for_questions() -> None:
    """What a question refers to is looked up only if it is recognised as one."""
    asked = [phrase.text for phrase in phrases() if phrase.means[0] and phrase.text.endswith("?")]
    assert asked
    assert all(map(asks, asked))


@pytest.mark.req("R6")
@pytest.mark.parametrize(
    ("year", "sunday"),
    [
        (1583, "1583-04-10"),
        (1818, "1818-03-22"),
        (1943, "1943-04-25"),
        (2000, "2000-04-23"),
        (2008, "2008-03-23"),
        (2024, "2024-03-31"),
        (2025, "2025-04-20"),
    ],
)
def test_easter_is_reckoned_from_its_rule(year: int, sunday: str) -> None:
    """The earliest and latest Easters there are, and some between; before the Gregorian calendar there is none to tell."""
    assert _days(f"What did we do on Easter Sunday {year}?") == [sunday]
    assert _days("What did we do on Easter Sunday 1582?") == []


@pytest.mark.req("R6")
def test_easter_is_left_alone_where_another_calendar_keeps_it() -> None:
    """In Athens the word does not tell which Sunday is meant."""
    assert _days("What did we do on Easter Sunday 2024?", "Europe/Athens") == []


@pytest.mark.req("R6")
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("What did I do on August 22?", ["2025-08-22"]),
        ("And August 22?", ["2025-08-22"]),
        ("What should I bring to the August 22 picnic?", []),
        ("How do I prepare for the call on August 22?", []),
        ("How do I prepare for the call on February 22?", ["2026-02-22"]),
    ],
)
def test_date_without_a_year_that_is_near_is_the_one_to_come_unless_the_past_is_told(text: str, days: list[str]) -> None:
    """On 5 August the 22nd is as likely in two weeks as a year ago, and looking up the wrong one is worse than none."""
    assert _days(text) == days


@pytest.mark.req("R6")
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("What did I write on May 3 last year?", ["2025-05-03"]),
        ("Last year, on May 3, what did I write?", ["2025-05-03"]),
        ("Was habe ich am 3. Mai letzten Jahres geschrieben?", ["2025-05-03"]),
        ("What was there on 2026-08-02 (Sunday)?", ["2026-08-02"]),
        ("Today, Wednesday, what have I eaten?", ["2026-08-05"]),
        ("What was there on December 1,2023?", ["2023-12-01"]),
        ("Compare yesterday and last Friday.", ["2026-08-04", "2026-07-31"]),
    ],
)
def test_what_tells_of_one_day_twice_is_one_day(text: str, days: list[str]) -> None:
    """A year or weekday beside a date belongs to it and is no reference of its own; two days stay two."""
    assert _days(text) == days


def _days(text: str, zone: str = "Europe/Rome") -> list[str]:
    now = Moment.of(datetime(2026, 8, 5, 8, tzinfo=UTC))
    return [one.first.isoformat() for one in find(text, now, ZoneInfo(zone)) if isinstance(one, Days) and one.first == one.last]
