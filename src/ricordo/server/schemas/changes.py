"""What the model changed, and the turns it could not read."""

from __future__ import annotations

from typing import Literal

from ricordo import change as values
from ricordo.server.schemas.facts import Fact
from ricordo.server.schemas.wire import Shown, When


class Change(Shown):
    """One edit of the fact list by the model: how the fact stood before, how after, and when it was taken back."""

    id: int
    kind: Literal["saved", "updated", "removed"]
    before: Fact | None
    after: Fact | None
    at: When
    conversation: int | None
    messages: list[int]
    model: str
    undone: When | None

    @classmethod
    def of(cls, change: values.Change) -> Change:
        """Show a change."""
        before, after = None, None
        match change.edit:
            case values.Saved(saved):
                kind: Literal["saved", "updated", "removed"] = "saved"
                after = Fact.model_validate(saved)
            case values.Updated(old, new):
                kind = "updated"
                before, after = Fact.model_validate(old), Fact.model_validate(new)
            case values.Removed(gone):
                kind = "removed"
                before = Fact.model_validate(gone)
        return cls.model_validate(
            {
                "id": change.id, "kind": kind, "before": before, "after": after, "at": change.at, "undone": change.undone,
                "conversation": change.conversation, "messages": list(change.messages), "model": change.model,
            }
        )  # fmt: skip


class Learned(Shown):
    """What one run of learning changed: saved first, then updated and removed."""

    changes: list[Change]


class Unread(Shown):
    """A turn that could not be read after three tries, and why."""

    message: int
    conversation: int
    reason: str
