"""Private conversations (S2): they read no memory and write none, and live in RAM alone until they or the vault are closed.

The one rule: nothing here touches the database, and what was said is in no memo that outlives it.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing

from ricordo import letters, speaking
from ricordo.conversation import Attachment, Message, Moment, Role, Status
from ricordo.desk import Desk
from ricordo.errors import ContextOverflow, InvalidInput, ModelError, NotFound
from ricordo.events import MessageStored, MeterChanged, ReplyDone, ReplyFailed, TurnEvent
from ricordo.models.base import ChatModel
from ricordo.prompt import Prompt
from ricordo.recall.assemble import assemble
from ricordo.recall.epochs import Epoch
from ricordo.recall.material import Material, told_everywhere
from ricordo.speaking import Reply

OVER = "This private conversation is over: it was kept in memory alone. Begin another."
_MOST = 16  # at once; the oldest ends when another begins
_LETTERS = 4_000_000  # of one: more than any window; then its oldest messages are forgotten


class Private:
    """A private conversation. `key` names it while it lasts; then it is `over`."""

    def __init__(self, key: str, desk: Callable[[], Awaitable[Desk]], now: Callable[[], Moment]) -> None:
        self.key = key
        self._desk, self._now = desk, now
        self._messages: list[Message] = []
        self._made = 0  # ids given so far
        self._epoch: Epoch | None = None
        self._stop: asyncio.Event | None = None
        self._talking = asyncio.Lock()
        self.over = False

    @property
    def messages(self) -> tuple[Message, ...]:
        """What was said, oldest first."""
        return tuple(self._messages)

    async def reply(self, text: str, attachments: Sequence[Attachment] = ()) -> AsyncGenerator[TurnEvent, None]:
        """Say something and yield the reply as it comes, with the events of `AsyncVault.reply`; `MessageStored` says that it
        is in memory.

        Closing the iterator stops the reply and keeps what came. Raises InvalidInput for an empty message, NotFound when it
        is over.
        """
        if not text.strip() and not attachments:
            raise InvalidInput("Write something first.")
        async with self._talking:
            asked = self._add(Role.USER, letters.kept(text), tuple(attachments))
            yield MessageStored(asked)
            async with aclosing(self._answer(asked)) as events:
                async for event in events:
                    yield event

    async def retry(self) -> AsyncGenerator[TurnEvent, None]:
        """Reply once more to the last message, in place of an earlier reply. Raises NotFound."""
        async with self._talking:
            while self._messages and self._messages[-1].role is Role.MODEL:
                self._messages.pop()
            if not self._messages:
                raise NotFound("There is nothing to reply to yet. Write something first.")
            async with aclosing(self._answer(self._messages[-1])) as events:
                async for event in events:
                    yield event

    def stop(self) -> bool:
        """Stop the reply that is coming; returns whether there was one. What came stays."""
        if self._stop is None:
            return False
        self._stop.set()
        return True

    async def end(self) -> None:
        """Forget all that was said; a reply that is coming is stopped first."""
        self.over = True
        self.stop()
        async with self._talking:
            self._messages.clear()
            self._epoch = None

    def _add(
        self, role: Role, text: str, attachments: tuple[Attachment, ...] = (), status: Status = Status.COMPLETE, model: str = ""
    ) -> Message:
        if self.over:
            raise NotFound(OVER)
        self._made += 1
        parent = self._messages[-1].id if self._messages else None
        added = Message(self._made, 0, parent, role, text, self._now(), status, True, model, attachments)
        self._messages.append(added)
        while len(self._messages) > 1 and sum(map(_size, self._messages)) > _LETTERS:
            self._messages.pop(0)
        return added

    async def _answer(self, asked: Message) -> AsyncGenerator[TurnEvent, None]:
        desk = await self._desk()
        stop = self._stop = asyncio.Event()
        reply = Reply()
        failure: ModelError | None = None
        try:
            async with desk.gate.foreground(), aclosing(self._spoken(desk, asked, stop, reply)) as events:
                async for event in events:
                    yield event
        except ModelError as error:
            failure = error
        except BaseException:  # whoever reads this stream went away
            self._keep(desk.model, reply, Status.STOPPED)
            raise
        finally:
            self._stop = None
        status, reason = reply.ending(failure, stopped=stop.is_set())
        kept = self._keep(desk.model, reply, status)
        if reason or kept is None:
            yield ReplyFailed(asked, kept, reason or speaking.NOTHING_CAME)
        else:
            yield ReplyDone(kept, reply.usage)

    async def _spoken(self, desk: Desk, asked: Message, stop: asyncio.Event, reply: Reply) -> AsyncGenerator[TurnEvent, None]:
        """Yield the meter and the pieces of a reply; a window that turns out smaller is tried once more."""
        for last_try in (False, True):
            prompt = await self._prompt(desk, asked)
            yield MeterChanged(0, prompt.layers, prompt.budget)
            timings = {"prepared": time.perf_counter()}
            assert self._epoch is not None
            calling = speaking.request(desk, prompt, self._epoch)
            try:
                async with aclosing(speaking.until(stop, desk.model.stream(calling))) as pieces:
                    async for piece in pieces:
                        timings.setdefault("first piece", time.perf_counter())
                        if (event := reply.take(piece)) is not None:
                            yield event
            except ContextOverflow as overflow:
                if last_try or reply.text:
                    raise
                speaking.learn_window(desk, overflow, prompt)
                continue
            speaking.learn_pace(desk, reply.usage, timings)
            if reply.usage.prompt is not None:
                desk.use(desk.counter.learned(prompt.tokens, reply.usage.prompt))
            return

    async def _prompt(self, desk: Desk, asked: Message) -> Prompt:
        turns = [message for message in self._messages if message.id < asked.id]
        told = told_everywhere(desk.settings)
        material = Material(told, (), (), (), "", (), turns, asked, self._now())
        # Counted by the counter itself: what the desk counts is remembered for as long as the vault is open.
        prompt, self._epoch = assemble(material, await desk.budget(), desk.counter.count, desk.model.name, self._epoch)
        return prompt

    def _keep(self, model: ChatModel, reply: Reply, status: Status) -> Message | None:
        if not reply.text.strip() or self.over:
            return None
        return self._add(Role.MODEL, reply.text, (), status, model.name)


class Privates:
    """The private conversations of an unlocked vault, by their keys."""

    def __init__(self, desk: Callable[[], Awaitable[Desk]], now: Callable[[], Moment]) -> None:
        self._desk, self._now = desk, now
        self._there: dict[str, Private] = {}
        self._ending: set[asyncio.Task[None]] = set()

    def begin(self) -> Private:
        """Begin one; when there are many, the oldest ends."""
        self._there = {key: each for key, each in self._there.items() if not each.over}
        while len(self._there) >= _MOST:
            ending = asyncio.ensure_future(self._there.pop(next(iter(self._there))).end())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
        key = secrets.token_urlsafe(16)
        private = self._there[key] = Private(key, self._desk, self._now)
        return private

    def named(self, key: str) -> Private:
        """Return one while it lasts. Raises NotFound."""
        if key not in self._there or self._there[key].over:
            raise NotFound(OVER)
        return self._there[key]

    async def end(self) -> None:
        """End all."""
        there = list(self._there.values())
        self._there.clear()
        await asyncio.gather(*self._ending, *(each.end() for each in there))


def _size(message: Message) -> int:
    return len(message.text) + sum(len(each.text) for each in message.attachments)
