"""The shelves of what is written: Spaces, conversations with their messages, drafts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from apsw import Connection

from ricordo.conversation import Attachment, Conversation, Draft, Message, Moment, Reach, Space, Stretch, Summary
from ricordo.errors import InvalidInput
from ricordo.events import ListChanged
from ricordo.explanation import Explanation
from ricordo.fact import Fact
from ricordo.store import branches, conversations, drafts, explanations, messages, stretches, summaries
from ricordo.store.connection import Database

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

    async def stretch(
        self,
        conversation: int,
        *,
        before: int | None = None,
        after: int | None = None,
        around: int | None = None,
        limit: int = 100,
    ) -> Stretch:
        """Return the newest messages of the shown branch, or those before, after or around one; raises NotFound.

        A message that is not on that branch has nothing beside it: then it is the newest, too.
        """

        def job(connection: Connection) -> Stretch:
            for read, key in ((stretches.around, around), (stretches.after, after), (stretches.before, before)):
                if key is not None:
                    return read(connection, conversation, key, limit)
            return stretches.newest(connection, conversation, limit)

        return await self._database.read(job)

    async def summary(self, conversation: int) -> Summary | None:
        """Return a conversation's summary, None while it has none; raises NotFound."""

        def job(connection: Connection) -> Summary | None:
            conversations.get(connection, conversation)
            return summaries.get(connection, conversation)

        return await self._database.read(job)

    async def edit_summary(self, conversation: int, text: str) -> Summary:
        """Give a conversation's summary other words, which the next one carries on. Raises NotFound, InvalidInput if empty."""
        text = text.strip()
        if not text:
            raise InvalidInput("Write something, or delete the summary.")

        def job(connection: Connection) -> Summary:
            conversations.get(connection, conversation)
            return summaries.reword(connection, conversation, text, self._now())

        return await self._database.write(job, ListChanged("conversations", conversation))

    async def delete_summary(self, conversation: int) -> None:
        """Delete a conversation's summary; one is written from the messages again after some more turns. Raises NotFound."""

        def job(connection: Connection) -> None:
            conversations.get(connection, conversation)
            summaries.give_up(connection, conversation)

        await self._database.erase(job, ListChanged("conversations", conversation))

    async def explain(self, message: int) -> Explanation:
        """Return how a reply came about: what the model saw, what was found and dropped, and why (B8).

        Raises NotFound, also for a message that is no reply or of which that was not kept.
        """
        return await self._database.read(lambda c: explanations.explain(c, message))

    async def versions(self, shown: Sequence[Message]) -> dict[int, tuple[int, ...]]:
        """Return, of each message of one conversation that has other versions, the ids of all, its own too, oldest first."""
        return await self._database.read(lambda c: branches.versions(c, shown))

    async def learned_from(self, message: int) -> list[Fact]:
        """Return the facts and notes that were learned from a message; raises NotFound."""

        def job(connection: Connection) -> list[Fact]:
            messages.get(connection, message)
            return conversations.learned_from(connection, message)

        return await self._database.read(job)

    async def delete_message(self, message: int) -> list[int]:
        """Delete one message; returns the ids of facts learned from it, for the person to decide about (S4)."""
        return await self._database.erase(lambda c: conversations.delete_message(c, message), ListChanged("messages"))


class Drafts:
    """What is written but not sent yet, in each conversation and (None) in one that has not begun."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> list[Draft]:
        """Return the drafts, first that of a conversation that has not begun."""
        return await self._database.read(drafts.listed)

    async def keep(
        self, conversation: int | None, text: str | None = None, attachments: Sequence[Attachment] | None = None
    ) -> None:
        """Replace the text of a draft or what is given along; None leaves it as it is, and an empty draft is forgotten.

        Raises NotFound for a conversation that is not there.
        """
        keep = self._database.write if attachments is None else self._database.erase  # a file taken off is in no file any more
        await keep(lambda c: drafts.keep(c, conversation, text, attachments))
