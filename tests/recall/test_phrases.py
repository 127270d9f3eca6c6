"""The labelled phrases as a whole: nearly all are understood, and none that is clear ever gives a wrong day."""

from __future__ import annotations

import pytest

from ricordo.recall.lookup import asks
from tests.recall.phrase_list import judged, phrases, rates


@pytest.mark.req("R6")
@pytest.mark.parametrize("split", ["seen", "unseen", "fresh", "later"])
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
