"""The sync face of the library, written by scripts/write_sync.py from the async core. Change that, not this file."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from datetime import datetime, tzinfo
from types import TracebackType
from typing import Any, Self

from ricordo import shelves, vault
from ricordo.change import Change
from ricordo.conversation import Attachment, Conversation, Message, Moment, Reach, Space, Summary
from ricordo.events import Announcement, TurnEvent
from ricordo.explanation import Explanation
from ricordo.fact import Fact, Home
from ricordo.hit import Hit
from ricordo.models.base import ChatModel
from ricordo.portal import Portal
from ricordo.prompt import Prompt
from ricordo.run import Run
from ricordo.settings import Settings
from ricordo.store.keys import KdfCost
from ricordo.store.waiting import Unread
from ricordo.vault import Imported, Path, Progress, Skill


class Spaces:
    """The Spaces of a vault."""

    def __init__(self, shelf: shelves.Spaces, portal: Portal) -> None:
        self._shelf, self._portal = shelf, portal

    def all(self) -> list[Space]:
        """Return all Spaces by name."""
        return self._portal.call(self._shelf.all())

    def get(self, space: int) -> Space:
        """Return one Space; raises NotFound."""
        return self._portal.call(self._shelf.get(space))

    def named(self, name: str) -> Space:
        """Return the Space of that name, whatever its capitals; raises NotFound."""
        return self._portal.call(self._shelf.named(name))

    def create(self, name: str, instructions: str = "") -> Space:
        """Make a Space with its memory on; raises InvalidInput for a name that is empty or taken."""
        return self._portal.call(self._shelf.create(name, instructions))

    def change(
        self,
        space: int,
        *,
        name: str | None = None,
        instructions: str | None = None,
        memory: bool | None = None,
        reach: Reach | None = None,
    ) -> Space:
        """Change what is given of a Space; raises NotFound, InvalidInput."""
        return self._portal.call(self._shelf.change(space, name=name, instructions=instructions, memory=memory, reach=reach))

    def delete(self, space: int, *, keep_conversations: bool) -> None:
        """Delete a Space and its memory; its conversations move out, or are deleted too."""
        self._portal.call(self._shelf.delete(space, keep_conversations=keep_conversations))


class Conversations:
    """The conversations of a vault, with their messages."""

    def __init__(self, shelf: shelves.Conversations, portal: Portal) -> None:
        self._shelf, self._portal = shelf, portal

    def all(self) -> list[Conversation]:
        """Return all conversations, the one written in last first."""
        return self._portal.call(self._shelf.all())

    def get(self, conversation: int) -> Conversation:
        """Return one conversation; raises NotFound."""
        return self._portal.call(self._shelf.get(conversation))

    def create(self, title: str = "", space: int | None = None) -> Conversation:
        """Begin a conversation, in a Space or in none; raises NotFound for a Space that is not there."""
        return self._portal.call(self._shelf.create(title, space))

    def rename(self, conversation: int, title: str) -> Conversation:
        """Give a conversation another title."""
        return self._portal.call(self._shelf.rename(conversation, title))

    def move(self, conversation: int, space: int | None) -> Conversation:
        """Move a conversation to a Space or out of any; what was learned from it stays where it is."""
        return self._portal.call(self._shelf.move(conversation, space))

    def delete(self, conversation: int) -> None:
        """Delete a conversation with its messages, notes, pinned facts and summary; other facts stay (S4)."""
        self._portal.call(self._shelf.delete(conversation))

    def messages(self, conversation: int) -> list[Message]:
        """Return the messages of the branch that is shown, oldest first; raises NotFound."""
        return self._portal.call(self._shelf.messages(conversation))

    def summary(self, conversation: int) -> Summary | None:
        """Return a conversation's summary, None while it has none; raises NotFound."""
        return self._portal.call(self._shelf.summary(conversation))

    def delete_summary(self, conversation: int) -> None:
        """Delete a conversation's summary; one is written from the messages again after some more turns. Raises NotFound."""
        self._portal.call(self._shelf.delete_summary(conversation))

    def explain(self, message: int) -> Explanation:
        """Return how a reply came about: what the model saw, what was found and dropped, and why (B8).

        Raises NotFound, also for a message that is no reply or of which that was not kept.
        """
        return self._portal.call(self._shelf.explain(message))

    def delete_message(self, message: int) -> list[int]:
        """Delete one message; returns the ids of facts learned from it, for the person to decide about (S4)."""
        return self._portal.call(self._shelf.delete_message(message))


