"""Values: Prompt, Layer, Budget, Trace. Meter and messages come from the same value, so they cannot disagree."""

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
class Shown:
    """What of the vault a prompt shows, by id: messages of the window, oldest first; facts that are always sent; and what
    stands with the newest message, messages and facts apart.
    """

    window: tuple[int, ...] = ()
    facts: tuple[int, ...] = ()
    references: tuple[int, ...] = ()
    recalled: tuple[int, ...] = ()
    recalled_facts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages to send, and the layers they are made of."""

    messages: tuple[ChatMessage, ...]
    layers: tuple[Layer, ...]
    budget: Budget
    shown: Shown = Shown()

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
    """What went into one reply, and why (B8): kept encrypted, shown by *What did the model see?*

    It names messages and facts by id and holds no text of them, so that what is deleted is gone from here too (V8). `layers`
    are names and tokens, `timings` seconds by step since the message was stored, `steps` what was looked for and how it went.
    """

    layers: tuple[tuple[str, int], ...]
    budget: Budget
    shown: Shown
    usage: Usage = Usage()
    timings: dict[str, float] = field(default_factory=dict)
    steps: tuple[dict[str, Any], ...] = ()

    @classmethod
    def of(cls, prompt: Prompt, usage: Usage, timings: dict[str, float], steps: tuple[dict[str, Any], ...]) -> Trace:
        """Return the trace of a prompt that was sent."""
        layers = tuple((layer.name, layer.tokens) for layer in prompt.layers)
        return cls(layers, prompt.budget, prompt.shown, usage, timings, steps)
