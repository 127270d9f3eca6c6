"""Spaces: list, create, change, delete."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from ricordo.server.access import PathId, TheVault
from ricordo.server.schemas.places import NewSpace, Space, SpaceEdit

router = APIRouter(prefix="/api/spaces", tags=["spaces"])


@router.get("")
async def listed(vault: TheVault) -> list[Space]:
    """List all Spaces by name."""
    return [Space.model_validate(space) for space in await vault.spaces.all()]


@router.post("", status_code=201)
async def create(new: NewSpace, vault: TheVault) -> Space:
    """Make a Space, its memory on."""
    return Space.model_validate(await vault.spaces.create(new.name, new.instructions))


@router.patch("/{space}")
async def change(space: PathId, edit: SpaceEdit, vault: TheVault) -> Space:
    """Change what is given of a Space."""
    changed = await vault.spaces.change(
        space, name=edit.name, instructions=edit.instructions, memory=edit.memory, reach=edit.reach
    )
    return Space.model_validate(changed)


@router.delete("/{space}", status_code=204)
async def delete(space: PathId, vault: TheVault, keep_conversations: Annotated[bool, Query()]) -> None:
    """Delete a Space and its memory; its conversations move out, or are deleted too."""
    await vault.spaces.delete(space, keep_conversations=keep_conversations)
