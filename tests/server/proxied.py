"""The proxy for tests: the real app over a real vault, in front of a fake model server, with a token: `through(folder, work)`."""

import asyncio
import pathlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from openai import AsyncOpenAI

from ricordo.models.openai_api import OpenAIModel
from ricordo.vault import AsyncVault
from tests.fake_server import Asked, FakeServer, Reply
from tests.server.served import Served, served

_PATIENCE = 60


@dataclass
class Proxied:
    """A running proxy: the model's server behind it, and a client program with its token in front."""

    one: Served
    upstream: FakeServer
    token: str
    program: httpx2.AsyncClient
    clients: list[AsyncOpenAI] = field(default_factory=list)

    @property
    def vault(self) -> AsyncVault:
        return self.one.door.vault

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.one.port}/v1"

    def openai(self, **more: Any) -> AsyncOpenAI:
        """The official client, with nothing changed but its base URL and key."""
        self.clients.append(AsyncOpenAI(base_url=self.url, api_key=self.token, max_retries=0, **more))
        return self.clients[-1]

    async def say(self, *messages: str | dict[str, Any], headers: dict[str, str] | None = None, **fields: Any) -> httpx2.Response:
        """Send messages, texts by turns the person's and the model's."""
        who = ("user", "assistant")
        sent = [{"role": who[at % 2], "content": each} if isinstance(each, str) else each for at, each in enumerate(messages)]
        body = {"model": "fake-chat", "messages": sent, **fields}
        return await self.program.post("/chat/completions", json=body, headers=headers or {})

    async def shown(self, conversation: int = 0) -> list[tuple[str, str, str]]:
        """Return role, status and text of what a conversation shows; of the one written in last when none is named."""
        key = conversation or (await self.vault.conversations.all())[0].id
        found = await self.vault.conversations.messages(key)
        return [(each.role.value, each.status.value, each.text) for each in found]

    async def stored(self) -> int:
        """Return how many messages there are in all, shown or not."""
        count = await self.vault._database.read(lambda c: c.execute("select count(*) from messages").get)
        return int(str(count))

    def last(self) -> Asked:
        """Return the last chat that came to the model's server."""
        return self.upstream.chats()[-1]


@asynccontextmanager
async def proxied(folder: pathlib.Path, upstream: FakeServer, *, learning: bool = False, **token: Any) -> AsyncGenerator[Proxied]:
    """Run a proxy over a new vault; no model is asked before a reply, so that the script is the client's alone."""
    model = OpenAIModel(upstream.url, "fake-chat")
    async with served(folder, model, learning=learning) as one:
        await one.enter()
        await one.door.vault.set(foreground_seconds=0, embedder="off")
        answer = await one.client.post("/api/tokens", json={"name": "A program", **token})
        secret = answer.json()["token"]
        headers = {"authorization": f"Bearer {secret}"}
        async with httpx2.AsyncClient(
            base_url=f"http://127.0.0.1:{one.port}/v1", headers=headers, trust_env=False, timeout=20
        ) as program:
            here = Proxied(one, upstream, secret, program)
            try:
                yield here
            finally:
                for client in here.clients:
                    await client.close()


def through(
    folder: pathlib.Path, work: Callable[[Proxied], Awaitable[None]], *replies: Reply | str, learning: bool = False, **token: Any
) -> None:
    """Run some work against a proxy whose model's server says these replies."""

    async def run(upstream: FakeServer) -> None:
        async with asyncio.timeout(_PATIENCE), proxied(folder, upstream, learning=learning, **token) as here:
            await work(here)

    with FakeServer() as upstream:
        upstream.script(*replies)
        asyncio.run(run(upstream))
