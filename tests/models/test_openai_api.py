"""The model behind a server, over real HTTP: replies, stops, usage, what servers refuse."""

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import aclosing

import openai
import pytest

from ricordo.errors import (
    ContextOverflow,
    InvalidInput,
    ModelError,
    ModelGarbled,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)
from ricordo.models.base import Completion, Finish, Finished, Piece, Request, Text, Thought
from ricordo.models.openai_api import OpenAIModel
from ricordo.prompt import ChatMessage, Usage
from tests.fake_server import FakeServer, Reply

SCHEMA = {"type": "object", "properties": {"add": {"type": "array"}}}


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


def asking(text: str = "Hello there", **fields: object) -> Request:
    return Request((ChatMessage("user", text),), 100, **fields)  # type: ignore[arg-type]


async def _pieces(model: OpenAIModel, request: Request) -> list[Piece]:
    try:
        return [piece async for piece in model.stream(request)]
    finally:
        await model.aclose()


async def _completion(model: OpenAIModel, request: Request) -> Completion:
    try:
        return await model.complete(request)
    finally:
        await model.aclose()


def streamed(url: str, request: Request | None = None) -> list[Piece]:
    return asyncio.run(_pieces(OpenAIModel(url), request or asking()))


def completed(url: str, request: Request | None = None) -> Completion:
    return asyncio.run(_completion(OpenAIModel(url), request or asking()))


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, Text))


def end_of(pieces: list[Piece]) -> Finished:
    end = pieces[-1]
    assert isinstance(end, Finished)
    return end


@pytest.mark.req("I7")
def test_a_reply_streams_and_ends_with_the_usage(server: FakeServer) -> None:
    """Pieces come as the server sends them; tokens are the server's own count."""
    server.script("Good morning, Paul.")
    pieces = streamed(server.url)
    assert pieces[:-1] == [Text("Good"), Text(" morning,"), Text(" Paul.")]
    assert end_of(pieces) == Finished(Finish.STOP, Usage(prompt=2, cached=0, reply=5))


@pytest.mark.req("I7")
@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
def test_a_base_url_works_with_and_without_its_version(server: FakeServer, path: str) -> None:
    """People paste addresses in every form."""
    assert completed(server.url + path).text == "ok then"


def test_the_official_client_understands_the_fake_server(server: FakeServer) -> None:
    """The double that all other tests rely on speaks the protocol as an independent client reads it."""
    server.script("one two three", Reply(status=429, raw=b'{"error": {"message": "slow down"}}'))
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key="x", max_retries=0) as client:
        stream = client.chat.completions.create(
            model="fake-chat",
            messages=[{"role": "user", "content": "hi"}],
            stream=True,
            stream_options={"include_usage": True},
        )
        chunks = list(stream)
        assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == "one two three"
        assert chunks[-1].usage is not None
        assert chunks[-1].usage.completion_tokens == 3
        with pytest.raises(openai.RateLimitError):
            client.chat.completions.create(model="fake-chat", messages=[{"role": "user", "content": "hi"}])
        assert [model.id for model in client.models.list()] == ["fake-chat"]
        vectors = client.embeddings.create(model="fake-embed", input=["a dog", "a dog"], encoding_format="float").data
        assert vectors[0].embedding == vectors[1].embedding


@pytest.mark.req("S3", "X3")
def test_closing_the_stream_stops_the_server(server: FakeServer) -> None:
    """The server sees the connection end in the middle of its reply."""
    server.script(Reply("one two three four five six", pause=0.05))

    async def story() -> str:
        model = OpenAIModel(server.url)
        async with aclosing(model.stream(asking())) as stream:
            piece = await anext(stream)
        gone = await asyncio.to_thread(server.wait_for_disconnect)
        await model.aclose()
        return piece.text if isinstance(piece, Text) and gone else ""

    assert asyncio.run(story()) == "one"


