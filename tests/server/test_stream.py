"""Replies as they come: their events, and what is kept when they are stopped, broken off or left."""

import asyncio
import pathlib
from collections.abc import AsyncGenerator

import pytest

from ricordo.errors import ModelUnreachable
from ricordo.models.base import Piece, Request, Text
from ricordo.models.scripted import ScriptedModel
from ricordo.server.statuses import UNEXPECTED
from tests.server.served import Served, events_of, over, reply


@pytest.mark.req("S3", "B5")
def test_a_reply_comes_in_pieces_of_html(tmp_path: pathlib.Path) -> None:
    """The message is stored first, then the meter, then blocks; at the end the whole message as it is kept."""

    async def work(one: Served) -> None:
        client = await one.enter()
        conversation = await one.conversation()
        events = await reply(client, conversation, "What now?")
        names = [name for name, _ in events]
        assert names[:2] == ["stored", "meter"] and names[-1] == "done" and "blocks" in names
        assert events[0][1]["text"] == "What now?"
        layers = {layer["name"]: layer for layer in events[1][1]["layers"]}
        assert "What now?" in layers["message"]["text"] and layers["message"]["tokens"] > 0
        done = events[-1][1]
        assert done["status"] == "complete" and done["text"] == "# Plan\n\n*First* this.\n\nThen that."
        assert done["blocks"] == ["<h4>Plan</h4>\n", "<p><em>First</em> this.</p>\n", "<p>Then that.</p>\n"]
        shown: dict[int, str] = {}
        for name, data in events:
            shown |= dict(data) if name == "blocks" else {}
        assert shown[0] == done["blocks"][0]

    over(tmp_path, work, ScriptedModel("# Plan\n\n*First* this.\n\nThen that.", delay=0.02))


@pytest.mark.req("S3")
def test_what_is_wrong_from_the_start_is_a_status(tmp_path: pathlib.Path) -> None:
    """An empty message and a conversation that is not there are errors, not streams."""

    async def work(one: Served) -> None:
        client = await one.enter()
        conversation = await one.conversation()
        empty = await client.post(f"/api/conversations/{conversation}/reply", json={"text": "  "})
        assert (empty.status_code, empty.json()["error"]["message"]) == (422, "Write something first.")
        assert (await client.post("/api/conversations/99/reply", json={"text": "Hello"})).status_code == 404
        assert (await client.post(f"/api/conversations/{conversation}/retry")).status_code == 404

    over(tmp_path, work)


@pytest.mark.req("S3", "X3")
def test_a_model_that_is_not_there_is_a_sentence(tmp_path: pathlib.Path) -> None:
    """The stream ends with `failed` and a reason; the message is kept and *try again* replies to it."""

    async def work(one: Served) -> None:
        client = await one.enter()
        conversation = await one.conversation()
        events = await reply(client, conversation, "Are you there?")
        assert events[-1] == ("failed", {"reason": "Nothing answers there. Start it.", "kept": None})
        assert await one.texts(conversation) == [("user", "complete", "Are you there?")]
        async with client.stream("POST", f"/api/conversations/{conversation}/retry") as response:
            again = [event async for event in events_of(response)]
        assert again[-1][1]["text"] == "Now I am."
        assert [text for _, _, text in await one.texts(conversation)] == ["Are you there?", "Now I am."]

    over(tmp_path, work, ScriptedModel(ModelUnreachable("Nothing answers there. Start it."), "Now I am."))


