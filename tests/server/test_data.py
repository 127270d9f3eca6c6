"""All of it out and in over HTTP: backups, exports, imports, restore, erasing; progress comes as it is made."""

import asyncio
import json
import pathlib
import zipfile
from io import BytesIO
from typing import Any

import httpx2
import pytest

from ricordo.vault import copies
from tests import filled
from tests.plaintext import hunt
from tests.server.served import Event, Served, events_of, over
from tests.transfer import files
from tests.vaults import PASSPHRASE

FILE = {"content-type": "application/octet-stream"}


def handed(*files: tuple[str, bytes]) -> bytes:
    """Return files as the page hands them over."""
    return b"".join(json.dumps({"name": name, "size": len(data)}).encode() + b"\n" + data for name, data in files)


async def follow(client: httpx2.AsyncClient, path: str, content: bytes = b"", headers: dict[str, str] = FILE) -> list[Event]:
    """Send something and return the events of the answer."""
    async with client.stream("POST", f"/api/data/{path}", content=content, headers=headers if content else {}) as response:
        assert response.status_code == 200, await response.aread()
        return [event async for event in events_of(response)]


async def backup(client: httpx2.AsyncClient) -> bytes:
    """Make a backup and fetch it."""
    name, ready = (await follow(client, "backup"))[-1]
    assert name == "done", ready
    fetched = await client.get("/api/data/backup")
    assert len(fetched.content) == ready["bytes"]
    assert "attachment" in fetched.headers["content-disposition"]
    return fetched.content


@pytest.mark.req("V5")
def test_a_backup_is_fetched_once_and_restored(tmp_path: pathlib.Path) -> None:
    """The copy is encrypted, gone from the folder when it was fetched, and opens in the vault's place; the old one is kept."""

    async def work(one: Served) -> None:
        client = await one.enter()
        await filled.fill(one.door.vault)
        data = await backup(client)
        assert filled.MARK.encode() not in data
        assert (await client.get("/api/data/backup")).status_code == 404
        async with asyncio.timeout(10):
            while copies(tmp_path / "diary.ricordo"):  # noqa: ASYNC110  it goes when the last of it was sent
                await asyncio.sleep(0.01)
        await client.post("/api/data/erase", json={"what": "data", "word": "remove"})
        assert (await client.get("/api/conversations")).json() == []
        wrong = await client.post("/api/data/restore", content=b'{"passphrase": "no"}\n' + data, headers=FILE)
        assert (wrong.status_code, one.door.state) == (403, "unlocked")
        answer = await client.post("/api/data/restore", content=restoring(data), headers=FILE)
        assert answer.status_code == 200, answer.text
        assert answer.json()["aside"] == str(copies(tmp_path / "diary.ricordo")[0])
        assert one.door.state == "locked"
        assert (await client.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})).status_code == 200
        assert len((await client.get("/api/conversations")).json()) == 2

    over(tmp_path, work)


def restoring(data: bytes) -> bytes:
    """Return a backup as the page hands it over."""
    return json.dumps({"passphrase": PASSPHRASE}).encode() + b"\n" + data


@pytest.mark.req("V5", "X1")
def test_a_backup_is_restored_without_a_session_only_where_there_is_no_vault(tmp_path: pathlib.Path) -> None:
    """On a new computer there is nothing to guard; once there is a vault, nobody from outside replaces it."""

    async def work(one: Served) -> None:
        client = await one.enter()
        data = await backup(client)
        async with httpx2.AsyncClient(base_url=client.base_url, trust_env=False) as stranger:
            refused = await stranger.post("/api/data/restore", content=restoring(data), headers=FILE)
            assert refused.status_code == 401
            await client.post("/api/vault/lock")
            assert (await stranger.post("/api/data/restore", content=restoring(data), headers=FILE)).status_code == 423
            await one.door.erase()
            cut_off = await stranger.post("/api/data/restore", content=restoring(data[:9000]), headers=FILE)
            assert (cut_off.status_code, one.door.state) == (500, "missing")
            assert (await stranger.post("/api/data/restore", content=restoring(data), headers=FILE)).status_code == 200
            assert one.door.state == "locked"

    over(tmp_path, work)


