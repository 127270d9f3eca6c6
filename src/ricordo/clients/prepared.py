"""A client's messages with memory added, and what is remembered of that until the reply is there.

The one rule: of the client's own messages nothing is taken away or changed; what is added stands ahead of a text or behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ricordo.clients.transcript import Transcript
from ricordo.conversation import Moment, Role
from ricordo.prompt import Budget, Layer, Shown
from ricordo.recall.beside import Added, Beside


@dataclass(frozen=True, slots=True)
class Client:
    """Who sends a conversation: `key` is the client's own name for it, `user` whom it speaks for, if it says so.

    New conversations begin in `space`; `confined` says that it may see and write nothing else.
    """

    key: str = ""
    user: str = ""
    space: int | None = None
    confined: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """The messages to send to a model, and what `record` needs to know when its reply is there.

    `first` is a system message that was put ahead of the client's, `changed` are those of its messages that are sent with
    something added, by their places. `conversation` and `asked` are ids once the person's message is stored.
    """

    messages: tuple[dict[str, Any], ...]
    first: dict[str, Any] | None
    changed: Mapping[int, dict[str, Any]]
    transcript: Transcript
    client: Client
    at: Moment
    budget: Budget
    beside: Beside | None = None
    layers: tuple[Layer, ...] = ()
    shown: Shown = field(default_factory=Shown)
    steps: tuple[dict[str, Any], ...] = ()
    seconds: float = 0.0
    conversation: int | None = None
    asked: int | None = None


def with_memory(bare: Prepared, added: Added, steps: tuple[dict[str, Any], ...], seconds: float) -> Prepared:
    """Return a client's messages with what is added to them."""
    changed: dict[int, dict[str, Any]] = {}
    for each in bare.transcript.said:
        if each.role is Role.USER and (block := added.beside.blocks.get(each.chain)):
            message = bare.messages[each.place]
            changed[each.place] = {**message, "content": _ahead(block, message["content"])}
    leading = -1
    while leading + 1 < len(bare.messages) and bare.messages[leading + 1].get("role") == "system":
        leading += 1
    first: dict[str, Any] | None = None
    if leading < 0:
        first = {"role": "system", "content": added.beside.text}
    else:
        message = bare.messages[leading]
        changed[leading] = {**message, "content": _behind(added.beside.text, message.get("content"))}
    sent = tuple(changed.get(place, message) for place, message in enumerate(bare.messages))
    return replace(
        bare, messages=(*([first] if first else []), *sent), first=first, changed=changed, beside=added.beside,
        layers=added.layers, shown=added.shown, steps=steps, seconds=round(seconds, 4),
    )  # fmt: skip


def _ahead(block: str, content: Any) -> Any:
    """Return a content with a text ahead of its own; parts that are no text stay as and where they are."""
    if not isinstance(content, list):
        return block + content
    for at, part in enumerate(content):
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            return [*content[:at], {**part, "text": block + part["text"]}, *content[at + 1 :]]
    return [{"type": "text", "text": block}, *content]


def _behind(text: str, content: Any) -> Any:
    if isinstance(content, list):
        return [*content, {"type": "text", "text": text}]
    return f"{content}\n\n{text}" if content else text
