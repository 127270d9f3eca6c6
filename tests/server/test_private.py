"""Private conversations over HTTP: replies like any other, and no trace of them."""

import pathlib

import pytest

from ricordo.models.scripted import ScriptedModel
from tests.server.served import Served, events_of, over
from tests.vaults import PASSPHRASE

MARKER = "Quixalorn"


@pytest.mark.req("S2")
def test_a_private_conversation_streams_and_is_in_no_list(tmp_path: pathlib.Path) -> None:
    """The same events; no conversation, no hit, no draft; ended, its key is not found."""

    async def work(one: Served) -> None:
        client = await one.enter()
        key = (await client.post("/api/private")).json()["key"]
        events = []
        for path, body in (("reply", {"text": f"I am {MARKER}"}), ("retry", None)):
            async with client.stream("POST", f"/api/private/{key}/{path}", json=body) as response:
                assert response.status_code == 200
                events += [event async for event in events_of(response)]
        names = [name for name, _ in events]
        assert names[:2] == ["stored", "meter"] and names.count("done") == 2
        assert [data["text"] for name, data in events if name == "done"] == [f"Hello {MARKER}", "Hello again"]
        assert (await client.get("/api/conversations")).json() == []
        assert (await client.post("/api/search", json={"text": MARKER})).json() == []
        assert (await client.get("/api/drafts")).json() == []
        assert (await client.post(f"/api/private/{key}/stop")).json() == {"stopped": False}
        assert (await client.delete(f"/api/private/{key}")).status_code == 204
        gone = await client.post(f"/api/private/{key}/reply", json={"text": "Still there?"})
        assert (gone.status_code, gone.json()["error"]["kind"]) == (404, "NotFound")

    over(tmp_path, work, ScriptedModel(f"Hello {MARKER}", "Hello again"))


@pytest.mark.req("S2", "V3")
def test_locking_ends_it(tmp_path: pathlib.Path) -> None:
    """In the middle of a reply, too; unlocked again, there is nothing to go back to."""

    async def work(one: Served) -> None:
        client = await one.enter()
        key = (await client.post("/api/private")).json()["key"]
        async with client.stream("POST", f"/api/private/{key}/reply", json={"text": "Go on"}) as response:
            async for name, _ in events_of(response):
                if name == "blocks":
                    break
            await one.door.lock()
        await client.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})
        assert (await client.post(f"/api/private/{key}/retry")).status_code == 404

    over(tmp_path, work, ScriptedModel("word " * 5000, delay=0.005))


@pytest.mark.req("S3")
def test_a_message_is_edited_and_gone_back_to(tmp_path: pathlib.Path) -> None:
    """The reply streams; the page is told of both versions, and shows either with what followed it."""

    async def work(one: Served) -> None:
        client = await one.enter()
        talk = await one.conversation()
        for text in ("one", "two"):
            async with client.stream("POST", f"/api/conversations/{talk}/reply", json={"text": text}) as response:
                first = [event async for event in events_of(response)]
        old = first[0][1]["id"]
        async with client.stream("POST", f"/api/messages/{old}/edit", json={"text": "TWO"}) as response:
            events = [event async for event in events_of(response)]
        assert [events[0][0], events[-1][0]] == ["stored", "done"]
        shown = (await client.get(f"/api/conversations/{talk}/messages")).json()["messages"]
        assert [message["text"] for message in shown] == ["one", "Yes.", "TWO", "Yes."]
        assert [message["versions"] for message in shown] == [[], [], [old, shown[2]["id"]], []]
        assert (await client.post(f"/api/messages/{old}/show")).json()["text"] == "two"
        assert [text for _, _, text in await one.texts(talk)] == ["one", "Yes.", "two", "Yes."]
        assert (await client.post("/api/messages/99/show")).status_code == 404
        refused = await client.post(f"/api/messages/{shown[1]['id']}/edit", json={"text": "I never said that"})
        assert refused.status_code == 422

    over(tmp_path, work, ScriptedModel(lambda messages: "Yes."))


@pytest.mark.req("S3")
def test_a_conversation_opens_around_a_message(tmp_path: pathlib.Path) -> None:
    """With what stands on either side, which can be fetched on."""

    async def work(one: Served) -> None:
        client = await one.enter()
        talk = await one.conversation()
        address = f"/api/conversations/{talk}"
        ids = [(await client.post(f"{address}/entries", json={"text": f"Entry {n}"})).json()["id"] for n in range(10)]

        async def get(**asked: int) -> tuple[list[int], bool, bool]:
            page = (await client.get(f"{address}/messages", params=asked)).json()
            return [message["id"] for message in page["messages"]], page["earlier"], page["later"]

        assert await get() == (ids, False, False)
        assert await get(around=ids[4], limit=4) == (ids[3:7], True, True)
        assert await get(around=ids[0], limit=4) == (ids[:3], False, True)
        assert await get(around=ids[9], limit=4) == (ids[6:], True, False)
        assert await get(after=ids[6], limit=4) == (ids[7:], True, False)
        assert await get(before=ids[3], limit=4) == (ids[:3], False, True)
        assert await get(around=999, limit=4) == (ids[6:], True, False)

    over(tmp_path, work)


@pytest.mark.req("S4")
def test_what_was_learned_from_a_message_is_listed(tmp_path: pathlib.Path) -> None:
    """Before it is deleted."""

    async def work(one: Served) -> None:
        client = await one.enter()
        talk = await one.conversation()
        message = (await client.post(f"/api/conversations/{talk}/entries", json={"text": "I keep bees"})).json()["id"]
        fact = (await client.post(f"/api/messages/{message}/pin")).json()
        assert (await client.get(f"/api/messages/{message}/facts")).json() == [fact]
        assert (await client.get("/api/messages/99/facts")).status_code == 404

    over(tmp_path, work)
