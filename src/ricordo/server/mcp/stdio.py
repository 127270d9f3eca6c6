"""MCP over a process's own pipes, for clients that start their servers. The vault is the app's, or opened here.

The one rule: a token goes to the program that holds the vault, and to no other that may listen at its address.
"""

from __future__ import annotations

import os
from typing import Any

import httpx2
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

from ricordo.server.mcp.protocol import described, failed, over, server
from ricordo.server.mcp.tools import TOOLS, Bounds
from ricordo.vault import AsyncVault, address_of

_PATIENCE = 60.0  # seconds; the largest vault is searched in less than one
_CLOSED = "Ricordo is not open, or its vault is locked. Ask the person to open it and unlock it, then try again."
_GARBLED = "Ricordo answered in a way that is not understood here. Both should be of one version: end it, and start it again."


async def serve_vault(path: str | os.PathLike[str], passphrase: str, space: str | None, *, write: bool) -> None:
    """Open a vault and serve its tools until the client goes; then lock it. With `space`, its name, within that Space alone.

    Raises what `AsyncVault.open` raises, and NotFound for the Space.
    """
    async with await AsyncVault.open(path, passphrase, owner="ricordo mcp") as vault:
        within = (await vault.spaces.named(space)).id if space is not None else None
        await _run(over(vault, Bounds(write, within)))


async def serve_app(path: str | os.PathLike[str], token: str) -> None:
    """Serve the tools of the app that holds a vault, until the client goes; the app may be opened and closed meanwhile."""
    async with httpx2.AsyncClient(timeout=_PATIENCE, trust_env=False, headers={"authorization": f"Bearer {token}"}) as client:
        app = _App(client, path)
        await _run(server(app.tools, app.call))


async def _run(serving: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await serving.run(read, write, serving.create_initialization_options())


class _Refused(Exception):
    """The app did nothing, and says why."""


class _App:
    """The app that holds the vault, wherever on this computer it is just now."""

    def __init__(self, client: httpx2.AsyncClient, path: str | os.PathLike[str]) -> None:
        self._client, self._path = client, os.fspath(path)

    async def tools(self) -> list[types.Tool]:
        """Return the tools that the token allows; all there are while the app cannot be asked."""
        try:
            return types.ListToolsResult.model_validate(await self._ask("tools/list", {})).tools
        except _Refused:
            return described(TOOLS)

    async def call(self, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        """Call a tool of the app."""
        try:
            return types.CallToolResult.model_validate(await self._ask("tools/call", {"name": name, "arguments": arguments}))
        except _Refused as refused:
            return failed(str(refused))

    async def _ask(self, method: str, params: dict[str, Any]) -> Any:
        address = address_of(self._path)
        if address is None:
            raise _Refused(_CLOSED)
        try:
            answer = await self._client.post(
                f"{address}mcp",
                json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params},
                headers={"accept": "application/json, text/event-stream"},
            )
            told = answer.json()
            if "result" in told:
                return told["result"]
            raise _Refused(told["error"]["message"])
        except httpx2.HTTPError as error:
            raise _Refused(_CLOSED) from error
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise _Refused(_GARBLED) from error
