"""Imported turns on their way to the learner: a few at a time, when nothing else waits, and only while the person wants it.

The one rule: what the person writes now goes first; an import waits in its own rows, not in the list of waiting turns.
"""

from __future__ import annotations

from apsw import Connection

from ricordo.conversation import Moment
from ricordo.fact import settle
from ricordo.learn.batch import MOST_TURNS
from ricordo.settings import Settings
from ricordo.store import conversations, imports, messages, waiting


def hand_over(connection: Connection, settings: Settings, now: Moment) -> bool:
    """Put the next turns of an import that is learned from among the waiting ones; False when there are none.

    Where their facts go is settled as if they were sent now (W4); those that go nowhere are passed over.
    """
    if not settings.remember:
        return False
    while turns := imports.unread_turns(connection, MOST_TURNS):
        waits = False
        for key, talk in turns:
            place = conversations.space_of(connection, talk)
            space = None if place is None else conversations.get_space(connection, place)
            home = settle(talk, space, remember=settings.remember, global_memories=settings.global_memories)
            messages.set_learned_home(connection, key, home)
            waiting.add(connection, key, now)
            waits = waits or home is not None
        if waits:
            return True
    return False
