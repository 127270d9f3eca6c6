"""What changes, told to every open tab as server-sent events, until the vault is locked.

The one rule: with fifty tabs open each change is put into words once, and sending it costs each tab no more than the sending.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import assert_never
from weakref import WeakKeyDictionary

from fastapi import Response
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from starlette.types import Receive, Scope, Send

from ricordo.events import Announcement, Embedding, Learned, ListChanged, Locked
from ricordo.server.patience import gone
from ricordo.server.schemas import changes as schemas
from ricordo.server.schemas.changes import Change
from ricordo.vault import AsyncVault

_PULSE = 15.0  # seconds without a word after which a sign of life is sent: whatever stands between would take silence for an end
# The events of a stream, as the API is described.
EVENTS = {"itemSchema": {"type": "object", "properties": {"event": {"type": "string"}, "data": {"type": "string"}}}}


class Announced(Response):
    """An answer that tells announcements as they come. A tab that goes away ends it, and so does the lock."""

    media_type = "text/event-stream"

    def __init__(self, vault: AsyncVault, since: int | None) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._announcements = vault.events(since)
        self._wording = _WORDINGS.setdefault(vault, _Wording())
        self._told = 0.0  # when, by the loop's clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell, while watching for the tab to go."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        telling = asyncio.create_task(self._tell(send))
        watching = asyncio.create_task(gone(receive))
        pulse = asyncio.create_task(self._pulse(send))
        try:
            await asyncio.wait((telling, watching), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (telling, watching, pulse):
                task.cancel()
            await asyncio.wait((telling, watching, pulse))
        if not telling.cancelled():
            telling.result()  # raises what went wrong

    async def _tell(self, send: Send) -> None:
        async with aclosing(self._announcements) as announcements:
            async for announcement in announcements:
                await self._send(send, self._wording.of(announcement))
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send(self, send: Send, told: bytes) -> None:
        self._told = asyncio.get_running_loop().time()
        await send({"type": "http.response.body", "body": told, "more_body": True})

    async def _pulse(self, send: Send) -> None:
        while True:
            await asyncio.sleep(_PULSE)
            if asyncio.get_running_loop().time() - self._told >= _PULSE:
                await self._send(send, KEEPALIVE_COMMENT)


class _Wording:
    """The announcement of a vault that was put into words last: every tab is told the same one."""

    def __init__(self) -> None:
        self._last: Announcement | None = None
        self._words = b""

    def of(self, announcement: Announcement) -> bytes:
        """Return an announcement as an event on the wire."""
        if self._last is not announcement:
            name, data = _event(announcement)
            self._last, self._words = announcement, format_sse_event(event=name, data_str=data)
        return self._words


_WORDINGS: WeakKeyDictionary[AsyncVault, _Wording] = WeakKeyDictionary()


def forget(vault: AsyncVault) -> None:
    """Let go of what a vault that is being locked announced last: it may be what was learned (V3)."""
    _WORDINGS.pop(vault, None)


def _event(announcement: Announcement) -> tuple[str, str]:
    match announcement:
        case ListChanged(what, conversation):
            return "changed", json.dumps({"what": what, "conversation": conversation})
        case Learned(changes):
            return "learned", schemas.Learned(changes=[Change.of(change) for change in changes]).model_dump_json()
        case Embedding(done, total):
            return "embedding", json.dumps({"done": done, "total": total})
        case Locked():
            return "locked", "{}"
        case _:
            assert_never(announcement)
