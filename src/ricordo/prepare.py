"""Making the prompt for a message: what is looked up outright, what is recalled, and what the window still has room for.

The one rule: `recalled` may ask the model, within its time; nothing else here does, and nothing is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apsw import Connection

from ricordo.conversation import Message, Scope
from ricordo.desk import Desk
from ricordo.prompt import Budget, Prompt, Shown
from ricordo.recall import lookup, material, quotes, references
from ricordo.recall.assemble import assemble
from ricordo.recall.budget import shares
from ricordo.recall.epochs import Epoch
from ricordo.recall.gather import Where
from ricordo.recall.material import Material
from ricordo.recall.recalling import Asked, Means, Recalled, recall
from ricordo.recall.references import Reference
from ricordo.store import surroundings, vectors
from ricordo.store.excerpts import SHORTEST


@dataclass(frozen=True, slots=True)
class Ready:
    """All that a prompt could be made of, the scope it was read in, and the epoch it may go on with.

    `named` is what the message refers to outright. `more` says whether the scope holds anything beside the material,
    `embedded` whether anything is embedded.
    """

    material: Material
    scope: Scope
    budget: Budget
    epoch: Epoch | None
    named: Sequence[Reference]
    more: bool
    embedded: bool

    def searchable(self, shown: Shown) -> bool:
        """Say whether there is anything to search beside what a prompt shows."""
        found = self.material
        facts = (*found.global_facts, *found.space_facts, *found.pinned)
        return (
            self.more
            or any(turn.id not in shown.window and len(turn.text) >= SHORTEST for turn in found.turns)
            or any(fact.id not in shown.facts for fact in facts)
        )


async def read(desk: Desk, message: Message, space: int | None, budget: Budget, *, stored: bool) -> Ready:
    """Return what a prompt for a message could be made of, direct references looked up.

    `space` is where a conversation begins that is not stored yet. Raises NotFound.
    """
    before = desk.epochs.get(message.conversation)
    settings, zone = desk.settings, desk.zone()
    named = references.find(message.text, message.at, zone)

    def job(connection: Connection) -> Ready:
        where = material.space_of(connection, message.conversation or None, space)
        scope = material.scope_of(message.conversation or None, where, settings)
        goes_on = before if before and quotes.stand(connection, before.quotes, scope, settings) else None
        found = material.read(
            connection, message, where, settings, desk.kept,
            stored=stored, first=goes_on.first if goes_on else None, as_of=goes_on.as_of if goes_on else None,
            prompt_tokens=budget.prompt, now=message.at,
        )  # fmt: skip
        found = replace(found, references=lookup.found(connection, message, scope, zone, named, told_above=bool(found.turns)))
        more = surroundings.anything(
            connection, scope, {message.id, *_looked_up(found), *(turn.id for turn in found.turns)},
            {fact.id for fact in (*found.global_facts, *found.space_facts, *found.pinned)},
            global_ones=settings.global_memories,
        )  # fmt: skip
        return Ready(found, scope, budget, goes_on, named, more, vectors.any_set(connection))

    return await desk.database.look(job)


async def recalled(desk: Desk, ready: Ready, seconds: float) -> tuple[Ready, Recalled]:
    """Return what was read with what is recalled for the message, and how that came about.

    Takes about `seconds` at the most; with 0 no model is asked and scores decide.
    """
    prompt, epoch = make(desk, ready)
    found = ready.material
    embedder = desk.embedder()
    where = Where(
        ready.scope,
        found.message.at,
        desk.zone(),
        embedder.name if embedder else None,
        without_messages={found.message.id, *prompt.shown.window, *_looked_up(found)},
        without_facts=set(prompt.shown.facts),  # just those that are sent: what found no room there is found by search (B2)
        global_facts=desk.settings.global_memories,
    )
    asked = Asked(
        found.message,
        prompt.messages[:-1],
        ready.named,
        shares(ready.budget.block)["recalled"],
        searchable=ready.searchable(prompt.shown),
        embedded=ready.embedded,
        told_above=bool(prompt.shown.window or prompt.shown.facts),
        turns_dropped=epoch.turns_dropped,
    )
    means = Means(desk.database, desk.model, embedder, desk.forms, desk.count, seconds)
    got = await recall(means, asked, where)
    begun = ready.epoch is None or epoch.as_of != ready.epoch.as_of
    # What was held back for the next epoch is shown by one that has just begun.
    return replace(ready, material=replace(found, recalled=got.found, held=() if begun else found.held), epoch=epoch), got


def _looked_up(found: Material) -> set[int]:
    return {entry.key for each in found.references for entry in each.entries if entry.key is not None}


def make(desk: Desk, ready: Ready) -> tuple[Prompt, Epoch]:
    """Return the prompt, and the epoch it belongs to. Raises InvalidInput when there is no room for the message."""
    return assemble(ready.material, ready.budget, desk.count, desk.model.name, ready.epoch)
