"""Who may use the model now: one at a time, a person's message before any background work; clients of their own beside it.

A foreground user cancels the background work that is running; that work gets `Preempted` and tries again later.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Preempted(Exception):
    """Background work had to make room for a message. Not an error: what it would have done is still to be done."""


class Gate:
    """One model's gate. One event loop per instance."""

    def __init__(self) -> None:
        self._taken = False
        self._foreground: deque[asyncio.Future[None]] = deque()
        self._background: deque[asyncio.Future[None]] = deque()
        self._running: asyncio.Task[object] | None = None  # the background task inside, while it may be cancelled
        self._preempting = False
        self._beside = 0  # clients that use the model by themselves
        self._left: list[asyncio.Future[None]] = []  # who waits for background work to have left

    @property
    def free(self) -> bool:
        """Whether nobody uses the model now; then nobody waits for it either."""
        return not self._taken and not self._beside

    @asynccontextmanager
    async def foreground(self) -> AsyncIterator[None]:
        """Use the model for what a person waits for: first come, first served, after stopping background work.

        Enters only when that work has left, so that the model's server has dropped its call.
        Raises RuntimeError inside `background` of the same task.
        """
        self._preempt()
        await self._enter(self._foreground)
        try:
            yield
        finally:
            self._leave()

    @asynccontextmanager
    async def beside(self) -> AsyncIterator[None]:
        """Let a client use the model while it lasts, as many at once as its server takes; background work makes room.

        Enters when that work has left. Raises RuntimeError inside `background` of the same task.
        """
        self._preempt()
        self._beside += 1
        try:
            if self._running is not None:
                left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._left.append(left)
                await left
            yield
        finally:
            self._beside -= 1
            if not self._beside and not self._taken:
                self._taken = True
                self._leave()

    @asynccontextmanager
    async def background(self) -> AsyncIterator[None]:
        """Use the model for work that can wait, once nobody else wants it.

        Raises Preempted out of the block when a foreground user came. The block's own clean-up has run by then; it
        should take no time, because the person waits for it.
        """
        await self._enter(self._background)
        while self._foreground or self._beside:  # one came between being let in and waking up
            self._leave()
            await self._enter(self._background)
        task = asyncio.current_task()
        assert task is not None
        cancelled_before = task.cancelling()
        self._running = task
        try:
            yield
        except asyncio.CancelledError as error:
            if self._take_back(task) and task.cancelling() <= cancelled_before:
                raise Preempted from error
            raise  # somebody else's cancellation has the last word
        finally:
            self._take_back(task)
            self._running = None
            for left in self._left:
                if not left.done():
                    left.set_result(None)
            self._left.clear()
            self._leave()

    def _preempt(self) -> None:
        if self._running is not None and self._running is asyncio.current_task():
            raise RuntimeError("background work cannot become foreground: leave the gate first")
        if self._running is not None and not self._preempting:
            self._preempting = True
            self._running.cancel()

    def _take_back(self, task: asyncio.Task[object]) -> bool:
        """Take our own cancellation out of the task's count, as asyncio.timeout does; False if there was none."""
        if not self._preempting:
            return False
        self._preempting = False
        task.uncancel()
        return True

    async def _enter(self, queue: deque[asyncio.Future[None]]) -> None:
        """Wait for the gate. What was handed to a waiter who is cancelled in the same moment goes to the next."""
        if not self._taken and not (self._beside and queue is self._background):
            self._taken = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._leave()
            elif turn in queue:
                queue.remove(turn)
            raise

    def _leave(self) -> None:
        """Hand the gate to the next: foreground first, each in order of coming."""
        for queue in (self._foreground, *(() if self._beside else (self._background,))):
            while queue:
                turn = queue.popleft()
                if not turn.done():
                    turn.set_result(None)
                    return
        self._taken = False
