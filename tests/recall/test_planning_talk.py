"""The labelled talk that planning and checking are measured on, and what rules alone make of it."""

import pytest

from benchmarks.planning import holds, talk
from ricordo.recall.planner import own_searches
from ricordo.recall.wording import names_all


@pytest.mark.req("R1", "R4")
def test_the_labelled_talk_is_as_the_benchmark_says() -> None:
    """Sixty and more of each, in several conversations, half of them not used for tuning."""
    read = talk()
    notes = [(case["half"], note) for case in read.checks for note in case["notes"]]
    assert len(read.plans) >= 60
    assert len(notes) >= 60
    assert len(read.scenes) >= 5
    for half in ("tuned", "unseen"):
        assert sum(case["half"] == half for case in read.plans) == len(read.plans) // 2
        assert sum(one == half for one, _ in notes) == len(notes) // 2
    assert any(not case["want"] for case in read.checks)


@pytest.mark.req("R1", "R3")
def test_rules_alone_tell_small_talk_from_what_is_to_be_looked_for() -> None:
    """Small talk searches nothing; what names all itself is searched for by its own words."""
    for case in talk().plans:
        own = own_searches(case["said"])
        if case["kind"] == "nothing":
            assert own == (), case["said"]
        elif case["scene"] == "new" and names_all(case["said"]):
            assert holds(own, case["words"]), case["said"]
