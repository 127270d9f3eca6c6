"""What a person keeps by hand: Spaces, conversations, facts. One class a shelf, over the store, announcing what it changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from apsw import Connection

from ricordo.change import Change
from ricordo.conversation import Conversation, Message, Moment, Reach, Space
from ricordo.errors import SwitchedOff
from ricordo.events import ListChanged
from ricordo.fact import Fact, Global, Home, InConversation, InSpace, Origin
from ricordo.settings import Settings
from ricordo.store import changes, conversations, drafts, facts, messages, waiting, words
from ricordo.store.connection import Database
from ricordo.store.waiting import Unread

Now = Callable[[], Moment]


class Spaces:
    """The Spaces of a vault."""

    def __init__(self, database: Database, now: Now) -> None:
        self._database, self._now = database, now

    async def all(self) -> list[Space]:
        """Return all Spaces by name."""
        return await self._database.read(conversations.spaces)

    async def get(self, space: int) -> Space:
        """Return one Space; raises NotFound."""
        return await self._database.read(lambda c: conversations.get_space(c, space))

    async def named(self, name: str) -> Space:
        """Return the Space of that name, whatever its capitals; raises NotFound."""
        return await self._database.read(lambda c: conversations.named_space(c, name))

    async def create(self, name: str, instructions: str = "") -> Space:
        """Make a Space with its memory on; raises InvalidInput for a name that is empty or taken."""
        return await self._database.write(
            lambda c: conversations.create_space(c, name, instructions, self._now()), ListChanged("spaces")
        )

    async def change(
        self,
        space: int,
        *,
        name: str | None = None,
        instructions: str | None = None,
        memory: bool | None = None,
        reach: Reach | None = None,
    ) -> Space:
        """Change what is given of a Space; raises NotFound, InvalidInput."""
        given = {"name": name, "instructions": instructions, "memory": memory, "reach": reach}
        values = {key: value for key, value in given.items() if value is not None}
        return await self._database.write(
            lambda c: conversations.change_space(c, replace(conversations.get_space(c, space), **values)),  # type: ignore[arg-type]
            ListChanged("spaces"),
        )

    async def delete(self, space: int, *, keep_conversations: bool) -> None:
        """Delete a Space and its memory; its conversations move out, or are deleted too."""
        await self._database.erase(
            lambda c: conversations.delete_space(c, space, keep_conversations=keep_conversations),
            ListChanged("spaces"),
            ListChanged("conversations"),
            ListChanged("facts"),
        )


class Conversations:
    """The conversations of a vault, with their messages."""

    def __init__(self, database: Database, now: Now) -> None:
        self._database, self._now = database, now

    async def all(self) -> list[Conversation]:
        """Return all conversations, the one written in last first."""
        return await self._database.read(conversations.listed)

    async def get(self, conversation: int) -> Conversation:
        """Return one conversation; raises NotFound."""
        return await self._database.read(lambda c: conversations.get(c, conversation))

    async def create(self, title: str = "", space: int | None = None) -> Conversation:
        """Begin a conversation, in a Space or in none; raises NotFound for a Space that is not there."""
        return await self._database.write(
            lambda c: conversations.create(c, title, space, self._now()), ListChanged("conversations")
        )

    async def rename(self, conversation: int, title: str) -> Conversation:
        """Give a conversation another title."""
        return await self._database.write(
            lambda c: conversations.rename(c, conversation, title), ListChanged("conversations", conversation)
        )

    async def move(self, conversation: int, space: int | None) -> Conversation:
        """Move a conversation to a Space or out of any; what was learned from it stays where it is."""
        return await self._database.write(
            lambda c: conversations.move(c, conversation, space), ListChanged("conversations", conversation)
        )

    async def delete(self, conversation: int) -> None:
        """Delete a conversation with its messages, notes, pinned facts and summary; other facts stay (S4)."""
        await self._database.erase(
            lambda c: conversations.delete(c, conversation), ListChanged("conversations"), ListChanged("facts")
        )

    async def messages(self, conversation: int) -> list[Message]:
        """Return the messages of the branch that is shown, oldest first; raises NotFound."""

        def job(connection: Connection) -> list[Message]:
            conversations.get(connection, conversation)
            return messages.listed(connection, conversation)

        return await self._database.read(job)

    async def delete_message(self, message: int) -> list[int]:
        """Delete one message; returns the ids of facts learned from it, for the person to decide about (S4)."""
        return await self._database.erase(lambda c: conversations.delete_message(c, message), ListChanged("messages"))


class Drafts:
    """What is written but not sent yet, in each conversation and (None) in one that has not begun."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> dict[int | None, str]:
        """Return the drafts by conversation."""
        return await self._database.read(drafts.listed)

    async def keep(self, conversation: int | None, text: str) -> None:
        """Replace a draft; an empty one is forgotten. Raises NotFound for a conversation that is not there."""
        await self._database.write(lambda c: drafts.keep(c, conversation, text))


