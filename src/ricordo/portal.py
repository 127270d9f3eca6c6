"""An event loop in a thread of its own: how the sync face of the library runs the one async core."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from concurrent.futures import Future
from typing import Any, TypeVar

from ricordo.errors import VaultLocked

T = TypeVar("T")


class Portal:
    """A thread that runs coroutines for callers that have no event loop. End it with `close`."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="ricordo", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        # Ctrl+C is for the main thread, which may be waiting for a line: taken here, or by a thread begun here, it would not
        # be noticed before the next key.
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self._loop.run_forever()

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end and return its result.

        An interrupt of the caller cancels it, and waits until it has put things in order. Raises VaultLocked after `close`.
        """
        if self.closed:
            work.close()
            raise VaultLocked("The vault is locked. Open it again first.")
        done: Future[T] = Future()
        tasks: list[asyncio.Task[T]] = []

        def start() -> None:
            tasks.append(self._loop.create_task(work))
            tasks[0].add_done_callback(lambda task: _pass_on(task, done))

        self._loop.call_soon_threadsafe(start)
        try:
            return done.result()
        except (KeyboardInterrupt, SystemExit):
            self._loop.call_soon_threadsafe(lambda: tasks[0].cancel())
            done.exception()
            raise

    def run(self, work: Callable[[], T]) -> T:
        """Run a plain function where the loop runs, and return its result: for what is not safe from another thread."""

        async def there() -> T:
            return work()

        return self.call(there())

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


def _pass_on(task: asyncio.Task[T], done: Future[T]) -> None:
    if task.cancelled():
        done.set_exception(asyncio.CancelledError())
    elif (error := task.exception()) is not None:
        done.set_exception(error)
    else:
        done.set_result(task.result())


async def _following(stream: AsyncGenerator[T, None]) -> T:
    return await anext(stream)
