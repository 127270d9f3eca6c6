"""Imports of conversations, notes and journals: read `bring` from top to bottom. The formats stand in modules of their own.

The one rule: a file is read to its end before anything of it is stored, so that a broken one changes nothing. Then it comes in
batch by batch: what was stored when it was cut off stays, and the same file goes on with it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import partial
from pathlib import Path

import apsw

from ricordo.conversation import Moment
from ricordo.errors import ImportFailed, InvalidInput
from ricordo.events import ListChanged
from ricordo.imported import Imported, LeftOut, Preview
from ricordo.store import conversations, imports, talks
from ricordo.store.connection import Database
from ricordo.store.talks import Talk
from ricordo.transfer import kinds
from ricordo.transfer.chatgpt import FORMAT as CHATGPT
from ricordo.transfer.claude import FORMAT as CLAUDE
from ricordo.transfer.entry import Unreadable
from ricordo.transfer.fields import Item, Undated
from ricordo.transfer.kinds import Recognised
from ricordo.transfer.parts import named
from ricordo.transfer.source import Upload

BATCH = 1000  # messages that are stored in one transaction, give or take a conversation: what a kill costs at most
_SEVERAL = (CHATGPT, CLAUDE)  # formats with conversations of their own

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class _Survey:
    """What a file holds, and which of it is in the vault: the first reading, which the second follows."""

    conversations: int = 0
    messages: int = 0
    there: int = 0
    undated: int = 0
    left: Counter[str] = field(default_factory=Counter)
    unreadable: list[str] = field(default_factory=list)
    first: Moment | None = None
    last: Moment | None = None
    groups: dict[str, int | None] = field(default_factory=dict)

    def note(self, item: Unreadable | LeftOut | Undated) -> None:
        """Count what is no conversation."""
        match item:
            case Unreadable():
                self.unreadable.append(str(item))
            case LeftOut(what, count):
                self.left[what] += count
            case Undated(count):
                self.undated += count

    def look(self, batch: list[Talk], connection: apsw.Connection) -> None:
        """Count conversations, and what is new in them: a job for a reader."""
        for talk in batch:
            keys = {said.key for said in talk.said}
            known = imports.known(connection, keys)
            self.there += len(known)
            self.messages += len(keys) - len(known)
            where = next(iter(known.values()), None)
            if not talk.group:
                self.conversations += where is None
            elif where is not None or talk.group not in self.groups:
                self.groups[talk.group] = where
            for said in talk.said:
                if said.at is not None:
                    self.first = min(self.first or said.at, said.at)
                    self.last = max(self.last or said.at, said.at)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What stays out, the most frequent first."""
        return tuple(LeftOut(what, count) for what, count in self.left.most_common() if count)

    @property
    def new_conversations(self) -> int:
        """How many conversations would be made."""
        return self.conversations + sum(where is None for where in self.groups.values())


async def preview(database: Database, source: Path | Upload, recognised: Recognised, zone: tzinfo) -> Preview:
    """Read a file to its end and say what an import would bring; nothing is stored. Raises ImportFailed."""
    seen = await _survey(database, source, recognised, zone)
    return Preview(
        format=recognised.format,
        conversations=seen.new_conversations,
        messages=seen.messages,
        already_there=seen.there,
        undated=seen.undated,
        left_out=seen.left_out,
        unreadable=tuple(seen.unreadable),
        first=seen.first,
        last=seen.last,
    )


async def bring(
    database: Database,
    source: Path | Upload,
    recognised: Recognised,
    *,
    zone: tzinfo,
    now: Moment,
    conversation: int | None = None,
    progress: Progress | None = None,
) -> Imported:
    """Bring in what is new in a file. `progress` is told messages looked at, and of how many.

    Raises ImportFailed before anything is stored; NotFound and InvalidInput for a conversation that cannot take it; StorageFull,
    after which what was stored stays and a second run completes it.
    """
    if conversation is not None:
        if recognised.format in _SEVERAL:
            raise InvalidInput("These are conversations of their own, so they do not go into another one. Leave it out.")
        await database.read(partial(conversations.get, key=conversation))
    seen = await _survey(database, source, recognised, zone)
    total = seen.messages + seen.there
    writing = _Writing(recognised.format, named(source), now, conversation, dict(seen.groups))
    done = 0
    async with aclosing(_batches(kinds.items(recognised, zone), None)) as batches:
        async for batch in batches:
            await database.write(partial(writing.store, batch), ListChanged("conversations"))
            done += sum(len(talk.said) for talk in batch)
            if progress is not None:
                progress(min(done, total), total)
    await database.write(partial(imports.finish, kind=recognised.format, name=named(source), now=now))
    only = next(iter(writing.where)) if len(writing.where) == 1 else None
    return Imported(
        format=recognised.format,
        conversations=writing.made,
        messages=writing.added,
        already_there=writing.there,
        undated=seen.undated,
        left_out=seen.left_out,
        unreadable=tuple(seen.unreadable),
        import_=writing.import_,
        conversation=only,
    )


async def _survey(database: Database, source: Path | Upload, recognised: Recognised, zone: tzinfo) -> _Survey:
    seen = _Survey()
    async with aclosing(_batches(kinds.items(recognised, zone), seen)) as batches:
        async for batch in batches:
            await database.read(partial(seen.look, batch))
    if not seen.messages and not seen.there:
        why = f" {seen.unreadable[0]}." if seen.unreadable else ""
        raise ImportFailed(f"There is nothing in {named(source)} that could come in.{why} Choose another file.")
    return seen


async def _batches(reading: Iterator[Item], seen: _Survey | None) -> AsyncGenerator[list[Talk], None]:
    """Yield batches; while one is stored the next is read."""
    following = asyncio.create_task(asyncio.to_thread(_next, reading, seen))
    try:
        while batch := await following:
            following = asyncio.create_task(asyncio.to_thread(_next, reading, seen))
            yield batch
    finally:
        await asyncio.gather(following, return_exceptions=True)  # a thread is not left behind, whatever ended the work


def _next(reading: Iterator[Item], seen: _Survey | None) -> list[Talk]:
    """Return the next conversations that hold a batch of messages together, empty at the end; the rest is noted."""
    batch: list[Talk] = []
    size = 0
    for item in reading:
        if isinstance(item, Talk):
            batch.append(item)
            size += len(item.said)
            if size >= BATCH:
                break
        elif seen is not None:
            seen.note(item)
    return batch


@dataclass(slots=True)
class _Writing:
    """Where it goes. The import is listed with the first message that is new, in its transaction."""

    format: str
    name: str
    now: Moment
    conversation: int | None
    groups: dict[str, int | None]
    import_: int | None = None
    made: int = 0
    added: int = 0
    there: int = 0
    where: set[int] = field(default_factory=set)

    def store(self, batch: list[Talk], connection: apsw.Connection) -> None:
        """Store what is new of a batch: a job for the writer."""

        def begun() -> int:
            if self.import_ is None:
                self.import_ = imports.begin(connection, self.format, self.name, self.now)
            return self.import_

        for talk in batch:
            into = self.conversation or self.groups.get(talk.group)
            put = talks.put(connection, talk, begun, self.now, into)
            if talk.group:
                self.groups[talk.group] = put.conversation
            self.made += put.made
            self.added += put.added
            self.there += put.there
            if put.conversation is not None:
                self.where.add(put.conversation)
