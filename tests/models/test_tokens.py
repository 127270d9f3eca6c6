"""Token estimates lean high, are fast, and learn from what servers report."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.models.tokens import HIGHEST, LOWEST, TokenCounter, count_messages, pieces
from ricordo.prompt import ChatMessage

# Counted with the tokenizer of Qwen2.5.
TRUTHS = [
    ("I walked to the office and met my brother Tom by the river.", 14),
    ("Heute war ein langer Tag, die Umwälzpumpe ist defekt.", 19),
    ("今天我终于签了公寓的合同。", 9),
    ("Сегодня я наконец подписала договор на квартиру.", 15),
    ("2026-08-02 14:30", 16),
    ("def merge(a, b):\n    return {**a, **b}\n", 15),
]


@pytest.mark.req("B6")
@pytest.mark.parametrize(("text", "truth"), TRUTHS)
def test_an_estimate_is_within_a_factor_of_two(text: str, truth: int) -> None:
    """Whatever the script or kind of text, half to twice the real count."""
    assert 0.5 <= pieces(text) / truth <= 2.0


@given(st.text(), st.text())
def test_putting_texts_together_never_adds_tokens_beyond_their_sum(one: str, other: str) -> None:
    """The estimate of a whole is not above that of its parts, but for long words that grow together."""
    assert pieces(one + "\n" + other) <= pieces(one) + pieces(other) + 1


@given(st.text(alphabet=st.characters(exclude_categories=["Z", "C"]), min_size=1))
def test_what_can_be_seen_is_never_free(text: str) -> None:
    """No visible text counts as nothing, and none as more than two tokens a character."""
    assert 1 <= pieces(text) <= 2 * len(text) + 1


def test_counting_is_fast_enough_for_whole_diaries() -> None:
    """Five megabytes a second on English at the least: a full window costs under 10 ms."""
    text = "I walked to the office, and there met Mr. Coventry; so home to dinner at 12. " * 13_000
    best = min(_seconds(text) for _ in range(3))
    assert len(text) / best > 5e6


def _seconds(text: str) -> float:
    start = time.perf_counter()
    pieces(text)
    return time.perf_counter() - start


def test_each_message_costs_its_frame() -> None:
    """Two empty messages are not free: the template writes their roles."""
    assert count_messages([ChatMessage("system", ""), ChatMessage("user", "")]) == 13


@pytest.mark.req("B6")
def test_a_new_counter_starts_above_the_estimate() -> None:
    """Before anything is known the count is a tenth higher."""
    assert TokenCounter().count("word " * 100) == 111


@pytest.mark.req("B6")
def test_a_report_above_the_estimate_raises_the_factor_at_once() -> None:
    """One prompt that was longer than thought is enough."""
    counter = TokenCounter().learned(estimated=1000, reported=1500)
    assert counter.factor == pytest.approx(1.1 * 1.5 * 1.05)


@pytest.mark.req("B6")
def test_reports_below_the_estimate_lower_the_factor_step_by_step() -> None:
    """The counter comes down to what is seen, and stays a little above it."""
    counter, truth = TokenCounter(), 800
    for _ in range(20):
        counter = counter.learned(estimated=round(1000 * counter.factor), reported=truth)
    assert 0.8 <= counter.factor <= 0.85


@pytest.mark.req("B6")
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), max_size=20))
def test_no_report_drives_the_factor_out_of_bounds(reports: list[tuple[int, int]]) -> None:
    """Nonsense from a server cannot make the counter useless."""
    counter = TokenCounter()
    for estimated, reported in reports:
        counter = counter.learned(estimated, reported)
    assert LOWEST <= counter.factor <= HIGHEST


@pytest.mark.req("B6")
def test_a_prompt_that_was_silently_cut_is_noticed_and_teaches_nothing() -> None:
    """A server that read 4,096 of 12,000 tokens dropped something."""
    counter = TokenCounter()
    assert counter.dropped(estimated=12_000, reported=4_096)
    assert counter.learned(estimated=12_000, reported=4_096) == counter
    assert not counter.dropped(estimated=12_000, reported=8_000)
