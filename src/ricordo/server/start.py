"""All that the page needs to begin, in one answer: it asks for it while its modules are still coming."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request

from ricordo.server.access import TheDoor
from ricordo.server.entrance import look
from ricordo.server.schemas.facts import Counts
from ricordo.server.schemas.messages import Draft
from ricordo.server.schemas.places import Conversation, Space
from ricordo.server.schemas.start import Content, Start
from ricordo.vault import AsyncVault

router = APIRouter(prefix="/api/start", tags=["vault"])


@router.get("")
async def start(request: Request, door: TheDoor) -> Start:
    """Say what `GET /api/vault` says and, to a browser that has come in, what there is to show first."""
    vault = await look(request, door)
    return Start(vault=vault, content=await _content(door.vault) if vault.inside else None)


async def _content(vault: AsyncVault) -> Content:
    spaces, conversations, facts, drafts = await asyncio.gather(
        vault.spaces.all(), vault.conversations.all(), vault.facts.count(), vault.drafts.all()
    )
    return Content(
        settings=vault.settings,
        spaces=[Space.model_validate(each) for each in spaces],
        conversations=[Conversation.model_validate(each) for each in conversations],
        facts=Counts.of(facts),
        drafts=[Draft.model_validate(each) for each in drafts],
    )
