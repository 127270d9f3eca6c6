"""Work for when the model is free, one job at a time: learning from finished turns, summaries, embedding. All survive a restart.

The one rule: a person's message comes first. It cancels what runs here, whose turns go on waiting and are read again later.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

from ricordo.change import Change
from ricordo.desk import Desk
from ricordo.errors import (
    InvalidInput,
    ModelError,
    ModelGarbled,
    ModelMissing,
    ModelUnreachable,
    SwitchedOff,
    VaultError,
    VaultLocked,
)
from ricordo.events import Announcement, Embedding, Learned, ListChanged
from ricordo.learn import applying, batch, from_imports, selftest, summarizer, summary_due, ways
from ricordo.learn.batch import Batch
from ricordo.learn.extractor import Unread
from ricordo.learn.proposals import Proposal
from ricordo.learn.selftest import Skill
from ricordo.models.base import Embedder
from ricordo.models.gate import Preempted
from ricordo.recall import embedding
from ricordo.store import imports

_FAILED = 9  # turns that may fail in one pass before imported ones are left for another time
_AGAIN = 30.0  # seconds until work that the vault could not take is tried again


class Background:
    """The owner of one vault's background work: starts it, wakes it, cancels it and waits for its end."""

    def __init__(
        self,
        desk: Callable[[], Awaitable[Desk]],
        embedder: Callable[[], Embedder | None],
        announce: Callable[[Announcement], None],
    ) -> None:
        self._desk = desk
        self._embedder = embedder
        self._announce = announce
        self._passed_over: embedding.PassedOver = set()
        self._awake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to work whenever there is something to do and the model is free."""
        if self._task is None:
            self._task = asyncio.create_task(self._work(), name="learn in the background")
            self.wake()

    def wake(self) -> None:
        """Say that there may be something to do: a reply has finished, a switch was turned on."""
        self._awake.set()

    async def close(self) -> bool:
        """Stop, and return whether there was work to stop; what was being read goes on waiting."""
        if self._task is None:
            return False
        task, self._task = self._task, None
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return True

    async def _work(self) -> None:
        while True:
            await self._awake.wait()
            self._awake.clear()
            for work in (self._load, self._read, self._embed):
                try:
                    await work()
                except (ModelError, VaultLocked):
                    pass  # tried again when the next reply has finished
                except VaultError:  # the disk is full, or another program keeps the file locked: what waits goes on waiting
                    asyncio.get_running_loop().call_later(_AGAIN, self.wake)

    async def _load(self) -> None:
        """Bring the vectors into RAM, so that what is written next is looked for by meaning too."""
        if (embedder := self._embedder()) is not None:
            await load(await self._desk(), embedder)

    async def _read(self) -> None:
        desk = await self._desk()
        await learn(desk, self._announce)
        if not await summarise(desk, self._announce):
            self.wake()

    async def _embed(self) -> None:
        """Embed until all is, or until there is something to read again, which goes first."""
        desk = await self._desk()
        while not self._awake.is_set() and (embedder := self._embedder()) is not None:
            if not await embed(desk, embedder, self._announce, self._passed_over):
                return


async def load(desk: Desk, embedder: Embedder) -> None:
    """Bring an embedder's vectors into RAM; does nothing where they are. Raises ModelError."""
    await embedder.embed(())  # its name may be known only now
    await desk.database.load_vectors(embedder.name)


async def embed_all(desk: Desk, announce: Callable[[Announcement], None]) -> None:
    """Embed all that has no vector yet and load it; does nothing where words alone are searched. Raises ModelError."""
    passed_over: embedding.PassedOver = set()
    if (embedder := desk.embedder()) is not None:
        while await embed(desk, embedder, announce, passed_over):
            pass
        await load(desk, embedder)


async def learn(desk: Desk, announce: Callable[[Announcement], None]) -> tuple[Change, ...]:
    """Work through all waiting turns once, the longest-waiting conversation first (E2); returns the changes that were made.

    Raises ModelMissing and ModelUnreachable, which are no tries; other failures of the model count against the turns.
    """
    made: list[Change] = []
    tried: set[int] = set()  # what could not be read is tried again at the next finished reply, not at once
    await desk.database.write(lambda c: batch.drop_closed(c, desk.settings))
    while True:
        following = await desk.database.read(lambda c: batch.following(c, desk.settings, tried))
        if following is None:
            if len(tried) > _FAILED or not await _imported(desk):
                break
            continue
        started, way = time.perf_counter(), None
        try:
            async with desk.gate.background():
                patience = float(desk.settings.timeout)
                way = await selftest.way(desk.database, desk.model, patience, desk.now())
                proposals = await ways.propose(way, desk.model, following.turns, following.known, patience)
        except Preempted:
            continue
        except (ModelMissing, ModelUnreachable):
            raise
        except ModelError as error:
            proposals = Unread(str(error))
        asked = applying.Asked(desk.model.name, way or "", round(time.perf_counter() - started, 3), desk.now())
        if isinstance(proposals, Unread):
            await _count(desk, following, proposals.reason, asked)
            tried.update(following.messages)
            continue
        changes = await _apply(desk, following, proposals, asked)
        if changes:
            announce(Learned(changes))
            made += changes
    return tuple(made)


