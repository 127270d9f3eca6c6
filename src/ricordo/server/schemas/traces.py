"""How a reply came about: what was sent, what was found and dropped, and why."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator

from ricordo import explanation as values
from ricordo.conversation import Role
from ricordo.explanation import Fate, Kind, Shortened, State
from ricordo.server.schemas.wire import Shown, When


class Mention(Shown):
    """A message or a fact, as it is now: its beginning, on one line. Of a deleted one there is only the id."""

    kind: Kind
    id: int
    state: State
    text: str
    at: When | None
    author: Role | None
    conversation: int | None


class Candidate(Shown):
    """Something that was found, what spoke for it, who decided about it, and how it was shortened."""

    found: Mention
    search: str
    score: float
    fit: float
    speaks: Annotated[dict[str, float], BeforeValidator(dict)]
    fate: Fate
    by: str
    probability: float | None
    shortened: Shortened
    share: int | None
    why: str


class Step(Shown):
    """One step of recalling, its seconds, and whether the model was asked."""

    name: str
    seconds: float
    asked: bool
    reason: str


class LayerSize(Shown):
    """A part of the window and its estimated tokens."""

    name: str
    tokens: int


class TokensUsed(Shown):
    """Tokens as the model's server counted them: of the prompt, of that known from before and read anew, of the reply."""

    prompt: int | None
    cached: int | None
    evaluated: int | None
    reply: int | None


class Trace(Shown):
    """What the model saw for one reply, and why.

    `searches` is null when they are no longer kept, because something that they may quote was deleted. `timings` are seconds
    since the message was stored.
    """

    message: int
    asked: int | None
    conversation: int
    model: str
    at: When
    window_tokens: int
    reply_room: int
    layers: list[LayerSize]
    usage: TokensUsed
    timings: dict[str, float]
    window: list[Mention]
    facts: list[Mention]
    references: list[Mention]
    recalled: list[Mention]
    searches: list[str] | None
    by_meaning: bool
    candidates: list[Candidate]
    steps: list[Step]

    @classmethod
    def of(cls, told: values.Explanation) -> Trace:
        """Show an explanation."""
        usage = told.usage
        return cls(
            message=told.message,
            asked=told.asked,
            conversation=told.conversation,
            model=told.model,
            at=told.at,
            window_tokens=told.budget.window,
            reply_room=told.budget.reply,
            layers=[LayerSize(name=name, tokens=tokens) for name, tokens in told.layers],
            usage=TokensUsed(prompt=usage.prompt, cached=usage.cached, evaluated=told.evaluated, reply=usage.reply),
            timings=dict(told.timings),
            window=_mentions(told.window),
            facts=_mentions(told.facts),
            references=_mentions(told.references),
            recalled=_mentions(told.recalled),
            searches=list(told.searches) if told.searches is not None else None,
            by_meaning=told.by_meaning,
            candidates=[Candidate.model_validate(each) for each in told.candidates],
            steps=[Step.model_validate(each) for each in told.steps],
        )


def _mentions(found: tuple[values.Mention, ...]) -> list[Mention]:
    return [Mention.model_validate(each) for each in found]
