"""The REST API: what each noun does, over a real vault."""

import asyncio
import json
import pathlib

import pytest

from ricordo.errors import ModelUnreachable
from ricordo.models.scripted import ScriptedModel
from tests.server.served import Served, over, reply
from tests.vaults import PASSPHRASE


@pytest.mark.req("S1", "S2", "S3")
def test_conversations_are_begun_renamed_moved_and_deleted(tmp_path: pathlib.Path) -> None:
    """A title and a Space can be changed apart; null moves out; deleting removes it."""

    async def work(one: Served) -> None:
        client = await one.enter()
        space = (await client.post("/api/spaces", json={"name": "Garden"})).json()["id"]
        key = (await client.post("/api/conversations", json={"title": "Seeds", "space": space})).json()["id"]
        address = f"/api/conversations/{key}"
        assert (await client.patch(address, json={"title": "Tulips"})).json()["space"] == space
        assert (await client.patch(address, json={"space": None})).json()["space"] is None
        (listed,) = (await client.get("/api/conversations")).json()
        assert (listed["title"], listed["messages"]) == ("Tulips", 0)
        assert (await client.delete(address)).status_code == 204
        assert (await client.get(f"{address}/messages")).status_code == 404

    over(tmp_path, work)


@pytest.mark.req("S3")
def test_a_long_conversation_comes_in_stretches(tmp_path: pathlib.Path) -> None:
    """The newest messages first, then those before them, until there are no earlier ones."""

    async def work(one: Served) -> None:
        client = await one.enter()
        address = f"/api/conversations/{await one.conversation()}"
        for number in range(5):
            await client.post(f"{address}/entries", json={"text": f"Entry {number}"})
        newest = (await client.get(f"{address}/messages?limit=2")).json()
        assert [one["text"] for one in newest["messages"]] == ["Entry 3", "Entry 4"] and newest["earlier"]
        before = newest["messages"][0]["id"]
        rest = (await client.get(f"{address}/messages?limit=3&before={before}")).json()
        assert [one["text"] for one in rest["messages"]] == ["Entry 0", "Entry 1", "Entry 2"] and not rest["earlier"]

    over(tmp_path, work)


@pytest.mark.req("S4", "F3")
def test_a_message_is_pinned_and_deleted(tmp_path: pathlib.Path) -> None:
    """Remember this makes a pinned fact; deleting the message names the facts that came from it."""

    async def work(one: Served) -> None:
        client = await one.enter()
        conversation = await one.conversation()
        entry = await client.post(f"/api/conversations/{conversation}/entries", json={"text": "Ida is my sister"})
        message = entry.json()["id"]
        fact = (await client.post(f"/api/messages/{message}/pin")).json()
        assert fact["pinned"] and fact["home"] == {"kind": "conversation", "conversation": conversation}
        assert fact["sources"] == [message]
        assert (await client.delete(f"/api/messages/{message}")).json() == {"facts": [fact["id"]]}
        assert await one.texts(conversation) == []

    over(tmp_path, work)


@pytest.mark.req("F1", "F3", "F4")
def test_facts_are_added_changed_and_deleted(tmp_path: pathlib.Path) -> None:
    """Each home, pin, share and new words; deleting returns what it was."""

    async def work(one: Served) -> None:
        client = await one.enter()
        space = (await client.post("/api/spaces", json={"name": "Garden"})).json()["id"]
        home = {"kind": "space", "space": space}
        made = (await client.post("/api/facts", json={"text": "Has a pond", "home": home})).json()
        address = f"/api/facts/{made['id']}"
        changed = (await client.patch(address, json={"text": "Has two ponds", "pinned": True, "shared": True})).json()
        assert (changed["text"], changed["pinned"], changed["shared"], changed["home"]) == ("Has two ponds", True, True, home)
        assert (await client.get("/api/facts")).json() == [changed]
        assert (await client.delete(address)).json()["text"] == "Has two ponds"
        assert (await client.get("/api/facts")).json() == []

    over(tmp_path, work)


@pytest.mark.req("S1")
def test_a_space_is_changed_and_deleted(tmp_path: pathlib.Path) -> None:
    """What is given changes; deleting keeps its conversations when asked to."""

    async def work(one: Served) -> None:
        client = await one.enter()
        space = (await client.post("/api/spaces", json={"name": "Garden", "instructions": "Be brief."})).json()["id"]
        changed = (await client.patch(f"/api/spaces/{space}", json={"memory": False, "reach": "space"})).json()
        assert (changed["name"], changed["memory"], changed["reach"]) == ("Garden", False, "space")
        assert (await client.post("/api/spaces", json={"name": "garden"})).status_code == 422
        await client.post("/api/conversations", json={"title": "Seeds", "space": space})
        assert (await client.delete(f"/api/spaces/{space}?keep_conversations=true")).status_code == 204
        assert [one["space"] for one in (await client.get("/api/conversations")).json()] == [None]

    over(tmp_path, work)


