"""The two protocols every model speaks, and the values they exchange. A model gets messages and knows nothing else."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ricordo.prompt import ChatMessage, Usage


class Finish(StrEnum):
    """Why the model stopped: by itself, at `max_tokens`, or because the connection ended without saying so."""

    STOP = "stop"
    LENGTH = "length"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a chat model.

    `turns_dropped` says that since the last call only old turns went: a server that can may move what it has of the rest
    within its cache instead of reading it again. `schema` asks for JSON of that shape where the server can; `logprobs` for
    that many alternatives per token; `timeout` is seconds without a sign of life.
    """

    messages: tuple[ChatMessage, ...]
    max_tokens: int
    temperature: float = 0.0
    schema: dict[str, Any] | None = None
    logprobs: int = 0
    timeout: float = 120.0
    turns_dropped: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the reply."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of reasoning: from a field of its own, or between <think> tags."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The last piece of every stream."""

    finish: Finish
    usage: Usage


Piece = Text | Thought | Finished


@dataclass(frozen=True, slots=True)
class Alternative:
    """A token the model might have written, with the natural logarithm of its probability."""

    token: str
    logprob: float


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole reply. `logprobs`: for each token written, the likeliest alternatives (empty when not asked for or not given)."""

    text: str
    finish: Finish
    usage: Usage
    logprobs: tuple[tuple[Alternative, ...], ...] = ()


class ChatModel(Protocol):
    """A chat model behind some server, or scripted for a test."""

    @property
    def name(self) -> str:
        """Server and model, as remembered in messages and traces."""
        ...

    async def window(self) -> int:
        """Return the size of its context in tokens, as far as it can be known; asked once, then remembered."""
        ...

    def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Yield the reply as it comes; the last piece is `Finished`. Closing the iterator stops the model.

        Raises ModelUnreachable, ModelTimeout, ModelRefused, ContextOverflow, ModelGarbled.
        """
        ...

    async def complete(self, request: Request) -> Completion:
        """Return the whole reply. Cancelling stops the model. Raises as `stream` does."""
        ...

    async def aclose(self) -> None:
        """End connections, and a process if there is one."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of one length."""

    @property
    def name(self) -> str:
        """Model and revision: vectors of different names are never compared. Known once `embed` has answered."""
        ...

    @property
    def dimension(self) -> int:
        """The length of each vector; known, as the name is, once `embed` has answered, be it for no text at all."""
        ...

    async def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one unit vector per text, in order: an array of (texts, dimension). Cancelling stops it soon.

        Raises ModelMissing, ModelUnreachable, ModelTimeout, ModelRefused, ContextOverflow, and ModelGarbled for what is no
        vector or has another length than before.
        """
        ...

    async def aclose(self) -> None:
        """End connections and threads, and forget what was read."""
        ...
