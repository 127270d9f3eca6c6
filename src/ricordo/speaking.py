"""A reply while it comes: what has come so far, stopping it, how it ended, and what it taught about the model.

The one rule: nothing here is stored; `turn` keeps what came, `private` forgets it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ricordo.conversation import Status
from ricordo.desk import Desk
from ricordo.errors import ContextOverflow, ModelError
from ricordo.events import TextDelta, ThoughtDelta
from ricordo.models.base import Finish, Finished, Piece, Request, Text, Thought
from ricordo.models.pace import pace_of
from ricordo.prompt import Prompt, Usage
from ricordo.recall.epochs import Epoch

T = TypeVar("T")

NOTHING_CAME = "Stopped before the reply began. Your message is kept; try again when you like."
_SMALLER = 0.75  # of the window it was taken for, when a server says only that a prompt was too long


@dataclass(slots=True)
class Reply:
    """What came of a reply so far."""

    text: str = ""
    finish: Finish | None = None
    usage: Usage = field(default_factory=Usage)

    def take(self, piece: Piece) -> TextDelta | ThoughtDelta | None:
        """Add a piece; return what to announce of it."""
        match piece:
            case Text(text):
                self.text += text
                return TextDelta(text)
            case Thought(text):
                return ThoughtDelta(text)
            case Finished(finish, usage):
                self.finish, self.usage = finish, usage
                return None

    def ending(self, failure: ModelError | None, *, stopped: bool) -> tuple[Status, str]:
        """Return how the reply ended; for an error, the sentence that says why."""
        if failure is None and not stopped and self.finish is Finish.CUT:
            failure = ModelError("The connection to the model broke off in the middle of the reply. Try again.")
        if failure is None and not stopped and not self.text.strip():
            failure = ModelError("The model sent an empty reply. Try again, or choose another model in Settings.")
        if failure is not None:
            return Status.ERROR, str(failure)
        return (Status.COMPLETE if not stopped and self.finish is Finish.STOP else Status.STOPPED), ""


def request(desk: Desk, prompt: Prompt, epoch: Epoch) -> Request:
    """Return the call of the model for a prompt."""
    return Request(
        prompt.messages,
        prompt.budget.reply,
        temperature=desk.settings.temperature,
        timeout=float(desk.settings.timeout),
        turns_dropped=epoch.turns_dropped,
    )


async def unless(stop: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    """Return what some work comes to; cancel it and return None when `stop` is set first."""
    stopped, working = asyncio.ensure_future(stop.wait()), asyncio.ensure_future(work)
    try:
        await asyncio.wait({stopped, working}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (stopped, working):
            task.cancel()
        await asyncio.gather(stopped, working, return_exceptions=True)


async def until(stop: asyncio.Event, stream: AsyncGenerator[Piece, None]) -> AsyncGenerator[Piece, None]:
    """Yield a model's pieces until `stop` is set; then close the stream, which stops the model."""
    stopped = asyncio.ensure_future(stop.wait())
    following: asyncio.Future[Piece] | None = None
    try:
        while True:
            following = asyncio.ensure_future(anext(stream))
            await asyncio.wait({following, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if not following.done():
                return
            try:
                yield following.result()
            except StopAsyncIteration:
                return
    finally:
        stopped.cancel()
        if following is not None and not following.done():
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
        await stream.aclose()


def learn_pace(desk: Desk, usage: Usage, timings: Mapping[str, float]) -> None:
    """Take note of how fast the model reads: the questions aside must fit into their time."""
    if usage.prompt is not None and usage.cached is not None and "first piece" in timings:
        pace_of(desk.model).learn_reading(usage.prompt - usage.cached, timings["first piece"] - timings["prepared"])


def learn_window(desk: Desk, overflow: ContextOverflow, prompt: Prompt) -> None:
    """Take the server's word for its window, or a smaller one, and count more carefully, so that the next prompt fits."""
    if overflow.prompt_tokens:
        desk.use(desk.counter.learned(prompt.tokens, overflow.prompt_tokens))
    if overflow.window and overflow.window < prompt.budget.window:
        desk.smallest_window = overflow.window
    elif not overflow.prompt_tokens or overflow.prompt_tokens <= prompt.tokens:
        desk.smallest_window = math.floor(prompt.budget.window * _SMALLER)
