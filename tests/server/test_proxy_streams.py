"""Streams through the proxy: with the official client, cut off, left in the middle, many at once; what came is kept."""

import asyncio
import json
import pathlib

import httpx2
import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam

from ricordo.fact import Global
from ricordo.learn.extractor import SYSTEM
from tests.fake_server import Reply
from tests.server.proxied import Proxied, through
from tests.vaults import PASSPHRASE

pytestmark = pytest.mark.req("I4")

HI: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Hi there"}]
LONG = Reply(" ".join(f"word{number}" for number in range(200)), pause=0.02)


async def until(met: object) -> None:
    """Wait until something is so; the test's own patience ends it."""
    while not await met():  # type: ignore[operator]  # noqa: ASYNC110
        await asyncio.sleep(0.02)


def test_the_official_client_talks_with_it(tmp_path: pathlib.Path) -> None:
    """Whole and streamed, with usage; models and embeddings, too. Nothing is changed but its base URL and its key."""

    async def work(here: Proxied) -> None:
        client = here.openai()
        whole = await client.chat.completions.create(model="fake-chat", messages=HI)
        assert whole.choices[0].message.content == "Hello to you."
        messages: list[ChatCompletionMessageParam] = [*HI, {"role": "assistant", "content": "Hello to you."}, *HI]
        stream = await client.chat.completions.create(
            model="fake-chat", messages=messages, stream=True, stream_options={"include_usage": True}
        )
        pieces = [chunk async for chunk in stream]
        assert "".join(chunk.choices[0].delta.content or "" for chunk in pieces if chunk.choices) == "Once more."
        assert pieces[-1].usage is not None
        assert [model.id async for model in client.models.list()] == ["fake-chat"]
        assert len((await client.embeddings.create(model="e", input=["a", "b"])).data) == 2
        assert [text for _, _, text in await here.shown()] == ["Hi there", "Hello to you.", "Hi there", "Once more."]

    through(tmp_path, work, "Hello to you.", "Once more.")


def test_the_official_client_runs_tools(tmp_path: pathlib.Path) -> None:
    """The call of a tool and its result pass through; the reply at the end is the turn's."""
    tool = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    call = {"index": 0, "message": {"role": "assistant", "content": None, "tool_calls": [tool]}, "finish_reason": "tool_calls"}
    raw = {"id": "x", "object": "chat.completion", "created": 0, "model": "fake-chat", "choices": [call]}

    async def work(here: Proxied) -> None:
        client = here.openai()
        first = await client.chat.completions.create(
            model="fake-chat",
            messages=HI,
            tools=[{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}],
        )
        calls = first.choices[0].message.tool_calls
        assert calls is not None
        assert not await here.vault.changes.waiting()
        back: list[ChatCompletionMessageParam] = [
            *HI,
            {"role": "assistant", "tool_calls": [calls[0].model_dump()]},  # type: ignore[list-item, typeddict-item]
            {"role": "tool", "tool_call_id": calls[0].id, "content": "21 C"},
        ]
        second = await client.chat.completions.create(model="fake-chat", messages=back)
        assert second.choices[0].message.content == "It is 21 degrees."
        assert here.last().messages[-1]["content"] == "21 C"
        assert here.upstream.chats()[0].body["tools"][0]["function"]["name"] == "weather"
        assert [text for _, _, text in await here.shown()] == ["Hi there", "It is 21 degrees."]
        assert await here.vault.changes.waiting() == 1

    through(tmp_path, work, Reply(raw=json.dumps(raw).encode()), "It is 21 degrees.")


