"""Facts: list, add, edit, pin, share, delete."""

from __future__ import annotations

from fastapi import APIRouter, Response
from pydantic import TypeAdapter

from ricordo.errors import InvalidInput
from ricordo.server import permits
from ricordo.server.access import PathId, TheToken, TheVault
from ricordo.server.schemas.facts import Counts, Fact, FactEdit, NewFact, home_of
from ricordo.server.shared import shared

router = APIRouter(prefix="/api/facts", tags=["facts"])
_COUNTS = TypeAdapter(Counts)


@router.get("")
async def listed(vault: TheVault, token: TheToken) -> list[Fact]:
    """List every fact of the vault, newest first; with a token for one Space, those of that Space."""
    return [Fact.model_validate(fact) for fact in await vault.facts.all() if permits.in_sight(token, fact.home)]


@router.post("", status_code=201)
async def add(new: NewFact, vault: TheVault, token: TheToken) -> Fact:
    """Keep a fact in the person's own words."""
    if not permits.in_sight(token, home_of(new.home)):
        raise InvalidInput("This token is for one Space. Say that the fact is at home there.")
    return Fact.model_validate(await vault.facts.add(new.text, home_of(new.home), pinned=new.pinned))


@router.get("/count", response_model=Counts)
async def count(vault: TheVault) -> Response:
    """Say how many facts each list has: the global one, each Space's by its id, and all together."""

    async def read() -> Counts:
        return Counts.of(await vault.facts.count())

    return await shared(vault, "facts", _COUNTS, read)


@router.get("/{fact}")
async def get(fact: PathId, vault: TheVault) -> Fact:
    """Return one fact."""
    return Fact.model_validate(await vault.facts.get(fact))


@router.patch("/{fact}")
async def change(fact: PathId, edit: FactEdit, vault: TheVault) -> Fact:
    """Give a fact other words, pin it, share it with all conversations, or take that back."""
    if edit.text is not None:
        await vault.facts.edit(fact, edit.text)
    if edit.pinned is not None:
        await vault.facts.pin(fact, edit.pinned)
    if edit.shared is not None:
        await vault.facts.share(fact, edit.shared)
    return Fact.model_validate(await vault.facts.get(fact))


@router.delete("/{fact}")
async def delete(fact: PathId, vault: TheVault) -> Fact:
    """Delete a fact for good; the answer is what it was."""
    return Fact.model_validate(await vault.facts.delete(fact))