@pytest.mark.req("S3")
def test_stopping_keeps_what_came(tmp_path: pathlib.Path) -> None:
    """Stop ends the stream with `done`; the reply stands as stopped, with its first words."""

    async def work(one: Served) -> None:
        client = await one.enter()
        conversation = await one.conversation()
        assert (await client.post(f"/api/conversations/{conversation}/stop")).json() == {"stopped": False}
        stopped = []
        async with client.stream("POST", f"/api/conversations/{conversation}/reply", json={"text": "Go on"}) as response:
            async for name, data in events_of(response):
                if name == "blocks" and not stopped:
                    stopped.append(await client.post(f"/api/conversations/{conversation}/stop"))
                last = name, data
        assert stopped[0].json() == {"stopped": True}
        assert last[0] == "done" and last[1]["status"] == "stopped"
        assert (await one.texts(conversation))[1][1:] == ("stopped", last[1]["text"])

    over(tmp_path, work, ScriptedModel("word " * 500, delay=0.02))


@pytest.mark.req("S3", "X3")
def test_a_reader_that_goes_away_stops_the_reply_and_what_came_is_kept(tmp_path: pathlib.Path) -> None:
    """A closed tab ends the model's work; the message and the beginning of the reply are there afterwards."""
    model = ScriptedModel("word " * 500, "And again.", delay=0.02)

    async def work(one: Served) -> None:
        client = await one.enter()
        conversation = await one.conversation()
        async with client.stream("GET", "/api/events") as watching:
            heard = events_of(watching)
            async with client.stream("POST", f"/api/conversations/{conversation}/reply", json={"text": "Go on"}) as response:
                async for name, _ in events_of(response):
                    if name == "blocks":
                        break
            for _ in ("the message is stored", "what came of the reply is stored"):
                assert (await anext(heard))[1]["what"] == "messages"
        _, kept = await one.texts(conversation)
        assert kept[1] == "stopped" and 0 < len(kept[2]) < 1500
        assert (await reply(client, conversation, "Again"))[-1][1]["text"] == "And again."

    over(tmp_path, work, model)


@pytest.mark.req("X3", "V1")
def test_a_surprise_in_the_middle_is_a_sentence_too(tmp_path: pathlib.Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever breaks, the stream ends with `failed`, what came is kept, and the log tells nothing of it."""

    class Breaking(ScriptedModel):
        async def stream(self, request: Request) -> AsyncGenerator[Piece]:
            yield Text("So far ")
            raise RuntimeError("so good")

    async def work(one: Served) -> None:
        client = await one.enter()
        conversation = await one.conversation()
        events = await reply(client, conversation, "Tell me")
        assert events[-1] == ("failed", {"reason": UNEXPECTED, "kept": None})
        assert (await one.texts(conversation))[1] == ("model", "stopped", "So far ")

    over(tmp_path, work, Breaking())
    assert "RuntimeError" in caplog.text and "so good" not in caplog.text


@pytest.mark.req("S3")
def test_a_second_message_waits_for_the_first_reply(tmp_path: pathlib.Path) -> None:
    """Sent while a reply comes, it is answered next, and the order of the conversation is kept."""

    async def work(one: Served) -> None:
        client = await one.enter()
        conversation = await one.conversation()
        await asyncio.gather(reply(client, conversation, "One"), reply(client, conversation, "Two"))
        texts = [text for _, _, text in await one.texts(conversation)]
        assert texts in (["One", "First.", "Two", "Second."], ["Two", "First.", "One", "Second."])

    over(tmp_path, work, ScriptedModel("First.", "Second.", delay=0.05))


def test_other_pages_hear_of_changes(tmp_path: pathlib.Path) -> None:
    """Whoever watches is told which list changed."""

    async def work(one: Served) -> None:
        client = await one.enter()
        async with client.stream("GET", "/api/events") as watching:
            heard = events_of(watching)
            await client.post("/api/spaces", json={"name": "Garden"})
            assert await anext(heard) == ("changed", {"what": "spaces", "conversation": None})
            await client.patch("/api/settings", json={"global_memories": True})
            assert await anext(heard) == ("changed", {"what": "settings", "conversation": None})
            assert (await client.post("/api/facts", json={"text": "Has a dog", "home": {"kind": "global"}})).is_success
            assert await anext(heard) == ("changed", {"what": "facts", "conversation": None})

    over(tmp_path, work)
