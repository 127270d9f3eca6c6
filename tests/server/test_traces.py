"""What the model saw for a reply, over real HTTP; and whether things are found by meaning."""

import pathlib

import pytest

from tests.explained import FACT, HARP, QUESTION, SEARCH, TUNER, model, talked
from tests.server.served import Served, over


@pytest.mark.req("B8", "I3")
def test_the_trace_of_a_reply_is_shown(tmp_path: pathlib.Path) -> None:
    """What was sent, searched, found and dropped; then 404 for what has none, and no word of what was deleted."""

    async def work(one: Served) -> None:
        client = await one.enter()
        reply = await talked(one.door.vault)
        address = f"/api/messages/{reply.id}/trace"
        told = (await client.get(address)).json()
        assert told["searches"] == [QUESTION, SEARCH]
        assert [(each["found"]["text"], each["fate"]) for each in told["candidates"]] == [(HARP, "sent"), (TUNER, "dropped")]
        assert len(told["candidates"][0]["speaks"]) <= 3
        assert told["candidates"][0]["by"] == "model"
        assert [each["text"] for each in told["facts"]] == [FACT]
        assert told["recalled"][0]["at"].startswith("20")
        assert told["usage"]["evaluated"] == told["usage"]["prompt"] - told["usage"]["cached"]
        assert set(told["timings"]) == {"waited", "recalled", "prepared", "first piece", "replied"}
        own = await client.get(f"/api/messages/{reply.parent}/trace")
        assert (own.status_code, own.json()["error"]["kind"]) == (404, "NotFound")
        await client.delete("/api/messages/1")
        again = await client.get(address)
        assert again.json()["searches"] is None
        assert again.json()["recalled"][0]["state"] == "deleted"
        assert "Ysolde sold" not in again.text
        assert SEARCH not in again.text
        await client.post("/api/vault/lock")
        assert (await client.get(address)).status_code == 423

    over(tmp_path, work, model())


@pytest.mark.req("I3", "R2")
def test_whether_things_are_found_by_meaning_is_told(tmp_path: pathlib.Path) -> None:
    """Off says why; else how many have their vector."""

    async def work(one: Served) -> None:
        client = await one.enter()
        await client.patch("/api/settings", json={"embedder": "off"})
        found = (await client.get("/api/models/embedder")).json()
        assert found == {"off": found["off"], "done": 0, "total": 0}
        assert "Words alone are searched." in found["off"]

    over(tmp_path, work, model())
