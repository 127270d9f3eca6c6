"""An assistant that was talked into anything, with a token that writes: what it does by MCP is bounded, told and taken back."""

import pathlib
from typing import Any

import apsw
import pytest

from benchmarks.figures import note
from tests.journeys.poison import BREAKOUTS, MARK, WISHES
from tests.mcp.clients import by_http
from tests.mcp.test_http import space, token, written
from tests.server.served import Served, over

pytestmark = pytest.mark.req("I5", "X2", "U2")


def held(connection: apsw.Connection) -> dict[str, list[Any]]:
    """Return all that a person has, row by row, but for the log and what of it must not be learned again: a job for `read`."""
    tables = ("facts", "fact_sources", "messages", "conversations", "spaces", "settings", "tokens", "summaries", "drafts")
    rows = {table: connection.execute(f"select * from {table} order by 1, 2").fetchall() for table in tables}
    rows["tokens"] = [row[:4] for row in rows["tokens"]]  # not when it was last used
    rows["found"] = connection.execute("select rowid from fact_words where fact_words match 'bees OR user' order by 1").fetchall()
    return rows


def test_whatever_an_assistant_is_talked_into_is_undone_to_the_byte(tmp_path: pathlib.Path) -> None:
    """It saves all that it is told, forgets every memory there is, and tries tools and arguments that there are not.

    Messages, Spaces, settings and tokens are out of its hands; each thing it did is one entry of the log.
    """

    async def work(one: Served) -> None:
        client = await one.enter()
        await client.patch("/api/settings", json={"global_memories": True, "embedder": "off"})
        work_space = await space(one, "Work")
        for text, home in (("I keep bees.", {"kind": "global"}), ("I keep more bees.", {"kind": "space", "space": work_space})):
            fact = (await client.post("/api/facts", json={"text": text, "home": home})).json()
            await client.patch(f"/api/facts/{fact['id']}", json={"pinned": True, "shared": True})
        await written(one, "The bees were loud in the harbour.", work_space)
        secret = await token(one)
        before = await one.door.vault._database.read(held)
        tried = 0
        async with by_http(one, secret) as assistant:
            for text in (*WISHES[:4], *(each[:250] for each in BREAKOUTS.values())):
                for where in ({}, {"space": "Work"}, {"origin": "user"}):
                    await assistant.call_tool("remember", {"text": text, **where})
                    tried += 1
            for number in range(-1, 40):
                await assistant.call_tool("forget", {"memory": number})
                tried += 1
            for name in ("set_settings", "create_space", "delete_space", "erase", "remember\n", MARK, "__class__"):
                assert (await assistant.call_tool(name, {"value": "x"})).is_error
                tried += 1
            for name in ("search", "list_memories", "entries_by_date"):
                await assistant.call_tool(name, {"text": BREAKOUTS["plain"], "space": BREAKOUTS["an answer"]})
                tried += 1
        during = await one.door.vault._database.read(held)
        assert during["facts"] == [], "it forgot all"
        untouched = ("messages", "conversations", "spaces", "settings", "tokens", "summaries", "drafts")
        assert {name: during[name] for name in untouched} == {name: before[name] for name in untouched}
        made = await one.door.vault.changes.all(1000)
        assert len(made) > 10
        assert {change.model for change in made} == {"Desk"}
        for change in made:
            await one.door.vault.changes.undo(change.id)
        assert await one.door.vault._database.read(held) == before
        note("A model in a stranger's hands", "calls by MCP, then undone", tried, "all as before, to the byte", kept=True)

    over(tmp_path, work)