@pytest.mark.req("E2")
def test_cancelling_a_whole_call_stops_the_server(server: FakeServer) -> None:
    """A hidden call that a message cancels ends at the server too, even before its first byte."""
    server.script(Reply("late", delay=60))

    async def story() -> bool:
        model = OpenAIModel(server.url, model="fake-chat")
        call = asyncio.create_task(model.complete(asking()))
        assert await asyncio.to_thread(server.wait_for_chat)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        gone = await asyncio.to_thread(server.wait_for_disconnect)
        await model.aclose()
        return gone

    assert asyncio.run(story())


@pytest.mark.req("B7")
def test_cached_tokens_are_read_from_the_usage(server: FakeServer) -> None:
    """What the server did not have to read again is known per call."""

    async def story() -> Usage:
        model = OpenAIModel(server.url)
        await model.complete(asking("one two three"))
        reply = await model.complete(asking("one two four"))
        await model.aclose()
        return reply.usage

    assert asyncio.run(story()) == Usage(prompt=3, cached=2, reply=2)


@pytest.mark.req("I7")
@pytest.mark.parametrize("refused", [("stream_options",), ("stream_options", "json_schema"), ("json_schema", "json_object")])
def test_what_a_server_refuses_is_left_out_from_then_on(refused: tuple[str, ...]) -> None:
    """The refused call is made again without the field; the next call does not try it."""

    async def story(server: FakeServer) -> int:
        model = OpenAIModel(server.url, model="fake-chat")
        assert (await model.complete(asking(schema=SCHEMA))).text == "ok then"
        before = len(server.chats())
        assert (await model.complete(asking(schema=SCHEMA))).text == "ok then"
        await model.aclose()
        return len(server.chats()) - before

    with FakeServer(refuses=refused) as server:
        assert asyncio.run(story(server)) == 1


@pytest.mark.req("I7")
def test_a_refusal_that_names_nothing_is_told_apart_by_trying() -> None:
    """A bare 400 may be about any optional field; the one that helps is remembered."""
    with FakeServer() as server:
        server.on(lambda asked: Reply(status=400, raw=b"Bad Request") if "stream_options" in asked.body else None)
        assert completed(server.url, asking(schema=SCHEMA)).text == "ok then"
        assert "response_format" in server.chats()[-1].body


def test_a_schema_is_sent_the_way_servers_take_it(server: FakeServer) -> None:
    """The first rung is json_schema."""
    completed(server.url, asking(schema=SCHEMA))
    assert server.chats()[-1].body["response_format"]["json_schema"]["schema"] == SCHEMA


def test_probabilities_come_with_the_reply(server: FakeServer) -> None:
    """One row for each token, the likeliest alternatives in it."""
    server.script(Reply("yes", alternatives={"yes": -0.1, "no": -2.4}))
    reply = completed(server.url, asking(logprobs=2))
    assert [(each.token, each.logprob) for each in reply.logprobs[0]] == [("yes", -0.1), ("no", -2.4)]


@pytest.mark.req("E12")
def test_reasoning_comes_apart_from_the_reply(server: FakeServer) -> None:
    """From a field of its own or between tags, also when a tag is split; never in the whole reply."""
    server.script(Reply("Four.", thought="2 and 2"), Reply(chunks=("<th", "ink>2 and", " 2</thi", "nk>\n\nFo", "ur.")))
    for _ in range(2):
        pieces = streamed(server.url)
        assert text_of(pieces) == "Four."
        assert "".join(piece.text for piece in pieces if isinstance(piece, Thought)) == "2 and 2"
    server.script(Reply("Hm, so it must be four.</think>\nFour."))
    assert completed(server.url).text == "Four."


@pytest.mark.req("X3")
def test_a_server_that_hangs_is_given_up(server: FakeServer) -> None:
    """No sign of life for the request's patience is a timeout, before the reply and in its middle."""
    server.script(Reply("late", delay=60), Reply("one two three", hang_after=2))
    with pytest.raises(ModelTimeout, match="said nothing"):
        completed(server.url, asking(timeout=0.3))
    with pytest.raises(ModelTimeout, match="middle of its reply"):
        completed(server.url, asking(timeout=0.3))


