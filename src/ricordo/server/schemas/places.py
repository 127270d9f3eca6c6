"""Spaces and conversations."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ricordo.conversation import Reach
from ricordo.server.schemas.wire import Asked, Flag, Id, Shown, Title, When


class Space(Shown):
    """A Space."""

    id: int
    name: str
    instructions: str
    memory: bool
    reach: Reach
    created: When


class NewSpace(Asked):
    """A Space to make."""

    name: Title
    instructions: Annotated[str, Field(max_length=20_000)] = ""


class SpaceEdit(Asked):
    """What to change of a Space."""

    name: Title | None = None
    instructions: Annotated[str, Field(max_length=20_000)] | None = None
    memory: Flag | None = None
    reach: Reach | None = None


class Conversation(Shown):
    """A conversation; `messages` is how many it shows."""

    id: int
    title: str
    space: int | None
    created: When
    updated: When
    messages: int


class Summary(Shown):
    """Where a conversation has got to; it covers all up to the message `upto`."""

    conversation: int
    text: str
    upto: int
    at: When


class SummaryEdit(Asked):
    """Other words for a conversation's summary."""

    text: Annotated[str, Field(max_length=20_000)]


class NewConversation(Asked):
    """A conversation to begin."""

    title: Title = ""
    space: Id | None = None


class ConversationEdit(Asked):
    """What to change of a conversation; a `space` of null moves it out."""

    title: Title | None = None
    space: Id | None = None
