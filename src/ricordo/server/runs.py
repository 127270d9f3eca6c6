"""The last times that the model read turns: what it proposed, what was refused, and why."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from ricordo.server.access import TheVault
from ricordo.server.schemas.runs import Run

router = APIRouter(prefix="/api/runs", tags=["changes"])


@router.get("")
async def listed(vault: TheVault, limit: Annotated[int, Query(ge=1, le=200)] = 20) -> list[Run]:
    """List the latest readings, newest first. They go with the messages that they read."""
    return [Run.model_validate(run) for run in await vault.changes.runs(limit)]
