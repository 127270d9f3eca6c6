"""The laws of the budget, and cutting in the middle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.models.tokens import TokenCounter
from ricordo.prompt import Budget
from ricordo.recall.budget import SHARES, cut_middle, share_out, shares

count = TokenCounter().count
needs = st.dictionaries(st.sampled_from(list(SHARES)), st.integers(0, 100_000))


@pytest.mark.req("B3")
@given(needs, st.integers(0, 300_000))
def test_grants_keep_the_limit_and_every_share(wanted: dict[str, int], limit: int) -> None:
    """Together never above the limit; each at least the smaller of its need and its share; never above its need."""
    grants = share_out(wanted, limit)
    assert sum(grants.values()) <= limit
    for part, share in shares(limit).items():
        assert min(wanted.get(part, 0), share) <= grants[part] <= wanted.get(part, 0)


@pytest.mark.req("B3")
@given(needs, st.integers(0, 100_000), st.integers(0, 10_000))
def test_more_room_takes_from_no_part(wanted: dict[str, int], limit: int, more: int) -> None:
    """A larger block never makes a part smaller."""
    small, large = share_out(wanted, limit), share_out(wanted, limit + more)
    # Hundredths are rounded down, so a part that lives on what others left may lose a token to each share that grew.
    assert all(large[part] >= small[part] - len(SHARES) for part in SHARES)


@pytest.mark.req("B3")
@given(needs, st.integers(0, 100_000))
def test_unused_room_is_handed_on(wanted: dict[str, int], limit: int) -> None:
    """Nothing is left while a part still needs it."""
    grants = share_out(wanted, limit)
    if sum(grants.values()) < limit:
        assert all(grants[part] == wanted.get(part, 0) for part in SHARES)


@pytest.mark.req("B3")
@given(st.integers(1024, 1_000_000), st.integers(64, 4096))
def test_the_block_takes_a_third_of_the_prompt_and_a_quarter_of_the_window_at_most(window: int, reply: int) -> None:
    """Whatever the window."""
    budget = Budget(window, min(reply, window // 4))
    assert 0 < budget.block <= budget.prompt / 3
    assert budget.block <= window / 4


def test_shares_are_hundredths_of_the_whole() -> None:
    """They add up to all of the block."""
    assert sum(SHARES.values()) == 100


@pytest.mark.req("B4")
@given(st.text(min_size=1, max_size=3000), st.integers(0, 400))
def test_a_cut_text_fits(text: str, tokens: int) -> None:
    """Whatever is cut is within the tokens it was granted, or empty; what fits is whole."""
    cut = cut_middle(text, tokens, count)
    assert cut == text if count(text) <= tokens else not cut or count(cut) <= tokens


@pytest.mark.req("B4")
def test_a_cut_text_keeps_both_ends_and_marks_the_gap() -> None:
    """The model is never shown a cut passage as if it were whole."""
    text = "It began in spring. " + "Then more happened. " * 200 + "It ended in autumn."
    cut = cut_middle(text, 120, count)
    assert cut.startswith("It began in spring.")
    assert cut.endswith("It ended in autumn.")
    assert "characters left out here" in cut
