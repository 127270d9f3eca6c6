"""Which facts are one and which are not: labelled pairs, laws, and what meaning may and may not do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.learn.duplicates import duplicate_of, nearest, same_fact
from tests.learn.fact_pairs import Pair, pairs, rates

PAIRS = pairs()


def same(one: str, other: str) -> bool:
    """What the words alone say."""
    return same_fact(one, other).same


@pytest.mark.req("E7", "N2")
@pytest.mark.parametrize("half", ["tuned", "unseen"])
def test_pairs_are_told_apart(half: str) -> None:
    """Of what is merged 99 in 100 are the same, and 80 in 100 of the same are merged, by words alone."""
    precision, recall = rates(pairs(half), same)
    assert precision >= 0.99
    assert recall >= 0.80


@pytest.mark.req("E7")
@pytest.mark.parametrize("pair", [pair for pair in PAIRS if not pair.same], ids=lambda pair: f"{pair.kind}: {pair.other}")
def test_two_facts_stay_two(pair: Pair) -> None:
    """Whatever the order, and however alike an embedder finds them, facts that differ in what is true stay two."""
    assert not same(pair.one, pair.other)
    assert not same(pair.other, pair.one)
    if pair.kind in ("order", "role", "negation", "opposite", "number", "date", "name", "tense", "quantity"):
        assert not same_fact(pair.one, pair.other, 1.0).same


@pytest.mark.req("E7")
def test_all_pairs_are_judged_alike_both_ways() -> None:
    """Which of two facts came first makes no difference."""
    for pair in PAIRS:
        assert same(pair.one, pair.other) == same(pair.other, pair.one)


@pytest.mark.req("E7")
@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("The user eats meat.", "The user doesn't eat meat.", "says no"),
        ("The user has two cats.", "The user has three cats.", "numbers"),
        ("The user runs 5 km.", "The user runs 5 miles.", "units"),
        ("The user was born in March.", "The user was born in May.", "days, months"),
        ("The user often flies.", "The user rarely flies.", "how often"),
        ("The user smokes.", "The user smoked.", "past"),
        ("The user is allergic to nuts.", "The user's son is allergic to nuts.", "other persons"),
        ("The user has a cat.", "The user has cats.", "several"),
        ("The user lives in Bonn.", "The user lives in Lund.", "names"),
        ("The user likes fish.", "The user hates fish.", "opposite"),
        ("The user is patient.", "The user is impatient.", "opposite"),
        ("The user likes Ulla more than Timo.", "The user likes Timo more than Ulla.", "order"),
        ("The user likes fish.", "The user likes chess.", "different things"),
        ("", "The user likes chess.", "empty"),
    ],
)
def test_a_refusal_says_why(one: str, other: str, reason: str) -> None:
    """Each guard has a sentence of its own, for the trace."""
    assert reason in same_fact(one, other).reason


def test_a_very_long_text_is_read_quickly() -> None:
    """A page that the person keeps as a fact is read as far as a fact can go."""
    page = "The user has a dog and the user's dog is not the dog of the dog. " * 20_000
    assert same(page, page)
    assert duplicate_of("The user has a dog.", [page] * 3) is None


@pytest.mark.req("E7", "E10", "N2")
def test_the_known_fact_is_named() -> None:
    """The answer says which known fact it is, and why."""
    known = ["The user lives in Ghent.", "The user hates olives.", "The user has a dog named Biscuit."]
    found = duplicate_of("The user's dog is called Biscuit", known)
    assert found is not None
    assert (found.index, found.reason) == (2, "the same words")
    assert duplicate_of("The user's dog is called Bandit", known) is None
    assert duplicate_of("The user's dog is called Bandit", []) is None


@pytest.mark.req("E7")
@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.same], ids=lambda pair: f"{pair.kind}: {pair.other}")
def test_a_copy_is_found_among_many(pair: Pair) -> None:
    """The quick look that saves time leaves out nothing that the close look would have found."""
    known = ["The user collects stamps from Peru.", pair.one, "The user's aunt keeps bees."]
    found = duplicate_of(pair.other, known)
    assert (found is not None and found.index == 1) == same(pair.one, pair.other)


@pytest.mark.req("E7")
def test_meaning_bridges_a_word_that_no_table_knows() -> None:
    """An embedder that is sure finds one more rewording; one that is not sure finds none."""
    known = ["The user's garden is gorgeous."]
    assert duplicate_of("The user's garden is beautiful.", known) is None
    assert duplicate_of("The user's garden is beautiful.", known, lambda one, other: 0.97) is not None
    assert duplicate_of("The user's garden is beautiful.", known, lambda one, other: 0.90) is None


@pytest.mark.req("E7")
def test_meaning_is_not_asked_where_a_guard_objects() -> None:
    """However alike two texts sound to an embedder, it has no say in negations, numbers, names and order."""
    asked: list[str] = []

    def alike(one: str, other: str) -> float:
        asked.append(other)
        return 1.0

    known = ["The user eats fish.", "The user has 2 boats.", "The user likes Ulm more than Bonn.", "The user lives near Ulm."]
    for candidate in (
        "The user doesn't eat fish.",
        "The user has 3 boats.",
        "The user likes Bonn more than Ulm.",
        "The user lives in Ulm.",
    ):
        assert duplicate_of(candidate, known, alike) is None
    assert asked == []


@pytest.mark.req("E9")
def test_the_nearest_facts_share_the_rarest_words() -> None:
    """They are what a new fact may make out of date; word forms and words of the same meaning count as shared."""
    known = [
        "The user likes tea.",
        "The user lives in Ghent.",
        "The user works as a nurse in Ghent.",
        "The user resides with two cats.",
        "用户住在上海。",
    ]
    assert nearest("The user moved from Ghent to Lund and lives there.", known, 3)[:2] == [1, 2]
    assert 3 in nearest("The user lives alone.", known, 3)
    assert nearest("用户搬离了上海。", known, 1) == [4]
    assert nearest("Der Nutzer fährt Rad", ["Der Nutzer wohnt in Köln.", "Der Nutzer repariert ein Rad."], 3) == [1]
    assert nearest("Quantum chromodynamics", known, 3) == []
    assert nearest("The user is there.", known, 3) == []
    assert nearest("The user likes tea.", [], 3) == []


@given(st.lists(st.sampled_from([pair.one for pair in PAIRS]), max_size=30), st.sampled_from(PAIRS), st.integers(0, 5))
def test_the_nearest_are_no_more_than_asked_for(known: list[str], pair: Pair, count: int) -> None:
    """Each once, each one of those given; a fact that is known is among its own nearest."""
    found = nearest(pair.other, known, count)
    assert len(found) <= count
    assert len(set(found)) == len(found)
    assert all(0 <= at < len(known) for at in found)
