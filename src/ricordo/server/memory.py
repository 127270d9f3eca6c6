"""Everything that is remembered, by kind, sifted and in stretches (F4), and clearing a list of facts (F2)."""

from __future__ import annotations

from fastapi import APIRouter

from ricordo.errors import InvalidInput
from ricordo.memory import FACTS, Kind
from ricordo.server.access import TheVault
from ricordo.server.schemas.memory import Cleared, Clearing, ExcerptRow, FactRow, Rows, Sifted, Stretch, SummaryRow

router = APIRouter(prefix="/api/memory", tags=["memory"])


@router.post("/count")
async def count(asked: Sifted, vault: TheVault) -> dict[Kind, int]:
    """Say how many rows each of some kinds has."""
    return await vault.memories.count(asked.kinds, asked.sieve())


@router.post("/list")
async def listed(asked: Stretch, vault: TheVault) -> Rows:
    """List a stretch of rows, newest first: of facts of any kinds, or of summaries, or of excerpts."""
    kinds, memories = frozenset(asked.kinds), vault.memories
    if kinds <= FACTS:
        return [FactRow.of(each) for each in await memories.facts(kinds, asked.sieve(), asked.offset, asked.limit)]
    if kinds == {Kind.SUMMARY}:
        return [SummaryRow.model_validate(each) for each in await memories.summaries(asked.sieve(), asked.offset, asked.limit)]
    if kinds == {Kind.EXCERPT}:
        return [ExcerptRow.of(each) for each in await memories.excerpts(asked.sieve(), asked.offset, asked.limit)]
    raise InvalidInput("Summaries and excerpts are lists of their own. Ask for one kind of them, or for facts of any kinds.")


@router.post("/clear")
async def clear(asked: Clearing, vault: TheVault) -> Cleared:
    """Delete all facts of some kinds that are at home there and hold these words; nothing when there are others than told."""
    kinds = frozenset(asked.kinds)
    if not kinds <= FACTS:
        raise InvalidInput("Only facts are cleared at once. Summaries and excerpts are deleted one by one.")
    return Cleared(deleted=await vault.facts.clear(asked.sieve(), kinds, expected=asked.expected))
