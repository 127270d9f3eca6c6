"""Values: Fact, Origin, Home; and which facts a conversation sees. A fact is one durable statement."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ricordo.conversation import Moment, Space


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
