"""Epochs: while nothing is edited and the window is not full, a conversation's prompts only grow (DESIGN §3).

The one rule: what an epoch's prompts showed stays as it was sent. What has to change waits, or ends the epoch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ricordo.change import Edit, Removed
from ricordo.conversation import Moment
from ricordo.fact import Global, Home, InSpace
from ricordo.prompt import Budget, Layer
from ricordo.recall import parts
from ricordo.recall.budget import FIXED, shares
from ricordo.recall.material import Material, without
from ricordo.recall.quotes import Quotes

FIXED_ORDER = ("memories", "pinned", "summary", "names")  # as LAYERS has them
IDLE = 3600 * 1_000_000  # microseconds without a turn after which a new epoch begins


@dataclass(frozen=True, slots=True)
class Epoch:
    """The part of a conversation's prompts that stays the same from turn to turn.

    `basis` is what the fixed part was made from: when that changes, a new epoch begins. `first` is the id of the oldest
    message in the window, `as_of` the last change of the fact list that it knows of. `turns_dropped` says that it followed
    one of which only the oldest turns went; then the fixed part is that one's, and what is new since, `riding`, stands with the
    message `began` that this one began with. `facts` are the ids of those that are shown. `sent` holds messages in the words they
    were sent with, memory part included: sent again just so, the model need not read the last exchange again
    (docs/decisions/0006-prompt-cache.md). `quotes` is what those memory parts are of.
    """

    model: str
    budget: Budget
    basis: tuple[str, ...]
    fixed: tuple[Layer, ...]
    first: int | None
    used: Moment
    as_of: int = 0
    turns_dropped: bool = False
    riding: tuple[Layer, ...] = ()
    began: int | None = None
    facts: tuple[int, ...] = ()
    sent: Mapping[int, str] = field(default_factory=dict)
    quotes: Quotes = field(default_factory=Quotes)

    @property
    def fixed_tokens(self) -> int:
        """Tokens of memory in the fixed part, and riding; instructions are the person's and do not count."""
        shown = (*self.riding, *(layer for layer in self.fixed if layer.name in FIXED))
        return sum(layer.tokens for layer in shown)


def basis_of(material: Material, held: Sequence[Edit] = ()) -> tuple[str, ...]:
    """Return what ends an epoch when it changes, as it was before the edits that are held back for the next one.

    The summary and the names wait for that by themselves.
    """
    space = material.space_facts[0].home if material.space_facts else _home_of(held)
    return (
        material.instructions,
        parts.memories(without(material.global_facts, held, Global()), without(material.space_facts, held, space)),
        parts.pinned_list(without(material.pinned, held, None)),
        str(material.deletions),
    )


def _home_of(held: Sequence[Edit]) -> Home | None:
    """Return the Space that removed facts were at home in, when the last one of it is gone."""
    homes = (edit.before.home for edit in held if isinstance(edit, Removed))
    return next((home for home in homes if isinstance(home, InSpace)), None)


def unchanged(epoch: Epoch, material: Material, budget: Budget, model: str) -> bool:
    """Say whether nothing was edited or deleted of what the epoch's prompts showed."""
    shown = {turn.id for turn in material.turns}
    return (
        epoch.model == model
        and epoch.budget == budget
        and epoch.basis == basis_of(material, material.held)
        and (epoch.first is None or epoch.first in shown)
        and all(key in shown or key == material.message.id for key in epoch.sent)
    )


def goes_on(epoch: Epoch, material: Material, budget: Budget, needs: Mapping[str, int], model: str) -> bool:
    """Say whether this turn belongs to the epoch; a full window is noticed later, by composing it."""
    always = shares(budget.block)
    wanted = sum(min(needs[part], always[part]) for part in ("references", "recalled"))
    return (
        unchanged(epoch, material, budget, model)
        and material.now.utc - epoch.used.utc < IDLE
        and budget.block - epoch.fixed_tokens >= wanted
    )


def riding(before: Sequence[Layer], now: Sequence[Layer]) -> tuple[Layer, ...]:
    """Return what a fixed part would say now that one from before does not, in words that stand beside it; tokens are not
    counted yet.

    Of a list that only grew, the new lines; of anything else that changed, the whole.
    """
    old = {layer.name: layer.text for layer in before}
    new = {layer.name: layer.text for layer in now}
    told = []
    for name in FIXED_ORDER:
        was, text = old.get(name, ""), new.get(name, "")
        if text == was:
            continue
        gone = set(was.splitlines()) - set(text.splitlines())
        if name in ("memories", "pinned") and was and not gone:
            added = [line for line in text.splitlines() if line not in set(was.splitlines())]
            told.append(Layer(name, "\n".join((parts.SINCE, *added)), 0))
        else:
            told.append(Layer(name, f"{parts.INSTEAD[name]}\n{text or parts.NOTHING_LEFT}" if was else text, 0))
    return tuple(told)
