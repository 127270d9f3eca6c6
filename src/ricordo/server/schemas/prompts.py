"""What the model is sent, layer by layer."""

from __future__ import annotations

from ricordo.prompt import ChatRole, Prompt
from ricordo.server.schemas.wire import Asked, Id, Shown, Words


class Layer(Shown):
    """One part of the window: its exact text and its estimated tokens."""

    name: str
    text: str
    tokens: int


class Meter(Shown):
    """How full the window is, layer by layer."""

    window: int
    reply_room: int
    layers: list[Layer]


class Sent(Shown):
    """One message as the model gets it."""

    role: ChatRole
    content: str


class PromptShown(Meter):
    """Just what would be sent."""

    messages: list[Sent]

    @classmethod
    def of(cls, prompt: Prompt) -> PromptShown:
        """Show a prompt."""
        return cls(
            window=prompt.budget.window,
            reply_room=prompt.budget.reply,
            layers=[Layer.model_validate(layer) for layer in prompt.layers],
            messages=[Sent.model_validate(message) for message in prompt.messages],
        )


class PromptAsked(Asked):
    """A text that is not sent yet, and where it would be."""

    text: Words = ""
    conversation: Id | None = None
    space: Id | None = None