def chunk(delta: object, finish: str | None = None, **more: object) -> bytes:
    """One event of a stream."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish, **more}
    return b"data: " + json.dumps({"choices": [choice]}, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"
CALL = {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "w", "arguments": "{}"}}]}
ACCENT = chunk({"content": "Çà va"}, "stop")
ODD: dict[str, tuple[tuple[bytes, ...], str | None]] = {
    "nulls": ((chunk(None), chunk({"content": None}), chunk({"content": "Yes."}), chunk({}, "stop"), DONE), "Yes."),
    "no choices": ((b'data: {"id":"x"}\n\n', b'data: {"choices":null}\n\n', chunk({"content": "Yes."}, "stop"), DONE), "Yes."),
    "a letter cut in two": ((ACCENT[: ACCENT.index("à".encode()) + 1], ACCENT[ACCENT.index("à".encode()) + 1 :], DONE), "Çà va"),
    "no empty line at the end": ((chunk({"content": "Yes."}, "stop"), b"data: [DONE]"), "Yes."),
    "a mark at the beginning": ((b"\xef\xbb\xbf" + chunk({"content": "Yes."}, "stop"), DONE), "Yes."),
    "reasoning in a field": ((chunk({"reasoning_content": "Hm."}), chunk({"content": "Yes."}, "stop"), DONE), "Yes."),
    "reasoning in the text": ((chunk({"content": "<think>Hm.</think>\n\nYes."}, "stop"), DONE), "Yes."),
    "a content in parts": ((chunk({"content": [{"type": "text", "text": "Yes."}]}, "stop"), DONE), "Yes."),
    "a tool is called": ((chunk({"content": "Let me see."}), chunk(CALL, "tool_calls"), DONE), None),
    "two choices": ((chunk({"content": "No."}, index=1), chunk({"content": "Yes."}), chunk({}, "stop"), DONE), "Yes."),
    "no JSON": ((chunk({"content": "Yes."}), b"data: {odd\n\n", chunk({}, "stop"), DONE), "Yes."),
    "a filter": ((chunk({"content": "Yes."}), chunk({}, "content_filter"), DONE), "Yes."),
    "too long": ((chunk({"content": "Yes."}), chunk({}, "length"), DONE), "Yes."),
    "nothing at all": ((), None),
}


@pytest.mark.parametrize("kind", ODD)
def test_whatever_a_server_sends_passes_through_and_is_read_as_far_as_it_can_be(tmp_path: pathlib.Path, kind: str) -> None:
    """The very bytes for the client; in the vault the reply, without reasoning, or nothing."""
    lines, kept = ODD[kind]

    async def work(here: Proxied) -> None:
        answer = await here.say("Hi there", stream=True)
        assert answer.content == b"".join(lines)
        texts = [text for _, _, text in await here.shown()]
        assert texts == (["Hi there"] if kept is None else ["Hi there", kept])
        learns = kept is not None and kind not in ("no JSON", "a filter", "too long")
        assert await here.vault.changes.waiting() == int(learns)

    through(tmp_path, work, Reply(lines=lines or (b"",)) if lines else Reply(raw=b"", content_type="text/event-stream"))


def test_an_answer_of_another_kind_than_asked_for_is_passed_back_and_read(tmp_path: pathlib.Path) -> None:
    """A whole one for a stream, a stream for a whole one, a page of HTML for either."""
    whole = b'{"choices":[{"index":0,"message":{"role":"assistant","content":"Whole."},"finish_reason":"stop"}]}'
    stream = chunk({"content": "Streamed."}, "stop") + DONE
    page = Reply(status=502, raw=b"<html><title>Bad Gateway</title></html>", content_type="text/html")

    async def work(here: Proxied) -> None:
        assert (await here.say("One", stream=True)).content == whole
        assert (await here.say("One", "Whole.", "Two")).content == stream
        refused = await here.say("One", "Whole.", "Two", "Streamed.", "Three")
        assert (refused.status_code, refused.content, refused.headers["content-type"]) == (502, page.raw, "text/html")
        assert [text for _, _, text in await here.shown()] == ["One", "Whole.", "Two", "Streamed.", "Three"]

    through(tmp_path, work, Reply(raw=whole), Reply(raw=stream, content_type="text/event-stream"), page)


@pytest.mark.req("X3", "E3")
def test_a_stream_that_breaks_off_is_an_error_for_the_client_too(
    tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What came is kept as broken off, and nothing is learned from it; the terminal of the server stays quiet."""

    async def work(here: Proxied) -> None:
        stream = await here.openai().chat.completions.create(model="fake-chat", messages=HI, stream=True)
        with pytest.raises((openai.APIError, httpx2.TransportError)):
            async for _ in stream:
                pass
        assert await here.shown() == [("user", "complete", "Hi there"), ("model", "error", "One two")]
        assert not await here.vault.changes.waiting()
        again = await here.openai().chat.completions.create(model="fake-chat", messages=HI)
        assert again.choices[0].message.content == "Better."
        assert await here.shown() == [("user", "complete", "Hi there"), ("model", "complete", "Better.")]

    through(tmp_path, work, Reply("One two three four", cut_after=2), "Better.")
    assert capfd.readouterr().err == ""


