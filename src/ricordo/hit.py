"""Values: what a search finds, in one list, best first."""

from __future__ import annotations

from dataclasses import dataclass

from ricordo.conversation import Message
from ricordo.fact import Fact


@dataclass(frozen=True, slots=True)
class MessageHit:
    """A message that was found; `start` and `stop` are the letters of its best piece, `score` is positive, more is better."""

    message: Message
    start: int
    stop: int
    score: float


@dataclass(frozen=True, slots=True)
class FactHit:
    """A fact that was found."""

    fact: Fact
    score: float


Hit = MessageHit | FactHit
