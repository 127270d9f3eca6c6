"""An OpenAI-compatible address for other programs: their calls go on to the model's server, with this vault's memory.

The one rule: only HTTP is spoken here. What is added, known again and kept is decided by `passing` and `alongside`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Iterable
from contextlib import aclosing
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from ricordo.clients.call import CHAT, Call, request_of
from ricordo.clients.passing import Passage
from ricordo.clients.prepared import Client
from ricordo.errors import RicordoError
from ricordo.letters import whole
from ricordo.server.access import TheDoor, TheToken, TheVault
from ricordo.server.patience import gone
from ricordo.server.sessions import Door
from ricordo.server.statuses import log_unexpected, proxied_body_of, status_of
from ricordo.token import TokenScope

router = APIRouter(prefix="/v1", tags=["proxy"])

CONVERSATION, PRIVATE = "x-ricordo-conversation", "x-ricordo-private"
# Of the connection, not of the call; what is for Ricordo itself; and what tells of this computer's other pages.
_NOT_SENT_ON = {
    "host", "authorization", "content-length", "connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade",
    "expect", "accept-encoding", "cookie", "origin", "referer", CONVERSATION, PRIVATE,
}  # fmt: skip
_NOT_SENT_BACK = {
    "connection", "keep-alive", "transfer-encoding", "trailer", "upgrade", "content-length", "content-encoding", "server", "date",
    "set-cookie",
}  # fmt: skip
_MOST_KEY = 500  # letters of a client's name for a conversation


@router.post("/chat/completions", response_class=Response)
async def chat_completions(request: Request, vault: TheVault, door: TheDoor, token: TheToken) -> Response:
    """Reply to a client that keeps its conversation itself, with memory; as the OpenAI API has it, streamed or not.

    The conversation is known again by the header X-Ricordo-Conversation, by `conversation_id` in the request's metadata, or
    by its beginning. With X-Ricordo-Private: 1 nothing is added, stored or learned. All other fields, and the answer, pass
    through as they are.
    """
    body = await request.body()
    asked = request_of(body)
    client = Client(*_named(request, asked), space=token.space if token else None, confined=bool(token and token.space))
    private = request.headers.get(PRIVATE, "").strip().lower() not in ("", "0", "false", "no")
    keep = token is None or token.scope is TokenScope.WRITE
    call = Call("POST", CHAT, body, _sent_on(request), asked, client, private, keep)
    return await _begun(vault.passing.begin(call), door)


@router.get("/models", response_class=Response)
async def models(request: Request, vault: TheVault, door: TheDoor) -> Response:
    """Return what the model's server says of its models."""
    return await _begun(vault.passing.begin(Call("GET", "/models", b"", _sent_on(request))), door)


@router.post("/embeddings", response_class=Response)
async def embeddings(request: Request, vault: TheVault, door: TheDoor) -> Response:
    """Return what the model's server makes of a client's texts; nothing of them is kept."""
    return await _begun(vault.passing.begin(Call("POST", "/embeddings", await request.body(), _sent_on(request))), door)


@router.api_route("/{rest:path}", methods=["GET", "POST", "PUT", "PATCH", "DELETE"], include_in_schema=False)
async def nothing_else(rest: str) -> Response:
    """Say that nothing else is passed on."""
    said = "Ricordo passes on /v1/chat/completions, /v1/models and /v1/embeddings, and nothing else."
    return JSONResponse(proxied_body_of("NotFound", said), HTTPStatus.NOT_FOUND)


async def _begun(beginning: Awaitable[Passage], door: Door) -> Response:
    try:
        return Passed(await beginning, door)
    except RicordoError as error:
        return _refusal(error)


def _refusal(error: RicordoError) -> Response:
    return JSONResponse(proxied_body_of(type(error).__name__, str(error)), status_of(error))


def _sent_on(request: Request) -> dict[str, str]:
    headers = {
        name: value
        for name, value in request.headers.items()
        if name not in _NOT_SENT_ON and not name.startswith(("sec-", "proxy-"))
    }
    return {**headers, "accept-encoding": "identity"}  # the answer passes through as bytes, and is read on the way


def _sent_back(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode("latin-1")) for name, value in headers if name.lower() not in _NOT_SENT_BACK]


def _named(request: Request, asked: dict[str, Any] | None) -> tuple[str, str]:
    """Return the client's own name for the conversation, and the user it speaks for, as far as it says so."""
    key, user = unquote(request.headers.get(CONVERSATION, "")), ""
    if asked is not None:
        user = asked["user"] if isinstance(asked.get("user"), str) else ""
        metadata = asked.get("metadata")
        if not key and isinstance(metadata, dict):
            given = (metadata.get(name) for name in ("conversation_id", "conversation", "chat_id", "thread_id"))
            key = next((str(each) for each in given if isinstance(each, str | int) and each != ""), "")
    return whole(key.strip()[:_MOST_KEY]), whole(user[:_MOST_KEY])


class Passed(Response):
    """An answer of the model's server, passed back as it comes; a client that goes away stops the model."""

    def __init__(self, passage: Passage, door: Door) -> None:
        super().__init__()
        self._passage, self._door = passage, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer while watching for the client to go."""
        watching = asyncio.create_task(self._watch(receive))
        try:
            await self._send(scope, receive, send)
        finally:
            watching.cancel()
            self._passage.end()
            for trouble in self._passage.troubles:
                log_unexpected(trouble)

    async def _watch(self, receive: Receive) -> None:
        await gone(receive)
        self._passage.end()

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            head = await self._passage.head()
        except RicordoError as error:
            await _refusal(error)(scope, receive, send)
            return
        headers = _sent_back(head.headers)
        await send({"type": "http.response.start", "status": head.status, "headers": headers})
        streams = any(name == b"content-type" and b"event-stream" in value for name, value in headers)
        try:
            async with aclosing(self._passage.body()) as pieces:
                async for piece in pieces:
                    self._door.touch()
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
        except RicordoError as error:
            # The connection is left without its proper end, as the server left it: half an answer must not look whole.
            if streams:
                told = json.dumps(proxied_body_of(type(error).__name__, str(error)), ensure_ascii=False)
                event = f"\n\ndata: {told}\n\n".encode()
                await send({"type": "http.response.body", "body": event, "more_body": True})
            return
        await send({"type": "http.response.body", "body": b"", "more_body": False})
