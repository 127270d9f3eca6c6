"""The page's own files, read once and kept in memory, packed: a load asks for thirty, and from disk each takes ten times as long.

The one rule: a browser asks each time whether a file is still the same (the guard says `no-cache`, here stands an ETag), so an
upgrade is seen at once.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import pathlib
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

# Windows takes the types from its registry, where .js is at times plain text, which a browser refuses to run.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("text/css", ".css")

_HARD = 9  # of gzip: done once, 20 ms for all


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it is sent: its bytes, the same packed, its type and what tells one version from another."""

    plain: bytes
    packed: bytes
    kind: str
    etag: str


class Files:
    """Answers GET and HEAD for the files of one folder; the folder itself is its index.html."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._files = {f"/{path.name}": _read(path) for path in sorted(folder.iterdir()) if path.is_file()}
        self._files["/"] = self._files["/index.html"]

    def before(self, app: ASGIApp) -> ASGIApp:
        """Return an app that reads these files itself and leaves the rest to another: routing takes six times as long."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            ours = scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and scope["path"] in self._files
            await (self if ours else app)(scope, receive, send)

        return answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; raises HTTPException for what is not there, or is no reading."""
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"allow": "GET, HEAD"})
        file = self._files.get(request.url.path)
        if file is None:
            raise HTTPException(404)
        headers = {"etag": file.etag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == file.etag:
            return Response(status_code=304, headers=headers)
        packs = "gzip" in request.headers.get("accept-encoding", "")
        if packs:
            headers["content-encoding"] = "gzip"
        return Response(file.packed if packs else file.plain, headers=headers, media_type=file.kind)


def _read(path: pathlib.Path) -> _File:
    plain = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    etag = f'"{hashlib.sha256(plain).hexdigest()[:32]}"'
    return _File(plain, gzip.compress(plain, _HARD, mtime=0), kind, etag)
