"""Values: Fact, Origin, Home; and which facts a conversation sees. A fact is one durable statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from ricordo.conversation import Moment, Space

T = TypeVar("T")

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
    ordered = sorted(facts, key=lambda fact: not fact.pinned)
    sent = frozenset(fitting((place, fact.text) for place, fact in enumerate(ordered)))
    parts = [tuple(fact for place, fact in enumerate(ordered) if (place in sent) is going) for going in (True, False)]
    return parts[0], parts[1]


def fitting(texts: Iterable[tuple[T, str]]) -> Iterator[T]:
    """Yield the keys of those texts that fit into a list that is sent (B2), the first ones first."""
    sent = letters = 0
    for key, text in texts:
        length = len(" ".join(text.split())) + 3  # "- " and the line's end
        if letters + length <= MOST_LETTERS:
            letters += length
            sent += 1
            yield key
            if sent == MOST_FACTS:
                return
