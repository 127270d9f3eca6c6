"""The shelves of the sync face, written by scripts/write_sync.py from the async core. Change that, not this file."""

from __future__ import annotations

import os
from collections.abc import Collection, Generator, Sequence
from datetime import date

from ricordo import shelves
from ricordo.change import Change
from ricordo.conversation import Conversation, Message, Reach, Space, Summary
from ricordo.diary import Day, Entry, WrittenDay
from ricordo.explanation import Explanation
from ricordo.fact import Fact, Home
from ricordo.memory import FACTS, Kind, Listed, Sieve
from ricordo.portal import Portal
from ricordo.run import Run
from ricordo.standing import Soundness
from ricordo.store.waiting import Unread
from ricordo.token import Token, TokenScope
from ricordo.vault import Progress


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

    def edit_summary(self, conversation: int, text: str) -> Summary:
        """Give a conversation's summary other words, which the next one carries on. Raises NotFound, InvalidInput if empty."""
        return self._portal.call(self._shelf.edit_summary(conversation, text))

    def delete_summary(self, conversation: int) -> None:
        """Delete a conversation's summary; one is written from the messages again after some more turns. Raises NotFound."""
        self._portal.call(self._shelf.delete_summary(conversation))

    def explain(self, message: int) -> Explanation:
        """Return how a reply came about: what the model saw, what was found and dropped, and why (B8).

        Raises NotFound, also for a message that is no reply or of which that was not kept.
        """
        return self._portal.call(self._shelf.explain(message))

    def versions(self, shown: Sequence[Message]) -> dict[int, tuple[int, ...]]:
        """Return, of each message of one conversation that has other versions, the ids of all, its own too, oldest first."""
        return self._portal.call(self._shelf.versions(shown))

    def learned_from(self, message: int) -> list[Fact]:
        """Return the facts and notes that were learned from a message; raises NotFound."""
        return self._portal.call(self._shelf.learned_from(message))

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

    def count(self) -> dict[Home, int]:
        """Return how many facts each home has that has any."""
        return self._portal.call(self._shelf.count())

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

    def clear(self, sieve: Sieve | None = None, kinds: Collection[Kind] = FACTS, *, expected: int | None = None) -> int:
        """Delete all facts of some kinds that pass a sieve, for good and at once (F2); returns how many there were.

        `expected` is how many the person was told of: if there are others by now, nothing is deleted and InvalidInput raised.
        """
        return self._portal.call(self._shelf.clear(sieve, kinds, expected=expected))

    def remember(self, text: str, space: int | None = None) -> Fact:
        """Keep a fact where a command puts it: in the Space, else globally (F5). Raises SwitchedOff when that is off."""
        return self._portal.call(self._shelf.remember(text, space))

    def matching(self, query: str, space: int | None = None) -> list[Fact]:
        """Return the facts that a command's words mean: of the Space, or global; by id, else by all of the words (F5)."""
        return self._portal.call(self._shelf.matching(query, space))


class Memories:
    """Everything that is remembered, by kind, sifted, in stretches of `limit` rows from the row `offset` on, newest first."""

    def __init__(self, shelf: shelves.Memories, portal: Portal) -> None:
        self._shelf, self._portal = shelf, portal

    def count(self, kinds: Collection[Kind] = tuple(Kind), sieve: Sieve | None = None) -> dict[Kind, int]:
        """Return how many rows each of some kinds has."""
        return self._portal.call(self._shelf.count(kinds, sieve))

    def facts(
        self, kinds: Collection[Kind] = FACTS, sieve: Sieve | None = None, offset: int = 0, limit: int = 100
    ) -> list[Listed]:
        """Return facts of some kinds in one list: pinned ones, facts and notes, or what is asked for of them."""
        return self._portal.call(self._shelf.facts(kinds, sieve, offset, limit))

    def summaries(self, sieve: Sieve | None = None, offset: int = 0, limit: int = 100) -> list[Summary]:
        """Return summaries; each is at home in its conversation."""
        return self._portal.call(self._shelf.summaries(sieve, offset, limit))

    def excerpts(self, sieve: Sieve | None = None, offset: int = 0, limit: int = 100) -> list[Message]:
        """Return the messages that have excerpts, by which they are found; all pieces of one are one row."""
        return self._portal.call(self._shelf.excerpts(sieve, offset, limit))


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


