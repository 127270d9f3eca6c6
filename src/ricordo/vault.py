"""The vault: everything of one person, unlocked. All that a caller can do starts here; this is where the parts are wired."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from types import TracebackType
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from apsw import Connection
from tzlocal import get_localzone

from ricordo import prepare
from ricordo.background import Background, embed_all, learn, summarise, summarise_anew, try_out
from ricordo.change import Change, Removed, Saved
from ricordo.clients.alongside import Alongside
from ricordo.clients.passing import Passing
from ricordo.clients.prepared import Client
from ricordo.clients.prepared import Prepared as Prepared
from ricordo.conversation import Message, Moment, Role, Status, Summary
from ricordo.errors import SwitchedOff
from ricordo.events import Announcement, Learned, ListChanged, Locked
from ricordo.fact import Fact, Home
from ricordo.hit import ByMeaning, Hit
from ricordo.in_use import InUse
from ricordo.keyed import Keyed
from ricordo.learn import told
from ricordo.learn.selftest import Skill as Skill
from ricordo.learn.selftest import read as skill_in
from ricordo.models.base import ChatModel as ChatModel
from ricordo.models.base import Request
from ricordo.models.probe import probe
from ricordo.prompt import ChatMessage, Prompt, Usage
from ricordo.recall import search
from ricordo.settings import Settings
from ricordo.shelves import Changes, Conversations, Data, Diary, Drafts, Facts, Imports, Memories, Spaces, Tokens
from ricordo.shelves.facts import require_open
from ricordo.standing import Ability
from ricordo.store import kept, records, waiting
from ricordo.store.backup import verify as verify
from ricordo.store.connection import Database
from ricordo.store.hardening import give_back as give_back
from ricordo.store.hardening import harden as harden
from ricordo.store.keys import KdfCost as KdfCost
from ricordo.store.ownership import address_of as address_of
from ricordo.store.restoring import copies as copies
from ricordo.store.restoring import erase as erase
from ricordo.store.restoring import restore as restore
from ricordo.store.waiting import Unread as Unread
from ricordo.talking import Talking
from ricordo.transfer.importing import Progress as Progress
from ricordo.transfer.kinds import FORMATS as FORMATS
from ricordo.transfer.source import Upload as Upload

Path = str | os.PathLike[str]


class AsyncVault(Talking):
    """An unlocked vault. Open it with `async with await AsyncVault.open(path, passphrase) as vault`; leaving locks it.

    `spaces`, `conversations` and `facts` hold what a person keeps by hand. `recovery_key` is there once, after `create`.
    """

    def __init__(self, database: Database, settings: Settings, model: ChatModel | None, clock: Callable[[], datetime] | None):
        self._database = database
        self._clock = clock
        super().__init__()
        self._listeners: set[asyncio.Queue[Announcement]] = set()
        self.announced = 0  # how many announcements there have been
        self.settings = settings
        self.recovery_key: str | None = None
        self.spaces = Spaces(database, self.now)
        self.conversations = Conversations(database, self.now)
        self.facts = Facts(database, self.now, lambda: self.settings)
        self.memories = Memories(database, lambda: self.settings)
        self.drafts = Drafts(database)
        self.data = Data(database)
        self.changes = Changes(database, self.now)
        self.diary = Diary(database, self.now)
        self.tokens = Tokens(database, self.now)
        self.imports = Imports(database, self.now, self.zone, lambda: self.settings, self._settled)
        self._in_use = InUse(database, settings, self.now, self.zone, model)
        self._background = Background(self._in_use.desk, self._in_use.embedder, self._announce)
        self._alongside = Alongside(self._in_use, self._background, self.now, self._announce)
        self.keyed = Keyed(database, self.now, lambda: self.settings, self._announce)
        self.passing = Passing(self._in_use, self._alongside)
        database.observe(self._announce)

    @classmethod
    async def create(
        cls,
        path: Path,
        passphrase: str,
        *,
        cost: KdfCost | None = None,
        owner: str = "ricordo",
        model: ChatModel | None = None,
        clock: Callable[[], datetime] | None = None,
    ) -> Self:
        """Make a new vault and return it unlocked; its `recovery_key` opens it when the passphrase is lost.

        `model` stands in for what the settings name; `clock` returns aware datetimes. Raises VaultExists, InvalidInput,
        VaultInUse, StorageFull.
        """
        database, recovery_key = await asyncio.to_thread(Database.create, path, passphrase, cost=cost, owner=owner)
        vault = cls(database, Settings(), model, clock)
        vault.recovery_key = recovery_key
        return vault

    @classmethod
    async def open(
        cls,
        path: Path,
        passphrase: str,
        *,
        owner: str = "ricordo",
        model: ChatModel | None = None,
        clock: Callable[[], datetime] | None = None,
    ) -> Self:
        """Unlock a vault by its passphrase or its recovery key.

        Raises VaultMissing, WrongPassphrase, VaultInUse, VaultDamaged, VaultTooNew.
        """
        database = await asyncio.to_thread(Database.open, path, passphrase, owner=owner)
        try:
            settings = await database.read(kept.settings)
        except BaseException:
            await database.close()
            raise
        return cls(database, settings, model, clock)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Lock the vault: running replies keep what came, the model is let go, keys and all that was in memory are dropped."""
        await self._background.close()
        await self.passing.close()
        await self._end_replies()
        await self._in_use.close()
        await self._database.close()
        self._announce(Locked())

    @property
    def path(self) -> str:
        """The vault's real path."""
        return self._database.path

    @property
    def commits(self) -> int:
        """How many times anything was written since the vault was unlocked: while it is the same, so is what is read."""
        return self._database.commits

    @property
    def held_up(self) -> float:
        """Seconds for which writing has been waiting because another program keeps the file locked; 0 when it is not."""
        return self._database.held_up

    def zone(self) -> tzinfo:
        """Return the person's time zone: the one in the settings, else the computer's."""
        if self.settings.time_zone:
            return ZoneInfo(self.settings.time_zone)
        try:
            return get_localzone()
        except ZoneInfoNotFoundError:  # a computer set up oddly still has a clock
            return datetime.now().astimezone().tzinfo or UTC

    def now(self) -> Moment:
        """Return the time now, as the person's clock shows it."""
        return Moment.of(self._clock() if self._clock else datetime.now(self.zone()))

    async def set(self, **values: Any) -> Settings:
        """Change settings; raises InvalidInput for an unknown name or a value that does not fit."""
        new = self.settings.changed(**values)
        await self._database.write(lambda c: kept.set_settings(c, new), ListChanged("settings"))
        self.settings = new
        if await self._in_use.change(new):
            self._background.wake()
        return new

    async def check_passphrase(self, secret: str) -> None:
        """Raise WrongPassphrase unless a passphrase or recovery key opens this vault; changes nothing."""
        await self._database.check_passphrase(secret)

    async def change_passphrase(self, old: str, new: str) -> None:
        """Replace the passphrase; `old` may be the recovery key. Raises WrongPassphrase, InvalidInput."""
        await self._database.change_passphrase(old, new)

    async def new_recovery_key(self, secret: str) -> str:
        """Replace the recovery key and return the new one, to be shown this once; `secret` is the passphrase or the old key.

        The old one opens this vault no more, but backups made before. Raises WrongPassphrase.
        """
        return await self._database.new_recovery_key(secret)

    async def remove_data(self) -> None:
        """Delete all conversations, Spaces and facts, and everything learned or made of them; settings stay (V6).

        Replies that are coming are stopped. The text is gone from the file when this returns; earlier backups keep it.
        """
        working = await self._background.close()
        await self.passing.close()
        await self._end_replies()
        await self._database.erase(records.clear, ListChanged("everything"))
        self._database.vectors.forget()
        await self._in_use.forget()
        await self._database.compact()
        if working:
            self._background.start()

    async def _settled(self, settings: Settings | None) -> None:
        """Go on after an import: with its settings, when it brought some."""
        if settings is not None:
            self.settings = settings
            await self._in_use.change(settings)
            await self._in_use.forget()
            self._announce(ListChanged("everything"))
        self._background.wake()

    async def try_model(self, **values: Any) -> tuple[str, float]:
        """Ask the model for one word; return its name and the seconds it took. `values` are settings to try, not to keep.

        Raises ModelError, InvalidInput.
        """
        if values:
            return await self._in_use.try_with(self.settings.changed(**values))
        desk = await self._in_use.desk()
        request = Request((ChatMessage("user", "Reply with the word yes."),), 16, timeout=float(self.settings.timeout))
        async with desk.gate.foreground():
            started = time.perf_counter()
            await desk.model.complete(request)
        return desk.model.name, time.perf_counter() - started

    async def probe(self) -> Ability:
        """Try out what the model of the settings can do, by two short calls; a message of the person goes first.

        Raises ModelError.
        """
        desk = await self._in_use.desk()
        async with desk.gate.foreground():
            return await probe(desk.model, float(self.settings.timeout))

    async def skill(self) -> tuple[str, Skill | None]:
        """Return the model's name and what its self-test showed (E18), None while it was not tried."""
        desk = await self._in_use.desk()
        return desk.model.name, skill_in(await self._database.read(lambda c: kept.profile(c, desk.model.name)))

    async def try_out(self) -> Skill:
        """Run the model's whole self-test now, which takes a minute or two with a small one, and keep it. Raises ModelError."""
        return await try_out(await self._in_use.desk())

    async def by_meaning(self) -> ByMeaning:
        """Say how far finding by meaning is, or why words alone are searched."""
        return await self._in_use.by_meaning()

    async def prompt(self, text: str, conversation: int | None = None, space: int | None = None) -> Prompt:
        """Return just what would be sent for `text`, without calling a model or storing anything."""
        desk = await self._in_use.desk()
        message = Message(0, conversation or 0, None, Role.USER, text, self.now(), Status.COMPLETE)
        ready = await prepare.read(desk, message, space, await desk.budget(), stored=False)
        ready, _ = await prepare.recalled(desk, ready, 0)
        return prepare.make(desk, ready)[0]

    async def prepare(
        self, messages: Sequence[Mapping[str, Any]], *, conversation: str = "", user: str = "", space: int | None = None
    ) -> Prepared:
        """Return the messages to send to a model of one's own, with memory; the person's newest one is stored by then (I1).

        `messages` is all that was said so far, as chat APIs take it: {"role": "user", "content": …}. The conversation is known
        again by its beginning, or by `conversation`, a name of one's own for it; a new one begins in `space`. Raises
        InvalidInput without a message of the person, NotFound, StorageFull.
        """
        client = Client(conversation, user, space)
        return await self._alongside.keep(await self._alongside.compose(messages, client))

    async def record(
        self, prepared: Prepared, reply: str, *, status: Status = Status.COMPLETE, model: str = ""
    ) -> Message | None:
        """Store the reply to prepared messages, in place of an earlier one to the same; a whole one is learned from.

        Returns None for an empty one, and where its message was deleted meanwhile.
        """
        return await self._alongside.record(prepared, reply, status, model, Usage(), {})

    def work_in_background(self) -> None:
        """Learn from finished turns whenever the model is free, until the vault is locked."""
        self._background.start()

    async def learn(self) -> tuple[Change, ...]:
        """Learn from all turns that wait and write the summaries that are due, now; returns the changes made to facts.

        Raises ModelMissing, ModelUnreachable.
        """
        desk = await self._in_use.desk()
        made = await learn(desk, self._announce)
        await summarise(desk, self._announce)
        return made

    async def embed(self) -> None:
        """Embed all that has no vector yet, now, so that it is found by meaning. Raises ModelError where the embedder fails."""
        await embed_all(await self._in_use.desk(), self._announce)

    async def summarise(self, conversation: int) -> Summary | None:
        """Write a conversation's summary now, from its messages alone, and return it; when that fails the old one stays.

        Raises SwitchedOff while nothing is remembered, NotFound, InvalidInput where nothing was written, ModelError.
        """
        await summarise_anew(await self._in_use.desk(), conversation, self._announce)
        return await self.conversations.summary(conversation)

    async def try_unread(self) -> None:
        """Let the turns that could not be read wait again (*Try again*)."""
        await self._database.write(lambda c: waiting.try_again(c), ListChanged("messages"))
        self._background.wake()

    async def search(self, text: str, *, conversation: int | None = None, space: int | None = None, limit: int = 20) -> list[Hit]:
        """Return messages and facts that hold any of the words, best first; within a conversation or Space when given.

        Where vectors are loaded, what is near in meaning is found too, and the ranking is that of recall.
        """
        looking = search.Looking(conversation, space, self.now(), self.zone())
        return await search.find(self._database, self._in_use.embedder(), text, looking, limit)

    async def remember_for(self, program: str, text: str, home: Home) -> tuple[Fact, bool]:
        """Keep a fact that another program's model asks for, as a change that can be undone; say whether it is new.

        Raises SwitchedOff where nothing may be learned, InvalidInput for what a model may not save, NotFound.
        """
        if not self.settings.remember:
            raise SwitchedOff(told.OFF)

        def job(connection: Connection) -> Fact | Change:
            require_open(connection, home, self.settings)
            return told.remember(connection, text, home, self.now(), program)

        made = await self._database.write(job, ListChanged("facts"))
        if isinstance(made, Fact):
            return made, False
        self._announce(Learned((made,)))
        assert isinstance(made.edit, Saved)
        return made.edit.after, True

    async def forget_for(self, program: str, fact: int) -> Fact:
        """Remove a fact that another program's model asks to be forgotten, as a change that can be undone; return what it was.

        Raises NotFound.
        """
        made = await self._database.write(lambda c: told.forget(c, fact, self.now(), program), ListChanged("facts"))
        self._announce(Learned((made,)))
        assert isinstance(made.edit, Removed)
        return made.edit.before

    async def events(self, since: int | None = None) -> AsyncGenerator[Announcement, None]:
        """Yield what changes, from now until the vault is locked.

        `since` is what `announced` was when the caller last looked: what was missed is told first, as a change of everything.
        """
        queue: asyncio.Queue[Announcement] = asyncio.Queue()
        self._listeners.add(queue)
        if since is not None and since != self.announced:
            queue.put_nowait(ListChanged("everything"))
        try:
            while True:
                announcement = await queue.get()
                yield announcement
                if isinstance(announcement, Locked):
                    return
        finally:
            self._listeners.discard(queue)

    def _announce(self, announcement: Announcement) -> None:
        self.announced += 1
        for queue in self._listeners:
            queue.put_nowait(announcement)
