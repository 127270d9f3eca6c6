"""Replies as server-sent events, and where announcements are told.

The one rule: a reply is read by a task of its own. When its reader goes away the task is cancelled once, so that the turn can
keep what came; the web framework's own cancelling would strike again at every await.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterable
from typing import Annotated, Self, assert_never

from fastapi import APIRouter, Depends, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from ricordo.events import (
    MessageStored,
    MeterChanged,
    ReplyDone,
    ReplyFailed,
    TextDelta,
    ThoughtDelta,
    TurnEvent,
)
from ricordo.server.access import PathId, TheDoor, TheVault
from ricordo.server.announcing import EVENTS, Announced
from ricordo.server.blocks import Blocks
from ricordo.server.conversations import shown
from ricordo.server.schemas.messages import Stopped, Writing
from ricordo.server.schemas.prompts import Layer, Meter
from ricordo.server.statuses import reason_of

router = APIRouter(prefix="/api", tags=["replies"])

_FLUSH_SECONDS = 0.05
_LETTERS_A_FLUSH = 4000  # of one unfinished block, as a long listing is: it is read and sent anew each time, so less often


class Following:
    """A reply that is coming. `begin` waits for its first event, so that what is wrong from the start is still a status."""

    def __init__(self, events: AsyncGenerator[TurnEvent, None]) -> None:
        self._events = events
        self._queue: asyncio.Queue[TurnEvent | BaseException | None] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read())
        self._first: TurnEvent | None = None

    @classmethod
    async def begin(cls, events: AsyncGenerator[TurnEvent, None]) -> Self:
        """Start reading; raises what the vault raises before the first event."""
        following = cls(events)
        following._first = await following._next()
        return following

    async def __aiter__(self) -> AsyncGenerator[TurnEvent, None]:
        """Yield the events; leaving before the end stops the reply, and what came of it is kept."""
        event = self._first
        try:
            while event is not None:
                yield event
                event = await self._next()
        finally:
            self._reading.cancel()

    async def _next(self) -> TurnEvent | None:
        got = await self._queue.get()
        if isinstance(got, BaseException):
            raise got
        return got

    async def _read(self) -> None:
        try:
            async for event in self._events:
                self._queue.put_nowait(event)
        except Exception as error:  # noqa: BLE001 - handed to whoever follows
            self._queue.put_nowait(error)
        else:
            self._queue.put_nowait(None)
        finally:
            await self._events.aclose()


async def _new_reply(conversation: PathId, writing: Writing, vault: TheVault) -> Following:
    return await Following.begin(vault.reply(conversation, writing.text, writing.enclosed()))


async def _reply_instead(message: PathId, writing: Writing, vault: TheVault) -> Following:
    return await Following.begin(vault.edit(message, writing.text, writing.enclosed()))


async def _another_reply(conversation: PathId, vault: TheVault) -> Following:
    return await Following.begin(vault.retry(conversation))


@router.post("/conversations/{conversation}/reply", response_class=EventSourceResponse)
async def reply(following: Annotated[Following, Depends(_new_reply)], door: TheDoor) -> AsyncIterable[ServerSentEvent]:
    """Store what the person wrote, then stream the reply.

    Events: `stored` (Message), `meter` (Meter), `blocks` ([[index, html], …] to put in place), `thought` (text), and at the end
    `done` (Message, with the blocks as they stay) or `failed` ({reason, kept: Message or null}). Closing the connection stops
    the reply and keeps what came.
    """
    async for event in to_the_end(following, door):
        yield event


@router.post("/conversations/{conversation}/retry", response_class=EventSourceResponse)
async def retry(following: Annotated[Following, Depends(_another_reply)], door: TheDoor) -> AsyncIterable[ServerSentEvent]:
    """Reply once more to the last message, with the same events as a first reply."""
    async for event in to_the_end(following, door):
        yield event


@router.post("/messages/{message}/edit", response_class=EventSourceResponse)
async def edit(following: Annotated[Following, Depends(_reply_instead)], door: TheDoor) -> AsyncIterable[ServerSentEvent]:
    """Say something in place of a message of one's own and stream the reply; the old version stays, with what followed it."""
    async for event in to_the_end(following, door):
        yield event


@router.post("/conversations/{conversation}/stop")
async def stop(conversation: PathId, vault: TheVault) -> Stopped:
    """Stop the reply that is coming; what came is kept."""
    return Stopped(stopped=vault.stop(conversation))


@router.get("/events", response_class=Response, responses={200: {"content": {Announced.media_type: EVENTS}}})
async def announcements(vault: TheVault, told: Annotated[int | None, Query(ge=0)] = None) -> Response:
    """Stream what changes: `changed` ({what, conversation}), `learned` (Learned: each Change whole, in the
    order to show them), `embedding` ({done, total}), and `locked`, which is the last.

    `told` is that of `/api/vault` or `/api/start`: where something was announced since, all is said to have changed.
    """
    return Announced(vault, told)


async def to_the_end(following: Following, door: TheDoor) -> AsyncGenerator[ServerSentEvent, None]:
    """Send a reply; what goes wrong in the middle is an event too, because the status has long been sent."""
    try:
        async for event in _as_sent(following, door):
            yield event
    except Exception as error:  # noqa: BLE001 - the edge of a request
        yield ServerSentEvent(event="failed", data={"reason": reason_of(error), "kept": None})


async def _as_sent(following: Following, door: TheDoor) -> AsyncGenerator[ServerSentEvent, None]:
    blocks, pending, flushed = Blocks(), "", 0.0
    async for event in following:
        door.touch()
        match event:
            case TextDelta(text):
                pending += text
                if time.monotonic() - flushed < _FLUSH_SECONDS * (1 + blocks.unfinished / _LETTERS_A_FLUSH):
                    continue
                updates, pending, flushed = blocks.add(pending), "", time.monotonic()
                if updates:
                    yield ServerSentEvent(event="blocks", data=updates)
            case _:
                # In a thread: at the end the whole reply is rendered once more.
                yield await asyncio.to_thread(_sent, event)


def _sent(event: MessageStored | MeterChanged | ThoughtDelta | ReplyDone | ReplyFailed) -> ServerSentEvent:
    match event:
        case MessageStored(message):
            return ServerSentEvent(event="stored", data=shown(message))
        case MeterChanged(_, layers, budget):
            meter = Meter(window=budget.window, reply_room=budget.reply, layers=[Layer.model_validate(layer) for layer in layers])
            return ServerSentEvent(event="meter", data=meter)
        case ThoughtDelta(text):
            return ServerSentEvent(event="thought", data=text)
        case ReplyDone(message, _):
            return ServerSentEvent(event="done", data=shown(message))
        case ReplyFailed(_, kept, reason):
            return ServerSentEvent(event="failed", data={"reason": reason, "kept": shown(kept) if kept else None})
        case _:
            assert_never(event)
