"""The embedded model in its process of its own: it answers, stops, crashes, comes back, and never outlives its parent."""

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from ricordo.errors import ContextOverflow, ModelMissing, ModelUnreachable
from ricordo.models.base import Finish, Finished, Request, Text
from ricordo.models.cores import physical_cores, threads
from ricordo.models.embedded import EmbeddedModel
from ricordo.models.files import model_file
from ricordo.models.probe import probe
from ricordo.prompt import ChatMessage

LONG = "The keeper of the lighthouse wrote down the weather, the visitors and the price of oil each day. " * 5


def asking(text: str, max_tokens: int = 16, **fields: object) -> Request:
    return Request((ChatMessage("system", LONG), ChatMessage("user", text)), max_tokens, **fields)  # type: ignore[arg-type]


def with_model(story: Callable[[EmbeddedModel], Awaitable[None]], window: int = 2048) -> None:
    """Run a story with the model, and end the model however the story ends."""

    async def whole() -> None:
        model = EmbeddedModel(model_file(), window=window)
        try:
            await story(model)
        finally:
            await model.aclose()

    asyncio.run(whole())


def child_of(parent: int) -> int:
    """The process id of the one child that serves the model."""
    for task in Path(f"/proc/{parent}/task").iterdir():
        for child in (task / "children").read_text().split():
            if "embedded_server" in Path(f"/proc/{child}/cmdline").read_text():
                return int(child)
    raise AssertionError("no child")


@pytest.mark.real_model
@pytest.mark.req("I7")
def test_it_streams_a_reply_and_counts_its_tokens() -> None:
    """The model starts at the first use; its server tells usage and counts exactly."""

    async def story(model: EmbeddedModel) -> None:
        assert not model.loaded
        await model.ready()
        assert model.loaded
        pieces = [piece async for piece in model.stream(asking("What is the capital of France? One word."))]
        assert "Paris" in "".join(piece.text for piece in pieces if isinstance(piece, Text))
        end = pieces[-1]
        assert isinstance(end, Finished)
        assert end.finish is Finish.STOP
        assert end.usage.prompt is not None
        assert end.usage.prompt > 100
        assert await model.count("hello world") == 2
        assert await model.window() == 2048

    with_model(story)


@pytest.mark.real_model
@pytest.mark.req("B7")
def test_a_second_turn_reads_only_what_is_new() -> None:
    """The prompt of the first turn is kept, and comes back after another prompt has stood between."""

    async def story(model: EmbeddedModel) -> None:
        first = asking("Name a colour. One word.", 4)
        reply = await model.complete(first)
        assert reply.usage.prompt is not None
        more = (*first.messages, ChatMessage("assistant", reply.text), ChatMessage("user", "Another one."))
        second = await model.complete(Request(more, 4))
        assert second.usage.prompt is not None
        assert second.usage.cached is not None
        assert second.usage.prompt - second.usage.cached <= second.usage.prompt - reply.usage.prompt + 8
        await model.complete(Request((ChatMessage("user", "Something else altogether: " + "one two " * 100),), 1))
        third = await model.complete(Request((*more, ChatMessage("assistant", "Red"), ChatMessage("user", "And?")), 4))
        assert third.usage.cached is not None
        assert third.usage.cached >= second.usage.prompt - 8

    with_model(story)


@pytest.mark.real_model
@pytest.mark.req("S3")
def test_a_stop_frees_the_model_at_once() -> None:
    """After closing a long reply's stream the next call does not wait for its end."""

    async def story(model: EmbeddedModel) -> None:
        async with aclosing(model.stream(asking("Count from one to a thousand in words.", 1000))) as stream:
            async for piece in stream:
                if isinstance(piece, Text):
                    break
        start = time.perf_counter()
        await model.complete(asking("Say yes.", 1))
        assert time.perf_counter() - start < 10

    with_model(story)


@pytest.mark.real_model
@pytest.mark.req("E2")
def test_giving_up_a_long_prompt_frees_the_model_soon() -> None:
    """Background work that is cancelled while its prompt is read does not keep a message waiting for all of it."""

    async def story(model: EmbeddedModel) -> None:
        await model.ready()
        start = time.perf_counter()
        await model.complete(Request((ChatMessage("user", "one two " * 100),), 1))
        fifth = time.perf_counter() - start
        call = asyncio.create_task(model.complete(Request((ChatMessage("user", "three four " * 900),), 1)))
        await asyncio.wait([call], timeout=fifth)
        assert not call.done()
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        start = time.perf_counter()
        await model.complete(Request((ChatMessage("user", "Say yes."),), 1))
        assert time.perf_counter() - start < 2 * fifth

    with_model(story)