@pytest.mark.req("V5", "V1")
def test_exports_are_streamed_and_imported_again(tmp_path: pathlib.Path) -> None:
    """JSON goes out, into the emptied vault, and out the same; Markdown holds the words; no file on the way holds any."""

    async def work(one: Served) -> None:
        client = await one.enter()
        await filled.fill(one.door.vault)
        exported = (await client.get("/api/data/export.json")).content
        packed = zipfile.ZipFile(BytesIO((await client.get("/api/data/export.zip")).content))
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
        assert any("Seeds" in name and "big pot" in text for name, text in texts.items())
        assert f"Likes {filled.MARK} (you" in texts["Ricordo/Memories.md"]
        again: Any = (await follow(client, "import", handed(("ricordo.json", exported))))[-1][1]
        assert (again["messages"], again["already_there"], again["import_id"]) == (0, 4, None)
        await client.post("/api/data/erase", json={"what": "data", "word": "Remove"})
        done: Any = (await follow(client, "import", handed(("ricordo.json", exported))))[-1]
        counted = {name: done[1][name] for name in ("conversations", "messages", "facts", "server")}
        assert counted == {"conversations": 2, "messages": 4, "facts": 3, "server": "embedded"}
        assert (await client.get("/api/data/export.json")).content == exported
        read, found = hunt(tmp_path, 0, filled.MARK.encode())
        assert read and not found

    over(tmp_path, work, filled.model())


@pytest.mark.req("I6")
def test_a_diary_is_looked_through_imported_and_taken_back(tmp_path: pathlib.Path) -> None:
    """A preview stores nothing; an import tells what came; undone, its entries are gone and nothing else."""

    async def work(one: Served) -> None:
        client = await one.enter()
        notes = handed(("notes/2024-05-03.md", b"Rain."), ("notes/2024-05-05.md", b"Sun."), ("notes/x.bin", b"\0"))
        seen: Any = (await follow(client, "import?preview=true&kind=diary", notes))[-1]
        assert (seen[0], seen[1]["messages"], seen[1]["first"][:10]) == ("done", 2, "2024-05-03")
        assert (await client.get("/api/conversations")).json() == []
        done: Any = (await follow(client, "import?kind=diary", notes))[-1][1]
        assert (done["messages"], done["already_there"]) == (2, 0)
        again: Any = (await follow(client, "import?kind=diary", notes))[-1][1]
        assert (again["messages"], again["already_there"], again["import_id"]) == (0, 2, None)
        await client.post(f"/api/conversations/{done['conversation']}/entries", json={"text": "Mine, by hand"})
        (listed,) = (await client.get("/api/data/imports")).json()
        assert (listed["id"], listed["name"], listed["messages"], listed["finished"]) == (done["import_id"], "notes", 2, True)
        going = {"messages": 2, "conversations": 0, "facts": 0}
        assert (await client.get(f"/api/data/imports/{done['import_id']}")).json() == going
        undone = await client.delete(f"/api/data/imports/{done['import_id']}")
        assert undone.json() == going
        assert (await client.get("/api/data/imports")).json() == []
        assert [text for _, _, text in await one.texts(done["conversation"])] == ["Mine, by hand"]
        assert (await client.delete(f"/api/data/imports/{done['import_id']}")).status_code == 404

    over(tmp_path, work)


