"""Who asks the same between two writes is answered from one reading; nobody is told of a moment that is over."""

import asyncio
import pathlib

import pytest
from pydantic import TypeAdapter

from ricordo.server.shared import _MOMENTS, shared
from ricordo.store.postings import _SHELVES
from ricordo.vault import AsyncVault
from tests.server.served import Served, over
from tests.vaults import with_vault

NUMBER = TypeAdapter(int)


@pytest.mark.req("X3")
def test_many_who_ask_at_once_are_answered_from_one_reading(tmp_path: pathlib.Path) -> None:
    """And the next ones too, until something is written."""

    async def story(vault: AsyncVault) -> None:
        read = 0

        async def number() -> int:
            nonlocal read
            read += 1
            await asyncio.sleep(0.01)
            return read

        async def ask() -> bytes:
            return bytes((await shared(vault, "number", NUMBER, number)).body)

        assert await asyncio.gather(*(ask() for _ in range(20))) == [b"1"] * 20
        assert await ask() == b"1"
        await vault.facts.count()
        assert await ask() == b"1"
        await vault.conversations.create("New")
        assert await asyncio.gather(*(ask() for _ in range(3))) == [b"2"] * 3
        assert (await shared(vault, "another", NUMBER, number)).body == b"3"

    with_vault(tmp_path, story)


@pytest.mark.req("X3")
def test_what_failed_is_asked_again_and_who_has_gone_holds_up_nobody(tmp_path: pathlib.Path) -> None:
    """An error is told to those who waited for that reading, and is not kept."""

    async def story(vault: AsyncVault) -> None:
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def slow() -> int:
            begun.set()
            await go_on.wait()
            return 7

        async def fails() -> int:
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            await shared(vault, "x", NUMBER, fails)
        first = asyncio.create_task(shared(vault, "x", NUMBER, slow))
        await begun.wait()
        second = asyncio.create_task(shared(vault, "x", NUMBER, fails))
        await asyncio.sleep(0)
        first.cancel()
        go_on.set()
        assert (await second).body == b"7"

    with_vault(tmp_path, story)


@pytest.mark.req("X3", "S4")
def test_a_tab_is_told_what_was_written_last(tmp_path: pathlib.Path) -> None:
    """Whatever was read before, and however often: through the API, after each kind of change."""

    async def story(one: Served) -> None:
        await one.enter()
        talk = (await one.client.post("/api/conversations", json={"title": "A day"})).json()["id"]

        async def seen() -> tuple[list[str], list[str]]:
            talks = (await one.client.get("/api/conversations")).json()
            found = (await one.client.get(f"/api/conversations/{talk}/messages")).json()
            return [each["title"] for each in talks], [each["text"] for each in found["messages"]]

        assert await seen() == (["A day"], [])
        entry = (await one.client.post(f"/api/conversations/{talk}/entries", json={"text": "It rained."})).json()["id"]
        assert await seen() == (["A day"], ["It rained."])
        await one.client.patch(f"/api/conversations/{talk}", json={"title": "Rain"})
        assert await seen() == (["Rain"], ["It rained."])
        await one.client.delete(f"/api/messages/{entry}")
        assert await seen() == (["Rain"], [])
        await one.client.delete(f"/api/conversations/{talk}")
        assert (await one.client.get("/api/conversations")).json() == []
        assert (await one.client.get(f"/api/conversations/{talk}/messages")).status_code == 404

    over(tmp_path, story)


@pytest.mark.req("V3")
def test_nothing_is_kept_of_a_vault_that_is_locked(tmp_path: pathlib.Path) -> None:
    """Neither answers nor the words that were looked for."""

    async def story(one: Served) -> None:
        client = await one.enter()
        talk = await one.conversation("A secret garden")
        await client.post(f"/api/conversations/{talk}/entries", json={"text": "The marigolds came up behind the shed today."})
        assert [each["title"] for each in (await client.get("/api/conversations")).json()] == ["A secret garden"]
        await client.post("/api/search", json={"text": "marigolds"})
        vault = one.door.vault
        connections = [*vault._database._readers, vault._database._writer]
        assert vault in _MOMENTS
        assert any(connection in _SHELVES for connection in connections)
        await client.post("/api/vault/lock")
        assert vault not in _MOMENTS
        assert not any(connection in _SHELVES for connection in connections)

    over(tmp_path, story)
