"""Values: Prompt, Layer, Budget. The meter and the messages that are sent come from the same value, so they cannot disagree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

ChatRole = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message as a model server takes it."""

    role: ChatRole
    content: str


@dataclass(frozen=True, slots=True)
class Layer:
    """One coloured part of the window: its name (as in LAYERS), its exact text and its estimated tokens."""

    name: str
    text: str
    tokens: int


# The order of the prompt, top to bottom, and of the meter's bar (B1, B5). "reply room" and "free" are never text.
LAYERS = (
    "instructions",
    "memories",
    "pinned",
    "summary",
    "names",
    "conversation",
    "references",
    "recalled",
    "message",
    "reply room",
    "free",
)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a window leaves for what, in tokens.

    `prompt` = window minus the reply's room. `block` is the most that memory may add (B3).
    """

    window: int
    reply: int

    @property
    def prompt(self) -> int:
        """Tokens for everything that is sent."""
        return self.window - self.reply

    @property
    def block(self) -> int:
        """Tokens that memory may add: a third of the prompt, and a quarter of the window, at the most."""
        return min(self.prompt // 3, self.window // 4)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages to send, and the layers they are made of."""

    messages: tuple[ChatMessage, ...]
    layers: tuple[Layer, ...]
    budget: Budget

    @property
    def tokens(self) -> int:
        """The estimated tokens of all that is sent."""
        return sum(layer.tokens for layer in self.layers if layer.name not in ("reply room", "free"))


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; None where it did not say.

    `cached` is how many of the prompt's tokens it did not have to read again.
    """

    prompt: int | None = None
    cached: int | None = None
    reply: int | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """What went into one reply, and why (B8): kept encrypted, shown by *What did the model see?*"""

    prompt: Prompt
    usage: Usage = field(default_factory=Usage)
    timings: dict[str, float] = field(default_factory=dict)  # seconds by step
    steps: tuple[dict[str, Any], ...] = ()