@pytest.mark.req("X3")
def test_no_server_is_said_in_a_sentence_and_soon() -> None:
    """A refused connection is tried again twice, within two seconds."""
    with FakeServer() as server:
        url = server.url
    start = time.perf_counter()
    with pytest.raises(ModelUnreachable, match=r"No model server answers at 127\.0\.0\.1:\d+\. Start it"):
        completed(url)
    assert time.perf_counter() - start < 2


@pytest.mark.req("X3")
def test_a_busy_server_is_asked_again_when_it_says(server: FakeServer) -> None:
    """429 and 503 with Retry-After are waited for, a bounded number of times."""
    busy = Reply(status=429, headers={"retry-after": "0.05"}, raw=b'{"error": "slow down"}')
    server.script(busy, busy, "now")
    assert completed(server.url).text == "now"
    server.script(busy, busy, busy, busy, "never reached")
    with pytest.raises(ModelRefused, match="busy") as caught:
        completed(server.url)
    assert (caught.value.status, caught.value.retry_after) == (429, 0.05)


def test_a_server_that_is_loading_its_model_is_waited_for(server: FakeServer) -> None:
    """llama.cpp answers 503 without a Retry-After meanwhile."""
    server.script(Reply(status=503, raw=b'{"error": {"message": "Loading model", "code": 503}}'), "ready")
    assert completed(server.url).text == "ready"


def test_a_wait_that_is_too_long_is_left_to_the_person(server: FakeServer) -> None:
    """An hour is not waited for: the error says when to come back."""
    server.script(Reply(status=429, headers={"retry-after": "3600"}))
    with pytest.raises(ModelRefused, match="in 3600 seconds"):
        completed(server.url)


def test_a_redirect_is_not_followed(server: FakeServer) -> None:
    """The prompt goes to the address that was set and to no other."""
    with FakeServer() as other:
        server.script(Reply(status=307, headers={"location": f"{other.url}/v1/chat/completions"}))
        with pytest.raises(ModelRefused, match="not followed"):
            completed(server.url)
        assert other.requests == []