@pytest.mark.req("V1", "I7")
def test_the_key_goes_in_and_never_comes_out(tmp_path: pathlib.Path) -> None:
    """Settings are changed one at a time; of the provider's key only stars are ever shown."""

    async def work(one: Served) -> None:
        client = await one.enter()
        before = (await client.get("/api/settings")).json()
        assert before["api_key"] == "" and before["server"] == "embedded"
        changed = (await client.patch("/api/settings", json={"api_key": "sk-secret", "window": 4096})).json()
        assert changed == {**before, "api_key": "**********", "window": 4096}
        assert "sk-secret" not in (await client.get("/api/settings")).text
        await client.patch("/api/settings", json={"reply_room": 512})
        assert one.door.vault.settings.api_key.get_secret_value() == "sk-secret"
        assert (await client.patch("/api/settings", json={"time_zone": "Rome"})).status_code == 422

    over(tmp_path, work)


@pytest.mark.req("F5")
def test_commands_are_carried_out(tmp_path: pathlib.Path) -> None:
    """A command acts in the Space it is given in, and says which Space is active afterwards."""

    async def work(one: Served) -> None:
        client = await one.enter()
        space = (await client.post("/api/spaces", json={"name": "Garden"})).json()["id"]
        chosen = (await client.post("/api/commands", json={"text": "/space garden"})).json()
        assert (chosen["text"], chosen["space"]) == ("Working in Garden.", space)
        kept = (await client.post("/api/commands", json={"text": "/remember Has a pond", "space": space})).json()
        assert kept["facts"][0]["home"] == {"kind": "space", "space": space}

    over(tmp_path, work)


@pytest.mark.req("F1", "W3")
def test_a_memory_that_is_off_takes_no_fact(tmp_path: pathlib.Path) -> None:
    """Whoever asks: the answer says where to turn it on, and nothing is saved."""

    async def work(one: Served) -> None:
        client = await one.enter()
        answer = await client.post("/api/facts", json={"text": "Likes tulips", "home": {"kind": "global"}})
        assert answer.status_code == 409
        assert "Settings" in answer.json()["error"]["message"]
        assert (await client.get("/api/facts")).json() == []

    over(tmp_path, work)


@pytest.mark.req("S3")
def test_search_finds_messages_and_facts(tmp_path: pathlib.Path) -> None:
    """Both kinds in one list; a message says which letters were found."""

    async def work(one: Served) -> None:
        client = await one.enter()
        conversation = await one.conversation()
        await client.post(f"/api/conversations/{conversation}/entries", json={"text": "Bought tulip bulbs at the market"})
        await client.patch("/api/settings", json={"global_memories": True})
        await client.post("/api/facts", json={"text": "Likes tulips", "home": {"kind": "global"}})
        found = (await client.post("/api/search", json={"text": "tulip"})).json()
        assert {hit["kind"] for hit in found} == {"message", "fact"}
        (hit,) = (hit for hit in found if hit["kind"] == "message")
        assert "tulip" in hit["message"]["text"][hit["start"] : hit["stop"]]

    over(tmp_path, work)


@pytest.mark.req("B5")
def test_the_prompt_is_just_what_is_sent(tmp_path: pathlib.Path) -> None:
    """What is shown beforehand is, but for the minute, what the model gets."""
    model = ScriptedModel("Hello.")

    async def work(one: Served) -> None:
        client = await one.enter()
        conversation = await one.conversation()
        asked = {"text": "What about herons?", "conversation": conversation}
        shown = (await client.post("/api/prompt", json=asked)).json()
        assert model.requests == []
        await reply(client, conversation, "What about herons?")
        sent = model.requests[0].messages
        assert [one["role"] for one in shown["messages"]] == [one.role for one in sent]
        assert shown["messages"][0]["content"] == sent[0].content
        assert "What about herons?" in shown["messages"][-1]["content"]

    over(tmp_path, work, model)


