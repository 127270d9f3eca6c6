"""One conversation of an export while it is read: what comes in of it, under which names others follow it, what stays out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ricordo.conversation import Attachment, Moment, Role
from ricordo.imported import LeftOut
from ricordo.store.talks import Incoming, Talk
from ricordo.transfer import fields
from ricordo.transfer.entry import Unreadable
from ricordo.transfer.fields import NO_TALK, Item, Undated


class Part(NamedTuple):
    """What a message of an export says."""

    role: Role
    text: str
    at: Moment | None
    model: str
    attachments: tuple[Attachment, ...]


@dataclass(slots=True)
class Collecting:
    """`own` is what tells the conversation from others of its format; `keys` is, of each name that a message has in the file,
    the key of what came in for it: itself, or the nearest above it."""

    format: str
    own: object
    left: Counter[str] = field(default_factory=Counter)
    keys: dict[str, str | None] = field(default_factory=dict)
    came: list[Incoming] = field(default_factory=list)

    def take(self, name: str, above: str | None, part: Part | None) -> str | None:
        """Let a message in that follows what has the key `above`; with None it stays out, and what follows it moves up."""
        if part is None:
            self.keys[name] = above
            return None
        key = fields.key(self.format, self.own, name)
        self.came.append(Incoming(key, above, part.role, part.text, part.at, part.model, part.attachments))
        self.keys[name] = key
        return key

    def items(self, title: str, created: Moment | None, shown: str | None, since: Moment | None = None) -> Iterator[Item]:
        """Yield the conversation, if anything came in, and what is to be told of it.

        `shown` is the key of the last message that is shown, `since` the time for messages without one where the conversation
        has none.
        """
        timed, missing = fields.filled(self.came, created or since)
        if timed:
            yield Talk(title, created, timed, shown)
        else:
            self.left[NO_TALK] += 1
        yield Undated(missing)
        yield from (LeftOut(what, count) for what, count in self.left.items())


def unreadable(title: Any) -> Unreadable:
    """Return what is told of a conversation whose messages are not where they should be."""
    return Unreadable(title or "A conversation without a title", "it has no messages that can be read")
