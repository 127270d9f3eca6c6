"""Facts, where they are at home, and commands about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, assert_never

from pydantic import BeforeValidator, Field

from ricordo import fact
from ricordo.fact import Origin
from ricordo.server.schemas.wire import Asked, Flag, Id, Shown, When, Words


class Everywhere(Shown):
    """At home in every conversation."""

    kind: Literal["global"] = "global"


class InSpace(Shown):
    """At home in a Space."""

    kind: Literal["space"] = "space"
    space: Id


class InConversation(Shown):
    """At home in a conversation."""

    kind: Literal["conversation"] = "conversation"
    conversation: Id


Home = Annotated[Everywhere | InSpace | InConversation, Field(discriminator="kind")]


def _home(value: Any) -> Any:
    match value:
        case fact.Global():
            return Everywhere()
        case fact.InSpace(space):
            return InSpace(space=space)
        case fact.InConversation(at):
            return InConversation(conversation=at)
        case _:
            return value


def home_of(home: Everywhere | InSpace | InConversation) -> fact.Home:
    """Return the home that a client named."""
    match home:
        case Everywhere():
            return fact.Global()
        case InSpace():
            return fact.InSpace(home.space)
        case InConversation():
            return fact.InConversation(home.conversation)
        case _:
            assert_never(home)


class Fact(Shown):
    """A fact."""

    id: int
    text: str
    origin: Origin
    home: Annotated[Home, BeforeValidator(_home)]
    pinned: bool
    shared: bool
    note: bool
    created: When
    updated: When
    sources: list[int]


class Counts(Shown):
    """How many facts there are: in all, in the global list, and in each Space's, by the Space's id."""

    total: int
    everywhere: int
    spaces: dict[int, int]

    @classmethod
    def of(cls, counts: Mapping[fact.Home, int]) -> Counts:
        """Make it from the counts of all homes."""
        spaces = {home.space: count for home, count in counts.items() if isinstance(home, fact.InSpace)}
        return cls(total=sum(counts.values()), everywhere=counts.get(fact.Global(), 0), spaces=spaces)


class NewFact(Asked):
    """A fact to keep, in the person's words."""

    text: Words
    home: Home
    pinned: Flag = False


class FactEdit(Asked):
    """What to change of a fact."""

    text: Words | None = None
    pinned: Flag | None = None
    shared: Flag | None = None


class Command(Asked):
    """A command of the composer, where it was given."""

    text: Words
    space: Id | None = None


class Outcome(Shown):
    """What a command did, and the Space that is active from now on."""

    text: str
    facts: list[Fact]
    space: int | None
