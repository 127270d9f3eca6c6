"""The part of a text that a search is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.models.tokens import TokenCounter
from ricordo.recall.focus import GAP, around_best, sentences

count = TokenCounter().count
STORY = (
    "Up early and to the office. My wife was angry about the maid all morning long. At noon my eyes were very sore with reading. "
    "I put a plaster on them. Then by water to Greenwich with Mr. Hill; and so home. After supper we sang and went to bed."
)


def about(*words: str) -> object:
    """Weigh a text by how many of some words it holds."""
    return lambda text: sum(word in text for word in words)


@pytest.mark.req("B4")
def test_the_sentence_that_answers_is_kept() -> None:
    """What is looked for stands in the middle: the middle stays, both gaps are marked."""
    shown = around_best(STORY, about("eyes", "sore"), 30, count)  # type: ignore[arg-type]
    assert "my eyes were very sore with reading." in shown
    assert shown.startswith(GAP)
    assert shown.endswith(GAP)
    assert count(shown) <= 30


@pytest.mark.req("B4")
def test_what_fits_stays_whole() -> None:
    """Nothing is marked where nothing is left out."""
    assert around_best(STORY, about("eyes"), 500, count) == STORY  # type: ignore[arg-type]


@pytest.mark.req("B4")
def test_without_a_best_sentence_beginning_and_end_stay() -> None:
    """A text found by its meaning alone may hold none of the words."""
    shown = around_best(STORY, about("harpsichord"), 40, count)  # type: ignore[arg-type]
    assert shown.startswith("Up early")
    assert "characters left out here" in shown


@pytest.mark.req("B4", "B3")
@given(st.text(max_size=600), st.integers(0, 80), st.sampled_from(["a", ".", "e i", "日"]))
def test_no_text_passes_its_room(text: str, tokens: int, word: str) -> None:
    """Whatever the text is, what is shown stays within its tokens."""
    assert count(around_best(text, about(word), tokens, count)) <= tokens or count(text) <= tokens  # type: ignore[arg-type]


@given(st.text(max_size=400))
def test_sentences_cover_all_of_a_text(text: str) -> None:
    """Put together they are the text."""
    assert "".join(text[start:stop] for start, stop in sentences(text)) == text
