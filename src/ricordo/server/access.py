"""How a route gets at the door and the unlocked vault."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Path, Request

from ricordo.server.schemas.wire import Day, Failed
from ricordo.server.sessions import Door
from ricordo.token import Token
from ricordo.vault import AsyncVault

# What any route may answer besides success; the guard refuses before the app does.
REFUSALS: dict[int | str, dict[str, object]] = {
    status: {"model": Failed} for status in (400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 423, 500, 502, 504, 507)
}


# Coroutines, although they wait for nothing: what is no coroutine is called in a thread, which takes longer than all of it.
async def _door(request: Request) -> Door:
    return cast(Door, request.state.door)  # which the guard has put there


async def _vault(door: Annotated[Door, Depends(_door)]) -> AsyncVault:
    return door.vault


async def _token(request: Request) -> Token | None:
    return getattr(request.state, "token", None)


TheDoor = Annotated[Door, Depends(_door)]
TheVault = Annotated[AsyncVault, Depends(_vault)]
TheToken = Annotated[Token | None, Depends(_token)]  # None for a person who came in by the passphrase
PathDay = Annotated[Day, Path()]
PathId = Annotated[int, Path(ge=1, lt=1 << 63)]
