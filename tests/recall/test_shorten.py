"""Shortening: by the model from the memory's own words, else a cut; kept in RAM only."""

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.models.openai_api import OpenAIModel
from ricordo.models.scripted import ScriptedModel
from ricordo.models.tokens import TokenCounter
from ricordo.prompt import ChatMessage
from ricordo.recall.faithful import why_unfaithful
from ricordo.recall.focus import GAP
from ricordo.recall.shorten import Short, ShortForms, shorten
from tests.fake_server import FakeServer, Reply

TALK = (ChatMessage("system", "You are the companion in a diary."),)
COUNT = TokenCounter(1.0).count
BOILER = (
    "Long day. The boiler man came at eight, an hour late, and found that the pump had failed; a new one costs 310 euros and he "
    "will fit it on Thursday. In the afternoon I took Leo to the dentist, and we got ice cream even though it rained. I was too "
    "tired to read in the evening, and went to bed with the window open and the rain still falling on the roof of the shed."
)
GOOD = "The boiler man found that the pump had failed; a new one costs 310 euros, on Thursday, and Leo went to the dentist."


def shortened(answer: str, text: str = BOILER, tokens: int = 50, forms: ShortForms | None = None) -> Short:
    """Shorten with a model that says just this."""
    return asyncio.run(
        shorten(
            ScriptedModel(answer),
            TALK,
            "What about the boiler?",
            7,
            text,
            tokens,
            COUNT,
            5.0,
            ShortForms() if forms is None else forms,
        )
    )


@pytest.mark.req("B4")
def test_a_long_memory_is_rewritten_from_its_own_words() -> None:
    """One or two sentences that keep names, numbers and denials."""
    short = shortened(GOOD)
    assert (short.text, short.by) == (GOOD, "model")


@pytest.mark.req("B4")
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (
            "The boiler man found that the pump had failed; a new one costs 31 euros, on Thursday, and Leo went to the dentist.",
            "number",
        ),
        ("The boiler man found that the pump had failed; it costs 310 euros, on Thursday.", "name"),
        (
            "The boiler man Tom found that the pump had failed; it costs 310 euros, on Thursday, and Leo went to the dentist.",
            "name",
        ),
        ("The pump had not failed; it costs 310 euros on Thursday, and Leo went to the dentist.", "denial"),
        ("The pump had failed dramatically; it costs 310 euros on Thursday, and Leo went to the dentist.", "words of its own"),
        (BOILER, "hardly shorter"),
        ("", "empty"),
        ("<think>310 euros, Thursday, Leo", "empty"),
    ],
)
def test_what_says_something_else_is_refused_and_cut_instead(answer: str, why: str) -> None:
    """The cut marks its gap, and the reason is kept for the trace."""
    short = shortened(answer)
    assert short.by == "cut"
    assert "left out here" in short.text or GAP in short.text
    assert why in short.reason or (why == "empty" and short.reason)


@pytest.mark.req("B4")
def test_a_denial_that_is_lost_is_refused() -> None:
    """A small model once made "agreed" of "refused"."""
    source = (
        "The landlord came by about the flat. He did not agree to the new rent, and Leo was there. " + "It rained a lot. " * 20
    )
    assert "denial" in shortened("The landlord did agree to the new rent, and Leo was there.", source).reason
    refused = source.replace("did not agree to", "refused")
    assert shortened("The landlord agreed to the new rent, and Leo was there.", refused).by == "cut"
    assert shortened("The landlord refused the new rent, and Leo was there.", refused).by == "model"


@pytest.mark.req("B4", "E12")
def test_a_short_form_that_broke_off_is_refused() -> None:
    """What stops at its room is no sentence."""
    assert "broke off" in shortened("the pump failed " * 100, BOILER * 6).reason


@pytest.mark.req("B4")
def test_what_fits_stays_whole_and_what_is_a_little_too_long_is_cut() -> None:
    """Neither is worth a call."""
    model = ScriptedModel()
    for tokens, by in ((COUNT(BOILER), "whole"), (COUNT(BOILER) - 5, "cut")):
        short = asyncio.run(shorten(model, TALK, "And?", 7, BOILER, tokens, COUNT, 5.0, ShortForms()))
        assert short.by == by
    assert model.requests == []


@pytest.mark.req("B4", "V3")
def test_a_short_form_is_made_once_and_forgotten_at_lock() -> None:
    """It is kept by message and text: an edited one is shortened anew."""
    forms = ShortForms()
    shortened(GOOD, forms=forms)
    assert shortened("never asked", forms=forms).text == GOOD
    assert shortened("nonsense", BOILER + " And more.", forms=forms).by == "cut"
    forms.clear()
    assert forms.held == 0
    assert shortened("nonsense", forms=forms).by == "cut"


def test_short_forms_take_bounded_room() -> None:
    """The least used go first."""
    forms = ShortForms()
    for key in range(600):
        forms.put(key, "text", "short")
        assert forms.get(0, "text") == "short"
    assert forms.held <= 256


@pytest.mark.req("B4", "R8")
@pytest.mark.parametrize("reply", [Reply(GOOD, delay=20), Reply(status=500), Reply(drop=True)], ids=("slow", "error", "gone"))
def test_a_slow_or_failing_model_leaves_a_cut(reply: Reply) -> None:
    """Within its time."""
    with FakeServer() as server:
        server.script(reply)

        async def run() -> Short:
            model = OpenAIModel(server.url, "fake")
            try:
                return await shorten(model, TALK, "And?", 7, BOILER, 50, COUNT, 0.4, ShortForms())
            finally:
                await model.aclose()

        begun = time.perf_counter()
        short = asyncio.run(run())
    assert time.perf_counter() - begun < 3
    assert short.by == "cut"
    assert COUNT(short.text) <= 50


@pytest.mark.req("B7")
def test_shortening_is_asked_after_the_same_messages() -> None:
    """So that the conversation is not read again."""
    model = ScriptedModel(GOOD)
    asyncio.run(shorten(model, TALK, "And?", 7, BOILER, 50, COUNT, 5.0, ShortForms()))
    assert model.requests[0].messages[:-1] == TALK


@pytest.mark.req("B4")
@given(st.text(max_size=300))
def test_a_text_never_contradicts_itself(text: str) -> None:
    """What is its own source is faithful, unless there is nothing in it."""
    assert not why_unfaithful(text, text) or not text.strip() or why_unfaithful(text, text) == "the short form was empty"


@pytest.mark.req("B4")
@given(st.text(max_size=400), st.integers(0, 60), st.text(max_size=120))
def test_whatever_a_model_says_the_memory_fits(text: str, tokens: int, answer: str) -> None:
    """Within its share, or empty where not even a cut fits."""
    assert COUNT(shortened(answer, text, tokens).text) <= max(tokens, 0)
