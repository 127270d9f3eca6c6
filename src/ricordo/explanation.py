"""Values: Explanation, how one reply came about (B8), with the texts as they are in the vault now.

The one rule: of what was deleted since there is an id and no word (V8).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ricordo.conversation import Moment, Role
from ricordo.prompt import Budget, Usage

Kind = Literal["message", "fact"]
State = Literal["there", "changed", "deleted"]
Fate = Literal["sent", "no room", "dropped"]
Shortened = Literal["whole", "piece", "model", "cut"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A message or a fact that a reply was made with: its beginning on one line, and when it was written.

    `state` says whether it is still there as it was then; a deleted one has an id alone. `author` and `conversation` are a
    message's.
    """

    kind: Kind
    id: int
    state: State
    text: str = ""
    at: Moment | None = None
    author: Role | None = None
    conversation: int | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that was found, and what became of it.

    `score` orders; `fit`, 0 to 1, is how near it is by itself; `speaks` are the features that gave it the most points, the
    largest first. `by` is who decided, the model, the score or a rule, and `probability` the model's yes, where it told one.
    `search` is empty when the searches are no longer kept. `why` says how it came to be shortened, `share` to how many tokens.
    """

    found: Mention
    search: str
    score: float
    fit: float
    speaks: tuple[tuple[str, float], ...]
    fate: Fate
    by: str = ""
    probability: float | None = None
    shortened: Shortened = "whole"
    share: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of recalling: plan, gather, check or shorten; its seconds, whether the model was asked, and how it went."""

    name: str
    seconds: float
    asked: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the model saw for one reply, and why.

    `layers` are names with estimated tokens, `usage` the provider's own count. `window`, `facts`, `references` and `recalled`
    are what was sent; `candidates` what was found, best first, sent or not. `searches` is None when they are no longer kept,
    because something that they may quote was deleted. `timings` are seconds since the message was stored.
    """

    message: int
    asked: int | None
    conversation: int
    model: str
    at: Moment
    layers: tuple[tuple[str, int], ...]
    budget: Budget
    usage: Usage
    timings: tuple[tuple[str, float], ...]
    window: tuple[Mention, ...]
    facts: tuple[Mention, ...]
    references: tuple[Mention, ...]
    recalled: tuple[Mention, ...]
    searches: tuple[str, ...] | None
    by_meaning: bool
    candidates: tuple[Candidate, ...]
    steps: tuple[Step, ...]

    @property
    def evaluated(self) -> int | None:
        """Tokens of the prompt that the model really had to read; None where its server did not say."""
        if self.usage.prompt is None or self.usage.cached is None:
            return None
        return self.usage.prompt - self.usage.cached
