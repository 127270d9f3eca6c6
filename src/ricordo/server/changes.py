"""What the model changed: the log, taking back, the turns it could not read."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from ricordo.server.access import PathId, TheVault
from ricordo.server.schemas.changes import Change, Unread

router = APIRouter(prefix="/api/changes", tags=["changes"])


@router.get("")
async def listed(vault: TheVault, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> list[Change]:
    """List the latest changes, newest first."""
    return [Change.of(change) for change in await vault.changes.all(limit)]


@router.post("/{change}/undo")
async def undo(change: PathId, vault: TheVault) -> Change:
    """Take a change back; refused with the reason when the fact was changed since."""
    return Change.of(await vault.changes.undo(change))


@router.get("/unread")
async def unread(vault: TheVault) -> list[Unread]:
    """List the turns that could not be read."""
    return [Unread.model_validate(turn) for turn in await vault.changes.unread()]


@router.post("/unread/retry", status_code=204)
async def try_again(vault: TheVault) -> None:
    """Let the turns that could not be read wait again."""
    await vault.try_unread()