class Drafts:
    """What is written but not sent yet, in each conversation and (None) in one that has not begun."""

    def __init__(self, shelf: shelves.Drafts, portal: Portal) -> None:
        self._shelf, self._portal = shelf, portal

    def all(self) -> dict[int | None, str]:
        """Return the drafts by conversation."""
        return self._portal.call(self._shelf.all())

    def keep(self, conversation: int | None, text: str) -> None:
        """Replace a draft; an empty one is forgotten. Raises NotFound for a conversation that is not there."""
        self._portal.call(self._shelf.keep(conversation, text))


class Facts:
    """The facts a person keeps: by hand these are theirs, and the model never changes them (E10)."""

    def __init__(self, shelf: shelves.Facts, portal: Portal) -> None:
        self._shelf, self._portal = shelf, portal

    def all(self, home: Home | None = None) -> list[Fact]:
        """Return the facts at home there, or all of the vault, newest first."""
        return self._portal.call(self._shelf.all(home))

    def sent(self) -> frozenset[int]:
        """Return the ids of the facts that the model is sent without being looked for, each where it is at home (B2, F3)."""
        return self._portal.call(self._shelf.sent())

    def get(self, fact: int) -> Fact:
        """Return one fact; raises NotFound."""
        return self._portal.call(self._shelf.get(fact))

    def add(self, text: str, home: Home, *, pinned: bool = False, source: int | None = None) -> Fact:
        """Keep a fact in the person's own words; one that is there already in the same words becomes theirs.

        `source` is the message it was taken from. Raises InvalidInput for an empty one, NotFound for a home that is not
        there, SwitchedOff for one whose memory is off.
        """
        return self._portal.call(self._shelf.add(text, home, pinned=pinned, source=source))

    def pin_message(self, message: int) -> Fact:
        """Pin what a message says as a fact of its conversation (F3)."""
        return self._portal.call(self._shelf.pin_message(message))

    def edit(self, fact: int, text: str) -> Fact:
        """Give a fact other words; it is the person's from then on. Raises InvalidInput, NotFound."""
        return self._portal.call(self._shelf.edit(fact, text))

    def pin(self, fact: int, pinned: bool = True) -> Fact:
        """Pin a fact, or take the pin off."""
        return self._portal.call(self._shelf.pin(fact, pinned))

    def share(self, fact: int, shared: bool = True) -> Fact:
        """Let all conversations use a fact (*All conversations*), or only those of its home."""
        return self._portal.call(self._shelf.share(fact, shared))

    def delete(self, fact: int) -> Fact:
        """Delete a fact for good; returns what it was. Raises NotFound."""
        return self._portal.call(self._shelf.delete(fact))

    def remember(self, text: str, space: int | None = None) -> Fact:
        """Keep a fact where a command puts it: in the Space, else globally (F5). Raises SwitchedOff when that is off."""
        return self._portal.call(self._shelf.remember(text, space))

    def matching(self, query: str, space: int | None = None) -> list[Fact]:
        """Return the facts that a command's words mean: of the Space, or global; by id, else by all of the words (F5)."""
        return self._portal.call(self._shelf.matching(query, space))


