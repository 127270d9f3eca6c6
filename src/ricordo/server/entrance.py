"""The vault as a whole: whether it is there, making it, unlocking it, locking it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from ricordo.server.access import TheDoor, TheVault
from ricordo.server.guard import cookie_name
from ricordo.server.schemas.data import Passphrases
from ricordo.server.schemas.vault import Created, Secret, VaultState

router = APIRouter(prefix="/api/vault", tags=["vault"])


@router.get("")
async def look(request: Request, door: TheDoor) -> VaultState:
    """Say whether there is a vault, whether it is open, and whether this browser has come in."""
    inside = door.state == "unlocked" and door.admits(request.cookies.get(cookie_name(request.scope)))
    held_up = round(door.vault.held_up, 1) if inside else 0.0
    told = door.vault.announced if inside else 0
    return VaultState(state=door.state, inside=inside, path=door.path, held_up=held_up, told=told)


@router.post("/create", status_code=201)
async def create(secret: Secret, request: Request, response: Response, door: TheDoor) -> Created:
    """Make the vault and come in; the recovery key is in this answer and nowhere else."""
    recovery_key, token = await door.create(secret.passphrase)
    _let_in(request, response, token)
    return Created(recovery_key=recovery_key)


@router.post("/unlock")
async def unlock(secret: Secret, request: Request, response: Response, door: TheDoor) -> VaultState:
    """Open the vault, or only come in where it is open already; slower after wrong tries."""
    token = await door.unlock(secret.passphrase)
    _let_in(request, response, token)
    return VaultState(state=door.state, inside=True, path=door.path)


@router.post("/passphrase", status_code=204)
async def change_passphrase(given: Passphrases, vault: TheVault) -> None:
    """Replace the passphrase; the data is not rewritten, and the recovery key stays."""
    await vault.change_passphrase(given.old, given.new)


@router.post("/recovery-key")
async def new_recovery_key(secret: Secret, vault: TheVault) -> Created:
    """Replace the recovery key; the new one is in this answer and nowhere else."""
    return Created(recovery_key=await vault.new_recovery_key(secret.passphrase))


@router.post("/lock")
async def lock(request: Request, response: Response, door: TheDoor) -> VaultState:
    """Lock the vault: replies stop and keep what came, every page blanks."""
    await door.lock()
    response.delete_cookie(cookie_name(request.scope), httponly=True, samesite="strict")
    return VaultState(state=door.state, inside=False, path=door.path)


@router.post("/touch", status_code=204)
async def touch(door: TheDoor) -> None:
    """Say that the person is there, reading or writing, so that the vault does not lock for idleness."""
    door.touch()


def _let_in(request: Request, response: Response, token: str) -> None:
    # Not `Secure`: it is HTTP on the loopback address, and some browsers would drop the cookie.
    response.set_cookie(cookie_name(request.scope), token, httponly=True, samesite="strict", path="/")
