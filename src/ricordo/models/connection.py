"""HTTP to one model server: opening an answer, reading its events, asking small questions. Nothing is ever logged here.

A call is made again only where the first try cannot have been answered.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import httpx2

from ricordo.errors import InvalidInput, ModelError, ModelGarbled, ModelTimeout, ModelUnreachable
from ricordo.models.address import Address
from ricordo.models.event_stream import EventStream
from ricordo.models.json_text import parsed
from ricordo.models.refusals import Refusal, as_error, read_refusal

# The event that stands for [DONE].
DONE: dict[str, Any] = {"done": True}

# Seconds before a call is made again whose connection was refused, or lost before a byte of the answer came.
_AGAIN = (0.2, 0.6)
_LOST = (httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError)  # a connection that ended under a call
# A busy server that says when to come back is asked this often again, if all the waiting stays under so many seconds.
_BUSY_TRIES, _MOST_WAIT = 3, 30.0
_CHAT = "/chat/completions"
# Clients of a proxy may be many; what is not used any more is let go soon.
_LIMITS = httpx2.Limits(max_connections=None, max_keepalive_connections=32, keepalive_expiry=5.0)
# Questions about the server itself, like its window, are small.
_SMALL = 5.0


class Connection:
    """The way to one server. `patience`, below, is seconds without a byte before a call is given up."""

    def __init__(self, address: Address, key: str, connect_timeout: float) -> None:
        if not key.isascii() or not (key + "x").isprintable():
            raise InvalidInput("The API key has characters that no key has. Copy it again.")
        self.address = address
        self._key = key
        self._connect_timeout = connect_timeout
        self._opened: httpx2.AsyncClient | None = None

    @property
    def server(self) -> str:
        """The server in the words of a sentence that it begins."""
        return f"The model server at {self.address.host}"

    async def open(self, body: dict[str, Any], patience: float, path: str = _CHAT) -> httpx2.Response | Refusal:
        """Post a call; return its answer, still to be read and closed, or the refusal. Raises ModelUnreachable, ModelTimeout."""
        lost, busy, waited = 0, 0, 0.0
        while True:
            try:
                response = await self._post(body, patience, path)
            except (httpx2.ConnectError, *_LOST) as error:
                if lost == len(_AGAIN):
                    raise self._unreachable() from error
                await asyncio.sleep(_AGAIN[lost])
                lost += 1
                continue
            except httpx2.ConnectTimeout as error:
                raise self._unreachable() from error
            except httpx2.TimeoutException as error:
                todo = "Try again, or give it longer in Settings."
                raise ModelTimeout(f"{self.server} said nothing for {patience:.0f} seconds. {todo}") from error
            except httpx2.TransportError as error:
                raise self._unreachable() from error
            if response.status_code == 200:
                return response
            refusal = await _refusal(response)
            pause = 1.0 if refusal.loading else refusal.retry_after
            if refusal.status not in (429, 503) or pause is None or waited + pause > _MOST_WAIT:
                return refusal
            if busy == _BUSY_TRIES and not refusal.loading:
                return refusal
            await asyncio.sleep(pause)
            busy, waited = busy + 1, waited + pause

    async def pass_on(self, method: str, path: str, body: bytes, headers: Mapping[str, str], patience: float) -> httpx2.Response:
        """Send somebody else's call as it is, with the server's own key; return the answer, still to be read and closed.

        Whatever its status, it is the caller's. Raises ModelUnreachable, ModelTimeout.
        """
        limits = httpx2.Timeout(patience, connect=self._connect_timeout)
        url = f"{self.address.base}{path}"
        for pause in (*_AGAIN[:1], None):
            request = self._client.build_request(method, url, content=body or None, headers=dict(headers), timeout=limits)
            try:
                return await self._client.send(request, stream=True)
            except httpx2.ConnectTimeout as error:
                raise self._unreachable() from error
            except httpx2.TimeoutException as error:
                todo = "Try again, or give it longer in Settings."
                raise ModelTimeout(f"{self.server} said nothing for {patience:.0f} seconds. {todo}") from error
            except httpx2.TransportError as error:  # a connection that was kept open and is gone: nothing was answered
                if pause is None:
                    raise self._unreachable() from error
                await asyncio.sleep(pause)
        raise AssertionError

    async def bytes_of(self, response: httpx2.Response, patience: float) -> AsyncGenerator[bytes]:
        """Yield an answer's body as it comes. Raises ModelTimeout, ModelUnreachable when the connection breaks."""
        with self._told(patience):
            async for data in response.aiter_bytes():
                yield data

    async def events(self, response: httpx2.Response, patience: float) -> AsyncGenerator[dict[str, Any]]:
        """Yield the answer's events, DONE among them; an answer that did not come as a stream is one event.

        Raises ModelTimeout, ModelUnreachable when the connection breaks, ModelGarbled.
        """
        stream, seen, unread = EventStream(), False, b""
        with self._told(patience):
            async for data in response.aiter_bytes():
                for event in stream.feed(data):
                    seen = True
                    yield event
                unread = b"" if seen else unread + data
                if stream.done:
                    seen = True
                    yield DONE
        if seen:
            for event in stream.finish():
                yield event
        else:
            yield self._whole(unread)

    async def whole(self, response: httpx2.Response, patience: float) -> dict[str, Any]:
        """Return an answer that is one JSON object, and close it. Raises as `events` does."""
        try:
            with self._told(patience):
                return self._whole(await response.aread())
        finally:
            await response.aclose()

    async def ask(self, url: str, body: dict[str, Any] | None = None) -> dict[str, Any] | None:
        """Return the JSON object at a URL, or None for any failure: what is asked this way can be done without.

        Asked again once where the connection was lost: one that was kept open may end just as it is used.
        """
        try:
            try:
                response = await self._ask_once(url, body)
            except _LOST:
                response = await self._ask_once(url, body)
            value = parsed(response.content) if response.status_code == 200 else None
        except (httpx2.HTTPError, ValueError):
            return None
        return value if isinstance(value, dict) else None

    async def _ask_once(self, url: str, body: dict[str, Any] | None) -> httpx2.Response:
        return await self._client.request("GET" if body is None else "POST", url, json=body, timeout=_SMALL)

    def error(self, refusal: Refusal, model: str) -> ModelError:
        """Return the error to raise for a refusal."""
        return as_error(refusal, self.server, model, self._key)

    async def aclose(self) -> None:
        """End all connections; the next call opens new ones."""
        if self._opened is not None:
            client, self._opened = self._opened, None
            await client.aclose()

    async def _post(self, body: dict[str, Any], patience: float, path: str) -> httpx2.Response:
        limits = httpx2.Timeout(patience, connect=self._connect_timeout)
        request = self._client.build_request("POST", f"{self.address.base}{path}", json=body, timeout=limits)
        return await self._client.send(request, stream=True)

    @contextmanager
    def _told(self, patience: float) -> Iterator[None]:
        """Say in a sentence how the reading of an answer failed."""
        try:
            yield
        except httpx2.TimeoutException as error:
            raise ModelTimeout(
                f"{self.server} fell silent for {patience:.0f} seconds in the middle of its reply. Try again."
            ) from error
        except httpx2.TransportError as error:
            raise ModelUnreachable(f"{self.server} closed the connection in the middle of its reply. Try again.") from error

    def _whole(self, body: bytes) -> dict[str, Any]:
        """Read an answer without a single event."""
        try:
            value = parsed(body)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise ModelGarbled(f"{self.server} sent something that is no reply of a model. Check the address in Settings.")
        return value

    def _unreachable(self) -> ModelUnreachable:
        return ModelUnreachable(f"No model server answers at {self.address.host}. Start it, or choose another one in Settings.")

    @property
    def _client(self) -> httpx2.AsyncClient:
        if self._opened is None:
            headers = {"authorization": f"Bearer {self._key}"} if self._key else {}
            # A proxy of the environment is for the world outside, never for this computer.
            self._opened = httpx2.AsyncClient(
                headers=headers,
                follow_redirects=False,
                trust_env=not self.address.local,
                limits=_LIMITS,
                verify=trusted(tls=not self.address.local or self.address.base.startswith("https:")),
            )
        return self._opened


@cache
def trusted(tls: bool) -> ssl.SSLContext:
    """Return whose certificates are believed: this computer's list, read once; nobody's where no TLS is spoken."""
    return httpx2.create_ssl_context() if tls else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


async def _refusal(response: httpx2.Response) -> Refusal:
    try:
        body = await response.aread()
    except httpx2.TransportError:
        body = b""  # the status says enough
    finally:
        await response.aclose()
    return read_refusal(response.status_code, body, response.headers)
