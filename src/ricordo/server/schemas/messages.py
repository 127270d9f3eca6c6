"""Messages, what is being written, and what comes of deleting and stopping."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from ricordo import conversation
from ricordo.conversation import Role, Status
from ricordo.server.schemas.wire import Asked, Id, Shown, Title, When, Words


class Attachment(Asked):
    """Text given along that is not the person's own words."""

    model_config = ConfigDict(from_attributes=True, extra="forbid")

    name: Title
    media_type: Annotated[str, Field(max_length=200)] = "text/plain"
    text: Words

    def value(self) -> conversation.Attachment:
        """Return it as a value."""
        return conversation.Attachment(self.name, self.media_type, self.text)


class Message(Shown):
    """A message; `blocks` is the HTML of a reply, block by block, empty for the person's own messages.

    `versions` are the ids of all that stands in this place, of which this one is shown; empty when there is no other.
    """

    id: int
    conversation: int
    role: Role
    text: str
    at: When
    status: Status
    model: str
    attachments: list[Attachment]
    blocks: list[str] = Field([])
    versions: list[int] = Field([])


class Messages(Shown):
    """A stretch of a conversation, oldest first; `earlier` and `later` say whether there are more on either side."""

    messages: list[Message]
    earlier: bool
    later: bool


class Writing(Asked):
    """What the person wrote."""

    text: Words
    attachments: list[Attachment] = Field([])

    def enclosed(self) -> list[conversation.Attachment]:
        """Return the attachments as values."""
        return [one.value() for one in self.attachments]


class Deleted(Shown):
    """What was deleted with a message stays known by these facts: the person decides about them."""

    facts: list[int]


class Stopped(Shown):
    """Whether there was a reply to stop."""

    stopped: bool


class Begun(Shown):
    """A private conversation that has begun: what it is called, for as long as it lasts."""

    key: str


class Draft(Shown):
    """What is written but not sent yet, in a conversation or (null) in one that has not begun."""

    conversation: int | None
    text: str
    attachments: list[Attachment]


class DraftEdit(Asked):
    """What a draft is from now on; what is not given, its text or what is given along, stays as it is."""

    conversation: Id | None = None
    text: Words | None = None
    attachments: list[Attachment] | None = None
