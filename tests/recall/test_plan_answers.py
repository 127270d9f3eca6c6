"""What small models answer when they are asked for searches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.recall.plan_answers import searches_in
from ricordo.recall.planner import QUESTION

NOTHING = (
    "NONE",
    "None.",
    "**None**",
    "Nothing needs looking up.",
    "No search needed.",
    "No searches are necessary for this.",
    "There is no need to search.",
    "I don't need to look anything up.",
    "nichts",
    "niente",
    "无",
    "[]",
    "{}",
    '{"queries": null}',
    '{"queries": ["", null, 3]}',
    '{"queries": []}',
    "not json",
    "NONE\n\nThe message is a greeting.",
    "<think>Okay, so the user is asking about bakeries, let me",
    "<think>bakery</think>",
    "The person liked a bakery in Riga that they visited with Ana in the summer and that sold rye bread.",
    "It seems the user wants to know about knees.",
    "Sure!",
    "",
    "   \n ",
    "```\n```",
    "?",
    "3",
    '{"relevant": [1, 2]}',
)


@pytest.mark.req("R1", "R3", "E12")
@pytest.mark.parametrize("answer", NOTHING)
def test_nothing_and_nonsense_give_no_search(answer: str) -> None:
    """Prose, reasoning, empty lists, and each way of saying that nothing is needed."""
    assert searches_in(answer, QUESTION) == ()


@pytest.mark.req("R1", "E12")
@pytest.mark.parametrize(
    ("answer", "searches"),
    [
        ("bakery Riga\nRiga trip", ("bakery Riga", "Riga trip")),
        ('1. bakery Riga\n2. "Riga trip"\n3) bread shop', ("bakery Riga", "Riga trip", "bread shop")),
        ("- Search 1: bakery Riga\n- Search 2: Riga trip", ("bakery Riga", "Riga trip")),
        ("Sure! Here are the searches:\n\n* bakery Riga\n* favourite bakery", ("bakery Riga", "favourite bakery")),
        ('I would search for "bakery Riga" and "favourite bakery".', ("bakery Riga", "favourite bakery")),
        ("bakery Riga, Riga trip, bread shop", ("bakery Riga", "Riga trip", "bread shop")),
        ("Search: Ana wedding date.", ("Ana wedding date",)),
        ("<think>hmm</think>\nAna wedding", ("Ana wedding",)),
        ('```json\n{"queries": ["sister wedding", "wedding date"]}\n```', ("sister wedding", "wedding date")),
        ('{"query": "email address", "area": "personal", "threshold": 0.95, "limit": -5}', ("email address",)),
        ('[{"query": "Ana wedding"}, {"query": "dress shop"}]', ("Ana wedding", "dress shop")),
        ('["Ana wedding", "dress', ("Ana wedding",)),
        ("bakery riga\nRiga bakery\nBAKERY Riga", ("bakery riga",)),
        ("Ana 的婚礼\n婚礼日期", ("Ana 的婚礼", "婚礼日期")),
    ],
)
def test_searches_are_found_in_any_form(answer: str, searches: tuple[str, ...]) -> None:
    """Numbering, bullets, labels, quotes, fences and prose around them are taken off; what says the same is there once."""
    assert searches_in(answer, QUESTION) == searches


@pytest.mark.req("R1")
@pytest.mark.parametrize(
    ("answer", "search"),
    [
        ("bakery AND Riga -coffee site:example.com", "bakery Riga coffee"),
        ('"bakery" "Riga"', "bakery Riga"),
        ("knee AND (doctor OR physio*)", "knee doctor physio"),
        ("Doctor's advice knee", "Doctor's advice knee"),
    ],
)
def test_query_syntax_is_taken_off(answer: str, search: str) -> None:
    """A search is words; nothing in it commands the index."""
    assert " ".join(searches_in(answer, QUESTION)) == search


@pytest.mark.req("R1")
def test_an_echo_of_the_question_is_no_search() -> None:
    """Small models repeat what they were told."""
    assert searches_in("up to three short searches\none a line", QUESTION) == ()
    assert searches_in(QUESTION, QUESTION) == ()


@given(st.text(max_size=300))
def test_whatever_comes_back_searches_are_short(answer: str) -> None:
    """And no answer raises."""
    assert all(0 < len(search) <= 80 and len(search.split()) <= 10 for search in searches_in(answer, QUESTION))
