"""What belongs to the vault as a whole: settings, search, commands, drafts, the exact prompt."""

from __future__ import annotations

from fastapi import APIRouter

from ricordo import commands
from ricordo.hit import MessageHit
from ricordo.server import permits
from ricordo.server.access import TheToken, TheVault
from ricordo.server.schemas.facts import Command, Outcome
from ricordo.server.schemas.messages import Draft, DraftEdit
from ricordo.server.schemas.prompts import PromptAsked, PromptShown
from ricordo.server.schemas.searches import Found, Search, found
from ricordo.settings import Settings

router = APIRouter(prefix="/api")


@router.get("/settings", tags=["settings"])
async def settings(vault: TheVault) -> Settings:
    """Return the settings; of the key only whether there is one (as stars)."""
    return vault.settings


@router.patch("/settings", tags=["settings"])
async def change_settings(given: Settings, vault: TheVault) -> Settings:
    """Change the settings that are given; the others stay as they are."""
    return await vault.set(**{name: getattr(given, name) for name in given.model_fields_set})


@router.post("/search", tags=["search"])
async def search(asked: Search, vault: TheVault, token: TheToken) -> list[Found]:
    """Find messages and facts, best first. A POST, so that what is looked for stands in no address."""
    space = await permits.within(vault, token, asked.space, asked.conversation)
    hits = await vault.search(asked.text, conversation=asked.conversation, space=space, limit=asked.limit)
    return [found(hit) for hit in hits if isinstance(hit, MessageHit) or permits.in_sight(token, hit.fact.home)]


@router.post("/commands", tags=["commands"])
async def command(given: Command, vault: TheVault) -> Outcome:
    """Carry out a command of the composer, like /remember; it never reaches the model."""
    return Outcome.model_validate(await commands.run(vault, given.text, given.space))


@router.post("/prompt", tags=["replies"])
async def prompt(asked: PromptAsked, vault: TheVault) -> PromptShown:
    """Return just what would be sent for a text, layer by layer, without sending it."""
    return PromptShown.of(await vault.prompt(asked.text, asked.conversation, asked.space))


@router.get("/drafts", tags=["conversations"])
async def drafts(vault: TheVault) -> list[Draft]:
    """List what is written but not sent. Drafts lie in the vault, because a browser keeps its own storage in plain text."""
    return [Draft.model_validate(draft) for draft in await vault.drafts.all()]


@router.put("/draft", status_code=204, tags=["conversations"])
async def keep_draft(draft: DraftEdit, vault: TheVault) -> None:
    """Keep what is written so far in a conversation, or (null) in one that has not begun, and what is given along.

    What is not named stays; a draft with neither text nor attachments is forgotten.
    """
    files = None if draft.attachments is None else [each.value() for each in draft.attachments]
    await vault.drafts.keep(draft.conversation, draft.text, files)
