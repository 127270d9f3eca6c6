"""Calls of the model that clients make themselves, passed on to its server with memory added, and the answers passed back.

The one rule: what comes back is what the server sent, byte for byte, errors and broken streams too; memory is never in the way.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import dataclass

import httpx2

from ricordo.clients import call
from ricordo.clients.alongside import Alongside
from ricordo.clients.call import CHAT, Call
from ricordo.clients.prepared import Prepared
from ricordo.clients.transcript import chore
from ricordo.conversation import Status
from ricordo.desk import Desk
from ricordo.errors import InvalidInput, ModelError, RicordoError, VaultLocked
from ricordo.in_use import InUse
from ricordo.models.base import Finish
from ricordo.models.choose import server_of
from ricordo.models.connection import Connection
from ricordo.models.overheard import Overheard
from ricordo.models.refusals import read_refusal

_AHEAD = 64  # pieces of an answer that are held for a client that reads slowly; then its server waits, too
_FOR_END = 0.3  # seconds for the end of a stream that has said so: some servers keep the connection open
_SOON = 0.25  # seconds after which what is new is stored, although the model has not begun to answer
_TEMPLATE = ("template", "jinja", "role", "system")  # what servers whose models take no system message speak of


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of an answer."""

    status: int
    headers: tuple[tuple[str, str], ...]