class Diary:
    """What the person wrote, by the days on their own clock (S8): all of the vault, but none of the replies."""

    def __init__(self, shelf: shelves.Diary, portal: Portal) -> None:
        self._shelf, self._portal = shelf, portal

    def today(self) -> date:
        """Return the day that it is for the person."""
        return self._portal.run(lambda: self._shelf.today())

    def written(self, year: int, month: int | None = None) -> list[WrittenDay]:
        """Return the days of a year or month that have entries, in order. Raises InvalidInput for one that no calendar has."""
        return self._portal.call(self._shelf.written(year, month))

    def day(self, day: date, skip: int = 0, limit: int = 50) -> Day:
        """Return a day's entries, oldest first, as a slice: `skip` passed over, `limit` at most, fewer where they are long."""
        return self._portal.call(self._shelf.day(day, skip, limit))

    def between(
        self, first: date, last: date, skip: int = 0, limit: int = 50, *, space: int | None = None
    ) -> tuple[list[Entry], int]:
        """Return a slice of the entries of all days from first to last, oldest first, and how many these days have in all.

        With `space` only what was written in conversations of that Space.
        """
        return self._portal.call(self._shelf.between(first, last, skip, limit, space=space))

    def first(self) -> Entry | None:
        """Return the first entry of all, None while there is none."""
        return self._portal.call(self._shelf.first())

    def last(self) -> Entry | None:
        """Return the last entry of all, None while there is none."""
        return self._portal.call(self._shelf.last())

    def before(self, day: date) -> date | None:
        """Return the last day before a day that has entries, None where there is none."""
        return self._portal.call(self._shelf.before(day))

    def after(self, day: date) -> date | None:
        """Return the first day after a day that has entries, None where there is none."""
        return self._portal.call(self._shelf.after(day))

    def on_this_day(self, day: date) -> list[Day]:
        """Return the same day of other years as far as it has entries, the latest first, each with how it begins."""
        return self._portal.call(self._shelf.on_this_day(day))

    def reply(self, entry: int) -> Message | None:
        """Return the reply to an entry, None where there is none. Raises NotFound for an entry that is not there."""
        return self._portal.call(self._shelf.reply(entry))


class Data:
    """Everything of a vault, taken out of it while it goes on being used."""

    def __init__(self, shelf: shelves.Data, portal: Portal) -> None:
        self._shelf, self._portal = shelf, portal

    def backup(self, path: str | os.PathLike[str], progress: Progress | None = None) -> None:
        """Write an encrypted copy, which the same passphrase opens.

        `progress` is told pages done and pages in all. Raises VaultExists when something is there already, StorageFull.
        """
        self._portal.call(self._shelf.backup(path, progress))

    def soundness(self) -> Soundness:
        """Check the file, page by page, and say how it stands; takes seconds with a large vault."""
        return self._portal.call(self._shelf.soundness())

    def json(self) -> Generator[bytes, None, None]:
        """Yield all of it as JSON, in pieces: plain text, complete but for the key of a server, to be imported again."""
        return self._portal.each(self._shelf.json())

    def markdown(self) -> Generator[bytes, None, None]:
        """Yield a zip of Markdown files, in pieces: plain text to be read, a file for each conversation."""
        return self._portal.each(self._shelf.markdown())

    def export(self, path: str | os.PathLike[str]) -> None:
        """Write a plain export: JSON where the path ends in .json, else Markdown, as a .zip or into a new folder.

        Raises VaultExists when something is there, InvalidInput where there is no folder for it, StorageFull.
        """
        self._portal.call(self._shelf.export(path))


class Tokens:
    """The tokens of a vault, by which programs come in while it is unlocked."""

    def __init__(self, shelf: shelves.Tokens, portal: Portal) -> None:
        self._shelf, self._portal = shelf, portal

    def all(self) -> list[Token]:
        """Return all tokens, the newest first."""
        return self._portal.call(self._shelf.all())

    def create(self, name: str, *, scope: TokenScope = TokenScope.WRITE, space: int | None = None) -> tuple[Token, str]:
        """Make a token; return it, and the secret that its program sends, which is nowhere else.

        With `space` it is for that Space alone. Raises InvalidInput without a name or with one that is taken, NotFound.
        """
        return self._portal.call(self._shelf.create(name, scope=scope, space=space))

    def revoke(self, token: int) -> Token:
        """Let a token's program in no more; returns what it was. Raises NotFound."""
        return self._portal.call(self._shelf.revoke(token))

    def of_secret(self, secret: str) -> Token | None:
        """Return the token that a program sent, None when there is none, and take note that it was used."""
        return self._portal.call(self._shelf.of_secret(secret))
