"""Readings of turns by the model."""

from __future__ import annotations

from ricordo.run import Kind
from ricordo.server.schemas.wire import Shown, When


class Refusal(Shown):
    """A proposal that was not followed, and the sentence that says why; of a secret the words are left out."""

    kind: Kind
    text: str
    quote: str
    reason: str


class Run(Shown):
    """One reading; `changes` are the ids of those made, `failure` says why the turns could not be read."""

    id: int
    at: When
    model: str
    way: str
    seconds: float
    conversation: int
    messages: list[int]
    changes: list[int]
    refused: list[Refusal]
    failure: str