@pytest.mark.req("I6", "I3")
def test_an_import_is_learned_from_only_while_it_is_wanted(tmp_path: pathlib.Path) -> None:
    """Put on and paused by one call; refused while nothing is remembered; what is not there is 404; a format is one of six."""

    async def work(one: Served) -> None:
        client = await one.enter()
        talks = json.dumps([files.simple("one", "I planted figs by the wall.", "Good.")]).encode()
        done: Any = (await follow(client, "import", handed(("conversations.json", talks))))[-1][1]
        assert (done["format"], done["conversations"], done["messages"]) == ("chatgpt", 1, 2)
        path = f"/api/data/imports/{done['import_id']}/learning"
        await client.patch("/api/settings", json={"remember": False})
        refused = await client.put(path, json={"on": True})
        assert (refused.status_code, "Remembering is off" in refused.json()["error"]["message"]) == (409, True)
        await client.patch("/api/settings", json={"remember": True})
        assert (await client.put(path, json={"on": True})).json()["turns"] == 1
        assert (await client.put(path, json={"on": False})).json()["learning"] is False
        assert (await client.put("/api/data/imports/99/learning", json={"on": True})).status_code == 404
        assert (await client.put(path, json={"on": True, "fast": True})).status_code == 422
        odd = await client.post("/api/data/import?kind=myspace", content=handed(("a.json", talks)), headers=FILE)
        assert odd.status_code == 422
        broken: Any = (await follow(client, "import?kind=chatgpt", handed(("conversations.json", talks[:-3]))))[-1]
        assert (broken[0], "cut off" in broken[1]["reason"]) == ("failed", True)

    over(tmp_path, work)


@pytest.mark.req("V6")
def test_erasing_needs_its_word(tmp_path: pathlib.Path) -> None:
    """Without it nothing goes; a reset leaves no vault, and its sessions are over."""

    async def work(one: Served) -> None:
        client = await one.enter()
        await one.conversation()
        for what, word in (("data", "reset"), ("data", ""), ("everything", "remove"), ("everything", "yes")):
            refused = await client.post("/api/data/erase", json={"what": what, "word": word})
            assert refused.status_code == 422
        assert len((await client.get("/api/conversations")).json()) == 1
        assert (await client.post("/api/data/erase", json={"what": "everything", "word": "reset"})).status_code == 204
        assert (await client.get("/api/vault")).json()["state"] == "missing"
        assert not copies(tmp_path / "diary.ricordo")

    over(tmp_path, work)


@pytest.mark.req("V2")
def test_the_passphrase_and_the_recovery_key_are_replaced(tmp_path: pathlib.Path) -> None:
    """A wrong one changes nothing; then the new ones open."""

    async def work(one: Served) -> None:
        client = await one.enter()
        for path, body in (("passphrase", {"old": "wrong", "new": "x y z"}), ("recovery-key", {"passphrase": "wrong"})):
            assert (await client.post(f"/api/vault/{path}", json=body)).status_code == 403
        assert (await client.post("/api/vault/passphrase", json={"old": PASSPHRASE, "new": "quite another"})).status_code == 204
        key = (await client.post("/api/vault/recovery-key", json={"passphrase": "quite another"})).json()["recovery_key"]
        await client.post("/api/vault/lock")
        assert (await client.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})).status_code == 403
        assert (await client.post("/api/vault/unlock", json={"passphrase": key})).status_code == 200

    over(tmp_path, work)


@pytest.mark.req("X1")
@pytest.mark.parametrize("path", ["restore", "import"])
def test_files_are_taken_in_one_content_type_only(tmp_path: pathlib.Path, path: str) -> None:
    """One that no form can have; and with a line of JSON first."""

    async def work(one: Served) -> None:
        client = await one.enter()
        for kind in ("text/plain", "application/json", "multipart/form-data; boundary=x"):
            refused = await client.post(f"/api/data/{path}", content=b"{}\n", headers={"content-type": kind})
            assert refused.status_code == 415
        for odd in (b"", b"PK\3\4", b"{}\nabc", b'{"name": "a", "size": 9}\nshort', b"x" * 10_000):
            refused = await client.post(f"/api/data/{path}", content=odd, headers=FILE)
            assert refused.status_code == 422

    over(tmp_path, work)
