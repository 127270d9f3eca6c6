"""Which conversation's summary is written next, and keeping it: one transaction, and only of what is still there.

The one rule: what was read must stand unchanged on the shown branch when the summary is kept, or it is not kept.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from apsw import Connection

from ricordo.conversation import Message, Moment, Summary
from ricordo.errors import InvalidInput
from ricordo.learn.summarizer import Kept, Written
from ricordo.settings import Settings
from ricordo.store import conversations, summaries


@dataclass(frozen=True, slots=True)
class Due:
    """A conversation with its summary so far, if it has one, and the messages that it does not cover.

    `anew` says that it is written from the messages alone, whatever summary there is.
    """

    conversation: int
    old: Summary | None
    messages: tuple[Message, ...]
    anew: bool = False

    @property
    def text(self) -> str:
        """The summary so far, empty without one."""
        return self.old.text if self.old else ""

    @property
    def upto(self) -> int:
        """The id of the last message that was read."""
        return self.messages[-1].id


def following(connection: Connection, settings: Settings, tried: Set[int] = frozenset()) -> Due | None:
    """Return what to summarise next, None when nothing is due but what was `tried`, or while nothing is remembered (W1)."""
    if not settings.remember or (conversation := summaries.following(connection, tried)) is None:
        return None
    return Due(conversation, summaries.get(connection, conversation), tuple(summaries.unread(connection, conversation)))


def anew(connection: Connection, conversation: int) -> Due:
    """Return what a summary from nothing but the messages is written from. Raises NotFound; InvalidInput where there are none."""
    conversations.get(connection, conversation)
    found = tuple(summaries.unread(connection, conversation, whole=True))
    if not found:
        raise InvalidInput("Nothing was written in that conversation yet, so there is nothing to summarise.")
    return Due(conversation, None, found, anew=True)


def keep(connection: Connection, due: Due, outcome: Written | Kept, settings: Settings, model: str, now: Moment) -> bool:
    """Keep a summary, or why there is none; returns whether there is a new one.

    Nothing is kept where a message that was read was deleted or set aside meanwhile, or learning switched off: it is due again.
    """
    here = {message.id for message in summaries.unread(connection, due.conversation, whole=due.anew)}
    same = here.issuperset(message.id for message in due.messages)
    stands = due.anew or summaries.get(connection, due.conversation) == due.old
    if not settings.remember or not same or not stands:
        return False
    if isinstance(outcome, Kept):
        summaries.failed(connection, due.conversation, due.upto, outcome.reason)
        return False
    summaries.keep(connection, Summary(due.conversation, outcome.text, due.upto, now), model)
    return True
