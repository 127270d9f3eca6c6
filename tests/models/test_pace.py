"""The pace of a model, learned from its calls."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.models.pace import Pace, pace_of
from ricordo.models.scripted import ScriptedModel
from ricordo.prompt import Usage


@pytest.mark.req("R8")
def test_reading_and_writing_are_told_apart() -> None:
    """A call that writes one token tells how fast it reads; then one that writes more tells how fast it writes."""
    pace = Pace()
    assert pace.expected(1000, 1000) == 0.0
    pace.learn(Usage(prompt=1100, cached=1000, reply=1), 1.0, 400)
    assert pace.expected(100, 0) == pytest.approx(1.0)
    pace.learn(Usage(prompt=1100, cached=1000, reply=20), 3.0, 400)
    assert pace.expected(100, 20) == pytest.approx(3.0)


@pytest.mark.req("R8")
def test_a_server_that_does_not_tell_what_it_had_is_taken_for_having_had_it() -> None:
    """Then only what the call added counts."""
    pace = Pace()
    pace.learn(Usage(prompt=1100, cached=None, reply=1), 1.0, 50)
    assert pace.expected(50, 0) == pytest.approx(1.0)


@pytest.mark.req("R8")
def test_the_newest_call_counts_half() -> None:
    """The computer may have become busy, or free."""
    pace = Pace()
    for seconds in (1.0, 3.0):
        pace.learn(Usage(prompt=100, cached=0, reply=1), seconds, 100)
    assert pace.expected(100, 0) == pytest.approx(2.0)


@pytest.mark.req("R8")
def test_a_pace_that_forbids_everything_is_tried_again_in_time() -> None:
    """A call that ran while the computer slept must not end all asking for good; a call that broke off teaches nothing."""
    pace = Pace()
    pace.learn(Usage(prompt=100, cached=0, reply=1), 100.0, 100)
    pace.learn(Usage(), 900.0, 100)
    refused = 0
    while not pace.allows(100, 0, 5.0):
        refused += 1
    assert 5 < refused < 60
    assert not pace.allows(0, 0, 0.0)


@given(st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 5000), st.integers(0, 300), st.floats(0, 100)), max_size=12))
def test_no_call_makes_a_pace_below_nothing(calls: list[tuple[int, int, int, float]]) -> None:
    """Whatever servers report."""
    pace = Pace()
    for prompt, cached, reply, seconds in calls:
        pace.learn(Usage(prompt, cached, reply), seconds, 10)
    assert pace.expected(100, 100) >= 0.0


def test_each_model_has_its_own() -> None:
    """And keeps it while it is open."""
    one, other = ScriptedModel(), ScriptedModel()
    pace_of(one).learn(Usage(prompt=100, cached=0, reply=1), 1.0, 100)
    assert pace_of(one).expected(100, 0) == pytest.approx(1.0)
    assert pace_of(other).expected(100, 0) == 0.0


def test_a_call_that_was_cut_off_is_a_lesson_too() -> None:
    """As much is not begun at once again; a quick reply later makes up for it."""
    pace = Pace()
    pace.learn_cut(200, 4.0)
    assert not pace.allows(300, 1, 4.0)
    for _ in range(6):
        pace.learn_reading(400, 2.0)
    assert pace.allows(300, 1, 4.0)