async def _imported(desk: Desk) -> bool:
    """Let turns of an import wait, when the person wants them read and nothing else waits."""
    if not await desk.database.read(imports.any_learned_from):
        return False
    return await desk.database.write(lambda c: from_imports.hand_over(c, desk.settings, desk.now()), ListChanged("imports"))


async def _apply(desk: Desk, read: Batch, proposals: tuple[Proposal, ...], asked: applying.Asked) -> tuple[Change, ...]:
    settings = desk.settings
    changes, _ = await asyncio.shield(
        desk.database.write(
            lambda c: applying.apply(c, read, proposals, settings, asked), ListChanged("facts", read.conversation)
        )
    )
    return changes


async def _count(desk: Desk, read: Batch, reason: str, asked: applying.Asked) -> None:
    await desk.database.write(lambda c: applying.failed(c, read, reason, asked), ListChanged("messages", read.conversation))


async def summarise(desk: Desk, announce: Callable[[Announcement], None]) -> bool:
    """Write the summaries that are due (N1); returns False when a message came first, so that some may still be due.

    Raises ModelMissing and ModelUnreachable, which are no tries; whatever else fails keeps the old summary, and why.
    """
    tried: set[int] = set()
    while (due := await desk.database.read(lambda c: summary_due.following(c, desk.settings, tried))) is not None:
        tried.add(due.conversation)
        try:
            outcome = await _summary(desk, due)
        except Preempted:
            return False
        if await asyncio.shield(_keep(desk, due, outcome)):
            announce(ListChanged("conversations", due.conversation))
    return True


async def try_out(desk: Desk) -> Skill:
    """Run the model's whole self-test now and keep what it showed; a message of the person goes first. Raises ModelError."""
    while True:
        try:
            async with desk.gate.background():
                skill = await selftest.test(desk.model, float(desk.settings.timeout), whole=True)
            break
        except Preempted:
            continue
    skill = replace(skill, at=desk.now())
    await desk.database.write(lambda c: selftest.keep(c, desk.model.name, skill))
    return skill


async def summarise_anew(desk: Desk, conversation: int, announce: Callable[[Announcement], None]) -> None:
    """Write one conversation's summary now, from its messages alone; a message of the person goes first, then it is tried again.

    Raises SwitchedOff while nothing is remembered (W1), NotFound, InvalidInput, and ModelError where the old one stays.
    """
    if not desk.settings.remember:
        raise SwitchedOff("Remembering is off, so no summary was written. Turn it on with `ricordo settings remember on`.")
    due = await desk.database.read(lambda c: summary_due.anew(c, conversation))
    while True:
        try:
            outcome = await _summary(desk, due)
            break
        except Preempted:
            continue
    if isinstance(outcome, summarizer.Kept):
        raise ModelGarbled(f"{outcome.reason} What was there stays.")
    if not await asyncio.shield(_keep(desk, due, outcome)):
        raise InvalidInput("The conversation was changed while its summary was written, so it was left as it was. Try again.")
    announce(ListChanged("conversations", conversation))


async def _summary(desk: Desk, due: summary_due.Due) -> summarizer.Written | summarizer.Kept:
    """Ask the model for a summary. Raises Preempted, ModelMissing, ModelUnreachable."""
    try:
        async with desk.gate.background():
            window = (await desk.budget()).window
            patience = float(desk.settings.timeout)
            return await summarizer.summarise(desk.model, due.text, due.messages, window, desk.count, patience)
    except (ModelMissing, ModelUnreachable):
        raise
    except ModelError as error:
        return summarizer.Kept(str(error))


async def _keep(desk: Desk, due: summary_due.Due, outcome: summarizer.Written | summarizer.Kept) -> bool:
    settings, model, now = desk.settings, desk.model.name, desk.now()
    return await desk.database.write(lambda c: summary_due.keep(c, due, outcome, settings, model, now))


async def embed(
    desk: Desk, embedder: Embedder, announce: Callable[[Announcement], None], passed_over: embedding.PassedOver
) -> bool:
    """Embed some of what has no vector yet, as embedding.embed_due does; return whether to call again."""

    def progress(done: int, total: int) -> None:
        announce(Embedding(done, total))

    return await embedding.embed_due(desk.database, embedder, desk.gate.background, progress, passed_over)
