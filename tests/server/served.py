"""A real server on the loopback address over a real vault, for tests: `await over(folder, model, work)`."""

import asyncio
import json
import pathlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx2

from ricordo.models.base import ChatModel
from ricordo.models.scripted import ScriptedModel
from ricordo.server.app import VaultServer, listen
from ricordo.server.sessions import Door
from ricordo.vault import AsyncVault
from tests.vaults import CHEAP, PASSPHRASE

Event = tuple[str, Any]


_PATIENCE = 120  # seconds after which a test that waits for something that never comes has failed


@dataclass
class Served:
    """A running server and a client without a session; `enter` gets it one."""

    door: Door
    server: VaultServer
    port: int
    client: httpx2.AsyncClient

    async def enter(self) -> httpx2.AsyncClient:
        """Create the vault and return the client, which has a session now."""
        answer = await self.client.post("/api/vault/create", json={"passphrase": PASSPHRASE})
        assert answer.status_code == 201, answer.text
        return self.client

    async def conversation(self, title: str = "Diary") -> int:
        """Begin a conversation and return its id."""
        answer = await self.client.post("/api/conversations", json={"title": title})
        return int(answer.json()["id"])

    async def texts(self, conversation: int) -> list[tuple[str, str, str]]:
        """Return role, status and text of each message that is shown."""
        answer = await self.client.get(f"/api/conversations/{conversation}/messages")
        return [(one["role"], one["status"], one["text"]) for one in answer.json()["messages"]]

    async def learned(self) -> None:
        """Wait until every finished turn is read, or was tried often enough."""
        while await self.door.vault.changes.waiting():  # noqa: ASYNC110  the vault announces only what changed
            await asyncio.sleep(0.01)


class Unlearning(AsyncVault):
    """A vault that does not learn in the background: there it would take replies that a script means for someone."""

    def work_in_background(self) -> None:
        """Leave finished turns waiting."""


@asynccontextmanager
async def served(
    folder: pathlib.Path, model: ChatModel | None = None, now: Callable[[], float] = time.time, *, learning: bool = False
) -> AsyncGenerator[Served]:
    """Run a server over the vault of a folder, which is not made yet; it learns in the background only when told to."""
    model = model or ScriptedModel("A reply.")
    kind = AsyncVault if learning else Unlearning
    door = Door(
        folder / "diary.ricordo",
        partial(kind.create, owner="a test", model=model, cost=CHEAP),
        partial(kind.open, owner="a test", model=model),
        now,
    )
    server = VaultServer(door)
    listening = listen(0)
    port = listening.getsockname()[1]
    running = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=20, trust_env=False) as client:
            yield Served(door, server, port, client)
    finally:
        server.should_exit = True
        await running


def over(
    folder: pathlib.Path,
    work: Callable[[Served], Awaitable[None]],
    model: ChatModel | None = None,
    now: Callable[[], float] = time.time,
    *,
    learning: bool = False,
) -> None:
    """Run some work against a server."""

    async def run() -> None:
        async with asyncio.timeout(_PATIENCE), served(folder, model, now, learning=learning) as one:
            await work(one)

    asyncio.run(run())


async def events_of(response: httpx2.Response) -> AsyncGenerator[Event]:
    """Yield the server-sent events of an answer that is still coming, as (name, data)."""
    name = ""
    async for line in response.aiter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


async def reply(client: httpx2.AsyncClient, conversation: int, text: str) -> list[Event]:
    """Send a message and return all events of its reply."""
    address = f"/api/conversations/{conversation}/reply"
    async with client.stream("POST", address, json={"text": text}) as response:
        assert response.status_code == 200, await response.aread()
        return [event async for event in events_of(response)]
