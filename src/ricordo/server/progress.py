"""Long work as server-sent events: how far it is, and what came of it.

The one rule: once begun it goes to its end, whether anyone follows it or not.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from fastapi.sse import ServerSentEvent

from ricordo.server.statuses import reason_of

Work = Callable[[Callable[[int, int], None]], Awaitable[Any]]


async def followed(work: Work) -> AsyncGenerator[ServerSentEvent, None]:
    """Run long work and yield `progress` ({done, total}), then `done` or `failed` ({reason}); it goes on without a reader."""
    loop = asyncio.get_running_loop()
    latest: asyncio.Queue[tuple[int, int] | None] = asyncio.Queue(1)

    def put(report: tuple[int, int] | None) -> None:
        with suppress(asyncio.QueueEmpty):
            latest.get_nowait()  # only the latest is of interest
        latest.put_nowait(report)

    def tell(done: int, total: int) -> None:
        loop.call_soon_threadsafe(put, (done, total))

    async def run() -> Any:
        try:
            return await work(tell)
        finally:
            loop.call_soon(put, None)

    task = asyncio.create_task(run())
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # looked at, whoever is there
    while (report := await latest.get()) is not None:
        yield ServerSentEvent(event="progress", data={"done": report[0], "total": report[1]})
    try:
        yield ServerSentEvent(event="done", data=await task)
    except Exception as error:  # noqa: BLE001 - the edge of a request
        yield ServerSentEvent(event="failed", data={"reason": reason_of(error)})
