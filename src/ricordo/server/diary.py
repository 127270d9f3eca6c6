"""The diary: which days were written on, a day's entries, the same day of other years."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from ricordo.server.access import PathDay, PathId, TheVault
from ricordo.server.conversations import shown
from ricordo.server.schemas.diary import Day, Ends, SameDay, WrittenDay
from ricordo.server.schemas.messages import Message

router = APIRouter(prefix="/api/diary", tags=["diary"])


@router.get("")
async def ends(vault: TheVault) -> Ends:
    """Say which day it is for the person, and on which the diary begins and ends."""
    first, last = await vault.diary.first(), await vault.diary.last()
    return Ends(
        today=vault.diary.today(),
        first=first.message.at.local.date() if first else None,
        last=last.message.at.local.date() if last else None,
    )


@router.get("/days")
async def written(vault: TheVault, year: int, month: int | None = None) -> list[WrittenDay]:
    """List the days of a year or month that have entries, in order."""
    return [WrittenDay.model_validate(each) for each in await vault.diary.written(year, month)]


@router.get("/days/{day}")
async def read(
    day: PathDay,
    vault: TheVault,
    skip: Annotated[int, Query(ge=0, lt=1 << 63)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Day:
    """Return a day's entries, as they were written, from all conversations; fewer than `limit` where they are long."""
    found = SameDay.model_validate(await vault.diary.day(day, skip, limit))
    return Day(**dict(found), before=await vault.diary.before(day), after=await vault.diary.after(day))


@router.get("/days/{day}/other-years")
async def other_years(day: PathDay, vault: TheVault) -> list[SameDay]:
    """Return the same day of other years as far as it has entries, the latest first (*On this day*)."""
    return [SameDay.model_validate(each) for each in await vault.diary.on_this_day(day)]


@router.get("/entries/{message}/reply")
async def reply(message: PathId, vault: TheVault) -> Message | None:
    """Return the reply to an entry, null where there is none."""
    found = await vault.diary.reply(message)
    return shown(found) if found else None
