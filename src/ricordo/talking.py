"""What is said in a vault: messages with their replies, entries without one, other versions, private conversations.

The one rule: in one conversation one thing happens at a time; what was written is stored before anything else.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from apsw import Connection

from ricordo import letters, turn
from ricordo.background import Background
from ricordo.conversation import Attachment, Message, Moment, Role
from ricordo.errors import InvalidInput, ModelError
from ricordo.events import ListChanged, MessageStored, ReplyDone, ReplyFailed, TurnEvent
from ricordo.fact import settle
from ricordo.in_use import InUse
from ricordo.private import Private, Privates
from ricordo.recall import material
from ricordo.settings import Settings
from ricordo.store import branches, conversations, messages, waiting
from ricordo.store.connection import Database


class Talking:
    """The part of a vault that talks."""

    _database: Database
    _in_use: InUse
    _background: Background
    settings: Settings

    def __init__(self) -> None:
        self._stops: dict[int, asyncio.Event] = {}
        self._talking: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._privates = Privates(lambda: self._in_use.desk(), self.now)

    def now(self) -> Moment:
        """Return the time now, as the person's clock shows it."""
        raise NotImplementedError

    async def reply(
        self, conversation: int, text: str, attachments: Sequence[Attachment] = ()
    ) -> AsyncGenerator[TurnEvent, None]:
        """Store what the person wrote, then yield the reply as it comes; ends with `ReplyDone` or `ReplyFailed`.

        A second message to the same conversation waits for the first one's reply. Closing the iterator stops the reply and
        keeps what came. Raises InvalidInput for an empty message, NotFound.
        """
        _require(text, attachments)
        async with self._talking[conversation]:
            asked = await self._store(conversation, text, tuple(attachments))
            async with aclosing(self._answer(asked, told=True)) as events:
                async for event in events:
                    yield event

    async def ask(self, text: str, conversation: int | None = None, attachments: Sequence[Attachment] = ()) -> Message:
        """Say something, in a new conversation if none is given, and return the reply once it is whole.

        Raises InvalidInput for an empty message, NotFound, and ModelError with the reason where no whole reply came: what was
        said is kept all the same, and so is what came of the reply.
        """
        _require(text, attachments)
        if conversation is None:
            now = self.now()
            begun = await self._database.write(lambda c: conversations.create(c, "", None, now), ListChanged("conversations"))
            conversation = begun.id
        ended: TurnEvent | None = None
        async with aclosing(self.reply(conversation, text, attachments)) as events:
            async for event in events:
                ended = event
        match ended:
            case ReplyDone(message):
                return message
            case ReplyFailed(reason=reason):
                raise ModelError(reason)
            case _:
                raise ModelError("The reply ended without a word. Try again.")

    async def edit(self, message: int, text: str, attachments: Sequence[Attachment] = ()) -> AsyncGenerator[TurnEvent, None]:
        """Say something in place of a message of one's own, then yield the reply as `reply` does.

        The message and all that followed it stay, on a branch that is not shown; `show` brings it back. Raises InvalidInput
        for an empty text, a reply and a message that is not shown, NotFound.
        """
        _require(text, attachments)
        conversation = (await self._database.read(lambda c: messages.get(c, message))).conversation
        async with self._talking[conversation]:
            asked = await self._store(conversation, text, tuple(attachments), instead_of=message)
            async with aclosing(self._answer(asked, told=True)) as events:
                async for event in events:
                    yield event

    async def retry(self, conversation: int) -> AsyncGenerator[TurnEvent, None]:
        """Reply once more to the last message; an earlier reply stays, on a branch that is not shown. Raises NotFound."""
        async with self._talking[conversation]:
            asked = await self._database.write(
                lambda c: conversations.set_reply_aside(c, conversation), ListChanged("messages", conversation)
            )
            async with aclosing(self._answer(asked)) as events:
                async for event in events:
                    yield event

    async def write(self, conversation: int, text: str, attachments: Sequence[Attachment] = ()) -> Message:
        """Keep an entry without asking for a reply (S7); raises InvalidInput for an empty one, NotFound."""
        _require(text, attachments)
        async with self._talking[conversation]:
            entry = await self._store(conversation, text, tuple(attachments), finished=True)
        self._background.wake()
        return entry

    async def show(self, message: int) -> Message:
        """Show the version of a conversation that a message stands on, and return the message. Raises NotFound."""
        conversation = (await self._database.read(lambda c: messages.get(c, message))).conversation
        async with self._talking[conversation]:
            shown = await self._database.write(lambda c: branches.show(c, message), ListChanged("messages", conversation))
        self._background.wake()
        return shown

    def stop(self, conversation: int) -> bool:
        """Stop the reply that is coming in a conversation; returns whether there was one. What came is kept."""
        if (stop := self._stops.get(conversation)) is None:
            return False
        stop.set()
        return True

    def private(self) -> Private:
        """Begin a private conversation (S2): it reads no memory, writes none, and is gone when it or the vault is closed."""
        return self._privates.begin()

    def private_named(self, key: str) -> Private:
        """Return the private conversation with that key, while it lasts. Raises NotFound."""
        return self._privates.named(key)

    async def _end_replies(self) -> None:
        """Stop every reply and wait until what came is kept; private conversations are forgotten."""
        await self._privates.end()
        for stop in self._stops.values():
            stop.set()
        for lock in list(self._talking.values()):
            async with lock:
                pass

    async def _answer(self, asked: Message, *, told: bool = False) -> AsyncGenerator[TurnEvent, None]:
        if told:
            yield MessageStored(asked)
        desk = await self._in_use.desk()
        stop = self._stops[asked.conversation] = asyncio.Event()
        try:
            async with aclosing(turn.answer(desk, asked, stop)) as events:
                async for event in events:
                    yield event
        finally:
            self._stops.pop(asked.conversation, None)
            self._background.wake()

    async def _store(
        self,
        conversation: int,
        text: str,
        attachments: tuple[Attachment, ...],
        *,
        finished: bool = False,
        instead_of: int | None = None,
    ) -> Message:
        settings, now, text = self.settings, self.now(), letters.kept(text)

        def job(connection: Connection) -> Message:
            space = material.space_of(connection, conversation, None)
            learn = settle(conversation, space, remember=settings.remember, global_memories=settings.global_memories)
            new = messages.NewMessage(Role.USER, text, now, attachments=attachments, learn=learn)
            before = None if instead_of is None else branches.set_aside(connection, instead_of)
            conversations.title_from(connection, conversation, text)
            message = messages.append(connection, conversation, new)
            if before is not None:
                branches.follow(connection, message, before.parent)
            if finished:
                waiting.add(connection, message.id, now)
            return message

        return await self._database.write(job, ListChanged("messages", conversation))


def _require(text: str, attachments: Sequence[Attachment]) -> None:
    if not text.strip() and not attachments:
        raise InvalidInput("Write something first.")
