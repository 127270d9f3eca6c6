"""The ways a model is asked what turns say of the person (E18). Whichever it is, what comes back are the same proposals."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import assert_never

from ricordo.conversation import Turn
from ricordo.fact import Fact
from ricordo.learn import extractor, sentences
from ricordo.learn.extractor import Unread
from ricordo.learn.proposals import Proposal
from ricordo.models.base import ChatModel


class Way(StrEnum):
    """One call that answers with JSON, or yes/no questions about each sentence."""

    CALL = "call"
    SENTENCES = "sentences"


async def propose(
    way: Way, model: ChatModel, turns: Sequence[Turn], known: Sequence[Fact], patience: float
) -> tuple[Proposal, ...] | Unread:
    """Ask the model what turns say of the person; `known` are the facts by their place.

    `patience` is seconds without a sign of life. Raises ModelError.
    """
    match way:
        case Way.CALL:
            return await extractor.propose(model, turns, known, patience)
        case Way.SENTENCES:
            return await sentences.propose(model, turns, known, patience)
        case _:
            assert_never(way)
