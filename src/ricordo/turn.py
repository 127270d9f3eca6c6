"""One turn, from stored message to finished reply, as a stream of events. Read `answer` from top to bottom.

The one rule: what the person wrote is durable before anything here can fail, and what came of a reply is kept however it ends.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from functools import lru_cache

from apsw import Connection

from ricordo.conversation import Message, Moment, Role, Status
from ricordo.errors import ContextOverflow, ModelError
from ricordo.events import ListChanged, MeterChanged, ReplyDone, ReplyFailed, TextDelta, ThoughtDelta, TurnEvent
from ricordo.models.base import ChatModel, Finish, Finished, Piece, Request, Text, Thought
from ricordo.models.gate import Gate
from ricordo.models.tokens import TokenCounter
from ricordo.prompt import Budget, Prompt, Trace, Usage
from ricordo.recall import lookup, material
from ricordo.recall.assemble import Epoch, assemble
from ricordo.recall.material import Material
from ricordo.settings import Settings
from ricordo.store import kept, messages, waiting
from ricordo.store.connection import Database

_SMALLER = 0.75  # of the window it was taken for, when a server says only that a prompt was too long
_STAMP_ROOM = 4096  # texts whose token counts are remembered while the vault is unlocked


@dataclass(slots=True)
class Desk:
    """What turns are made with while a vault is unlocked: the store, the model, and what is known of that model."""

    database: Database
    model: ChatModel
    gate: Gate
    settings: Settings
    now: Callable[[], Moment]
    zone: Callable[[], tzinfo]
    counter: TokenCounter
    smallest_window: int | None = None  # learned from an overflow; None: as the model says
    epochs: dict[int, Epoch] = field(default_factory=dict)
    count: Callable[[str], int] = field(init=False)

    def __post_init__(self) -> None:
        self.use(self.counter)

    def use(self, counter: TokenCounter) -> None:
        """Count tokens with another counter from now on."""
        self.counter = counter
        self.count = lru_cache(_STAMP_ROOM)(counter.count)

    async def budget(self) -> Budget:
        """Return the window and the reply's room in it."""
        window = self.settings.window or await self.model.window()
        window = min(window, self.smallest_window or window)
        return Budget(window, min(self.settings.reply_room, window // 4))


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


async def prepare(desk: Desk, message: Message, space: int | None, budget: Budget, *, stored: bool) -> tuple[Prompt, Epoch]:
    """Return the prompt for a message and the epoch it belongs to. Calls no model and stores nothing.

    `space` is where a conversation begins that is not stored yet. Raises NotFound, InvalidInput.
    """
    epoch = desk.epochs.get(message.conversation)
    settings, zone = desk.settings, desk.zone()

    def read(connection: Connection) -> Material:
        where = material.space_of(connection, message.conversation or None, space)
        scope = material.scope_of(message.conversation or None, where, settings)
        found = material.read(
            connection, message, where, settings,
            stored=stored, first=epoch.first if epoch else None, as_of=epoch.as_of if epoch else None,
            prompt_tokens=budget.prompt, now=message.at,
        )  # fmt: skip
        return replace(found, references=lookup.found(connection, message, scope, zone))

    return assemble(await desk.database.read(read), budget, desk.count, desk.model.name, epoch)


async def answer(desk: Desk, asked: Message, stop: asyncio.Event) -> AsyncGenerator[TurnEvent, None]:
    """Reply to a stored message: make the prompt, stream, keep what came.

    Ends with `ReplyDone` or `ReplyFailed`; setting `stop` ends it early with what has come so far, as does closing it.
    """
    started = time.perf_counter()
    timings: dict[str, float] = {}
    async with desk.gate.foreground():
        timings["waited"] = time.perf_counter() - started
        for last_try in (False, True):
            prompt, epoch = await prepare(desk, asked, None, await desk.budget(), stored=True)
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
                    continue
            except ModelError as error:
                failure = error
            except BaseException:  # whoever reads this stream went away: keep what came, then go too
                await asyncio.shield(_keep(desk, asked, reply, Status.STOPPED, Trace(prompt, timings=timings)))
                raise
            break
        timings["replied"] = time.perf_counter() - started
        desk.epochs[asked.conversation] = epoch
        yield await asyncio.shield(_finish(desk, asked, reply, failure, stop.is_set(), Trace(prompt, reply.usage, timings)))


def _request(desk: Desk, prompt: Prompt, epoch: Epoch) -> Request:
    return Request(
        prompt.messages,
        prompt.budget.reply,
        temperature=desk.settings.temperature,
        timeout=float(desk.settings.timeout),
        turns_dropped=epoch.turns_dropped,
    )


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


def _learn_window(desk: Desk, overflow: ContextOverflow, prompt: Prompt) -> None:
    """Take the server's word for its window, or a smaller one, and count more carefully, so that the next prompt fits."""
    if overflow.prompt_tokens:
        desk.use(desk.counter.learned(prompt.tokens, overflow.prompt_tokens))
    if overflow.window and overflow.window < prompt.budget.window:
        desk.smallest_window = overflow.window
    elif not overflow.prompt_tokens or overflow.prompt_tokens <= prompt.tokens:
        desk.smallest_window = math.floor(prompt.budget.window * _SMALLER)


async def _finish(
    desk: Desk, asked: Message, reply: _Reply, failure: ModelError | None, stopped: bool, trace: Trace
) -> ReplyDone | ReplyFailed:
    """Keep the reply with how it ended, learn from the usage, and say so."""
    if trace.usage.prompt is not None:
        desk.use(desk.counter.learned(trace.prompt.tokens, trace.usage.prompt))
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
    profile = {"factor": desk.counter.factor, "window": desk.smallest_window}

    def store(connection: Connection) -> Message | None:
        kept.set_profile(connection, desk.model.name, profile)
        if not reply.text.strip():
            return None
        new = messages.NewMessage(Role.MODEL, reply.text, desk.now(), status, desk.model.name)
        message = messages.append(connection, asked.conversation, new)
        kept.set_trace(connection, message.id, trace)
        if status is Status.COMPLETE:
            waiting.add(connection, asked.id, message.at)
        return message

    return await desk.database.write(store, ListChanged("messages", asked.conversation))
