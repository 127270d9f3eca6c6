"""The door: what opens it, what slows a guesser down, and when it falls shut."""

import asyncio
import pathlib
import time

import pytest

from ricordo.models.scripted import ScriptedModel
from tests.server.served import Served, events_of, over
from tests.vaults import PASSPHRASE


@pytest.mark.req("V2")
def test_the_recovery_key_is_shown_once_and_opens_the_vault(tmp_path: pathlib.Path) -> None:
    """Creating returns the key; no later answer holds it, and it unlocks like the passphrase."""

    async def work(one: Served) -> None:
        created = await one.client.post("/api/vault/create", json={"passphrase": PASSPHRASE})
        key = created.json()["recovery_key"]
        assert key not in (await one.client.get("/api/vault")).text
        await one.client.post("/api/vault/lock")
        assert (await one.client.post("/api/vault/unlock", json={"passphrase": key})).json()["inside"] is True

    over(tmp_path, work)


@pytest.mark.req("V2")
def test_a_wrong_passphrase_changes_nothing(tmp_path: pathlib.Path) -> None:
    """Locked or open, a wrong one is a clear error, gives no session and leaves the door as it is."""

    async def work(one: Served) -> None:
        client = await one.enter()
        client.cookies.clear()
        wrong = await client.post("/api/vault/unlock", json={"passphrase": "not this"})
        assert (wrong.status_code, wrong.json()["error"]["kind"]) == (403, "WrongPassphrase")
        assert "set-cookie" not in wrong.headers
        assert one.door.state == "unlocked"
        await one.door.lock()
        assert (await client.post("/api/vault/unlock", json={"passphrase": "not this"})).status_code == 403
        assert one.door.state == "locked"

    over(tmp_path, work)


@pytest.mark.req("X1")
def test_wrong_tries_grow_slow(tmp_path: pathlib.Path) -> None:
    """The first three are answered at once; the fourth waits a second, and the right one sets the count back."""

    async def work(one: Served) -> None:
        client = await one.enter()
        for _ in range(3):
            await client.post("/api/vault/unlock", json={"passphrase": "guess"})
        started = time.monotonic()
        assert (await client.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})).status_code == 200
        assert time.monotonic() - started >= 1
        started = time.monotonic()
        await client.post("/api/vault/unlock", json={"passphrase": "guess"})
        assert time.monotonic() - started < 1

    over(tmp_path, work)


@pytest.mark.req("X1", "V3")
def test_locking_does_not_wait_for_a_guesser(tmp_path: pathlib.Path) -> None:
    """A try that is being slowed down does not hold the lock button up."""

    async def work(one: Served) -> None:
        client = await one.enter()
        for _ in range(4):
            await client.post("/api/vault/unlock", json={"passphrase": "guess"})
        guessing = asyncio.create_task(one.door.unlock("guess"))
        await asyncio.sleep(0)  # it runs until it has to wait
        started = time.monotonic()
        await client.post("/api/vault/lock")
        assert time.monotonic() - started < 1
        guessing.cancel()

    over(tmp_path, work)


@pytest.mark.req("V3")
def test_an_idle_vault_locks_itself(tmp_path: pathlib.Path) -> None:
    """After the minutes of the setting without a request it is locked, not before; 0 means never."""
    clock = [1000.0]

    async def work(one: Served) -> None:
        client = await one.enter()
        await client.patch("/api/settings", json={"auto_lock_minutes": 5})
        clock[0] += 299
        await one.door.lock_if_idle()
        await client.post("/api/vault/touch")
        clock[0] += 299
        await one.door.lock_if_idle()
        assert one.door.state == "unlocked"
        await client.patch("/api/settings", json={"auto_lock_minutes": 0})
        clock[0] += 1_000_000
        await one.door.lock_if_idle()
        assert one.door.state == "unlocked"
        await client.patch("/api/settings", json={"auto_lock_minutes": 5})
        clock[0] += 301
        await one.door.lock_if_idle()
        assert one.door.state == "locked"

    over(tmp_path, work, now=lambda: clock[0])


@pytest.mark.req("V3")
def test_looking_whether_it_is_locked_keeps_it_open_for_nobody_outside(tmp_path: pathlib.Path) -> None:
    """Requests without a session do not count as use."""
    clock = [1000.0]

    async def work(one: Served) -> None:
        client = await one.enter()
        client.cookies.clear()
        clock[0] += 16 * 60
        await client.get("/api/vault")
        await client.get("/")
        await one.door.lock_if_idle()
        assert one.door.state == "locked"

    over(tmp_path, work, now=lambda: clock[0])


@pytest.mark.req("V3")
def test_locking_tells_every_page_and_keeps_a_running_reply(tmp_path: pathlib.Path) -> None:
    """Event streams get `locked` and end; what had come of a reply is in the vault after the next unlock."""

    async def work(one: Served) -> None:
        client = await one.enter()
        conversation = await one.conversation()
        async with (
            client.stream("GET", "/api/events") as watching,
            client.stream("POST", f"/api/conversations/{conversation}/reply", json={"text": "Tell me"}) as answer,
        ):
            assert watching.status_code == 200
            async for name, _ in events_of(answer):
                if name == "blocks":
                    break
            await client.post("/api/vault/lock")
            announced = [name async for name, _ in events_of(watching)]
        assert announced[-1] == "locked"
        await client.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})
        (asked, kept) = await one.texts(conversation)
        assert asked == ("user", "complete", "Tell me")
        assert kept[:2] == ("model", "stopped") and kept[2].startswith("word")

    over(tmp_path, work, ScriptedModel("word " * 500, delay=0.02))


@pytest.mark.req("V3")
def test_ending_the_server_locks_the_vault_at_once(tmp_path: pathlib.Path) -> None:
    """The server does not wait for open event streams, and the vault's file is free again when it has ended."""

    async def work(one: Served) -> None:
        client = await one.enter()
        async with client.stream("GET", "/api/events") as watching:
            assert watching.status_code == 200
            started = time.monotonic()
            one.server.should_exit = True
            announced = [name async for name, _ in events_of(watching)]
        assert announced == ["locked"]
        assert time.monotonic() - started < 2
        assert one.door.state == "locked"
        assert not (tmp_path / "diary.ricordo.lock").exists()

    over(tmp_path, work)
