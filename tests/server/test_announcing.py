"""What changes, as every open tab is told it: the same words, put together once; signs of life; no trace of tabs that went."""

import asyncio
import pathlib
from contextlib import AsyncExitStack

import pytest

from ricordo.events import ListChanged
from ricordo.server import announcing
from tests.server.served import Served, events_of, over


@pytest.mark.req("X3")
def test_every_tab_is_told_in_words_that_are_made_once(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five tabs hear of a change and of the lock; a change is worded once for all of them."""
    made = []
    real = announcing._event
    monkeypatch.setattr(announcing, "_event", lambda each: made.append(each) or real(each))

    async def work(one: Served) -> None:
        client = await one.enter()
        async with AsyncExitStack() as open_tabs:
            tabs = [await open_tabs.enter_async_context(client.stream("GET", "/api/events")) for _ in range(5)]
            heard = [events_of(tab) for tab in tabs]
            await client.post("/api/spaces", json={"name": "Garden"})
            for each in heard:
                assert await anext(each) == ("changed", {"what": "spaces", "conversation": None})
            await client.post("/api/vault/lock")
            for each in heard:
                assert [name async for name, _ in each][-1] == "locked", "and then the stream has its end"
        assert len(made) == len({id(each) for each in made})
        assert [each for each in made if each == ListChanged("spaces")] == [ListChanged("spaces")]

    over(tmp_path, work)


@pytest.mark.req("X3")
def test_a_silent_stream_gives_signs_of_life(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A comment now and then while nothing changes, which no page takes for an event; after an event the clock begins anew."""
    monkeypatch.setattr(announcing, "_PULSE", 0.05)

    async def work(one: Served) -> None:
        client = await one.enter()
        async with client.stream("GET", "/api/events") as watching:
            pieces = watching.aiter_bytes()
            assert await anext(pieces) == b": ping\n\n"
            await client.post("/api/spaces", json={"name": "Garden"})
            told = b""
            while b"event: changed" not in told:
                told += await anext(pieces)
            assert await anext(pieces) == b": ping\n\n"

    over(tmp_path, work)


@pytest.mark.req("X3")
def test_a_tab_that_goes_leaves_nothing_behind(tmp_path: pathlib.Path) -> None:
    """Tabs come and go, in the middle of changes too: no task of theirs stays, and the vault tells them no more."""

    async def work(one: Served) -> None:
        client = await one.enter()
        before = len(asyncio.all_tasks())
        for number in range(8):
            async with client.stream("GET", "/api/events") as watching:
                await client.post("/api/spaces", json={"name": f"Space {number}"})
                await anext(events_of(watching))
        for _ in range(100):
            if not one.door.vault._listeners and len(asyncio.all_tasks()) <= before:
                return
            await asyncio.sleep(0.05)
        pytest.fail(f"{len(asyncio.all_tasks()) - before} tasks, {len(one.door.vault._listeners)} listeners are left")

    over(tmp_path, work)


@pytest.mark.req("V3")
def test_what_was_announced_is_forgotten_at_the_lock(tmp_path: pathlib.Path) -> None:
    """The last thing told may be what was learned, and no tab need be open at the lock to be told of that instead."""

    async def work(one: Served) -> None:
        client = await one.enter()
        async with client.stream("GET", "/api/events") as watching:
            await client.post("/api/spaces", json={"name": "Garden"})
            await anext(events_of(watching))
        vault = one.door.vault
        assert announcing._WORDINGS[vault]._last == ListChanged("spaces")
        await client.post("/api/vault/lock")
        assert vault not in announcing._WORDINGS

    over(tmp_path, work)
