"""Recalling while things go wrong: whatever a model does, the reply comes, in time, and the trace says what happened."""

import asyncio
import pathlib
import time

import pytest

from ricordo.events import MessageStored, ReplyFailed
from ricordo.recall import planner, relevance
from ricordo.vault import AsyncVault
from tests.fake_replies import embedding
from tests.fake_server import Asked, FakeServer, Reply
from tests.recalls import HARP, answering, asides, last_prompt, step, steps, turn, with_server, written

QUESTION = "Who bought the harpsichord?"
GARBLED = (
    Reply("As an AI I cannot"),
    Reply("<think>they want to know about"),
    Reply('{"a": [1, {'),
    Reply(""),
    Reply("banana " * 100, finish="length"),
    Reply(raw=b"<html>gateway</html>", content_type="text/html"),
    Reply(status=500, raw=b'{"error": "out of memory"}'),
    Reply(status=400, raw=b'{"error": "context length exceeded"}'),
    Reply("yes maybe", cut_after=1),
    Reply(drop=True),
)
HANGS = Reply("yes", delay=60)


@pytest.mark.req("R3", "R8", "X3")
@pytest.mark.parametrize("plan", GARBLED, ids=range(len(GARBLED)))
def test_a_plan_that_makes_no_sense_costs_nothing_but_itself(tmp_path: pathlib.Path, plan: Reply) -> None:
    """The message itself is searched, the memory is there, and the trace says why."""
    with FakeServer() as server:
        answering(server, plan=plan)

        async def work(vault: AsyncVault) -> None:
            message, trace = await turn(vault, await written(vault, HARP), QUESTION)
            assert message.text == "So it was."
            assert step(trace, "plan")["searches"][0] == QUESTION
            assert "banana" not in "".join(step(trace, "plan")["searches"][1:])
            assert step(trace, "plan")["asked"] is True
            assert len(step(trace, "plan")["reason"]) > 20
            assert trace.shown.recalled == (1,)

        with_server(tmp_path, server, work)


@pytest.mark.req("R4", "R8", "X3")
@pytest.mark.parametrize("check", GARBLED, ids=range(len(GARBLED)))
def test_a_check_that_makes_no_sense_leaves_it_to_the_score(tmp_path: pathlib.Path, check: Reply) -> None:
    """What fits by its score is kept, the rest is not, and the trace says who decided."""
    with FakeServer() as server:
        answering(server, check=check)

        async def work(vault: AsyncVault) -> None:
            message, trace = await turn(vault, await written(vault, HARP), QUESTION)
            assert message.text == "So it was."
            if "yes" in check.text:
                return  # cut off after it was said: an answer all the same
            assert trace.shown.recalled == (1,)
            assert {verdict["by"] for verdict in step(trace, "check")["verdicts"]} == {"score"}
            assert "score" in step(trace, "check")["reason"]

        with_server(tmp_path, server, work)


@pytest.mark.req("R8", "X3")
@pytest.mark.parametrize("which", ["plan", "check", "both"])
def test_a_model_that_hangs_is_waited_for_no_longer_than_the_time_allows(tmp_path: pathlib.Path, which: str) -> None:
    """Past its time the turn goes on with what there is, and says so."""
    with FakeServer() as server:
        answering(
            server,
            plan=HANGS if which != "check" else "",
            check=HANGS if which != "plan" else None,
        )

        async def work(vault: AsyncVault) -> None:
            talk = await written(vault, HARP)
            started = time.perf_counter()
            message, trace = await turn(vault, talk, QUESTION)
            assert time.perf_counter() - started < 6
            assert message.text == "So it was."
            assert trace.shown.recalled == (1,)
            assert trace.timings["recalled"] < 4
            if which != "check":
                assert "time" in step(trace, "plan")["reason"]
            if which != "plan":
                assert "time" in step(trace, "check")["reason"]

        with_server(tmp_path, server, work, foreground_seconds=1)


