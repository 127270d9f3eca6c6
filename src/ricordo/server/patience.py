"""How long a connection may take over asking: one that holds a place and never gets to its question is let go.

The one rule: the clock runs only while a request's head is awaited, or the rest of a body after its answer; what is being
answered takes what it takes.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import h11
from starlette.types import Receive
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0  # from connecting, or from the first byte of a further request, to the end of its head
MOST = 48  # that are awaited for longer than GRACE; a browser asks at once over the six that it opens
GRACE = 1.0  # seconds


async def gone(receive: Receive) -> None:
    """Return when the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass


class PatientProtocol(H11Protocol):
    """Uvicorn's strict HTTP/1.1, that closes a connection which stays without a whole request, the oldest sooner where there
    are many: else a few hundred would use up the files that a process may have open, and the page would find no room.
    """

    seconds = SECONDS
    waiting: ClassVar[dict[PatientProtocol, float]] = {}  # and since when, by the loop's clock; oldest first

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._awaiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock."""
        super().connection_made(transport)
        self._await()

    def data_received(self, data: bytes) -> None:
        """Stop the clock while a request is answered; start it when a further one has begun, or one that was refused goes on."""
        super().data_received(data)
        answered = self.cycle is None or self.cycle.response_complete
        if answered and (self.cycle is None or self.conn.their_state is not h11.IDLE or self.conn.trailing_data[0]):
            self._await()
        else:
            self._stop()

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are no HTTP, once: what came before them, and is about to be answered, is not answered any more."""
        if self.cycle is not None:
            self.cycle.disconnected = True
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop()
        super().connection_lost(exc)

    def _await(self) -> None:
        if self._awaiting is None:
            self._awaiting = self.loop.call_later(self.seconds, self._give_up)
            self.waiting[self] = self.loop.time()
            if len(self.waiting) > MOST:
                self.loop.call_later(GRACE, self._make_room)

    def _make_room(self) -> None:
        """Let the oldest go, but none of those that came a moment ago: many may come at once and ask."""
        late = self.loop.time() - GRACE
        ours = [each for each in self.waiting if each.loop is self.loop]
        for each in ours[: max(0, len(ours) - MOST)]:
            if self.waiting[each] <= late:
                each._give_up()

    def _give_up(self) -> None:
        self._stop()
        self.transport.abort()

    def _stop(self) -> None:
        if self._awaiting is not None:
            self._awaiting.cancel()
            self._awaiting = None
            self.waiting.pop(self, None)