def test_a_whole_answer_that_breaks_off_is_no_answer(tmp_path: pathlib.Path) -> None:
    """The client's connection breaks as the server's did; half a JSON text must not look whole."""
    broken = Reply(raw=b'{"choices":[{"message":{"content":"Hal', headers={"content-length": "500"})

    async def work(here: Proxied) -> None:
        with pytest.raises(httpx2.TransportError):
            await here.say("Hi there")
        assert await here.shown() == [("user", "complete", "Hi there")]

    through(tmp_path, work, broken)


def test_a_client_that_goes_away_stops_the_model_and_what_came_is_kept(tmp_path: pathlib.Path) -> None:
    """In the middle of a stream; sent on, the part that the client has is known for the reply's beginning."""

    async def work(here: Proxied) -> None:
        stream = await here.openai().chat.completions.create(model="fake-chat", messages=HI, stream=True)
        got = ""
        async for chunk in stream:
            got += chunk.choices[0].delta.content or ""
            if "word3" in got:
                break
        await stream.close()
        assert await asyncio.to_thread(here.upstream.wait_for_disconnect)
        await until(lambda: _is_kept(here))
        (_, reply) = await here.shown()
        assert reply[:2] == ("model", "stopped")
        assert reply[2].startswith(got.strip()[:20]) and "word150" not in reply[2]
        await here.say("Hi there", got, "Go on.")
        assert [role for role, _, _ in await here.shown()] == ["user", "model", "user", "model"]

    through(tmp_path, work, LONG)


def test_a_client_that_goes_when_it_has_all_has_a_whole_reply(tmp_path: pathlib.Path) -> None:
    """Most hang up at the mark of the end, before the server does: the turn is learned from all the same."""

    async def work(here: Proxied) -> None:
        async with here.program.stream("POST", "/chat/completions", json={"messages": HI, "stream": True}) as answer:
            async for line in answer.aiter_lines():
                if line == "data: [DONE]":
                    break
        await until(lambda: _is_kept(here))
        assert (await here.shown())[-1] == ("model", "complete", "Hello")
        assert await here.vault.changes.waiting() == 1

    through(tmp_path, work, Reply(lines=(chunk({"content": "Hello"}, "stop"), DONE, b"\n", b"\n"), pause=0.2))


@pytest.mark.req("X3")
def test_a_server_that_never_hangs_up_keeps_nobody_waiting(tmp_path: pathlib.Path) -> None:
    """It has marked the end; the client's stream ends soon after, as it should."""

    async def work(here: Proxied) -> None:
        started = asyncio.get_running_loop().time()
        answer = await here.say("Hi there", stream=True)
        assert asyncio.get_running_loop().time() - started < 5
        assert answer.content.endswith(DONE)
        assert (await here.shown())[-1] == ("model", "complete", "Hello")

    through(tmp_path, work, Reply(lines=(chunk({"content": "Hello"}, "stop"), DONE, b"\n"), hang_after=2))


def test_a_client_that_goes_away_before_the_first_word_stops_the_model(tmp_path: pathlib.Path) -> None:
    """While a slow model still reads; the person's message is kept."""

    async def work(here: Proxied) -> None:
        with pytest.raises(httpx2.ReadTimeout):
            body = {"messages": HI, "stream": True}
            await here.program.post("/chat/completions", json=body, timeout=httpx2.Timeout(5, read=0.5))
        assert await asyncio.to_thread(here.upstream.wait_for_disconnect)
        assert await here.shown() == [("user", "complete", "Hi there")]
        assert (await here.say("And now?")).status_code == 200

    through(tmp_path, work, Reply("Late.", delay=30))