class Passage:
    """One call on its way: `head` waits for the beginning of the answer, `body` yields the rest.

    It runs by itself: `end` stops it, which stops the model; what came of the reply by then is kept. `troubles` are
    what went wrong on the side of memory, in spite of which the call was passed on.
    """

    def __init__(self, desk: Desk, server: Connection, asked: Call, alongside: Alongside) -> None:
        self._desk, self._server, self._call, self._alongside = desk, server, asked, alongside
        self.troubles: list[BaseException] = []
        self._head: asyncio.Future[Head] = asyncio.get_running_loop().create_future()
        self._pieces: asyncio.Queue[bytes | RicordoError | None] = asyncio.Queue(_AHEAD)
        self._heard = Overheard()
        self._timings: dict[str, float] = {}
        self._started = time.perf_counter()
        self._keeping: asyncio.Task[Prepared] | None = None
        self._over = False
        self._speaks = asyncio.Event()  # the client has the first of the answer
        self.task = asyncio.create_task(self._run(), name="pass a call on")

    async def head(self) -> Head:
        """Return the status and the headers of the answer. Raises ModelError, VaultLocked where there is none."""
        return await asyncio.shield(self._head)

    async def body(self) -> AsyncGenerator[bytes, None]:
        """Yield the answer as it comes. Raises ModelError, VaultLocked where it broke off."""
        while (piece := await self._pieces.get()) is not None:
            if isinstance(piece, RicordoError):
                raise piece
            yield piece
            self._speaks.set()

    def end(self) -> None:
        """Stop the call, unless it is at its end; what came of the reply is kept."""
        if not self._over:
            self.task.cancel()

    async def _run(self) -> None:
        """Pass the call on and its answer back, and keep what was said however it ends."""
        failure: ModelError | None = None
        cut = Status.STOPPED
        try:
            async with AsyncExitStack() as around:
                prepared = None
                if self._call.path == CHAT:
                    await around.enter_async_context(self._desk.gate.beside())
                    prepared = await self._prepared()
                response = await self._answered(prepared)
                around.push_async_callback(response.aclose)
                patience = float(self._desk.settings.timeout)
                self._head.set_result(Head(response.status_code, tuple(response.headers.multi_items())))
                async with aclosing(self._server.bytes_of(response, patience)) as pieces:
                    await self._pass_back(pieces)
            cut = Status.ERROR  # where nothing said that this was all
        except ModelError as error:
            failure, cut = error, Status.ERROR
        except Exception as error:  # noqa: BLE001 - the edge of a worker
            self.troubles.append(error)
            failure, cut = ModelError("The call could not be passed on. Try again, and report it if it stays."), Status.ERROR
        finally:
            self._over = True
            await asyncio.shield(self._keep(cut))
            await self._close(failure)

    async def _pass_back(self, pieces: AsyncGenerator[bytes, None]) -> None:
        """Pass the answer back, piece by piece; after its own mark of the end none is waited for long."""
        while True:
            try:
                async with asyncio.timeout(_FOR_END if self._heard.done else None):
                    piece = await anext(pieces)
            except (StopAsyncIteration, TimeoutError):
                return
            self._timings.setdefault("first piece", round(time.perf_counter() - self._started, 4))
            await self._pieces.put(piece)
            await asyncio.sleep(0)  # the client first, then who listens
            self._heard.feed(piece)

    async def _close(self, failure: RicordoError | None) -> None:
        """Let go of whoever waits for the answer: with its end, or with why there is no more of it."""
        stopped = self.task.cancelling() > 0
        if stopped and failure is None:  # by the lock: a client that has gone waits for nothing
            failure = VaultLocked("The vault was locked while the model was asked. Unlock it and try again.")
        if not self._head.done():
            self._head.set_exception(failure or ModelError("No answer came. Try again."))
            self._head.exception()  # it may be that nobody waits for it
        elif stopped:
            while self._pieces.full():
                self._pieces.get_nowait()
            self._pieces.put_nowait(failure)
        else:
            await self._pieces.put(failure)

    async def _prepared(self) -> Prepared | None:
        """Return the client's messages with memory, and begin to store what is new in them."""
        messages = call.messages(self._call.asked)
        if messages is None or self._call.private or chore(messages):
            return None
        try:
            prepared = await self._alongside.compose(call.as_taken(messages, self._server.address.host), self._call.client)
        except InvalidInput:
            return None  # nothing that a person said: the server may know what to do with it
        except Exception as error:  # noqa: BLE001 - the chat goes on without memory, whatever is wrong with it
            self.troubles.append(error)
            return None
        if self._call.keep:
            self._keeping = asyncio.create_task(self._kept(prepared), name="keep what was said")
        return prepared

    async def _kept(self, prepared: Prepared) -> Prepared:
        """Store what is new, not in the way of the first word: its client has it, and sends it again if this is cut short."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_SOON):
                await self._speaks.wait()
        return await self._alongside.keep(prepared)

    async def _answered(self, prepared: Prepared | None) -> httpx2.Response:
        """Return the answer of the server; what it refuses with memory is sent once more as the client sent it."""
        host = self._server.address.host
        plain = call.plain(self._call.body, host)
        if prepared is None or prepared.beside is None:
            return await self._send(plain)
        response = await self._send(call.with_memory(self._call.body, prepared, host))
        if response.status_code in (400, 413, 422, 500):
            body = await response.aread()
            refusal = read_refusal(response.status_code, body, response.headers)
            template = any(word in refusal.said.lower() for word in _TEMPLATE)
            if refusal.overflow or response.status_code != 500 or template:
                again = await self._send(plain)
                if again.status_code == 200:
                    await response.aclose()
                    return again
                await again.aclose()
        return response

    async def _send(self, body: bytes) -> httpx2.Response:
        asked, patience = self._call, float(self._desk.settings.timeout)
        return await self._server.pass_on(asked.method, asked.path, body, asked.headers, patience)

    def _status(self, cut: Status) -> Status:
        """Return how the reply ended: as it says itself, else `cut`. A client may go as soon as it has all."""
        self._heard.end()
        if self._heard.failed or self._heard.finish is Finish.CUT:
            return Status.ERROR
        if self._heard.finish is None:
            return cut
        return Status.COMPLETE if self._heard.finish is Finish.STOP else Status.STOPPED

    async def _keep(self, cut: Status) -> None:
        """Store what came of the reply, if it is one; whatever goes wrong, the client has it."""
        self._speaks.set()
        if self._keeping is None:
            return
        try:
            prepared, status, heard = await self._keeping, self._status(cut), self._heard
            if heard.tools or not heard.text.strip():
                return
            model = f"{self._desk.model.name.partition('/')[0]}/{heard.model}" if heard.model else ""
            self._timings["replied"] = round(time.perf_counter() - self._started, 4)
            await self._alongside.record(prepared, heard.text, status, model, heard.usage, self._timings)
        except Exception as error:  # noqa: BLE001 - the edge of a worker
            self.troubles.append(error)


class Passing:
    """Passes clients' calls on to the server of the model that a vault works with."""

    def __init__(self, in_use: InUse, alongside: Alongside) -> None:
        self._in_use, self._alongside = in_use, alongside
        self._under_way: set[Passage] = set()

    async def begin(self, asked: Call) -> Passage:
        """Begin to pass a call on. Raises ModelMissing, ModelUnreachable where there is no server to pass it to."""
        desk = await self._in_use.desk()
        passage = Passage(desk, await server_of(desk.model), asked, self._alongside)
        self._under_way.add(passage)
        passage.task.add_done_callback(lambda _: self._under_way.discard(passage))
        return passage

    async def close(self) -> None:
        """Stop every call, and wait until what came is kept."""
        under_way = list(self._under_way)
        for passage in under_way:
            passage.end()
        await asyncio.gather(*(passage.task for passage in under_way), return_exceptions=True)
