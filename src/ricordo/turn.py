"""One turn, from stored message to finished reply, as a stream of events. Read `answer` from top to bottom.

The one rule: what the person wrote is durable before anything here can fail, and what came of a reply is kept however it ends.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from apsw import Connection

from ricordo import prepare
from ricordo.conversation import Message, Role, Status
from ricordo.desk import Desk
from ricordo.errors import ContextOverflow, ModelError
from ricordo.events import ListChanged, MeterChanged, ReplyDone, ReplyFailed, TextDelta, ThoughtDelta, TurnEvent
from ricordo.models.base import Finish, Finished, Piece, Request, Text, Thought
from ricordo.models.pace import pace_of
from ricordo.prepare import Ready
from ricordo.prompt import Prompt, Trace, Usage
from ricordo.recall.epochs import Epoch
from ricordo.recall.recalling import Recalled
from ricordo.store import kept, messages, traces, waiting

T = TypeVar("T")

_SMALLER = 0.75  # of the window it was taken for, when a server says only that a prompt was too long


@dataclass(slots=True)
class _Reply:
    """What came of a reply so far."""

    text: str = ""
    finish: Finish | None = None
    usage: Usage = field(default_factory=Usage)

    def take(self, piece: Piece) -> TurnEvent | None:
        match piece:
            case Text(text):
                self.text += text
                return TextDelta(text)
            case Thought(text):
                return ThoughtDelta(text)
            case Finished(finish, usage):
                self.finish, self.usage = finish, usage
                return None


async def answer(desk: Desk, asked: Message, stop: asyncio.Event) -> AsyncGenerator[TurnEvent, None]:
    """Reply to a stored message: recall, make the prompt, stream, keep what came.

    Ends with `ReplyDone` or `ReplyFailed`; setting `stop` ends it early with what has come so far, as does closing it.
    """
    started = time.perf_counter()
    timings: dict[str, float] = {}
    async with desk.gate.foreground():
        timings["waited"] = time.perf_counter() - started
        ready = await prepare.read(desk, asked, None, await desk.budget(), stored=True)
        seconds = desk.settings.foreground_seconds
        ready, recalled = await unless(stop, prepare.recalled(desk, ready, seconds)) or (ready, Recalled())
        timings["recalled"] = time.perf_counter() - started
        for last_try in (False, True):
            prompt, epoch = prepare.make(desk, ready)
            timings["prepared"] = time.perf_counter() - started
            yield MeterChanged(asked.conversation, prompt.layers, prompt.budget)
            reply = _Reply()
            failure: ModelError | None = None
            try:
                async with aclosing(_until(stop, desk.model.stream(_request(desk, prompt, epoch)))) as pieces:
                    async for piece in pieces:
                        timings.setdefault("first piece", time.perf_counter() - started)
                        if (event := reply.take(piece)) is not None:
                            yield event
            except ContextOverflow as overflow:
                failure = overflow
                if not last_try and not reply.text:
                    _learn_window(desk, overflow, prompt)
                    ready = await _smaller(desk, asked, ready)
                    continue
            except ModelError as error:
                failure = error
            except BaseException:  # whoever reads this stream went away: keep what came, then go too
                trace = Trace.of(prompt, reply.usage, timings, recalled.steps)
                await asyncio.shield(_keep(desk, asked, reply, Status.STOPPED, trace))
                raise
            break
        timings["replied"] = time.perf_counter() - started
        _learn_pace(desk, reply.usage, timings)
        desk.epochs[asked.conversation] = epoch
        trace = Trace.of(prompt, reply.usage, timings, recalled.steps)
        yield await asyncio.shield(_finish(desk, asked, reply, failure, stop.is_set(), prompt.tokens, trace))


async def _smaller(desk: Desk, asked: Message, ready: Ready) -> Ready:
    """Return what was read, for the window as it is known now; what was recalled stays."""
    again = await prepare.read(desk, asked, None, await desk.budget(), stored=True)
    return replace(again, material=replace(again.material, recalled=ready.material.recalled))


def _request(desk: Desk, prompt: Prompt, epoch: Epoch) -> Request:
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


async def _until(stop: asyncio.Event, stream: AsyncGenerator[Piece, None]) -> AsyncGenerator[Piece, None]:
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


def _learn_pace(desk: Desk, usage: Usage, timings: Mapping[str, float]) -> None:
    """Take note of how fast the model reads: the questions aside must fit into their time."""
    if usage.prompt is not None and usage.cached is not None and "first piece" in timings:
        pace_of(desk.model).learn_reading(usage.prompt - usage.cached, timings["first piece"] - timings["prepared"])


def _learn_window(desk: Desk, overflow: ContextOverflow, prompt: Prompt) -> None:
    """Take the server's word for its window, or a smaller one, and count more carefully, so that the next prompt fits."""
    if overflow.prompt_tokens:
        desk.use(desk.counter.learned(prompt.tokens, overflow.prompt_tokens))
    if overflow.window and overflow.window < prompt.budget.window:
        desk.smallest_window = overflow.window
    elif not overflow.prompt_tokens or overflow.prompt_tokens <= prompt.tokens:
        desk.smallest_window = math.floor(prompt.budget.window * _SMALLER)


async def _finish(
    desk: Desk, asked: Message, reply: _Reply, failure: ModelError | None, stopped: bool, estimated: int, trace: Trace
) -> ReplyDone | ReplyFailed:
    """Keep the reply with how it ended, learn from the usage, and say so; `estimated` is the prompt's tokens as counted here."""
    if trace.usage.prompt is not None:
        desk.use(desk.counter.learned(estimated, trace.usage.prompt))
    if failure is None and not stopped and reply.finish is Finish.CUT:
        failure = ModelError("The connection to the model broke off in the middle of the reply. Try again.")
    if failure is None and not stopped and not reply.text.strip():
        failure = ModelError("The model sent an empty reply. Try again, or choose another model in Settings.")
    if failure is not None:
        kept_message = await _keep(desk, asked, reply, Status.ERROR, trace)
        return ReplyFailed(asked, kept_message, str(failure))
    whole = not stopped and reply.finish is Finish.STOP
    message = await _keep(desk, asked, reply, Status.COMPLETE if whole else Status.STOPPED, trace)
    if message is None:
        return ReplyFailed(asked, None, "Stopped before the reply began. Your message is kept; try again when you like.")
    return ReplyDone(message, reply.usage)


async def _keep(desk: Desk, asked: Message, reply: _Reply, status: Status, trace: Trace) -> Message | None:
    """Store what came of a reply, its trace and what was learned about the model; a whole one makes its turn wait to be read."""
    pace = pace_of(desk.model)
    profile = {"factor": desk.counter.factor, "window": desk.smallest_window, "reading": pace.reading, "writing": pace.writing}

    def store(connection: Connection) -> Message | None:
        kept.set_profile(connection, desk.model.name, profile)
        if not reply.text.strip():
            return None
        new = messages.NewMessage(Role.MODEL, reply.text, desk.now(), status, desk.model.name)
        message = messages.append(connection, asked.conversation, new)
        traces.put(connection, message.id, trace)
        if status is Status.COMPLETE:
            waiting.add(connection, asked.id, message.at)
        return message

    return await desk.database.write(store, ListChanged("messages", asked.conversation))
