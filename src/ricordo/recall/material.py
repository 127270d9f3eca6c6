"""What a prompt could be made of, read from the vault in one moment. Reads only; what is sent is decided in assemble.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import apsw

from ricordo.change import Edit, Removed, Saved, Updated, inverse
from ricordo.conversation import Message, Moment, Reach, Scope, Space
from ricordo.fact import Fact, Global, Home, InSpace
from ricordo.recall.lists import Lists
from ricordo.recall.parts import Found
from ricordo.recall.turns import Read, Turns, Wordings
from ricordo.settings import Settings
from ricordo.store import changes, conversations, names, summaries

# Letters to a token at the most, over any stretch long enough to matter: how much of a conversation to read for a window.
_LETTERS_PER_TOKEN = 6


@dataclass(frozen=True, slots=True)
class Material:
    """All that could go into a prompt, read in one moment; `assemble` decides what does.

    `turns` is the shown branch ahead of `message`, oldest first, long enough to fill the window. Facts are newest first,
    names the most frequent first.
    `held` are the changes that the model made from this very conversation since the epoch began: their source is still in the
    window, so they wait for the next one. `deletions` counts the messages deleted from the conversation: what the epoch shows
    may hold words of one. `wordings` are the turns in the words that prompts need of them.
    """

    instructions: str
    global_facts: Sequence[Fact]
    space_facts: Sequence[Fact]
    pinned: Sequence[Fact]
    summary: str
    names: Sequence[str]
    turns: Sequence[Message]
    message: Message
    now: Moment
    references: Sequence[Found] = ()
    recalled: Sequence[Found] = ()
    held: Sequence[Edit] = ()
    newest_change: int = 0
    deletions: int = 0
    wordings: Wordings = field(default_factory=Wordings, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Kept:
    """What was read for earlier prompts and still holds, while the vault is unlocked."""

    turns: Turns = field(default_factory=Turns)
    lists: Lists = field(default_factory=Lists)

    def clear(self) -> None:
        """Forget all of it (V3)."""
        self.turns.clear()
        self.lists.clear()


def scope_of(conversation: int | None, space: Space | None, settings: Settings) -> Scope:
    """Return what a conversation may use: all of the vault, its Space if that says so, else itself (W6)."""
    if settings.whole_diary:
        reach = Reach.VAULT
    elif space is not None:
        reach = space.reach
    else:
        reach = Reach.CONVERSATION
    return Scope(reach, conversation, space.id if space else None)


def space_of(connection: apsw.Connection, conversation: int | None, space: int | None) -> Space | None:
    """Return the Space a conversation is in, or will begin in."""
    key = conversations.space_of(connection, conversation) if conversation is not None else space
    return conversations.get_space(connection, key) if key is not None else None


def read(
    connection: apsw.Connection,
    message: Message,
    space: Space | None,
    settings: Settings,
    kept: Kept,
    *,
    stored: bool,
    first: int | None,
    as_of: int | None,
    prompt_tokens: int,
    now: Moment,
) -> Material:
    """Return what a prompt for `message` could be made of.

    `stored` is False for a message that is only tried out. `first` and `as_of` are where the window of the epoch begins and
    the last change it knows of, if there is one; `kept` is what was read before. With no `prompt_tokens` no turns are read.
    References and what is recalled are looked for elsewhere and put in with `dataclasses.replace`.
    """
    conversation = message.conversation or None
    earlier = Read()
    if conversation is not None:
        before = message.id if stored else None
        if first is not None:
            earlier = kept.turns.since(connection, conversation, first, before)
        if not earlier.turns and prompt_tokens:
            earlier = kept.turns.newest(connection, conversation, prompt_tokens * _LETTERS_PER_TOKEN, before)
    summary = summaries.get(connection, conversation) if conversation is not None else None
    return Material(
        instructions=_instructions(settings, space),
        global_facts=kept.lists.of_home(connection, Global()) if settings.global_memories else [],
        space_facts=kept.lists.of_home(connection, InSpace(space.id)) if space else [],
        pinned=kept.lists.pinned_for(connection, conversation),
        summary=summary.text if summary else "",
        names=names.most_frequent(connection, conversation) if conversation is not None else (),
        turns=earlier.turns,
        message=message,
        now=now,
        held=() if as_of is None or conversation is None else _held(connection, conversation, as_of),
        newest_change=changes.newest(connection),
        deletions=conversations.deletions(connection, conversation) if conversation is not None else 0,
        wordings=earlier.wordings,
    )


def _held(connection: apsw.Connection, conversation: int, as_of: int) -> tuple[Edit, ...]:
    return tuple(change.edit for change in changes.standing(connection, conversation, as_of))


def without(facts: Sequence[Fact], held: Sequence[Edit], home: Home | None) -> tuple[Fact, ...]:
    """Return a list of facts, newest first, as it stood before some edits.

    `home` is None for facts of many homes, oldest first, to which none is added.
    """
    if not held:
        return tuple(facts)
    there = {fact.id: fact for fact in facts}
    for edit in reversed(held):
        match inverse(edit):
            case Removed(gone):
                there.pop(gone.id, None)
            case Saved(back) | Updated(_, back):
                if back.id in there or back.home == home:
                    there[back.id] = back
    return tuple(sorted(there.values(), key=lambda fact: (fact.created.utc, fact.id), reverse=home is not None))


def told_everywhere(settings: Settings) -> str:
    """Return the person's instructions for every conversation; empty without any."""
    return _titled("What the person wants of you everywhere:", settings.instructions)


def _instructions(settings: Settings, space: Space | None) -> str:
    told = [told_everywhere(settings), _titled(f"In the Space {space.name}:", space.instructions) if space else ""]
    return "\n\n".join(text for text in told if text)


def _titled(title: str, text: str) -> str:
    return f"{title}\n{text.strip()}" if text.strip() else ""
