"""An event loop in a thread of its own: how the sync face of the library runs the one async core."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Generator
from typing import Any, TypeVar

from ricordo.errors import VaultLocked

T = TypeVar("T")


class Portal:
    """A thread that runs coroutines for callers that have no event loop. End it with `close`."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="ricordo", daemon=True)
        self._thread.start()

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end and return its result; an interrupt of the caller cancels it.

        Raises VaultLocked after `close`.
        """
        if self.closed:
            work.close()
            raise VaultLocked("The vault is locked. Open it again first.")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def each(self, stream: AsyncGenerator[T, None]) -> Generator[T, None, None]:
        """Yield what a stream yields; leaving the loop early closes the stream."""
        try:
            while True:
                try:
                    piece = self.call(_following(stream))
                except StopAsyncIteration:
                    return
                yield piece
        finally:
            if not self.closed:
                self.call(stream.aclose())

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._loop.is_closed()

    def close(self) -> None:
        """Stop the loop and its thread; a second time does nothing."""
        if not self.closed:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


async def _following(stream: AsyncGenerator[T, None]) -> T:
    return await anext(stream)
