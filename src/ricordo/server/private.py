"""Private conversations over HTTP: the same replies as elsewhere, of which nothing is stored.

The one rule: who knows the key is in the conversation; it is in no list.
"""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import Annotated

from fastapi import APIRouter, Depends, Path
from fastapi.sse import EventSourceResponse, ServerSentEvent

from ricordo.server.access import TheDoor, TheVault
from ricordo.server.schemas.messages import Begun, Stopped, Writing
from ricordo.server.stream import Following, to_the_end

router = APIRouter(prefix="/api/private", tags=["private"])

Key = Annotated[str, Path(max_length=100)]


async def _new_reply(key: Key, writing: Writing, vault: TheVault) -> Following:
    return await Following.begin(vault.private_named(key).reply(writing.text, writing.enclosed()))


async def _another_reply(key: Key, vault: TheVault) -> Following:
    return await Following.begin(vault.private_named(key).retry())


@router.post("", status_code=201)
async def begin(vault: TheVault) -> Begun:
    """Begin a private conversation. It lives in memory alone, until it is ended or the vault is locked."""
    return Begun(key=vault.private().key)


@router.post("/{key}/reply", response_class=EventSourceResponse)
async def reply(following: Annotated[Following, Depends(_new_reply)], door: TheDoor) -> AsyncIterable[ServerSentEvent]:
    """Say something and stream the reply, with the events of any other conversation; `stored` means: in memory."""
    async for event in to_the_end(following, door):
        yield event


@router.post("/{key}/retry", response_class=EventSourceResponse)
async def retry(following: Annotated[Following, Depends(_another_reply)], door: TheDoor) -> AsyncIterable[ServerSentEvent]:
    """Reply once more to the last message, in place of an earlier reply."""
    async for event in to_the_end(following, door):
        yield event


@router.post("/{key}/stop")
async def stop(key: Key, vault: TheVault) -> Stopped:
    """Stop the reply that is coming; what came stays for as long as the conversation does."""
    return Stopped(stopped=vault.private_named(key).stop())


@router.delete("/{key}", status_code=204)
async def end(key: Key, vault: TheVault) -> None:
    """End a private conversation: all of it is forgotten."""
    await vault.private_named(key).end()
