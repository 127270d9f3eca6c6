"""Values: Fact, Origin, Home; and which facts a conversation sees. A fact is one durable statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from ricordo.conversation import Moment, Space

MOST_FACTS = 60  # of each list that is sent (B2)
MOST_LETTERS = 6000


class Origin(StrEnum):
    """Who wrote a fact; the model never touches one of the person's."""

    USER = "user"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Global:
    """At home everywhere, while global memories are on (W3)."""


@dataclass(frozen=True, slots=True)
class InSpace:
    """At home in one Space."""

    space: int


@dataclass(frozen=True, slots=True)
class InConversation:
    """At home in one conversation: a pinned fact, or a note."""

    conversation: int


Home = Global | InSpace | InConversation


@dataclass(frozen=True, slots=True)
class Fact:
    """One durable statement, with where it belongs and what it was learned from.

    `sources` are message ids, oldest first; `shared` makes it usable in all conversations.
    """

    id: int
    text: str
    origin: Origin
    home: Home
    pinned: bool
    shared: bool
    created: Moment
    updated: Moment
    sources: tuple[int, ...] = ()

    @property
    def note(self) -> bool:
        """Say whether this is a note: found by search, not always sent (N2)."""
        return self.origin is Origin.MODEL and isinstance(self.home, InConversation)


def settle(conversation: int, space: Space | None, *, remember: bool, global_memories: bool) -> Home | None:
    """Return where what is learned from a turn goes (W1-W4), None for nowhere; settled when the turn is sent."""
    if not remember:
        return None
    if space is not None:
        return InSpace(space.id) if space.memory else None
    return Global() if global_memories else InConversation(conversation)


def sendable(facts: Sequence[Fact]) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """Split a list of facts, newest first, into what is sent and what is not (B2): pinned first, then the newest that fit.

    A fact too long for what is left is passed over, so that one long text does not silence all others.
    """
    sent: list[Fact] = []
    rest: list[Fact] = []
    letters = 0
    for fact in sorted(facts, key=lambda fact: not fact.pinned):
        length = len(" ".join(fact.text.split())) + 3  # "- " and the line's end
        if len(sent) < MOST_FACTS and letters + length <= MOST_LETTERS:
            sent.append(fact)
            letters += length
        else:
            rest.append(fact)
    return tuple(sent), tuple(rest)


def sent_of(home: Home, facts: Sequence[Fact], *, global_memories: bool) -> frozenset[int]:
    """Return the ids of those facts of a home, newest first, that the model is sent there without looking for them (B2, F3)."""
    match home:
        case InConversation():
            return frozenset(fact.id for fact in facts if fact.pinned)
        case Global() if not global_memories:
            return frozenset()
        case Global() | InSpace():
            return frozenset(fact.id for fact in sendable(facts)[0])
        case _:
            assert_never(home)
