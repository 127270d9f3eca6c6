"""Who may ask at all: pages of this very server with a session, and programs with a token; in JSON, no more than fits.

Pure ASGI.

The one rule: what is refused here reaches no route, and every answer leaves with the same strict headers.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from http import HTTPStatus

from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ricordo.errors import VaultLocked
from ricordo.server import permits
from ricordo.server.patience import SECONDS
from ricordo.server.sessions import Door
from ricordo.server.statuses import UNEXPECTED, body_of, log_unexpected, proxied_body_of

LARGEST_BODY = 8 << 20  # bytes; a request is held in memory whole, so that none of it is spooled to a disk
LARGEST_OPEN = 64 << 10  # of who is not in yet, and has no more to say than a passphrase
LARGEST_PROXIED = 64 << 20  # a client sends all of its conversation each time, pictures too
MCP = "/mcp"  # takes a token, never a session: no page has any business there
_HOSTS = ("127.0.0.1", "localhost", "[::1]")
OPEN = {("GET", "/api/vault"), ("GET", "/api/start"), ("POST", "/api/vault/unlock"), ("POST", "/api/vault/create")}
_RESTORE = ("POST", "/api/data/restore")  # open while there is no vault at all, as on a new computer
# Whole files: too large to be held here, so their routes read and count them themselves. No form and no plain request of
# another page can have their content type.
_FILES = {_RESTORE, ("POST", "/api/data/import")}
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class _Refusal:
    """Why a request goes no further."""

    status: HTTPStatus
    kind: str
    message: str

    def response(self, request: Request) -> Response:
        if _is_proxied(_path(request)):
            return JSONResponse(proxied_body_of(self.kind, self.message), self.status)
        return JSONResponse(body_of(self.kind, self.message), self.status)


_FOREIGN_HOST = _Refusal(HTTPStatus.FORBIDDEN, "ForeignHost", "Ricordo answers only at its own address on this computer.")
_FOREIGN_PAGE = _Refusal(HTTPStatus.FORBIDDEN, "ForeignPage", "Another page may not ask here. Open Ricordo in a tab of its own.")
_TWO_ENDS = _Refusal(HTTPStatus.BAD_REQUEST, "InvalidInput", "That request tells its end in two ways. Send it with one of them.")
_LOCKED = _Refusal(HTTPStatus.LOCKED, "VaultLocked", "The vault is locked. Unlock it with your passphrase first.")
_STRANGER = _Refusal(HTTPStatus.UNAUTHORIZED, "NoSession", "Unlock the vault in this browser first.")
_NOT_JSON = _Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "NotJson", "Send JSON, with the content type application/json.")
_NOT_A_FILE = _Refusal(
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "NotAFile", "Send the file itself, with the content type application/octet-stream."
)
_NO_TOKEN = _Refusal(
    HTTPStatus.UNAUTHORIZED, "NoToken", "No such token lets you in. Make one in Settings, or with `ricordo tokens new`."
)


_TOO_SLOW = _Refusal(HTTPStatus.REQUEST_TIMEOUT, "TooSlow", "That request did not come to its end. Send it again.")


def _too_large(most: int) -> _Refusal:
    least = f"{most >> 20} MB" if most >= 1 << 20 else f"{most >> 10} kB"
    said = f"That is too much at once: at most {least}. Send it in several parts."
    return _Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "TooLarge", said)


def cookie_name(scope: Scope) -> str:
    """Return the session cookie's name. It holds the port, because cookies do not separate ports."""
    return f"ricordo_{scope['server'][1]}"


