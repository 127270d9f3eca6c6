"""What the tests of the MCP server share: the SDK's own client over either way in, and a vault with something in it."""

import json
import pathlib
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.cli.terminal import environment
from tests.server.served import Served

ERAS = ("legacy", "auto")  # the handshake of 2025 and before, and the requests that stand alone of 2026


@asynccontextmanager
async def by_http(one: Served, token: str, era: str = "auto") -> AsyncGenerator[Client]:
    """Come in over streamable HTTP with a token, as a program does."""
    headers = {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=20) as http:
        transport = streamable_http_client(f"http://127.0.0.1:{one.port}/mcp", http_client=http)
        async with Client(transport, mode=era) as client:
            yield client


@asynccontextmanager
async def by_pipes(
    vault: pathlib.Path, *arguments: str, errors: pathlib.Path, era: str = "auto", **more: str
) -> AsyncGenerator[Client]:
    """Start the real command and talk to it over its pipes; what it says on stderr goes into a file."""
    told = {name: value for name, value in environment(vault, **more).items() if value}
    command = StdioServerParameters(command=sys.executable, args=["-W", "error", "-m", "ricordo", "mcp", *arguments], env=told)
    with errors.open("w") as log:
        async with Client(stdio_client(command, errlog=log), mode=era) as client:
            yield client


async def called(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool that succeeds; its answer, which says the same as text and as data."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    (content,) = result.content
    assert json.loads(content.text) == result.structured_content  # type: ignore[union-attr]
    return dict(result.structured_content)  # type: ignore[call-overload]


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool that fails; its sentence."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    (content,) = result.content
    return str(content.text)  # type: ignore[union-attr]


def texts(answer: dict[str, Any]) -> list[str]:
    """Return the texts of an answer's quotes."""
    return [quote["text"] for quote in answer["results"]]
