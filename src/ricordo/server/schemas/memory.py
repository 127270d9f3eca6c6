"""What the Memory screen asks for and is shown: counts, and rows of facts, summaries and excerpts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ricordo.conversation import Message, Role
from ricordo.memory import Kind, Listed, Sieve
from ricordo.server.schemas.facts import Fact, Home, home_of
from ricordo.server.schemas.wire import Asked, Flag, Shown, When

_LETTERS = 700  # of an excerpt's message that are shown in a list
Kinds = Annotated[list[Kind], Field(min_length=1, max_length=len(Kind))]


class Sifted(Asked):
    """What is asked for: of these kinds, at home there, with these words in it. The words stand in no address."""

    kinds: Kinds
    home: Home | None = None
    within: Flag = False
    text: Annotated[str, Field(max_length=1000)] = ""

    def sieve(self) -> Sieve:
        """Return what rows are sifted by."""
        return Sieve(home_of(self.home) if self.home else None, self.within, self.text)


class Stretch(Sifted):
    """Some rows of a list, from the row `offset` on."""

    offset: Annotated[int, Field(strict=True, ge=0, lt=1 << 31)] = 0
    limit: Annotated[int, Field(strict=True, ge=1, le=200)] = 100


class Clearing(Sifted):
    """The facts to delete, and how many the person was told that these are."""

    expected: Annotated[int, Field(strict=True, ge=0)]


class Cleared(Shown):
    """How many were deleted."""

    deleted: int


class FactRow(Fact):
    """A fact in a list; `source` is the conversation that it was learned from, `sent` whether the model is sent it unasked."""

    kind: Literal[Kind.PINNED, Kind.FACT, Kind.NOTE]
    sent: bool
    source: int | None

    @classmethod
    def of(cls, listed: Listed) -> FactRow:
        """Make it from a listed fact."""
        fact = listed.fact
        kind = Kind.PINNED if fact.pinned else Kind.NOTE if fact.note else Kind.FACT
        return cls(**Fact.model_validate(fact).model_dump(), kind=kind, sent=listed.sent, source=listed.source)


class SummaryRow(Shown):
    """A conversation's summary in a list."""

    kind: Literal[Kind.SUMMARY] = Kind.SUMMARY
    conversation: int
    text: str
    at: When


class ExcerptRow(Shown):
    """A message as search finds it: its beginning, and whether there is `more`."""

    kind: Literal[Kind.EXCERPT] = Kind.EXCERPT
    id: int
    conversation: int
    role: Role
    text: str
    more: bool
    at: When

    @classmethod
    def of(cls, message: Message) -> ExcerptRow:
        """Make it from a message."""
        return cls(
            id=message.id,
            conversation=message.conversation,
            role=message.role,
            text=message.text[:_LETTERS],
            more=len(message.text) > _LETTERS,
            at=message.at.local,
        )


Rows = list[FactRow] | list[SummaryRow] | list[ExcerptRow]