@pytest.mark.real_model
@pytest.mark.req("X3")
def test_a_crash_fails_the_call_and_the_next_one_works() -> None:
    """kill -9 in the middle of a reply: a sentence, then a new process."""

    async def story(model: EmbeddedModel) -> None:
        with pytest.raises(ModelUnreachable, match="started anew"):
            async for _ in model.stream(asking("Count from one to a thousand in words.", 1000)):
                os.kill(child_of(os.getpid()), signal.SIGKILL)
        assert not model.loaded
        assert (await model.complete(asking("Say yes.", 3))).text

    with_model(story)


@pytest.mark.real_model
@pytest.mark.req("B6")
def test_a_prompt_over_its_window_is_told_with_both_counts() -> None:
    """As every llama.cpp server does."""

    async def story(model: EmbeddedModel) -> None:
        with pytest.raises(ContextOverflow) as caught:
            await model.complete(asking("word " * 2000, 1))
        assert caught.value.window == 1024
        assert (caught.value.prompt_tokens or 0) > 2000

    with_model(story, window=1024)


@pytest.mark.real_model
@pytest.mark.req("E18")
def test_it_gives_probabilities_and_keeps_to_a_schema() -> None:
    """What asking sentence by sentence, and asking for JSON, need."""

    async def story(model: EmbeddedModel) -> None:
        sure = await model.complete(asking("Is snow white? Answer yes or no.", 1, logprobs=10))
        assert any(each.token.strip().lower() == "yes" for each in sure.logprobs[0])
        schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
        reply = await model.complete(asking("How many legs has a dog?", 30, schema=schema))
        assert json.loads(reply.text).keys() == {"n"}

    with_model(story)


@pytest.mark.real_model
@pytest.mark.req("X1", "V1")
@pytest.mark.parametrize("ending", ["kill", "aclose"])
def test_the_child_ends_with_its_parent_and_shows_no_key(ending: str) -> None:
    """Killed without warning or closed in order; its command line tells nothing."""
    script = (
        "import asyncio, sys\n"
        "from ricordo.models.embedded import EmbeddedModel\n"
        "from ricordo.models.files import model_file\n"
        "async def main():\n"
        "    model = EmbeddedModel(model_file(), window=512)\n"
        "    await model.ready()\n"
        "    print('ready', flush=True)\n"
        "    await asyncio.to_thread(sys.stdin.readline)\n"
        "    await model.aclose()\n"
        "    print('closed', flush=True)\n"
        "    await asyncio.to_thread(sys.stdin.readline)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        child = child_of(parent.pid)
        assert Path(f"/proc/{child}/cmdline").read_text().split("\0")[1:-2] == ["-P"]
        end = os.pidfd_open(child)
        if ending == "kill":
            parent.kill()
        else:
            parent.stdin.write("\n")
            parent.stdin.flush()
            assert parent.stdout.readline() == "closed\n"
        assert select.select([end], [], [], 5)[0], "the child is still there"
        os.close(end)
        parent.kill()


@pytest.mark.real_model
@pytest.mark.req("E2")
def test_a_caller_who_is_cancelled_while_it_loads_does_not_stop_the_loading() -> None:
    """Background work that asked first makes room for a message, which then waits for the same loading."""

    async def story(model: EmbeddedModel) -> None:
        background = asyncio.create_task(model.ready())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        background.cancel()
        await asyncio.gather(background, return_exceptions=True)
        await model.ready()
        assert background.cancelled()
        assert model.loaded

    with_model(story, window=512)


@pytest.mark.req("X3")
def test_no_file_is_a_sentence_that_says_how_to_get_one(tmp_path: Path) -> None:
    """Never set up, or gone since."""
    for file in (None, tmp_path / "gone.gguf"):
        with pytest.raises(ModelMissing, match="`ricordo model fetch`"):
            asyncio.run(EmbeddedModel(file).complete(asking("Hello")))


@pytest.mark.req("X3")
def test_a_damaged_file_is_a_sentence(tmp_path: Path) -> None:
    """The child ends without a word; the person is told what to do."""
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF" + bytes(1000))

    async def story() -> None:
        model = EmbeddedModel(file)
        try:
            await model.ready()
        finally:
            await model.aclose()

    with pytest.raises(ModelMissing, match=r"broken\.gguf could not be loaded"):
        asyncio.run(story())


def test_threads_can_be_set_and_are_else_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """RICORDO_THREADS wins; nonsense in it does not."""
    monkeypatch.setenv("RICORDO_THREADS", "3")
    assert threads() == 3
    monkeypatch.setenv("RICORDO_THREADS", "many")
    assert threads() == physical_cores() >= 1


@pytest.mark.real_model
@pytest.mark.req("I2", "I7")
def test_it_can_do_all_that_doctor_looks_for() -> None:
    """JSON by a schema, probabilities, exact counts, and it says what it did not read again."""

    async def story(model: EmbeddedModel) -> None:
        found = await probe(model, 120.0)
        assert (found.json, found.probabilities, found.tokenizer, found.window) == (True, True, True, 2048)
        assert found.cached is not None
        assert found.cached > 40

    with_model(story)
