"""Values: Space, Conversation, Message, Turn, Summary. A message's text is what was written, never anything added to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from functools import lru_cache


class Role(StrEnum):
    """Who wrote a message."""

    USER = "user"
    MODEL = "model"


class Status(StrEnum):
    """How a message ended."""

    COMPLETE = "complete"
    STOPPED = "stopped"
    ERROR = "error"


class Reach(StrEnum):
    """Which memories a conversation may use (W6)."""

    CONVERSATION = "conversation"
    SPACE = "space"
    VAULT = "vault"


@dataclass(frozen=True, slots=True)
class Scope:
    """What one conversation may use: its reach, from where it stands.

    `conversation` is None for one that has no message yet.
    """

    reach: Reach
    conversation: int | None
    space: int | None


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """A point in time as it was lived: UTC, and the local offset then.

    `utc` is in microseconds since 1970-01-01T00:00Z, `offset` in minutes east of UTC.
    """

    utc: int
    offset: int

    @classmethod
    def of(cls, when: datetime) -> Moment:
        """Take an aware datetime; raise ValueError for a naive one."""
        offset = when.utcoffset()
        if offset is None:
            raise ValueError("a moment needs a time zone")
        since = when - datetime(1970, 1, 1, tzinfo=UTC)
        return cls(since // timedelta(microseconds=1), round(offset.total_seconds() / 60))

    @property
    def local(self) -> datetime:
        """The wall clock then and there, as an aware datetime."""
        return _beginning(self.offset) + timedelta(microseconds=self.utc)


@lru_cache(256)
def _beginning(offset: int) -> datetime:
    """Return what the wall clock said `offset` minutes east of UTC when 1970 began in UTC, which moments count from."""
    zone = timezone(timedelta(minutes=offset))
    return datetime(1970, 1, 1, tzinfo=zone) + timedelta(minutes=offset)


@dataclass(frozen=True, slots=True)
class Space:
    """A named project: its conversations, instructions, facts and switches."""

    id: int
    name: str
    instructions: str
    memory: bool
    reach: Reach
    created: Moment


@dataclass(frozen=True, slots=True)
class Conversation:
    """Ordered messages, in one Space or in none (`space` is its id or None)."""

    id: int
    title: str
    space: int | None
    created: Moment
    updated: Moment
    messages: int


@dataclass(frozen=True, slots=True)
class Attachment:
    """Text given along with a message that is not the person's own words (S6)."""

    name: str
    media_type: str
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """One entry by the person or the model.

    `parent` is the message it follows, so that an edited one can stand beside the old one; `active` says whether it is
    on the branch now shown.
    """

    id: int
    conversation: int
    parent: int | None
    role: Role
    text: str
    at: Moment
    status: Status
    active: bool = True
    model: str = ""
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some messages of a conversation, oldest first; `earlier` and `later` say whether there are more on either side."""

    messages: tuple[Message, ...]
    earlier: bool
    later: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """What is written but not sent, in a conversation or (None) in one that has not begun, with what is given along."""

    conversation: int | None
    text: str
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of the person and the reply to it, if there is one."""

    asked: Message
    reply: Message | None


@dataclass(frozen=True, slots=True)
class Summary:
    """One conversation's rolling summary, covering all up to the message `upto`."""

    conversation: int
    text: str
    upto: int
    at: Moment
