"""What the page begins with: one answer, with nothing in it for those who are not inside."""

import pathlib
from collections.abc import AsyncGenerator

import httpx2
import pytest

from tests.server.served import Event, Served, events_of, over


@pytest.mark.req("X1", "V3")
def test_the_page_begins_with_one_answer(tmp_path: pathlib.Path) -> None:
    """Each part is what its own route gives; locked, missing or without a session there is only the state of the vault."""

    async def work(one: Served) -> None:
        start = (await one.client.get("/api/start")).json()
        assert (start["vault"]["state"], start["content"]) == ("missing", None)
        client = await one.enter()
        await client.post("/api/spaces", json={"name": "Garden"})
        await one.conversation("Seeds")
        await client.post("/api/facts", json={"text": "Likes figs", "home": {"kind": "space", "space": 1}})
        await client.put("/api/draft", json={"text": "Half a", "attachments": [{"name": "list.txt", "text": "Bread"}]})
        start = (await client.get("/api/start")).json()
        routes = {
            "settings": "settings",
            "spaces": "spaces",
            "conversations": "conversations",
            "facts": "facts/count",
            "drafts": "drafts",
        }
        assert start["content"] == {part: (await client.get(f"/api/{route}")).json() for part, route in routes.items()}
        assert start["vault"] == (await client.get("/api/vault")).json()
        async with httpx2.AsyncClient(base_url=str(client.base_url), trust_env=False) as stranger:
            start = (await stranger.get("/api/start")).json()
            assert (start["vault"]["state"], start["vault"]["inside"], start["content"]) == ("unlocked", False, None)
        await client.post("/api/vault/lock")
        start = (await client.get("/api/start")).json()
        assert (start["vault"]["state"], start["content"]) == ("locked", None)

    over(tmp_path, work)


@pytest.mark.req("S3", "X3")
def test_what_is_missed_before_the_events_are_followed_is_told_at_first(tmp_path: pathlib.Path) -> None:
    """Between the first answer and the stream; where nothing happened nothing is said."""

    async def work(one: Served) -> None:
        client = await one.enter()
        told = (await client.get("/api/start")).json()["vault"]["told"]
        await one.conversation("Seeds")
        now = (await client.get("/api/vault")).json()["told"]
        assert now > told
        for since, expected in ((now, ["spaces"]), (told, ["everything", "spaces"])):
            async with client.stream("GET", f"/api/events?told={since}") as watching:
                await client.post("/api/spaces", json={"name": f"Garden {since}"})
                assert [data["what"] async for name, data in some(watching, len(expected))] == expected

    over(tmp_path, work)


async def some(watching: httpx2.Response, count: int) -> AsyncGenerator[Event]:
    """Yield the first events of a stream."""
    async for event in events_of(watching):
        yield event
        count -= 1
        if count == 0:
            return
