"""What is looked for, and what is found."""

from __future__ import annotations

from typing import Annotated, Literal, assert_never

from pydantic import Field

from ricordo import hit
from ricordo.server.schemas.facts import Fact
from ricordo.server.schemas.messages import Message
from ricordo.server.schemas.wire import Asked, Id, Shown


class Search(Asked):
    """Words to look for, everywhere or in one place."""

    text: Annotated[str, Field(max_length=10_000)]
    conversation: Id | None = None
    space: Id | None = None
    limit: Annotated[int, Field(strict=True, ge=1, le=200)] = 20


class MessageFound(Shown):
    """A message that was found; `start` and `stop` are the letters of its best piece."""

    kind: Literal["message"] = "message"
    message: Message
    start: int
    stop: int
    score: float


class FactFound(Shown):
    """A fact that was found."""

    kind: Literal["fact"] = "fact"
    fact: Fact
    score: float


Found = Annotated[MessageFound | FactFound, Field(discriminator="kind")]


def found(value: hit.Hit) -> MessageFound | FactFound:
    """Show what a search found."""
    match value:
        case hit.MessageHit():
            return MessageFound.model_validate(value)
        case hit.FactHit():
            return FactFound.model_validate(value)
        case _:
            assert_never(value)
