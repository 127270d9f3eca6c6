"""Values: Change, one undoable edit of the fact list made by the model, and its inverse."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ricordo.conversation import Moment
from ricordo.fact import Fact


@dataclass(frozen=True, slots=True)
class Saved:
    """A new fact."""

    after: Fact


@dataclass(frozen=True, slots=True)
class Updated:
    """A fact in new words; `before` is how it stood."""

    before: Fact
    after: Fact


@dataclass(frozen=True, slots=True)
class Removed:
    """A fact that no longer holds."""

    before: Fact


Edit = Saved | Updated | Removed


@dataclass(frozen=True, slots=True)
class Change:
    """One edit as it stands in the change log (U2): what, when, from which conversation and messages, by which model."""

    id: int
    edit: Edit
    at: Moment
    conversation: int | None
    messages: tuple[int, ...]
    model: str
    undone: Moment | None = None


def apply(edit: Edit, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts as the edit leaves them, in order of id."""
    by_id = {fact.id: fact for fact in facts}
    match edit:
        case Saved(after) | Updated(_, after):
            by_id[after.id] = after
        case Removed(before):
            by_id.pop(before.id, None)
    return tuple(by_id[key] for key in sorted(by_id))


def inverse(edit: Edit) -> Edit:
    """Return the edit that takes this one back: `apply(inverse(e), apply(e, facts)) == facts`."""
    match edit:
        case Saved(after):
            return Removed(after)
        case Updated(before, after):
            return Updated(after, before)
        case Removed(before):
            return Saved(before)
