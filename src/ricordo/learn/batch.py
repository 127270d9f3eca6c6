"""What is read next: up to three waiting turns of the conversation that has waited longest, with the facts known where they go.

The one rule: only what the person typed and the reply are read (E5, E14): no attachment, nothing recalled, no list of a prompt.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import assert_never

from apsw import Connection

from ricordo.conversation import Message, Turn
from ricordo.errors import NotFound
from ricordo.fact import Fact, Global, Home, InConversation, InSpace, Origin, sendable
from ricordo.learn.fact_nearness import nearest
from ricordo.settings import Settings
from ricordo.store import conversations, facts, messages, waiting

MOST_TURNS = 3  # of one call (E2)
_NOTES = 12  # of a conversation that are shown: those nearest to what was said


@dataclass(frozen=True, slots=True)
class Batch:
    """Turns of one conversation that go to one home, in order, and the facts that are shown, by their place in the list."""

    conversation: int
    turns: tuple[Turn, ...]
    home: Home
    known: tuple[Fact, ...]

    @property
    def messages(self) -> tuple[int, ...]:
        """The ids of the person's messages."""
        return tuple(turn.asked.id for turn in self.turns)


def following(connection: Connection, settings: Settings, tried: Set[int] = frozenset()) -> Batch | None:
    """Return what to read next, None when nothing waits but what was `tried` in this pass. Reads only."""
    waiters = [waiter for waiter in waiting.listed(connection) if waiter[1] not in tried]
    if not waiters:
        return None
    conversation = waiters[0][0]
    turns: list[Turn] = []
    home: Home | None = None
    for talk, key in waiters:
        if talk != conversation or len(turns) == MOST_TURNS:
            break
        settled = messages.learned_home(connection, key)
        if settled is None or not is_open(connection, settled, settings):
            continue
        if home is not None and settled != home:
            break
        home = settled
        turns.append(Turn(messages.get(connection, key), messages.reply_to(connection, key)))
    if home is None:
        return None
    return Batch(conversation, tuple(turns), home, known_facts(connection, home, settings, [turn.asked for turn in turns]))


def drop_closed(connection: Connection, settings: Settings) -> int:
    """Drop waiting turns whose destination is off now (E4); return how many."""
    closed = [
        key
        for _, key in waiting.listed(connection, None)
        if (home := messages.learned_home(connection, key)) is None or not is_open(connection, home, settings)
    ]
    waiting.done(connection, closed)
    return len(closed)


def is_open(connection: Connection, home: Home, settings: Settings) -> bool:
    """Say whether something may be learned for a home now (W1-W3)."""
    if not settings.remember:
        return False
    match home:
        case Global():
            return settings.global_memories
        case InSpace(space):
            try:
                return conversations.get_space(connection, space).memory
            except NotFound:
                return False
        case InConversation():
            return True
        case _:
            assert_never(home)


def known_facts(connection: Connection, home: Home, settings: Settings, said: Sequence[Message]) -> tuple[Fact, ...]:
    """Return the facts to show: just those the model is sent (E9), the global ones too, to read only (W5).

    Of a conversation's notes, which are not sent, those nearest to what was said.
    """
    own = facts.of_home(connection, home)
    if isinstance(home, InConversation):
        near = nearest(" ".join(message.text for message in said), [fact.text for fact in own], _NOTES)
        shown = [own[place] for place in sorted(near)]
    else:
        shown = list(sendable(own)[0])
    if home != Global() and settings.global_memories:
        shown += sendable(facts.of_home(connection, Global()))[0]
    return tuple(shown)


def refreshed(connection: Connection, batch: Batch) -> tuple[Fact, ...]:
    """Return the shown facts in their order as they stand by now; one that was touched since can only be read."""
    fresh = []
    for fact in batch.known:
        try:
            there = facts.get(connection, fact.id)
        except NotFound:
            there = None
        fresh.append(fact if there == fact else read_only(fact))
    return tuple(fresh)


def read_only(fact: Fact) -> Fact:
    """Return a fact as the person's own, which no run changes (E10)."""
    return replace(fact, origin=Origin.USER)
