"""The sync face of the library, written by scripts/write_sync.py from the async core. Change that, not this file."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from datetime import datetime, tzinfo
from types import TracebackType
from typing import Any, Self

from ricordo import private, vault
from ricordo.change import Change
from ricordo.conversation import Attachment, Message, Moment, Status, Summary
from ricordo.events import Announcement, TurnEvent
from ricordo.fact import Fact, Home
from ricordo.hit import ByMeaning, Hit
from ricordo.models.base import ChatModel
from ricordo.portal import Portal
from ricordo.prompt import Prompt
from ricordo.settings import Settings
from ricordo.standing import Ability
from ricordo.store.keys import KdfCost
from ricordo.sync_data import Data, Imports, Tokens
from ricordo.sync_shelves import Changes, Conversations, Diary, Drafts, Facts, Memories, Spaces
from ricordo.vault import Path, Prepared, Skill


class Private:
    """A private conversation. `key` names it while it lasts; then it is `over`."""

    def __init__(self, core: private.Private, portal: Portal) -> None:
        self._core, self._portal = core, portal
        self.key = core.key

    @property
    def messages(self) -> tuple[Message, ...]:
        """What was said, oldest first."""
        return self._core.messages

    def reply(self, text: str, attachments: Sequence[Attachment] = ()) -> Generator[TurnEvent, None, None]:
        """Say something and yield the reply as it comes, with the events of `AsyncVault.reply`; `MessageStored` says that it
        is in memory.

        Closing the iterator stops the reply and keeps what came. Raises InvalidInput for an empty message, NotFound when it
        is over.
        """
        return self._portal.each(self._core.reply(text, attachments))

    def retry(self) -> Generator[TurnEvent, None, None]:
        """Reply once more to the last message, in place of an earlier reply. Raises NotFound."""
        return self._portal.each(self._core.retry())

    def stop(self) -> bool:
        """Stop the reply that is coming; returns whether there was one. What came stays."""
        return self._portal.run(lambda: self._core.stop())

    def end(self) -> None:
        """Forget all that was said; a reply that is coming is stopped first."""
        self._portal.call(self._core.end())


class Vault:
    """An unlocked vault. `with Vault.open(path, passphrase) as vault` locks it at the end.

    `spaces`, `conversations` and `facts` hold what a person keeps by hand. `recovery_key` is there once, after `create`.
    """

    def __init__(self, core: vault.AsyncVault, portal: Portal) -> None:
        self._core, self._portal = core, portal
        self.recovery_key = core.recovery_key
        self.spaces = Spaces(core.spaces, portal)
        self.conversations = Conversations(core.conversations, portal)
        self.facts = Facts(core.facts, portal)
        self.memories = Memories(core.memories, portal)
        self.changes = Changes(core.changes, portal)
        self.diary = Diary(core.diary, portal)
        self.drafts = Drafts(core.drafts, portal)
        self.data = Data(core.data, portal)
        self.tokens = Tokens(core.tokens, portal)
        self.imports = Imports(core.imports, portal)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Lock the vault; a second time does nothing."""
        if not self._portal.closed:
            self._portal.call(self._core.close())
            self._portal.close()

    @property
    def settings(self) -> Settings:
        """The settings; change them with `set`."""
        return self._core.settings

    @classmethod
    def create(
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
        portal = Portal()
        try:
            return cls(
                portal.call(vault.AsyncVault.create(path, passphrase, cost=cost, owner=owner, model=model, clock=clock)), portal
            )
        except BaseException:
            portal.close()
            raise

    @classmethod
    def open(
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
        portal = Portal()
        try:
            return cls(portal.call(vault.AsyncVault.open(path, passphrase, owner=owner, model=model, clock=clock)), portal)
        except BaseException:
            portal.close()
            raise

    @property
    def path(self) -> str:
        """The vault's real path."""
        return self._core.path

    @property
    def commits(self) -> int:
        """How many times anything was written since the vault was unlocked: while it is the same, so is what is read."""
        return self._core.commits

    @property
    def held_up(self) -> float:
        """Seconds for which writing has been waiting because another program keeps the file locked; 0 when it is not."""
        return self._core.held_up

    def zone(self) -> tzinfo:
        """Return the person's time zone: the one in the settings, else the computer's."""
        return self._portal.run(lambda: self._core.zone())

    def now(self) -> Moment:
        """Return the time now, as the person's clock shows it."""
        return self._portal.run(lambda: self._core.now())

    def set(self, **values: Any) -> Settings:
        """Change settings; raises InvalidInput for an unknown name or a value that does not fit."""
        return self._portal.call(self._core.set(**values))

    def check_passphrase(self, secret: str) -> None:
        """Raise WrongPassphrase unless a passphrase or recovery key opens this vault; changes nothing."""
        self._portal.call(self._core.check_passphrase(secret))

    def change_passphrase(self, old: str, new: str) -> None:
        """Replace the passphrase; `old` may be the recovery key. Raises WrongPassphrase, InvalidInput."""
        self._portal.call(self._core.change_passphrase(old, new))

    def new_recovery_key(self, secret: str) -> str:
        """Replace the recovery key and return the new one, to be shown this once; `secret` is the passphrase or the old key.

        The old one opens this vault no more, but backups made before. Raises WrongPassphrase.
        """
        return self._portal.call(self._core.new_recovery_key(secret))

    def remove_data(self) -> None:
        """Delete all conversations, Spaces and facts, and everything learned or made of them; settings stay (V6).

        Replies that are coming are stopped. The text is gone from the file when this returns; earlier backups keep it.
        """
        self._portal.call(self._core.remove_data())

    def try_model(self, **values: Any) -> tuple[str, float]:
        """Ask the model for one word; return its name and the seconds it took. `values` are settings to try, not to keep.

        Raises ModelError, InvalidInput.
        """
        return self._portal.call(self._core.try_model(**values))

    def probe(self) -> Ability:
        """Try out what the model of the settings can do, by two short calls; a message of the person goes first.

        Raises ModelError.
        """
        return self._portal.call(self._core.probe())

    def skill(self) -> tuple[str, Skill | None]:
        """Return the model's name and what its self-test showed (E18), None while it was not tried."""
        return self._portal.call(self._core.skill())

    def try_out(self) -> Skill:
        """Run the model's whole self-test now, which takes a minute or two with a small one, and keep it. Raises ModelError."""
        return self._portal.call(self._core.try_out())

    def by_meaning(self) -> ByMeaning:
        """Say how far finding by meaning is, or why words alone are searched."""
        return self._portal.call(self._core.by_meaning())

    def prompt(self, text: str, conversation: int | None = None, space: int | None = None) -> Prompt:
        """Return just what would be sent for `text`, without calling a model or storing anything."""
        return self._portal.call(self._core.prompt(text, conversation, space))

    def prepare(
        self, messages: Sequence[Mapping[str, Any]], *, conversation: str = "", user: str = "", space: int | None = None
    ) -> Prepared:
        """Return the messages to send to a model of one's own, with memory; the person's newest one is stored by then (I1).

        `messages` is all that was said so far, as chat APIs take it: {"role": "user", "content": …}. The conversation is known
        again by its beginning, or by `conversation`, a name of one's own for it; a new one begins in `space`. Raises
        InvalidInput without a message of the person, NotFound, StorageFull.
        """
        return self._portal.call(self._core.prepare(messages, conversation=conversation, user=user, space=space))

    def record(self, prepared: Prepared, reply: str, *, status: Status = Status.COMPLETE, model: str = "") -> Message | None:
        """Store the reply to prepared messages, in place of an earlier one to the same; a whole one is learned from.

        Returns None for an empty one, and where its message was deleted meanwhile.
        """
        return self._portal.call(self._core.record(prepared, reply, status=status, model=model))

    def work_in_background(self) -> None:
        """Learn from finished turns whenever the model is free, until the vault is locked."""
        return self._portal.run(lambda: self._core.work_in_background())

    def learn(self) -> tuple[Change, ...]:
        """Learn from all turns that wait and write the summaries that are due, now; returns the changes made to facts.

        Raises ModelMissing, ModelUnreachable.
        """
        return self._portal.call(self._core.learn())

    def embed(self) -> None:
        """Embed all that has no vector yet, now, so that it is found by meaning. Raises ModelError where the embedder fails."""
        self._portal.call(self._core.embed())

    def summarise(self, conversation: int) -> Summary | None:
        """Write a conversation's summary now, from its messages alone, and return it; when that fails the old one stays.

        Raises SwitchedOff while nothing is remembered, NotFound, InvalidInput where nothing was written, ModelError.
        """
        return self._portal.call(self._core.summarise(conversation))

    def try_unread(self) -> None:
        """Let the turns that could not be read wait again (*Try again*)."""
        self._portal.call(self._core.try_unread())

    def search(self, text: str, *, conversation: int | None = None, space: int | None = None, limit: int = 20) -> list[Hit]:
        """Return messages and facts that hold any of the words, best first; within a conversation or Space when given.

        Where vectors are loaded, what is near in meaning is found too, and the ranking is that of recall.
        """
        return self._portal.call(self._core.search(text, conversation=conversation, space=space, limit=limit))

    def remember_for(self, program: str, text: str, home: Home) -> tuple[Fact, bool]:
        """Keep a fact that another program's model asks for, as a change that can be undone; say whether it is new.

        Raises SwitchedOff where nothing may be learned, InvalidInput for what a model may not save, NotFound.
        """
        return self._portal.call(self._core.remember_for(program, text, home))

    def forget_for(self, program: str, fact: int) -> Fact:
        """Remove a fact that another program's model asks to be forgotten, as a change that can be undone; return what it was.

        Raises NotFound.
        """
        return self._portal.call(self._core.forget_for(program, fact))

    def events(self, since: int | None = None) -> Generator[Announcement, None, None]:
        """Yield what changes, from now until the vault is locked.

        `since` is what `announced` was when the caller last looked: what was missed is told first, as a change of everything.
        """
        return self._portal.each(self._core.events(since))

    def reply(self, conversation: int, text: str, attachments: Sequence[Attachment] = ()) -> Generator[TurnEvent, None, None]:
        """Store what the person wrote, then yield the reply as it comes; ends with `ReplyDone` or `ReplyFailed`.

        A second message to the same conversation waits for the first one's reply. Closing the iterator stops the reply and
        keeps what came. Raises InvalidInput for an empty message, NotFound.
        """
        return self._portal.each(self._core.reply(conversation, text, attachments))

    def ask(self, text: str, conversation: int | None = None, attachments: Sequence[Attachment] = ()) -> Message:
        """Say something, in a new conversation if none is given, and return the reply once it is whole.

        Raises InvalidInput for an empty message, NotFound, and ModelError with the reason where no whole reply came: what was
        said is kept all the same, and so is what came of the reply.
        """
        return self._portal.call(self._core.ask(text, conversation, attachments))

    def edit(self, message: int, text: str, attachments: Sequence[Attachment] = ()) -> Generator[TurnEvent, None, None]:
        """Say something in place of a message of one's own, then yield the reply as `reply` does.

        The message and all that followed it stay, on a branch that is not shown; `show` brings it back. Raises InvalidInput
        for an empty text, a reply and a message that is not shown, NotFound.
        """
        return self._portal.each(self._core.edit(message, text, attachments))

    def retry(self, conversation: int) -> Generator[TurnEvent, None, None]:
        """Reply once more to the last message; an earlier reply stays, on a branch that is not shown. Raises NotFound."""
        return self._portal.each(self._core.retry(conversation))

    def write(self, conversation: int, text: str, attachments: Sequence[Attachment] = ()) -> Message:
        """Keep an entry without asking for a reply (S7); raises InvalidInput for an empty one, NotFound."""
        return self._portal.call(self._core.write(conversation, text, attachments))

    def show(self, message: int) -> Message:
        """Show the version of a conversation that a message stands on, and return the message. Raises NotFound."""
        return self._portal.call(self._core.show(message))

    def stop(self, conversation: int) -> bool:
        """Stop the reply that is coming in a conversation; returns whether there was one. What came is kept."""
        return self._portal.run(lambda: self._core.stop(conversation))

    def private(self) -> Private:
        """Begin a private conversation (S2): it reads no memory, writes none, and is gone when it or the vault is closed."""
        return Private(self._portal.run(lambda: self._core.private()), self._portal)

    def private_named(self, key: str) -> Private:
        """Return the private conversation with that key, while it lasts. Raises NotFound."""
        return Private(self._portal.run(lambda: self._core.private_named(key)), self._portal)