class Changes:
    """What the model did to the facts: the log, taking back, and the turns it could not read."""

    def __init__(self, shelf: shelves.Changes, portal: Portal) -> None:
        self._shelf, self._portal = shelf, portal

    def all(self, limit: int = 100, before: int | None = None) -> list[Change]:
        """Return the latest changes, newest first; with `before`, only those older than that change."""
        return self._portal.call(self._shelf.all(limit, before))

    def undo(self, change: int) -> Change:
        """Take a change back (U1, U2). Raises NotFound; InvalidInput when the fact was changed since, and then does nothing."""
        return self._portal.call(self._shelf.undo(change))

    def runs(self, limit: int = 20) -> list[Run]:
        """Return the latest readings of turns, newest first: how the model was asked, what it proposed in vain, and why."""
        return self._portal.call(self._shelf.runs(limit))

    def unread(self) -> list[Unread]:
        """Return the turns that could not be read after three tries, with the reason (E16)."""
        return self._portal.call(self._shelf.unread())

    def waiting(self) -> int:
        """Return how many turns wait to be read."""
        return self._portal.call(self._shelf.waiting())


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
        self.changes = Changes(core.changes, portal)
        self.drafts = Drafts(core.drafts, portal)

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

    def try_model(self) -> tuple[str, float]:
        """Ask the model for one word; return its name and the seconds it took. Raises ModelError."""
        return self._portal.call(self._core.try_model())

    def skill(self) -> tuple[str, Skill | None]:
        """Return the model's name and what its self-test showed (E18), None while it was not tried."""
        return self._portal.call(self._core.skill())

    def try_out(self) -> Skill:
        """Run the model's whole self-test now, which takes a minute or two with a small one, and keep it. Raises ModelError."""
        return self._portal.call(self._core.try_out())

    def prompt(self, text: str, conversation: int | None = None, space: int | None = None) -> Prompt:
        """Return just what would be sent for `text`, without calling a model or storing anything."""
        return self._portal.call(self._core.prompt(text, conversation, space))

    def reply(self, conversation: int, text: str, attachments: Sequence[Attachment] = ()) -> Generator[TurnEvent, None, None]:
        """Store what the person wrote, then yield the reply as it comes; ends with `ReplyDone` or `ReplyFailed`.

        A second message to the same conversation waits for the first one's reply. Closing the iterator stops the reply and
        keeps what came. Raises InvalidInput for an empty message, NotFound.
        """
        return self._portal.each(self._core.reply(conversation, text, attachments))

    def retry(self, conversation: int) -> Generator[TurnEvent, None, None]:
        """Reply once more to the last message; an earlier reply stays, on a branch that is not shown. Raises NotFound."""
        return self._portal.each(self._core.retry(conversation))

    def write(self, conversation: int, text: str, attachments: Sequence[Attachment] = ()) -> Message:
        """Keep an entry without asking for a reply (S7); raises InvalidInput for an empty one, NotFound."""
        return self._portal.call(self._core.write(conversation, text, attachments))

    def stop(self, conversation: int) -> bool:
        """Stop the reply that is coming in a conversation; returns whether there was one. What came is kept."""
        return self._portal.run(lambda: self._core.stop(conversation))

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
        """Return messages and facts that hold any of the words, best first; within a conversation or Space when given."""
        return self._portal.call(self._core.search(text, conversation=conversation, space=space, limit=limit))

    def import_diary(self, path: Path, *, conversation: int | None = None, progress: Progress | None = None) -> Imported:
        """Import a folder of Markdown, a text file or JSON lines into a conversation, else into one named after the file (I6).

        May be repeated at any time: what is there already is left alone. `progress` is told bytes read, and of how many.
        Raises ImportFailed, NotFound, StorageFull.
        """
        return self._portal.call(self._core.import_diary(path, conversation=conversation, progress=progress))

    def events(self) -> Generator[Announcement, None, None]:
        """Yield what changes, from now until the vault is locked."""
        return self._portal.each(self._core.events())
