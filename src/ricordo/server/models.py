"""Which model replies: what this computer has, whether the chosen one works, and what it can do."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter

from ricordo.local_models import found_servers, model_file
from ricordo.server.access import TheVault
from ricordo.server.schemas.models import ByMeaning, LocalModels, ModelServer, ModelWorks, Skill

router = APIRouter(prefix="/api/models", tags=["models"])


@router.get("")
async def local(vault: TheVault) -> LocalModels:
    """Say whether the embedded model's file is there, and which model servers run on this computer."""
    file = await asyncio.to_thread(model_file)
    servers = [ModelServer.model_validate(server) for server in await found_servers()]
    return LocalModels(embedded=file is not None, servers=servers)


@router.post("/test")
async def test(vault: TheVault) -> ModelWorks:
    """Ask the model of the settings for one word; what is wrong comes back as an error."""
    name, seconds = await vault.try_model()
    return ModelWorks(model=name, seconds=round(seconds, 1))


@router.get("/skill")
async def skill(vault: TheVault) -> Skill:
    """Say what the model of the settings can do, as far as that was tried."""
    return Skill.of(*await vault.skill())


@router.post("/skill")
async def try_out(vault: TheVault) -> Skill:
    """Try out what the model can do. Takes a minute or two with a small model; a message that comes meanwhile goes first."""
    await vault.try_out()
    return Skill.of(*await vault.skill())


@router.get("/embedder")
async def embedder(vault: TheVault) -> ByMeaning:
    """Say how far finding by meaning is, or why words alone are searched."""
    return ByMeaning.model_validate(await vault.by_meaning())