@pytest.mark.req("X1")
def test_a_proxy_of_the_environment_never_sees_a_local_server(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes to this computer stays on it."""
    monkeypatch.setitem(os.environ, "http_proxy", "http://127.0.0.1:9")
    assert completed(server.url).text == "ok then"


def test_the_key_goes_to_the_server_and_into_no_message() -> None:
    """An error that repeats the key is shown without it."""
    with FakeServer(key="secret-key-1") as server:
        model = OpenAIModel(server.url, api_key="secret-key-1")
        assert asyncio.run(_completion(model, asking())).text == "ok then"
        server.script(Reply(status=401, raw=b'{"error": {"message": "Wrong key secret-key-1"}}'))
        model = OpenAIModel(server.url, api_key="secret-key-1")
        with pytest.raises(ModelRefused, match="Check the API key") as caught:
            asyncio.run(_completion(model, asking()))
        assert "secret-key-1" not in str(caught.value)
    with pytest.raises(InvalidInput, match="Copy it again"):
        OpenAIModel(server.url, api_key="ключ")


@pytest.mark.parametrize("url", ["", "localhost:8080", "ftp://x", "http://", "http://[::1"])
def test_an_address_that_is_none_is_said_so(url: str) -> None:
    """Before anything is sent."""
    with pytest.raises(InvalidInput, match="no address of a server"):
        OpenAIModel(url)


@pytest.mark.req("B6")
def test_a_prompt_over_the_window_is_told_with_both_counts() -> None:
    """The counts let the prompt be made smaller by the right amount."""
    with FakeServer(window=5) as server, pytest.raises(ContextOverflow) as caught:
        completed(server.url, asking("one two three four five six"))
    assert (caught.value.prompt_tokens, caught.value.window) == (6, 5)


@pytest.mark.req("X3")
@pytest.mark.parametrize(
    ("reply", "text", "finish"),
    [
        (Reply("all of it", done=False), "all of it", Finish.STOP),
        (Reply("all of it", finish=None), "all of it", Finish.STOP),
        (Reply("half of", finish=None, done=False), "half of", Finish.CUT),
        (Reply("one two three", cut_after=2), "one two", Finish.CUT),
        (Reply("too long", finish="length"), "too long", Finish.LENGTH),
        (Reply("taken away", finish="content_filter"), "taken away", Finish.CUT),
        (Reply("then silence", hang_after=3, usage=False), "then silence", Finish.STOP),
        (Reply(lines=(b'data:{"choices":[{"delta":{"content":null}}]}\n\n',)), "", Finish.CUT),
    ],
)
def test_every_way_a_stream_can_end(server: FakeServer, reply: Reply, text: str, finish: Finish) -> None:
    """What came is kept, and the end says whether it was one."""
    server.script(reply)
    pieces = streamed(server.url)
    assert (text_of(pieces), end_of(pieces).finish) == (text, finish)


@pytest.mark.req("X3")
@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (Reply(raw=b"<html><title>Login</title></html>", content_type="text/html"), ModelGarbled, "no reply of a model"),
        (Reply(raw=b""), ModelGarbled, "no reply of a model"),
        (Reply(lines=(b"data: {broken\n\n",)), ModelGarbled, "no JSON"),
        (Reply(cut_after=0, text="x"), ModelUnreachable, "closed the connection"),
        (Reply(status=500, raw=b"<html><title>Oh no</title>"), ModelRefused, "failed with status 500.*Oh no"),
        (Reply(status=404, raw=b'{"error": "model not found"}'), ModelRefused, "has no model fake-chat.*model not found"),
        (Reply(status=402), ModelRefused, "account"),
        (Reply(lines=(b'data: {"error": {"message": "out of memory", "code": 500}}\n\n',)), ModelRefused, "out of memory"),
        (Reply(raw=b'{"error": {"message": "odd"}}'), ModelRefused, "broke off.*odd"),
    ],
)
def test_every_failure_is_a_sentence(server: FakeServer, reply: Reply, kind: type[ModelError], words: str) -> None:
    """Whatever shape the failure has, the person gets a sentence that says what to do."""
    server.script(reply)
    with pytest.raises(kind, match=words):
        completed(server.url)


def test_an_answer_that_does_not_stream_is_read_all_the_same(server: FakeServer) -> None:
    """Some servers ignore `stream`."""
    body = b'{"choices": [{"message": {"content": "whole", "reasoning": "hm"}, "finish_reason": "stop"}]}'
    server.script(Reply(raw=body))
    assert streamed(server.url) == [Thought("hm"), Text("whole"), Finished(Finish.STOP, Usage())]


def test_the_first_model_that_is_not_for_embedding_is_taken() -> None:
    """Without a name in the settings the server's list decides."""
    with FakeServer(models=("nomic-embed-text", "qwen3:4b")) as server:
        model = OpenAIModel(server.url)
        asyncio.run(_completion(model, asking()))
        assert server.chats()[-1].body["model"] == "qwen3:4b"
        assert model.name == f"127.0.0.1:{server.port}/qwen3:4b"


async def _counted(server: FakeServer) -> tuple[int | None, int]:
    model = OpenAIModel(server.url)
    counts = [await model.count("one two, three") for _ in range(2)]
    await model.aclose()
    return counts[1], sum(asked.path == "/tokenize" for asked in server.requests)


@pytest.mark.req("B6")
def test_a_server_with_a_tokenizer_counts_exactly() -> None:
    """Where there is none, it is asked once and then no more."""
    with FakeServer() as server:
        assert asyncio.run(_counted(server)) == (4, 2)
    with FakeServer(offers={}) as server:
        assert asyncio.run(_counted(server)) == (None, 1)
