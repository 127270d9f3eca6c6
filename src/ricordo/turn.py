"""One turn, from stored message to finished reply, as a stream of events. Read `answer` from top to bottom.

The one rule: what the person wrote is durable before anything here can fail, and what came of a reply is kept however it ends.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from apsw import Connection

from ricordo import prepare, speaking
from ricordo.conversation import Message, Role, Status
from ricordo.desk import Desk
from ricordo.errors import ContextOverflow, ModelError
from ricordo.events import ListChanged, MeterChanged, ReplyDone, ReplyFailed, TurnEvent
from ricordo.models.pace import pace_of
from ricordo.prepare import Ready
from ricordo.prompt import Trace
from ricordo.recall.recalling import Recalled
from ricordo.speaking import Reply
from ricordo.store import kept, messages, traces, waiting


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
        ready, recalled = await speaking.unless(stop, prepare.recalled(desk, ready, seconds)) or (ready, Recalled())
        timings["recalled"] = time.perf_counter() - started
        for last_try in (False, True):
            prompt, epoch = prepare.make(desk, ready)
            timings["prepared"] = time.perf_counter() - started
            yield MeterChanged(asked.conversation, prompt.layers, prompt.budget)
            reply = Reply()
            failure: ModelError | None = None
            try:
                async with aclosing(speaking.until(stop, desk.model.stream(speaking.request(desk, prompt, epoch)))) as pieces:
                    async for piece in pieces:
                        timings.setdefault("first piece", time.perf_counter() - started)
                        if (event := reply.take(piece)) is not None:
                            yield event
            except ContextOverflow as overflow:
                failure = overflow
                if not last_try and not reply.text:
                    speaking.learn_window(desk, overflow, prompt)
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
        speaking.learn_pace(desk, reply.usage, timings)
        desk.epochs[asked.conversation] = epoch
        trace = Trace.of(prompt, reply.usage, timings, recalled.steps)
        yield await asyncio.shield(_finish(desk, asked, reply, failure, stop.is_set(), prompt.tokens, trace))


async def _smaller(desk: Desk, asked: Message, ready: Ready) -> Ready:
    """Return what was read, for the window as it is known now; what was recalled stays."""
    again = await prepare.read(desk, asked, None, await desk.budget(), stored=True)
    return replace(again, material=replace(again.material, recalled=ready.material.recalled))


async def _finish(
    desk: Desk, asked: Message, reply: Reply, failure: ModelError | None, stopped: bool, estimated: int, trace: Trace
) -> ReplyDone | ReplyFailed:
    """Keep the reply with how it ended, learn from the usage, and say so; `estimated` is the prompt's tokens as counted here."""
    if trace.usage.prompt is not None:
        desk.use(desk.counter.learned(estimated, trace.usage.prompt))
    status, reason = reply.ending(failure, stopped=stopped)
    message = await _keep(desk, asked, reply, status, trace)
    if reason or message is None:
        return ReplyFailed(asked, message, reason or speaking.NOTHING_CAME)
    return ReplyDone(message, reply.usage)


async def _keep(desk: Desk, asked: Message, reply: Reply, status: Status, trace: Trace) -> Message | None:
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
