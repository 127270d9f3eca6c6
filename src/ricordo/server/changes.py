"""What the model changed: the log, taking back, the turns it could not read."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from ricordo import change as values
from ricordo.server.access import PathId, TheVault
from ricordo.server.schemas import Fact, Shown, When

router = APIRouter(prefix="/api/changes", tags=["changes"])


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


class Unread(Shown):
    """A turn that could not be read after three tries, and why."""

    message: int
    conversation: int
    reason: str


@router.get("")
async def listed(vault: TheVault, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> list[Change]:
    """List the latest changes, newest first."""
    return [shown(change) for change in await vault.changes.all(limit)]


@router.post("/{change}/undo")
async def undo(change: PathId, vault: TheVault) -> Change:
    """Take a change back; refused with the reason when the fact was changed since."""
    return shown(await vault.changes.undo(change))


@router.get("/unread")
async def unread(vault: TheVault) -> list[Unread]:
    """List the turns that could not be read."""
    return [Unread.model_validate(turn) for turn in await vault.changes.unread()]


@router.post("/unread/retry", status_code=204)
async def try_again(vault: TheVault) -> None:
    """Let the turns that could not be read wait again."""
    await vault.try_unread()


def shown(change: values.Change) -> Change:
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
    return Change.model_validate(
        {
            "id": change.id, "kind": kind, "before": before, "after": after, "at": change.at, "undone": change.undone,
            "conversation": change.conversation, "messages": list(change.messages), "model": change.model,
        }
    )  # fmt: skip
