"""What the model changed, over the API: the log, undo, and turns that could not be read."""

import json
import pathlib

import pytest

from ricordo.learn.extractor import SYSTEM
from ricordo.models.scripted import ScriptedModel
from tests.server.served import Served, over, reply


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
