"""Values: Run, one reading of finished turns by the model: how it was asked, what came of it, what was refused and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ricordo.conversation import Moment

Kind = Literal["save", "rewrite", "remove"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A proposal that was not followed, with the sentence that says why.

    `text` is the fact as proposed, `quote` what the model gave as the person's words; of a secret both are empty.
    """

    kind: Kind
    text: str
    quote: str
    reason: str


@dataclass(frozen=True, slots=True)
class Run:
    """One reading: when, by which model and in which way it was asked, of which messages, and how many seconds that took.

    `changes` are the ids of the changes made that still stand in the log. `failure` says why the turns could not be read,
    empty when they were.
    """

    id: int
    at: Moment
    model: str
    conversation: int
    messages: tuple[int, ...]
    way: str
    seconds: float
    changes: tuple[int, ...] = ()
    refused: tuple[Refusal, ...] = ()
    failure: str = ""
