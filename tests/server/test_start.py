"""What the page begins with: one answer, with nothing in it for those who are not inside."""

import pathlib

import httpx2
import pytest

from tests.server.served import Served, over


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
