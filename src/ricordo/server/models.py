"""Which model replies: what this computer has, whether the chosen one works, and what it can do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Callable

from fastapi import APIRouter
from fastapi.sse import EventSourceResponse, ServerSentEvent

from ricordo.local_models import fetch_model, found_servers, model_bytes, model_file
from ricordo.server.access import TheDoor, TheVault
from ricordo.server.progress import followed
from ricordo.server.schemas.models import ByMeaning, LocalModels, ModelServer, ModelWorks, Skill, Trial

router = APIRouter(prefix="/api/models", tags=["models"])


@router.get("")
async def local(vault: TheVault) -> LocalModels:
    """Say whether the embedded model's file is there, and which model servers run on this computer."""
    file = await asyncio.to_thread(model_file)
    servers = [ModelServer.model_validate(server) for server in await found_servers()]
    return LocalModels(embedded=file is not None, size=await asyncio.to_thread(model_bytes), servers=servers)


@router.post("/fetch", response_class=EventSourceResponse)
async def fetch(door: TheDoor, vault: TheVault) -> AsyncIterable[ServerSentEvent]:
    """Fetch the embedded model's file: `progress` ({done, total} in bytes), then `done` or `failed` ({reason}).

    It goes on when nobody follows any more; who asks meanwhile waits for the same fetch.
    """

    async def work(progress: Callable[[int, int], None]) -> None:
        async with door.fetching:
            await asyncio.to_thread(fetch_model, progress)

    async for event in followed(work):
        yield event


@router.post("/test")
async def test(vault: TheVault, trial: Trial | None = None) -> ModelWorks:
    """Ask the model of the settings, or of a server that is being looked at, for one word; what is wrong is an error.

    A kept key never goes to another server than that of the settings.
    """
    trial = trial or Trial()
    other = {} if trial.server is None else {"server": trial.server, "model": trial.model, "api_key": ""}
    name, seconds = await vault.try_model(**other)
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
