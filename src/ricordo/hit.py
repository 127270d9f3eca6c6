"""Values: what a search finds, in one list, best first; and how far things are found by meaning, not by words alone."""

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


@dataclass(frozen=True, slots=True)
class ByMeaning:
    """How far finding by meaning is: `done` of `total` excerpts and facts have their vector.

    `model` is the embedding model's name. `off` says in a sentence why words alone are searched; empty when they are not.
    """

    off: str = ""
    done: int = 0
    total: int = 0
    model: str = ""
