"""Conversations and their messages: list, begin, change, delete."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import TypeAdapter

from ricordo import conversation as values
from ricordo.conversation import Role
from ricordo.server import blocks
from ricordo.server.access import PathId, TheVault
from ricordo.server.schemas.facts import Fact
from ricordo.server.schemas.messages import Deleted, Message, Messages, Writing
from ricordo.server.schemas.places import Conversation, ConversationEdit, NewConversation, Summary, SummaryEdit
from ricordo.server.schemas.traces import Trace
from ricordo.server.shared import shared

router = APIRouter(prefix="/api", tags=["conversations"])

_CONVERSATIONS, _MESSAGES = TypeAdapter(list[Conversation]), TypeAdapter(Messages)
AMessage = Annotated[int | None, Query(ge=1, lt=1 << 63)]


def shown(message: values.Message, versions: Sequence[int] = ()) -> Message:
    """Show a message, a reply with its HTML; `versions` are the ids of all that stands in its place."""
    as_blocks = blocks.render(message.text) if message.role is Role.MODEL else []
    return Message.model_validate(message).model_copy(update={"blocks": as_blocks, "versions": list(versions)})


@router.get("/conversations", response_model=list[Conversation])
async def listed(vault: TheVault) -> Response:
    """List all conversations, the one written in last first."""

    async def read() -> list[Conversation]:
        return [Conversation.model_validate(one) for one in await vault.conversations.all()]

    return await shared(vault, "conversations", _CONVERSATIONS, read)


@router.post("/conversations", status_code=201)
async def begin(new: NewConversation, vault: TheVault) -> Conversation:
    """Begin a conversation, in a Space or in none."""
    return Conversation.model_validate(await vault.conversations.create(new.title, new.space))


@router.patch("/conversations/{conversation}")
async def change(conversation: PathId, edit: ConversationEdit, vault: TheVault) -> Conversation:
    """Rename a conversation, move it to a Space, or (with null) out of any."""
    if "title" in edit.model_fields_set and edit.title is not None:
        await vault.conversations.rename(conversation, edit.title)
    if "space" in edit.model_fields_set:
        await vault.conversations.move(conversation, edit.space)
    return Conversation.model_validate(await vault.conversations.get(conversation))


@router.delete("/conversations/{conversation}", status_code=204)
async def delete(conversation: PathId, vault: TheVault) -> None:
    """Delete a conversation with its messages, notes and pinned facts; a reply that is coming is stopped first."""
    vault.stop(conversation)
    await vault.conversations.delete(conversation)


@router.get("/conversations/{conversation}/messages", response_model=Messages)
async def messages(
    conversation: PathId,
    vault: TheVault,
    before: AMessage = None,
    after: AMessage = None,
    around: AMessage = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Return the newest messages, the newest before one, the first after one, or those around one.

    A message that is not on the shown branch has nothing around it; `show` it first.
    """

    async def read() -> Messages:
        found = await vault.conversations.stretch(conversation, before=before, after=after, around=around, limit=limit)
        versions = await vault.conversations.versions(found.messages)
        # In a thread: a hundred long replies take longer to render than others should wait.
        messages = await asyncio.to_thread(_all_shown, found.messages, versions)
        return Messages(messages=messages, earlier=found.earlier, later=found.later)

    asked = f"messages {conversation} {before} {after} {around} {limit}"
    return await shared(vault, asked, _MESSAGES, read)


@router.post("/conversations/{conversation}/entries", status_code=201)
async def write(conversation: PathId, writing: Writing, vault: TheVault) -> Message:
    """Keep an entry without asking for a reply (*Just write*)."""
    return shown(await vault.write(conversation, writing.text, writing.enclosed()))


@router.get("/conversations/{conversation}/summary")
async def summary(conversation: PathId, vault: TheVault) -> Summary | None:
    """Return a conversation's summary, null while it has none."""
    found = await vault.conversations.summary(conversation)
    return Summary.model_validate(found) if found else None


@router.post("/conversations/{conversation}/summary")
async def summarise(conversation: PathId, vault: TheVault) -> Summary | None:
    """Write a conversation's summary anew from its messages; when that fails the old one stays, and the error says why."""
    found = await vault.summarise(conversation)
    return Summary.model_validate(found) if found else None


@router.patch("/conversations/{conversation}/summary")
async def edit_summary(conversation: PathId, edit: SummaryEdit, vault: TheVault) -> Summary:
    """Give a conversation's summary other words; the next one carries them on."""
    return Summary.model_validate(await vault.conversations.edit_summary(conversation, edit.text))


@router.delete("/conversations/{conversation}/summary", status_code=204)
async def delete_summary(conversation: PathId, vault: TheVault) -> None:
    """Delete a conversation's summary; another is written after some more turns."""
    await vault.conversations.delete_summary(conversation)


@router.post("/messages/{message}/show")
async def show(message: PathId, vault: TheVault) -> Message:
    """Show the version of a conversation that a message stands on, and return the message."""
    return shown(await vault.show(message))


@router.get("/messages/{message}/facts")
async def learned_from(message: PathId, vault: TheVault) -> list[Fact]:
    """List the facts and notes that were learned from a message."""
    return [Fact.model_validate(fact) for fact in await vault.conversations.learned_from(message)]


@router.delete("/messages/{message}")
async def delete_message(message: PathId, vault: TheVault) -> Deleted:
    """Delete one message; the facts learned from it are named, for the person to decide about."""
    return Deleted(facts=await vault.conversations.delete_message(message))


@router.post("/messages/{message}/pin", status_code=201)
async def pin_message(message: PathId, vault: TheVault) -> Fact:
    """Pin what a message says as a fact of its conversation (*Remember this*)."""
    return Fact.model_validate(await vault.facts.pin_message(message))


@router.get("/messages/{message}/trace")
async def trace(message: PathId, vault: TheVault) -> Trace:
    """Say what the model saw for a reply, and why (*What did the model see?*); 404 for what no model wrote here."""
    return Trace.of(await vault.conversations.explain(message))


def _all_shown(some: Sequence[values.Message], versions: Mapping[int, Sequence[int]]) -> list[Message]:
    return [shown(message, versions.get(message.id, ())) for message in some]
