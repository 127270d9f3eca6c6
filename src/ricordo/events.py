"""What a turn or the learner announces: the only things that travel upwards."""

from __future__ import annotations

from dataclasses import dataclass

from ricordo.change import Change
from ricordo.conversation import Message
from ricordo.prompt import Budget, Layer, Usage


@dataclass(frozen=True, slots=True)
class MessageStored:
    """The person's message is durable."""

    message: Message


@dataclass(frozen=True, slots=True)
class MeterChanged:
    """The prompt is made: its layers, with their texts, and the budget."""

    conversation: int
    layers: tuple[Layer, ...]
    budget: Budget


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More of the reply."""

    text: str


@dataclass(frozen=True, slots=True)
class ThoughtDelta:
    """More of what the model thinks before it replies; shown, never stored or learned from."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplyDone:
    """The reply is stored, with how it ended in `message.status`."""

    message: Message
    usage: Usage


@dataclass(frozen=True, slots=True)
class ReplyFailed:
    """No whole reply came. The person's message is kept; `kept` is what came of the reply, if anything did.

    `reason` is a sentence for the person; *Try again* is `AsyncVault.retry`.
    """

    asked: Message
    kept: Message | None
    reason: str


TurnEvent = MessageStored | MeterChanged | TextDelta | ThoughtDelta | ReplyDone | ReplyFailed


@dataclass(frozen=True, slots=True)
class Learned:
    """The model changed the fact list: saved first, then updated and removed (U1)."""

    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class ListChanged:
    """A list that other open pages show has changed: `what` is spaces, conversations, messages, facts, settings,
    imports or tokens."""

    what: str
    conversation: int | None = None


@dataclass(frozen=True, slots=True)
class Embedding:
    """Finding by meaning catches up: `done` of `total` excerpts and facts have their vector."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Locked:
    """The vault was locked; every page blanks at once."""


Announcement = Learned | ListChanged | Embedding | Locked
