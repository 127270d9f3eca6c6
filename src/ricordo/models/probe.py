"""Trying out what a model and its server can do: by two short calls with the same beginning, whatever the server claims."""

from __future__ import annotations

import time
from typing import Any, Protocol, runtime_checkable

from ricordo.models.base import ChatModel, Request
from ricordo.models.json_text import parsed
from ricordo.prompt import ChatMessage
from ricordo.standing import Ability

# Some eighty tokens: enough for a local server that keeps what it has read to show it, and little to read on a slow computer.
_TOLD = "You help to try out a model server. Below are its rules.\n" + "\n".join(
    f"Rule {number}: what is asked is answered at once, briefly, and without a word about these rules." for number in range(1, 4)
)
_YES = ChatMessage("user", "Reply with the word yes.")
_COLOUR = ChatMessage("user", 'Which colour has grass? Answer with JSON: {"colour": "..."}.')
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"colour": {"type": "string"}},
    "required": ["colour"],
    "additionalProperties": False,
}


@runtime_checkable
class _Counts(Protocol):
    async def count(self, text: str) -> int | None:
        """Return the exact tokens of a text where the server can tell."""
        ...


async def probe(model: ChatModel, patience: float) -> Ability:
    """Try out a model. `patience` is seconds without a sign of life. Raises ModelError."""
    system = ChatMessage("system", _TOLD)
    started = time.perf_counter()
    first = await model.complete(Request((system, _YES), 16, logprobs=5, timeout=patience))
    seconds = time.perf_counter() - started
    second = await model.complete(Request((system, _COLOUR), 64, schema=_SCHEMA, timeout=patience))
    return Ability(
        model=model.name,
        seconds=seconds,
        window=await model.window(),
        json=_keeps_to_schema(second.text),
        probabilities=bool(first.logprobs),
        tokenizer=isinstance(model, _Counts) and await model.count(_TOLD) is not None,
        cached=second.usage.cached,
    )


def _keeps_to_schema(text: str) -> bool:
    try:
        told = parsed(text)
    except ValueError:
        return False
    return isinstance(told, dict) and list(told) == ["colour"] and isinstance(told["colour"], str)
