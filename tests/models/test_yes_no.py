"""A yes or no, however a model gives it: as probabilities of the first token, or in words."""

import asyncio
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.models import yes_no
from ricordo.models.base import Alternative
from ricordo.models.openai_api import OpenAIModel
from ricordo.prompt import ChatMessage
from tests.fake_server import FakeServer, Reply
from tests.learn.chances import chances


def asked(reply: Reply | str, *, words: bool = False, refuses: tuple[str, ...] = ()) -> yes_no.Answer:
    """Ask over real HTTP."""
    with FakeServer(refuses=refuses) as server:
        server.script(reply)

        async def ask() -> yes_no.Answer:
            model = OpenAIModel(server.url, "fake")
            try:
                return await yes_no.ask(model, (ChatMessage("user", "Is it? Reply yes or no."),), 5.0, words=words)
            finally:
                await model.aclose()

        return asyncio.run(ask())


@pytest.mark.req("E18", "R4")
@given(st.floats(0.001, 0.998), st.floats(0.31, 1.0))
def test_the_share_of_yes_is_read(yes: float, both: float) -> None:
    """Whatever else the model might have said, and however it spells it."""
    given_chances = {" yes": yes * both * 0.5, "Yes": yes * both * 0.5, "No": (1 - yes) * both, "well": 1 - both}
    alternatives = [Alternative(token, math.log(value)) for token, value in given_chances.items() if value > 0]
    assert yes_no.share_of_yes(alternatives) == pytest.approx(yes)


@pytest.mark.req("E18", "R4")
def test_what_falls_on_neither_is_no_answer() -> None:
    """A model about to say something else said neither yes nor no."""
    assert yes_no.share_of_yes([Alternative("well", -0.1), Alternative("no", -5.0)]) is None
    assert yes_no.share_of_yes([]) is None


@pytest.mark.req("R4", "E12")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Yes.", True),
        ("yes, because it names the dentist", True),
        ("**Relevant**", True),
        ("<think>not sure, no?</think>\nYES", True),
        ("Answer: yes", True),
        ("The answer is **no**.", False),
        ('"Yes"', True),
        ("Ja.", True),
        ("Sì, certo", True),
        ("是的", True),
        ("No", False),
        ("no - unrelated", False),
        ("irrelevant", False),
        ("Not relevant.", False),
        ("It isn't relevant", False),
        ("Nein", False),
        ("いいえ", False),
        ("不是", False),
        ("", None),
        ("As an AI I cannot", None),
        ("<think>yes", None),
        ("Nobody knows", None),
        ("yesterday", None),
        ("1", None),
        ("The note says yes to it", None),
    ],
)
def test_written_answers_are_read_in_many_forms(text: str, says: bool | None) -> None:
    """What is no answer is neither."""
    assert yes_no.verdict(text) is says


@pytest.mark.req("R4")
def test_a_server_with_probabilities_is_asked_for_one_token() -> None:
    """The chance is read, not the token that was written."""
    answer = asked(chances(0.3))
    assert answer.probabilities
    assert answer.chance == pytest.approx(0.3, abs=0.01)


@pytest.mark.req("R4")
def test_a_server_without_probabilities_still_says_yes_or_no() -> None:
    """Then the word counts."""
    answer = asked("Yes, it does.", words=True, refuses=("logprobs",))
    assert (answer.probabilities, answer.chance, answer.word) == (False, None, True)


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    """Nothing that a model writes raises."""
    assert yes_no.verdict(text) in (True, False, None)
