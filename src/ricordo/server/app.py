"""The whole server: the app behind its guard, the address it listens at, and its end.

The one rule: it listens on the loopback address only, and the vault is locked before the last connection is let go.
"""

from __future__ import annotations

import errno
import gc
import logging
import os
import pathlib
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from functools import cache, partial

import uvicorn
from fastapi import FastAPI
from starlette.routing import Route
from starlette.types import ASGIApp

from ricordo._version import __version__
from ricordo.errors import InvalidInput
from ricordo.server import (
    changes,
    conversations,
    data,
    desk,
    diary,
    entrance,
    facts,
    memory,
    models,
    private,
    proxy,
    runs,
    spaces,
    start,
    stream,
    tokens,
)
from ricordo.server.access import REFUSALS
from ricordo.server.description import describe
from ricordo.server.files import Files
from ricordo.server.guard import MCP, Guard
from ricordo.server.mcp.http import Endpoint
from ricordo.server.patience import PatientProtocol
from ricordo.server.sessions import Door
from ricordo.server.statuses import answer_errors
from ricordo.vault import AsyncVault, ChatModel, KdfCost, give_back

WEB = pathlib.Path(__file__).parent / "web"
_PORTS_TRIED = 10
# Seconds that a thread may go on with Python code while another waits; the default of 5 ms, while a vault is read or written
# beside it, would be longer than an answer takes.
_TURN = 0.0005


def build(door: Door) -> ASGIApp:
    """Return the app for the vault behind a door."""
    return Guard(_routes(), door)


@cache
def _routes() -> ASGIApp:
    """Return all that is behind the guard: it knows no vault, so it is made once, which takes a quarter of a second."""
    app = FastAPI(
        title="Ricordo",
        version=__version__,
        description="The diary-and-chat of one person, on this computer.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # they would load scripts from elsewhere
        redoc_url=None,
        responses=REFUSALS,
    )
    answer_errors(app)
    describe(app)
    parts = (
        proxy,  # first: routes are looked through in order, and its calls are in a hurry
        *(entrance, start, conversations, diary, stream, private, facts, memory, changes, runs, spaces, desk, data, models),
        tokens,
    )
    for part in parts:
        app.include_router(part.router)
    app.router.routes.append(Route(MCP, Endpoint()))
    app.router.redirect_slashes = False
    files = Files(WEB)
    app.router.default = files  # asked last, so that an address of the API with another method is no missing file
    return files.before(app)


async def serve(
    path: str | os.PathLike[str],
    port: int = 7373,
    *,
    open_browser: bool,
    announce: Callable[[str], None],
    owner: str = "ricordo serve",
    model: ChatModel | None = None,
    cost: KdfCost | None = None,
) -> None:
    """Serve the page and the API for one vault until the process is asked to end; lock the vault then.

    A port that is taken is passed over for the next free one; 0 takes any. `announce` is given the address in a sentence.
    `model` and `cost` are for tests and demonstrations. Raises InvalidInput when no port is free.
    """
    give_back()
    listening = listen(port)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    owner = f"{owner} at {address}"  # so that whoever finds the vault in use knows where to ask
    door = Door(
        path,
        partial(AsyncVault.create, owner=owner, model=model, cost=cost),
        partial(AsyncVault.open, owner=owner, model=model),
    )
    server = VaultServer(door)
    announce(f"Ricordo is at {address} – Ctrl+C ends it and locks the vault.")
    if open_browser:
        # In a thread that nobody waits for: in a terminal the "browser" may be one that stays until it is closed.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    # What is loaded by now stays: looking through all of it again would stop everything for 50 ms every few hundred requests.
    gc.collect()
    gc.freeze()
    async with door.watched():
        await server.serve(sockets=[listening])


class VaultServer(uvicorn.Server):
    """A server that locks its vault before it ends: that ends replies and event streams, which it would wait for."""

    def __init__(self, door: Door) -> None:
        sys.setswitchinterval(_TURN)
        super().__init__(
            uvicorn.Config(
                build(door),
                access_log=False,
                log_level="warning",
                lifespan="off",
                server_header=False,
                # One reader of requests, the strict one, whatever else is installed: others forgive what smuggling lives on.
                http=PatientProtocol,
                ws="none",
                backlog=64,  # so many are taken in at once, and asyncio tries as often when there is no room for one more
                proxy_headers=False,  # nobody stands in front of it, so nobody may say who asks
                timeout_graceful_shutdown=1,
            )
        )
        self._door = door
        logging.getLogger("uvicorn.error").addFilter(_is_news)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Lock the vault, then end."""
        await self._door.lock()
        await super().shutdown(sockets)


def _is_news(record: logging.LogRecord) -> bool:
    """Leave out that an answer has no end: the proxy leaves one so on purpose where the model's server did."""
    return "without completing response" not in record.getMessage()


def listen(port: int) -> socket.socket:
    """Return a socket that listens at the port, or at the next that is free; 0 is any. Raises InvalidInput."""
    for candidate in range(port, port + _PORTS_TRIED) if port else (0,):
        # TCP by name: else asyncio leaves Nagle's algorithm on, and each answer may wait 40 ms for its second part.
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name != "nt":  # there it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", candidate))
            listening.listen()
        except (OSError, OverflowError) as error:
            listening.close()
            if getattr(error, "errno", None) == errno.EADDRINUSE:
                continue
            raise InvalidInput(
                f"Ricordo cannot listen at port {candidate} of this computer ({error}). Choose another."
            ) from error
        return listening
    raise InvalidInput(
        f"The ports {port} to {port + _PORTS_TRIED - 1} of this computer are all taken. Choose another with --port."
    )
