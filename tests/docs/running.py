"""Ricordo running as the documentation supposes it: the real app with its proxy, in a thread of its own."""

import asyncio
import pathlib
import threading
from collections.abc import Generator
from contextlib import contextmanager

from tests.fake_server import FakeServer
from tests.server.proxied import proxied


@contextmanager
def running(folder: pathlib.Path, upstream: FakeServer) -> Generator[tuple[str, str], None, None]:
    """Run the app over a new vault, in front of a model's server; yields its address and a token that may write."""
    loop = asyncio.new_event_loop()
    ready, over = threading.Event(), asyncio.Event()
    found: list[str] = []

    async def run() -> None:
        async with proxied(folder, upstream) as here:
            found.extend((f"http://127.0.0.1:{here.one.port}", here.token))
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    try:
        assert ready.wait(30)
        yield found[0], found[1]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(30)
        loop.close()
