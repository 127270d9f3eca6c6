"""Tokens, by which programs come in: list, make, revoke. Only a person who has come in by the passphrase gets here."""

from __future__ import annotations

from fastapi import APIRouter

from ricordo.server.access import PathId, TheVault
from ricordo.server.schemas.tokens import MadeToken, NewToken, Token

router = APIRouter(prefix="/api/tokens", tags=["tokens"])


@router.get("")
async def listed(vault: TheVault) -> list[Token]:
    """List the tokens, the newest first."""
    return [Token.model_validate(token) for token in await vault.tokens.all()]


@router.post("", status_code=201)
async def create(new: NewToken, vault: TheVault) -> MadeToken:
    """Make a token; the secret is in this answer and nowhere else."""
    token, secret = await vault.tokens.create(new.name, scope=new.scope, space=new.space)
    return MadeToken(**Token.model_validate(token).model_dump(), token=secret)


@router.delete("/{token}")
async def revoke(token: PathId, vault: TheVault) -> Token:
    """Let a token's program in no more; the answer is what it was."""
    return Token.model_validate(await vault.tokens.revoke(token))
