"""The model behind a server, over real HTTP: replies, stops, usage, what servers take."""

import asyncio
import os
from contextlib import aclosing

import openai
import pytest

from ricordo.errors import ContextOverflow, InvalidInput, ModelRefused
from ricordo.models.base import Finish, Finished, Text, Thought
from ricordo.models.openai_api import OpenAIModel
from ricordo.prompt import Usage
from tests.fake_server import FakeServer, Reply
from tests.models.calls import asking, completed, completion_of, end_of, streamed, text_of

SCHEMA = {"type": "object", "properties": {"add": {"type": "array"}}}


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


@pytest.mark.req("X1")
def test_a_proxy_of_the_environment_never_sees_a_local_server(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes to this computer stays on it."""
    monkeypatch.setitem(os.environ, "http_proxy", "http://127.0.0.1:9")
    assert completed(server.url).text == "ok then"


def test_the_key_goes_to_the_server_and_into_no_message() -> None:
    """An error that repeats the key is shown without it."""
    with FakeServer(key="secret-key-1") as server:
        model = OpenAIModel(server.url, api_key="secret-key-1")
        assert asyncio.run(completion_of(model, asking())).text == "ok then"
        server.script(Reply(status=401, raw=b'{"error": {"message": "Wrong key secret-key-1"}}'))
        model = OpenAIModel(server.url, api_key="secret-key-1")
        with pytest.raises(ModelRefused, match="Check the API key") as caught:
            asyncio.run(completion_of(model, asking()))
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


def test_the_first_model_that_is_not_for_embedding_is_taken() -> None:
    """Without a name in the settings the server's list decides."""
    with FakeServer(models=("nomic-embed-text", "qwen3:4b")) as server:
        model = OpenAIModel(server.url)
        asyncio.run(completion_of(model, asking()))
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


@pytest.mark.req("B6")
def test_a_tokenizer_that_fails_once_is_asked_again() -> None:
    """A busy server is no server without a tokenizer: exact counts come back."""

    async def counted(server: FakeServer) -> list[int | None]:
        model = OpenAIModel(server.url)
        first = await model.count("one two")
        offers, server.offers = server.offers, {}
        missed = await model.count("one two")
        server.offers = offers
        again = await model.count("one two three")
        await model.aclose()
        return [first, missed, again]

    with FakeServer() as server:
        assert asyncio.run(counted(server)) == [2, None, 3]


@pytest.mark.req("B6")
def test_a_small_question_is_asked_again_where_its_connection_was_lost() -> None:
    """A connection that was kept open may end just as it is used: once more then, and no more than once."""

    async def counted(losses: int) -> tuple[int | None, int]:
        asked = 0

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal asked
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            await reader.readexactly(int(head.split("content-length:")[1].split()[0]))
            asked += 1
            if asked > losses:
                writer.write(b'HTTP/1.1 200 OK\r\ncontent-length: 18\r\n\r\n{"tokens":[1,2,3]}')
                await writer.drain()
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        model = OpenAIModel(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", model="small")
        try:
            return await model.count("one two three"), asked
        finally:
            await model.aclose()
            server.close()

    assert asyncio.run(counted(0)) == (3, 1)
    assert asyncio.run(counted(1)) == (3, 2)
    assert asyncio.run(counted(2)) == (None, 2)