@pytest.mark.req("S3", "R8")
@pytest.mark.parametrize("question", [planner.QUESTION, relevance.QUESTION], ids=["planning", "checking"])
def test_stopping_while_memories_are_looked_for_ends_the_turn_at_once(tmp_path: pathlib.Path, question: str) -> None:
    """The message is kept, nothing is replied, the model is let go, and the next turn goes well."""
    with FakeServer() as server:
        hanging = [True]
        server.on(lambda asked: Reply("", delay=60) if hanging[0] and question in asked.text else None)
        answering(server)

        async def work(vault: AsyncVault) -> None:
            talk = await written(vault, HARP)
            before = len(await vault.conversations.messages(talk))

            async def stop() -> None:
                while not any(question in asked.text for asked in server.chats()):  # noqa: ASYNC110  another thread's list
                    await asyncio.sleep(0.01)
                assert vault.stop(talk)

            stopping = asyncio.create_task(stop())
            started = time.perf_counter()
            seen = [event async for event in vault.reply(talk, QUESTION)]
            await stopping
            assert time.perf_counter() - started < 5
            assert isinstance(seen[0], MessageStored)
            assert isinstance(seen[-1], ReplyFailed)
            assert seen[-1].kept is None
            kept = await vault.conversations.messages(talk)
            assert (len(kept), kept[-1].text) == (before + 1, QUESTION)
            assert await asyncio.to_thread(server.wait_for_disconnect)
            hanging[0] = False
            _, trace = await turn(vault, talk, "So, who was it that bought the harpsichord?")
            assert 1 in trace.shown.recalled

        with_server(tmp_path, server, work, foreground_seconds=60)


def _other_length(asked: Asked) -> Reply:
    """Embed as another model under the same name would, with vectors of another length."""
    rows = ", ".join(str({"embedding": embedding(text, 32), "index": at}) for at, text in enumerate(asked.body["input"]))
    return Reply(raw=f'{{"data": [{rows}]}}'.replace("'", '"').encode())


@pytest.mark.req("R2", "R8", "X3", "B8")
@pytest.mark.parametrize("fault", ["off", "refuses", "hangs", "garbles", "shorter vectors"])
def test_without_vectors_words_find_it_and_the_trace_says_why(tmp_path: pathlib.Path, fault: str) -> None:
    """Whether no embedder was chosen, or it fails, or it is another under the same name; within the time, whatever it does."""
    with FakeServer() as server:
        answering(server)
        broken = {
            "refuses": lambda _: Reply(status=500, raw=b'{"error": "no memory"}'),
            "garbles": lambda _: Reply(raw=b'{"data": "soon"}'),
            "shorter vectors": _other_length,
        }

        async def work(vault: AsyncVault) -> None:
            talk = await written(vault, HARP, lines=70)
            if fault == "shorter vectors":
                await vault.embed()
                await vault.set(timeout=119)  # the embedder is opened anew, as after a restart
            if fault == "hangs":
                server.embeddings.append(Reply(delay=60))
            server.embedding_rule = broken.get(fault, lambda _: None)  # type: ignore[assignment]
            started = time.perf_counter()
            _, trace = await turn(vault, talk, QUESTION)
            assert time.perf_counter() - started < 8
            assert trace.shown.recalled == (1,)
            gathered = step(trace, "gather")
            assert gathered["by_meaning"] is False
            assert len(gathered["why"]) > 10

        embedder = "off" if fault == "off" else "server"
        with_server(tmp_path, server, work, embedder=embedder, model="fake-embed", foreground_seconds=2)


@pytest.mark.req("R2", "B8")
def test_with_vectors_the_trace_says_that_meaning_was_searched(tmp_path: pathlib.Path) -> None:
    """Also at the first question after unlocking, when a server's model is only then known by its name."""
    with FakeServer(models=("fake-chat", "fake-embed")) as server:
        answering(server)

        async def work(vault: AsyncVault) -> None:
            talk = await written(vault, HARP, lines=70)
            await vault.embed()
            await vault.set(timeout=119)
            _, trace = await turn(vault, talk, QUESTION)
            assert step(trace, "gather")["by_meaning"] is True
            assert "why" not in step(trace, "gather")

        with_server(tmp_path, server, work, embedder="server")


@pytest.mark.req("R3", "R4")
def test_a_server_without_probabilities_is_asked_once_for_a_list(tmp_path: pathlib.Path) -> None:
    """After the first note the others stand in one question by their numbers, and those it names go in."""
    with FakeServer(refuses=("logprobs",)) as server:
        server.on(lambda asked: Reply("NONE") if relevance.QUESTION_LIST in asked.text else None)
        answering(server, check=Reply("yes"))

        async def work(vault: AsyncVault) -> None:
            _, trace = await turn(vault, await written(vault, HARP), QUESTION)
            assert trace.shown.recalled == (1,)
            assert step(trace, "check")["verdicts"][0]["by"] == "model"
            assert not steps(trace, "shorten")

        with_server(tmp_path, server, work)
        assert HARP in last_prompt(server)
        assert len([asked for asked in asides(server) if relevance.QUESTION_LIST in asked.text]) == 1
