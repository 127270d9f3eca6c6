"""Which model replies: what this computer has, and whether the chosen one works."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter

from ricordo.local_models import found_servers, model_file
from ricordo.server.access import TheVault
from ricordo.server.schemas.models import LocalModels, ModelServer, ModelWorks

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