@pytest.mark.req("V3")
def test_locking_ends_every_stream_and_keeps_what_came(tmp_path: pathlib.Path) -> None:
    """The client is told, and the next call is refused until the vault is unlocked."""

    async def work(here: Proxied) -> None:
        stream = await here.openai().chat.completions.create(model="fake-chat", messages=HI, stream=True)
        await anext(aiter(stream))
        await here.one.client.post("/api/vault/lock")
        with pytest.raises((openai.APIError, httpx2.TransportError)):
            async for _ in stream:
                pass
        with pytest.raises(openai.APIStatusError, match="locked") as refused:
            await here.openai().chat.completions.create(model="fake-chat", messages=HI)
        assert refused.value.status_code == 423
        await here.one.client.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})
        assert [(role, status) for role, status, _ in await here.shown()] == [("user", "complete"), ("model", "stopped")]

    through(tmp_path, work, LONG)


def test_many_streams_at_once_do_not_meet(tmp_path: pathlib.Path) -> None:
    """Each client gets its own words, each conversation keeps its own; none waits for another's end."""

    async def work(here: Proxied) -> None:
        here.upstream.on(lambda asked: Reply(" ".join([asked.messages[-1]["content"].split("Number ")[1]] * 20), pause=0.02))

        async def one(number: int) -> float:
            loop = asyncio.get_running_loop()
            started = loop.time()
            answer = await here.say(f"Number {number}", stream=True, headers={"x-ricordo-conversation": f"c{number}"})
            words = {
                line.split('"content": "')[1].split('"')[0].strip() for line in answer.text.splitlines() if '"content"' in line
            }
            assert words == {str(number)}
            return loop.time() - started

        started = asyncio.get_running_loop().time()
        took = await asyncio.gather(*(one(number) for number in range(16)))
        assert asyncio.get_running_loop().time() - started < sum(took) / 4
        for talk in await here.vault.conversations.all():
            (asked, reply) = await here.vault.conversations.messages(talk.id)
            assert set(reply.text.split()) == {asked.text.removeprefix("Number ")}

    through(tmp_path, work)


@pytest.mark.req("E1", "E2")
def test_a_turn_is_learned_from_when_the_model_is_free(tmp_path: pathlib.Path) -> None:
    """In the background, as of the app's own turns; a client that comes meanwhile goes first."""
    learned = '{"add": [{"text": "The user likes figs.", "quote": "I like figs"}]}'

    async def work(here: Proxied) -> None:
        here.upstream.on(lambda asked: Reply(learned, delay=0.2) if asked.messages[0]["content"] == SYSTEM else None)
        await here.say("I like figs.")
        await until(lambda: _hidden(here))
        assert (await here.say("And plums, what of those?")).status_code == 200
        await here.one.learned()
        assert "The user likes figs." in [fact.text for fact in await here.vault.facts.all()]

    through(tmp_path, work, learning=True)


def test_a_conversation_of_a_space_is_its_tokens_own(tmp_path: pathlib.Path) -> None:
    """A token for one Space begins its conversations there, and is shown nothing from elsewhere, whatever the reach."""

    async def work(here: Proxied) -> None:
        await here.vault.set(whole_diary=True, global_memories=True)
        diary = (await here.vault.conversations.create()).id
        await here.vault.write(diary, "I hid the key of the boathouse under the third flower pot.")
        await here.vault.facts.add("The user hid the key of the boathouse in a tin box.", Global())
        space = await here.vault.spaces.create("Work")
        _, secret = await here.vault.tokens.create("Editor", space=space.id)
        confined = {"authorization": f"Bearer {secret}"}
        question = "Where did I hide the key of the boathouse?"
        await here.say(question, headers=confined)
        assert not [where for where in ("flower pot", "tin box") if where in here.last().text]
        assert (await here.vault.conversations.all())[0].space == space.id
        await here.say(question)
        assert "flower pot" in here.last().text and "tin box" in here.last().text
        assert len(await here.vault.conversations.all()) == 2  # the other token goes on with what it may see

    through(tmp_path, work)


async def _is_kept(here: Proxied) -> bool:
    return len(await here.shown()) == 2


async def _hidden(here: Proxied) -> bool:
    return any(asked.messages[0]["content"] == SYSTEM for asked in here.upstream.chats())
