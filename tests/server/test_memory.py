"""The Memory screen's API: counts, stretches of rows, clearing."""

import pathlib

import pytest

from tests.server.served import Served, over

ALL = ["pinned", "fact", "note", "summary", "excerpt"]
FACTS = ALL[:3]


@pytest.mark.req("F1", "F2", "F4")
def test_memory_is_counted_listed_and_cleared(tmp_path: pathlib.Path) -> None:
    """Rows say their kind, where they were learned and whether they are sent; clearing deletes what it was told of."""

    async def work(one: Served) -> None:
        client = await one.enter()
        await client.patch("/api/settings", json={"global_memories": True})
        talk = await one.conversation()
        entry = await client.post(f"/api/conversations/{talk}/entries", json={"text": "The kayak lies in the shed. " * 60})
        await client.post(f"/api/messages/{entry.json()['id']}/pin")
        home = {"kind": "global"}
        for text in ("Has a kayak", "Has a cat"):
            await client.post("/api/facts", json={"text": text, "home": home})
        counts = (await client.post("/api/memory/count", json={"kinds": ALL})).json()
        assert counts == {"pinned": 1, "fact": 2, "note": 0, "summary": 0, "excerpt": 1}
        assert (await client.get("/api/facts/count")).json() == {"total": 3, "everywhere": 2, "spaces": {}}

        async def rows(kinds: list[str], **more: object) -> list[dict[str, object]]:
            answer = await client.post("/api/memory/list", json={"kinds": kinds, **more})
            assert answer.status_code == 200, answer.text
            return list(answer.json())

        (excerpt,) = await rows(["excerpt"], text="kay")
        assert (excerpt["conversation"], excerpt["more"], len(str(excerpt["text"]))) == (talk, True, 700)
        assert [(row["kind"], row["sent"], row["source"]) for row in await rows(FACTS, limit=2)] == [("fact", True, None)] * 2
        assert [(row["kind"], row["sent"], row["source"]) for row in await rows(["pinned"])] == [("pinned", True, talk)]
        assert await rows(["summary"]) == []
        assert (await client.post("/api/memory/list", json={"kinds": ["fact", "excerpt"]})).status_code == 422
        clearing = {"kinds": FACTS, "home": home, "text": "kayak"}
        assert (await client.post("/api/memory/clear", json={**clearing, "expected": 2})).status_code == 422
        assert (await client.post("/api/memory/clear", json={**clearing, "expected": 1})).json() == {"deleted": 1}
        assert (await client.post("/api/memory/clear", json={"kinds": ALL, "expected": 3})).status_code == 422
        assert [row["text"] for row in await rows(["fact"])] == ["Has a cat"]
        assert (await client.get(f"/api/facts/{(await rows(['fact']))[0]['id']}")).json()["text"] == "Has a cat"
        assert (await client.patch(f"/api/conversations/{talk}/summary", json={"text": "Facts"})).status_code == 404

    over(tmp_path, work)
