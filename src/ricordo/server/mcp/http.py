"""MCP over streamable HTTP, at /mcp in the app, behind its guard: each request is whole in itself, with JSON as its answer.

The one rule: a request is answered within the bounds of the token that the guard let in, and keeps nothing open.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from fastapi.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from ricordo.server.mcp.tools import Bounds
from ricordo.server.sessions import Door
from ricordo.server.statuses import body_of

MISSING = "The MCP server is not installed. Install it with `pip install 'ricordo[mcp]'`, then start Ricordo again."
_NO_STREAM = "Post one JSON-RPC request at a time; Ricordo keeps no stream open here."


class Endpoint:
    """The app behind /mcp, over the vault behind the door that the guard has let a request in by."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["method"] != "POST":
            # A stream of the server's own would stay open for nothing, and hold up the end of the app.
            refused = JSONResponse(body_of("InvalidInput", _NO_STREAM), HTTPStatus.METHOD_NOT_ALLOWED, {"allow": "POST"})
            await refused(scope, receive, send)
            return
        try:
            await asyncio.to_thread(_load)  # takes a second, once
        except ImportError:
            await JSONResponse(body_of("ExtraMissing", MISSING), HTTPStatus.NOT_IMPLEMENTED)(scope, receive, send)
            return
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: PLC0415  an optional extra

        from ricordo.server.mcp.protocol import over  # noqa: PLC0415  an optional extra

        door: Door = scope["state"]["door"]
        bounds = Bounds.of(scope["state"]["token"])
        # One for each request: it holds nothing beyond it, so that there is nothing to end when the vault is locked.
        serving = StreamableHTTPSessionManager(over(door.vault, bounds), json_response=True, stateless=True)
        async with serving.run():
            await serving.handle_request(scope, receive, send)


def _load() -> None:
    import ricordo.server.mcp.protocol  # noqa: F401, PLC0415  an optional extra
