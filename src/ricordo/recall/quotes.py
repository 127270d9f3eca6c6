"""Quotes: the messages and facts from elsewhere that earlier messages of a conversation were sent with, by id.

The one rule: they are sent again word for word only while all of them may still be shown, and say what they said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from ricordo.conversation import Scope
from ricordo.prompt import Shown
from ricordo.recall.parts import Found
from ricordo.settings import Settings
from ricordo.store import facts, surroundings


@dataclass(frozen=True, slots=True)
class Quotes:
    """What is quoted: ids of messages, and of facts with what they said; a message never says anything else."""

    messages: frozenset[int] = frozenset()
    facts: frozenset[tuple[int, str]] = frozenset()

    def and_of(self, shown: Shown, recalled: Iterable[Found]) -> Quotes:
        """Return these with what stands with one more message, out of what was recalled for it."""
        told = {entry.fact: entry.whole for each in recalled for entry in each.entries if entry.fact is not None}
        return Quotes(
            self.messages.union(shown.references, shown.recalled),
            self.facts.union((key, told[key]) for key in shown.recalled_facts),
        )


def stand(connection: apsw.Connection, quotes: Quotes, scope: Scope, settings: Settings) -> bool:
    """Say whether all of it is still there, in reach and as it was, whatever may have taken it away: a person or a setting."""
    if quotes.messages and surroundings.shown(connection, scope, quotes.messages) != len(quotes.messages):
        return False
    if not quotes.facts:
        return True
    told = facts.in_reach(connection, scope, {key for key, _ in quotes.facts}, global_ones=settings.global_memories)
    return quotes.facts == {(fact.id, fact.text) for fact in told}
