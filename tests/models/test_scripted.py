"""The scripted model keeps the protocol of every chat model."""

import asyncio

import pytest

from ricordo.errors import ModelMissing, ModelRefused
from ricordo.models.base import ChatModel, Completion, Finish, Finished, Piece, Request, Text
from ricordo.models.scripted import ScriptedModel
from ricordo.prompt import ChatMessage


def asking(text: str = "Hello", max_tokens: int = 100) -> Request:
    return Request((ChatMessage("user", text),), max_tokens)


async def streamed(model: ChatModel, request: Request) -> list[Piece]:
    return [piece async for piece in model.stream(request)]


def test_a_reply_comes_word_by_word_and_ends_with_its_usage() -> None:
    """Every stream ends with Finished, and the words add up to the text."""
    pieces = asyncio.run(streamed(ScriptedModel("Good  morning,\nPaul."), asking()))
    assert pieces[:-1] == [Text("Good"), Text("  morning,"), Text("\nPaul.")]
    assert isinstance(pieces[-1], Finished)
    assert pieces[-1].finish is Finish.STOP
    assert pieces[-1].usage.reply == 7


def test_replies_are_used_in_order_and_requests_are_kept() -> None:
    """Two texts answer two calls; what was asked can be looked at."""

    async def story() -> list[Completion]:
        return [await model.complete(asking("first")), await model.complete(asking("second"))]

    model = ScriptedModel("one", "two")
    assert [reply.text for reply in asyncio.run(story())] == ["one", "two"]
    assert [request.messages[0].content for request in model.requests] == ["first", "second"]


def test_a_function_answers_every_call_from_then_on() -> None:
    """A function sees the messages and stays."""

    async def story() -> list[str]:
        return [(await model.complete(asking(text))).text for text in ("a", "b", "c")]

    model = ScriptedModel("fixed", lambda messages: messages[-1].content.upper())
    assert asyncio.run(story()) == ["fixed", "B", "C"]


def test_an_error_in_the_script_is_raised() -> None:
    """An error stands for a failing model, and is used up like a text."""

    async def story() -> str:
        with pytest.raises(ModelRefused):
            await model.complete(asking())
        return (await model.complete(asking())).text

    model = ScriptedModel(ModelRefused("Busy.", 503), "fine")
    assert asyncio.run(story()) == "fine"


def test_a_script_at_its_end_says_so() -> None:
    """A test that asks more than it scripted fails with a sentence."""
    with pytest.raises(ModelMissing, match="no reply left"):
        asyncio.run(ScriptedModel().complete(asking()))


def test_a_reply_over_its_room_is_cut_and_says_length() -> None:
    """`max_tokens` holds for the scripted model too."""
    reply = asyncio.run(ScriptedModel("one two three four").complete(asking(max_tokens=2)))
    assert (reply.text, reply.finish) == ("one two", Finish.LENGTH)


def test_closing_the_stream_stops_it() -> None:
    """No further word comes once the iterator was closed."""

    async def story() -> list[Piece]:
        stream = ScriptedModel("one two three").stream(asking())
        first = await anext(stream)
        await stream.aclose()
        return [first, *[piece async for piece in stream]]

    assert asyncio.run(story()) == [Text("one")]
