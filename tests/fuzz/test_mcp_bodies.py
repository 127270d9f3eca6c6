"""Whatever a program sends to the MCP server: JSON-RPC in answer, a sentence where something is wrong, never a trace."""

import json
import pathlib
import random
from typing import Any

import pytest

from tests.faults import often
from tests.fuzz.mutation import damaged, mutated, written
from tests.server.served import Served, over

pytestmark = [pytest.mark.slow, pytest.mark.req("I5", "X3"), pytest.mark.timeout(3600)]

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("remember", {"text": "The user is allergic to hazelnuts."}),
    ("search", {"text": "hazelnuts", "limit": 5}),
    ("list_memories", {"limit": 5}),
    ("forget", {"memory": 1}),
    ("forget", {"text": "hazelnuts"}),
    ("entries_by_date", {"first": "2026-05-01", "last": "2026-06-01"}),
    ("entries_by_date", {"date": "2026-05-01"}),
    ("nothing", {}),
)
BEGIN = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "a test", "version": "1"},
}


def bodies(chance: random.Random) -> bytes:
    """Return a request that is almost right."""
    name, arguments = chance.choice(CALLS)
    method, params = chance.choice(
        [("tools/call", {"name": name, "arguments": arguments})] * 6 + [("tools/list", {}), ("initialize", BEGIN), ("ping", {})]
    )
    asked: Any = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    match chance.randrange(5):
        case 0:
            asked = mutated(asked, chance)
        case 1:
            asked["params"] = mutated(params, chance) if params else [1]
        case 2 if arguments and method == "tools/call":
            params["arguments"] = mutated(arguments, chance)
        case 3:
            asked = [asked, mutated(asked, chance)]
        case _:
            pass
    raw = written(asked, chance)
    return damaged(raw, chance) if chance.random() < 0.2 else raw


def test_any_request_is_answered_in_the_protocol(tmp_path: pathlib.Path, caplog: pytest.LogCaptureFixture) -> None:
    """And what a good one asks for at the end is given."""
    tries = often.often(200, 8000)

    async def work(one: Served) -> None:
        await one.enter()
        await one.client.patch("/api/settings", json={"global_memories": True})
        token = (await one.client.post("/api/tokens", json={"name": "Desk"})).json()["token"]
        headers = {
            "authorization": f"Bearer {token}",
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
        }
        chance = random.Random(11)
        for number in range(tries):
            raw = bodies(chance)
            answer = await one.client.post("/mcp", content=raw, headers=headers)
            assert answer.status_code < 500, (number, raw[:600], answer.text)
            if answer.content:
                told = json.loads(answer.text)
                assert "Traceback" not in answer.text
                for each in told if isinstance(told, list) else [told]:
                    assert "result" in each or "error" in each or "detail" in each, (number, raw[:600], answer.text)
            ours = [record for record in caplog.records if record.name.startswith("ricordo")]
            assert not ours, (number, raw[:600], caplog.text[-3000:])
        good = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "remember", "arguments": {"text": "The user rows."}},
        }
        answer = await one.client.post("/mcp", json=good, headers=headers)
        assert answer.json()["result"]["structuredContent"]["memory"]["text"] == "The user rows."

    over(tmp_path, work)
    often.told("requests to the MCP server", tries, "answered in the protocol")