class Guard:
    """Stands in front of the whole app."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        request = Request(scope, receive)
        request.state.door = self._door
        answer = _Answer(send, api=_is_api(scope["path"]))
        bearer = _bearer(request)
        refused: Response | None
        if {"content-length", "transfer-encoding"} <= set(request.headers):
            # Something on the way may have seen another end, so nothing that comes behind it is read.
            refused = _TWO_ENDS.response(request)
            refused.headers["connection"] = "close"
        elif bearer is None:
            refused = self._refused(request)
        else:
            refused = await self._refused_token(request, bearer)
        if refused is None and (request.method, _path(request)) in _FILES:
            if _media_type(request) == "application/octet-stream":
                await self._pass_on(scope, receive, answer)
                return
            refused = _NOT_A_FILE.response(request)
        if refused is None:
            try:
                body = await _read(request)
            except ClientDisconnect:
                return
            if isinstance(body, bytes):
                await self._pass_on(scope, _Replay(body, receive), answer)
                return
            refused = body.response(request)
        await refused(scope, receive, answer)

    def _refused(self, request: Request) -> Response | None:
        """Return the answer to a request that may not pass."""
        host = _host(request)
        if host is None:
            return _FOREIGN_HOST.response(request)
        # A page of another local server is the same site, and its requests carry our cookie: only the same origin may ask.
        if request.headers.get("origin") not in (None, f"http://{host}"):
            return _FOREIGN_PAGE.response(request)
        if request.headers.get("sec-fetch-site") in ("cross-site", "same-site") and not _is_visit(request):
            return _FOREIGN_PAGE.response(request)
        if host.startswith("localhost"):
            # Another site than 127.0.0.1 to a browser, so the session of one would be missing at the other.
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(f"http://127.0.0.1{host.removeprefix('localhost')}{_path(request)}{query}")
        path = _path(request)
        if not _is_api(path) or (request.method, path) in OPEN:
            return None
        if (request.method, path) == _RESTORE and self._door.state == "missing":
            return None
        if self._door.state != "unlocked":
            return _LOCKED.response(request)
        if path == MCP:
            return _NO_TOKEN.response(request)
        if not self._door.admits(request.cookies.get(cookie_name(request.scope))):
            return _STRANGER.response(request)
        return None

    async def _refused_token(self, request: Request, secret: str) -> Response | None:
        """Return the answer to a program whose token does not let it pass.

        Its Origin does not matter: a browser never sends a token by itself, and no other page learns of an answer.
        """
        if _host(request) is None:
            return _FOREIGN_HOST.response(request)
        try:
            token = await self._door.token(secret)
        except VaultLocked:
            return _LOCKED.response(request)
        if token is None:
            return _NO_TOKEN.response(request)
        if (why := permits.refused(token, request.method, _path(request))) is not None:
            return _Refusal(HTTPStatus.FORBIDDEN, "NotAllowed", why).response(request)
        request.state.token = token
        return None

    async def _pass_on(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        try:
            await self._app(scope, receive, answer)
        except Exception as error:  # noqa: BLE001 - the edge of a request
            log_unexpected(error)
            if not answer.begun:
                refusal = _Refusal(HTTPStatus.INTERNAL_SERVER_ERROR, "Unexpected", UNEXPECTED)
                await refusal.response(Request(scope))(scope, receive, answer)


class _Answer:
    """Sends an answer on, with the headers that every answer has."""

    def __init__(self, send: Send, *, api: bool) -> None:
        self._send = send
        self._caching = "no-store" if api else "no-cache"
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            headers.update({**_HEADERS, "cache-control": self._caching})
        await self._send(message)


class _Replay:
    """Gives the app a body that was read already, then whatever comes after it."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


def _path(request: Request) -> str:
    """Return the path as routes see it. That of `request.url` ends at a "?" or "#" that was sent encoded."""
    return str(request.scope["path"])


def _is_api(path: str) -> bool:
    return path in ("/api", MCP) or path.startswith("/api/") or _is_proxied(path)  # not /api.js, which is the page's


def _is_proxied(path: str) -> bool:
    return path == "/v1" or path.startswith("/v1/")


def _bearer(request: Request) -> str | None:
    """Return the token that a program sent; None where no header speaks of one."""
    kind, _, secret = request.headers.get("authorization", "").strip().partition(" ")
    return secret.strip() if kind.lower() == "bearer" else None


def _host(request: Request) -> str | None:
    """Return the Host that was asked for when it is this server's, port included."""
    given = request.headers.getlist("host")
    port = request.scope["server"][1]
    known = {f"{name}:{port}" for name in _HOSTS} | (set(_HOSTS) if port == 80 else set())
    return given[0].lower() if len(given) == 1 and given[0].lower() in known else None


def _is_visit(request: Request) -> bool:
    """Say whether a person follows a link to the page from elsewhere: that shows the page and does nothing else."""
    headers = request.headers
    return (
        request.method == "GET"
        and _path(request) == "/"
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
    )


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").split(";")[0].strip().lower()


def _most(request: Request) -> int:
    if (request.method, _path(request)) in OPEN or not _is_api(_path(request)):
        return LARGEST_OPEN
    return LARGEST_PROXIED if _is_proxied(_path(request)) else LARGEST_BODY


async def _read(request: Request) -> bytes | _Refusal:
    """Return the body, counted as it comes, or why it is refused."""
    most = _most(request)
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > most:
        return _too_large(most)
    parts, size = [], 0
    try:
        async with asyncio.timeout(SECONDS if most == LARGEST_OPEN else None):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    return _too_large(most)
                parts.append(part)
    except TimeoutError:
        return _TOO_SLOW
    if size and _media_type(request) != "application/json":
        return _NOT_JSON
    return b"".join(parts)
