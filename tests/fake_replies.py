"""What the fake server says: replies and their faults, errors as servers word them, and the events of a stream."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_TOKEN = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"\s*\S+|\s+$")


def tokens(text: str) -> list[str]:
    """The tokens of this server: words and signs."""
    return _TOKEN.findall(text)


def embedding(text: str, dimension: int = 64) -> list[float]:
    """A unit vector of hashed words and letter triples: similar texts get similar ones, the same text always the same."""
    vector = [0.0] * dimension
    for word in re.findall(r"\w+", text.lower()):
        for part in {word, *(word[i : i + 3] for i in range(len(word) - 2))}:
            place = int.from_bytes(hashlib.blake2b(part.encode(), digest_size=8).digest())
            vector[place % dimension] += 1 if place >> 40 & 1 else -1
    length = math.sqrt(sum(value * value for value in vector)) or 1.0
    return [value / length for value in vector]


@dataclass(frozen=True)
class Reply:
    """What is said, and what goes wrong in saying it.

    `chunks` instead of `text` sends exactly these pieces. `delay` is seconds before the answer begins, `pause` between
    pieces; `hang_after` and `cut_after` count pieces; `raw` replaces the body, `lines` the events
    of the stream; `drop` closes the connection without an answer.
    """

    text: str = ""
    chunks: tuple[str, ...] | None = None
    thought: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    content_type: str = "application/json"
    lines: tuple[bytes, ...] | None = None
    drop: bool = False
    delay: float = 0.0
    pause: float = 0.0
    cut_after: int | None = None
    hang_after: int | None = None
    finish: str | None = "stop"
    done: bool = True
    usage: bool = True
    alternatives: dict[str, float] = field(default_factory=dict)

    @property
    def pieces(self) -> tuple[str, ...]:
        return self.chunks if self.chunks is not None else tuple(_WORD.findall(self.text))


def error(status: int, message: str) -> Reply:
    """An error as most servers send it."""
    return Reply(status=status, raw=json.dumps({"error": {"message": message, "code": status}}).encode())


def overflow(prompt: int, window: int) -> Reply:
    """What llama.cpp says of a prompt that is too long."""
    said = {
        "code": 400,
        "message": f"request ({prompt} tokens) exceeds the available context size ({window} tokens)",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": prompt,
        "n_ctx": window,
    }
    return Reply(status=400, raw=json.dumps({"error": said}).encode())


def frame(model: str = "fake-chat") -> dict[str, Any]:
    """What stands around every answer and event."""
    return {"id": "chatcmpl-fake", "created": 0, "model": model}


def events(reply: Reply, usage: dict[str, Any] | None) -> Iterator[bytes]:
    """The events that stream a reply; `usage` None leaves it out."""

    def event(**fields: Any) -> bytes:
        return b"data: " + json.dumps({"object": "chat.completion.chunk", **frame(), **fields}).encode() + b"\n\n"

    def choice(finish: str | None = None, logprobs: Any = None, **delta: Any) -> bytes:
        return event(choices=[{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": logprobs}])

    if reply.thought:
        yield choice(reasoning_content=reply.thought)
    for piece in reply.pieces:
        likely = [{"token": token, "logprob": logprob} for token, logprob in reply.alternatives.items()]
        logprobs = {"content": [{"token": piece, "logprob": 0.0, "top_logprobs": likely}]} if likely else None
        yield choice(content=piece, logprobs=logprobs)
    if reply.finish:
        yield choice(reply.finish)
    if usage:
        yield event(choices=[], usage=usage)
    if reply.done:
        yield b"data: [DONE]\n\n"