@pytest.mark.req("S3", "V1")
def test_drafts_are_kept_in_the_vault(tmp_path: pathlib.Path) -> None:
    """A draft is there after locking, with what is given along; what is not named stays; an empty one is forgotten."""

    async def work(one: Served) -> None:
        client = await one.enter()
        file = {"name": "list.txt", "media_type": "text/plain", "text": "Bread"}
        assert (await client.put("/api/draft", json={"attachments": [file]})).status_code == 204
        assert (await client.put("/api/draft", json={"text": "Half a"})).status_code == 204
        await client.post("/api/vault/lock")
        await client.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})
        assert (await client.get("/api/drafts")).json() == [{"conversation": None, "text": "Half a", "attachments": [file]}]
        await client.put("/api/draft", json={"attachments": []})
        assert (await client.get("/api/drafts")).json() == [{"conversation": None, "text": "Half a", "attachments": []}]
        await client.put("/api/draft", json={"text": ""})
        assert (await client.get("/api/drafts")).json() == []

    over(tmp_path, work)


@pytest.mark.req("I7")
def test_the_model_can_be_tried(tmp_path: pathlib.Path) -> None:
    """A model that answers is named with its time; one that does not is an error in a sentence."""

    async def work(one: Served) -> None:
        client = await one.enter()
        works = (await client.post("/api/models/test")).json()
        assert works["model"] == "scripted" and works["seconds"] >= 0
        broken = await client.post("/api/models/test")
        assert (broken.status_code, broken.json()["error"]["message"]) == (502, "Nothing answers there.")
        local = (await client.get("/api/models")).json()
        assert isinstance(local["embedded"], bool) and isinstance(local["servers"], list)

    over(tmp_path, work, ScriptedModel("Yes.", ModelUnreachable("Nothing answers there.")))


@pytest.mark.req("I3")
def test_the_api_describes_itself(tmp_path: pathlib.Path) -> None:
    """Every path has a sentence and says what a refusal looks like."""

    async def work(one: Served) -> None:
        client = await one.enter()
        described = (await client.get("/api/openapi.json")).json()
        for path, methods in described["paths"].items():
            for method in methods.values():
                assert method["description"], path
                (refusal,) = method["responses"]["423"]["content"].values()
                assert refusal["schema"]["$ref"].endswith("/Failed"), path
        assert described["info"]["title"] == "Ricordo"

    over(tmp_path, work)


@pytest.mark.req("N1", "I3")
def test_a_summary_is_read_written_anew_and_deleted(tmp_path: pathlib.Path) -> None:
    """Null while there is none; where the model fails the reason comes back."""
    minutes = json.dumps({"decisions": ["The user will paint the fence blue."], "facts": ["Otto lends the user a ladder."]})
    answers = iter([minutes, "I cannot."])
    model = ScriptedModel(lambda told: next(answers) if "You keep the minutes" in told[0].content else "Well.")

    async def work(one: Served) -> None:
        client = await one.enter()
        talk = await one.conversation()
        await reply(client, talk, "I will paint the fence blue. Otto lends me a ladder.")
        address = f"/api/conversations/{talk}/summary"
        assert (await client.get(address)).json() is None
        written = (await client.post(address)).json()
        assert "- Otto lends the user a ladder." in written["text"]
        assert (await client.post(address)).status_code == 502
        assert (await client.get(address)).json() == written
        assert (await client.delete(address)).status_code == 204
        assert (await client.get(address)).json() is None
        assert (await client.get("/api/conversations/99/summary")).status_code == 404

    over(tmp_path, work, model)


@pytest.mark.req("E18", "I3")
def test_what_the_model_can_do_is_told_and_tried_out(tmp_path: pathlib.Path) -> None:
    """Null for what was not tried; after a test with the time of it."""

    async def work(one: Served) -> None:
        client = await one.enter()
        untried = (await client.get("/api/models/skill")).json()
        assert (untried["model"], untried["remembers"], untried["tested"]) == ("scripted", None, None)
        tried = (await client.post("/api/models/skill")).json()
        assert (tried["remembers"], tried["summarises"], tried["way"]) == (False, False, "call")
        assert tried["tested"] is not None
        assert (await client.get("/api/models/skill")).json() == tried

    over(tmp_path, work, ScriptedModel(lambda _: "Well."))


@pytest.mark.req("X3", "I3")
def test_the_state_says_that_writing_waits_for_a_locked_file(tmp_path: pathlib.Path) -> None:
    """For how long, while another program keeps the file locked; afterwards what was written is there."""

    async def work(one: Served) -> None:
        client = await one.enter()
        talk = await one.conversation()
        other = one.door.vault._database._file.connect(cache_kib=100)
        other.execute("begin immediate")
        writing = asyncio.create_task(client.post(f"/api/conversations/{talk}/entries", json={"text": "Kept."}))
        while not (await client.get("/api/vault")).json()["held_up"]:
            assert not writing.done()
        other.execute("rollback")
        other.close()
        assert (await writing).status_code == 201
        assert (await client.get("/api/vault")).json()["held_up"] == 0
        assert await one.texts(talk) == [("user", "complete", "Kept.")]

    over(tmp_path, work)
