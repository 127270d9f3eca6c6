"""What the model changed, over the API: the log, undo, and turns that could not be read."""

import json
import pathlib

import pytest

from ricordo.learn.extractor import SYSTEM
from ricordo.models.scripted import ScriptedModel
from tests.server.served import Served, events_of, over, reply


def model(answer: str) -> ScriptedModel:
    """A model that gives this answer to the hidden calls."""
    return ScriptedModel(lambda messages: answer if messages[0].content == SYSTEM else "Well.")


@pytest.mark.req("U1", "U2", "I3")
def test_what_was_learned_is_told_listed_and_undone(tmp_path: pathlib.Path) -> None:
    """In the background, with no request for it; a second undo is refused with the reason."""

    async def work(one: Served) -> None:
        client = await one.enter()
        talk = await one.conversation()
        await reply(client, talk, "I play the cello.")
        await one.learned()
        (change,) = (await client.get("/api/changes")).json()
        assert (change["kind"], change["before"], change["after"]["text"]) == ("saved", None, "The user plays the cello.")
        undone = (await client.post(f"/api/changes/{change['id']}/undo")).json()
        assert undone["undone"] is not None
        assert (await client.get("/api/facts")).json() == []
        again = await client.post(f"/api/changes/{change['id']}/undo")
        assert (again.status_code, again.json()["error"]["kind"]) == (422, "InvalidInput")
        assert (await client.post("/api/changes/99/undo")).status_code == 404

    over(
        tmp_path,
        work,
        model(json.dumps({"add": [{"text": "The user plays the cello.", "quote": "I play the cello"}]})),
        learning=True,
    )


@pytest.mark.req("E16")
def test_a_turn_that_cannot_be_read_is_shown_and_tried_again(tmp_path: pathlib.Path) -> None:
    """With why."""

    async def work(one: Served) -> None:
        client = await one.enter()
        talk = await one.conversation()
        await reply(client, talk, "I play the cello.")
        for _ in range(3):
            await one.door.vault.learn()
        (unread, *_) = (await client.get("/api/changes/unread")).json()
        assert unread["conversation"] == talk
        assert len(unread["reason"]) > 10
        assert (await client.post("/api/changes/unread/retry")).status_code == 204

    over(tmp_path, work, model("I am sorry, I cannot do that."))


@pytest.mark.req("E12", "I3")
def test_what_was_refused_is_listed_with_the_reason(tmp_path: pathlib.Path) -> None:
    """For each reading, the latest first."""

    async def work(one: Served) -> None:
        client = await one.enter()
        talk = await one.conversation()
        await reply(client, talk, "I play the cello.")
        await one.door.vault.learn()
        (run,) = (await client.get("/api/runs")).json()
        assert (run["conversation"], run["way"], run["changes"], run["failure"]) == (talk, "call", [], "")
        (refused,) = run["refused"]
        assert (refused["kind"], refused["text"], refused["reason"][-1]) == ("save", "The user lives in Lisbon.", ".")
        assert (await client.get("/api/runs?limit=0")).status_code == 422

    over(tmp_path, work, model(json.dumps({"add": [{"text": "The user lives in Lisbon."}]})))


@pytest.mark.req("U1", "I3")
def test_open_pages_are_told_all_that_a_toast_needs(tmp_path: pathlib.Path) -> None:
    """Each change whole, in the order to show: saved first, then updated with both wordings, then removed."""
    known = ["The user lives in Ghent.", "The user keeps bees."]
    second = {
        "add": [{"text": "The user plays chess.", "quote": "I play chess"}],
        "rewrite": [{"id": 2, "text": "The user lives in Porto.", "quote": "I live in Porto now"}],
        "remove": [{"id": 1, "quote": "I no longer keep bees"}],
    }
    answers = iter([{"add": [{"text": text} for text in known]}, second])
    learner = ScriptedModel(lambda messages: json.dumps(next(answers)) if messages[0].content == SYSTEM else "Well.")

    async def work(one: Served) -> None:
        client = await one.enter()
        talk = await one.conversation()
        await reply(client, talk, "I live in Ghent. I keep bees.")
        await one.door.vault.learn()
        async with client.stream("GET", "/api/events") as stream:
            await reply(client, talk, "I moved: I live in Porto now. I no longer keep bees. I play chess.")
            await one.door.vault.learn()
            told = await anext(data async for name, data in events_of(stream) if name == "learned")
        shown = [
            (each["kind"], (each["before"] or {}).get("text"), (each["after"] or {}).get("text")) for each in told["changes"]
        ]
        assert shown == [
            ("saved", None, "The user plays chess."),
            ("updated", "The user lives in Ghent.", "The user lives in Porto."),
            ("removed", "The user keeps bees.", None),
        ]
        undone = await client.post(f"/api/changes/{told['changes'][-1]['id']}/undo")
        assert undone.json()["kind"] == "removed"
        texts = [fact["text"] for fact in (await client.get("/api/facts")).json()]
        assert sorted(texts) == ["The user keeps bees.", "The user lives in Porto.", "The user plays chess."]

    over(tmp_path, work, learner)