class Facts:
    """The facts a person keeps: by hand these are theirs, and the model never changes them (E10)."""

    def __init__(self, database: Database, now: Now, settings: Callable[[], Settings]) -> None:
        self._database, self._now, self._settings = database, now, settings

    async def all(self, home: Home | None = None) -> list[Fact]:
        """Return the facts at home there, or all of the vault, newest first."""
        return await self._database.read(lambda c: facts.listed(c) if home is None else facts.of_home(c, home))

    async def get(self, fact: int) -> Fact:
        """Return one fact; raises NotFound."""
        return await self._database.read(lambda c: facts.get(c, fact))

    async def add(self, text: str, home: Home, *, pinned: bool = False, source: int | None = None) -> Fact:
        """Keep a fact in the person's own words; one that is there already in the same words becomes theirs.

        `source` is the message it was taken from. Raises InvalidInput for an empty one, NotFound for a home that is not
        there, SwitchedOff for one whose memory is off.
        """
        text = facts.clean(text)

        def job(connection: Connection) -> Fact:
            _require_open(connection, home, self._settings())
            known = facts.same(connection, text, home)
            if known is None:
                sources = () if source is None else (source,)
                return facts.insert(connection, text, Origin.USER, home, self._now(), pinned=pinned, sources=sources)
            facts.set_origin(connection, known.id, Origin.USER)
            return facts.set_pinned(connection, known.id, pinned or known.pinned)

        return await self._database.write(job, ListChanged("facts"))

    async def pin_message(self, message: int) -> Fact:
        """Pin what a message says as a fact of its conversation (F3)."""
        found = await self._database.read(lambda c: messages.get(c, message))
        return await self.add(found.text, InConversation(found.conversation), pinned=True, source=message)

    async def edit(self, fact: int, text: str) -> Fact:
        """Give a fact other words; it is the person's from then on. Raises InvalidInput, NotFound."""
        text = facts.clean(text)

        def job(connection: Connection) -> Fact:
            facts.rewrite(connection, fact, text, self._now())
            facts.set_origin(connection, fact, Origin.USER)
            return facts.get(connection, fact)

        return await self._database.write(job, ListChanged("facts"))

    async def pin(self, fact: int, pinned: bool = True) -> Fact:
        """Pin a fact, or take the pin off."""
        return await self._database.write(lambda c: facts.set_pinned(c, fact, pinned), ListChanged("facts"))

    async def share(self, fact: int, shared: bool = True) -> Fact:
        """Let all conversations use a fact (*All conversations*), or only those of its home."""
        return await self._database.write(lambda c: facts.set_shared(c, fact, shared), ListChanged("facts"))

    async def delete(self, fact: int) -> Fact:
        """Delete a fact for good; returns what it was. Raises NotFound."""
        return await self._database.erase(lambda c: facts.delete(c, fact, self._now()), ListChanged("facts"))

    async def remember(self, text: str, space: int | None = None) -> Fact:
        """Keep a fact where a command puts it: in the Space, else globally (F5). Raises SwitchedOff when that is off."""
        return await self.add(text, InSpace(space) if space is not None else Global())

    async def matching(self, query: str, space: int | None = None) -> list[Fact]:
        """Return the facts that a command's words mean: of the Space, or global; by id, else by all of the words (F5)."""
        home = InSpace(space) if space is not None else Global()
        known = await self.all(home)
        wanted = query.strip().removeprefix("#")
        if wanted.isdigit():
            return [fact for fact in known if fact.id == int(wanted)]
        parts = words.fold(query).split()
        return [fact for fact in known if parts and all(part in words.fold(fact.text) for part in parts)]


class Changes:
    """What the model did to the facts: the log, taking back, and the turns it could not read."""

    def __init__(self, database: Database, now: Now) -> None:
        self._database, self._now = database, now

    async def all(self, limit: int = 100, before: int | None = None) -> list[Change]:
        """Return the latest changes, newest first; with `before`, only those older than that change."""
        return await self._database.read(lambda c: changes.listed(c, limit, before))

    async def undo(self, change: int) -> Change:
        """Take a change back (U1, U2). Raises NotFound; InvalidInput when the fact was changed since, and then does nothing."""
        return await self._database.write(lambda c: changes.undo(c, change, self._now()), ListChanged("facts"))

    async def unread(self) -> list[Unread]:
        """Return the turns that could not be read after three tries, with the reason (E16)."""
        return await self._database.read(lambda c: waiting.unread(c))

    async def waiting(self) -> int:
        """Return how many turns wait to be read."""
        return len(await self._database.read(lambda c: waiting.listed(c)))


def _require_open(connection: Connection, home: Home, settings: Settings) -> None:
    """Raise NotFound for a home that is not there, SwitchedOff for one whose memory is off (F1, F5)."""
    match home:
        case Global():
            if not settings.global_memories:
                raise SwitchedOff(
                    "Global memories are off, so nothing was saved. Turn them on in Settings → Features, or with "
                    "`ricordo settings global_memories on`."
                )
        case InSpace(space):
            found = conversations.get_space(connection, space)
            if not found.memory:
                raise SwitchedOff(
                    f"The memory of {found.name} is off, so nothing was saved. Turn it on in the Space's Settings tab."
                )
        case InConversation(conversation):
            conversations.get(connection, conversation)
        case _:
            assert_never(home)
