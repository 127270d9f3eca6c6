"""Files that the page hands over: lines of JSON, each followed by the bytes of the file that it names.

The one rule: what may be plain text stays in memory and is counted as it comes; only an encrypted backup is put on the disk.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request

from ricordo.errors import ImportFailed, InvalidInput
from ricordo.server.schemas.data import Handed, Restoring
from ricordo.vault import Upload

M = TypeVar("M", bound=BaseModel)

LARGEST = 512 << 20  # bytes of one import, all of it in memory: some two hundred thousand pages
_LONGEST_LINE = 8192


class Body:
    """A body that is read piece by piece."""

    def __init__(self, request: Request) -> None:
        self._stream: AsyncIterator[bytes] = aiter(request.stream())
        self._ahead = b""

    async def piece(self) -> bytes:
        """Return the next piece, empty at the end. Raises ImportFailed when the other side is gone."""
        if self._ahead:
            ahead, self._ahead = self._ahead, b""
            return ahead
        try:
            while (piece := await anext(self._stream, None)) is not None:
                if piece:
                    return piece
        except ClientDisconnect as error:
            raise ImportFailed("The file did not come to its end, so nothing was done. Try again.") from error
        return b""

    async def line(self, kind: type[M]) -> M | None:
        """Return the line of JSON that comes next, None at the end. Raises InvalidInput."""
        line = b""
        while b"\n" not in line:
            piece = await self.piece()
            line += piece
            if not piece or (len(line) > _LONGEST_LINE and b"\n" not in line):
                if not line:
                    return None
                raise InvalidInput("A file must follow a line of JSON that names it.")
        line, _, self._ahead = line.partition(b"\n")
        try:
            return kind.model_validate_json(line)
        except ValidationError as error:
            raise InvalidInput("A file must follow a line of JSON that names it.") from error

    async def take(self, size: int) -> bytes:
        """Return just so many bytes. Raises ImportFailed when fewer come."""
        taken = bytearray()
        while len(taken) < size:
            piece = await self.piece()
            if not piece:
                raise ImportFailed("The file is cut off, so nothing was done. Choose it again.")
            need = size - len(taken)
            taken += piece[:need]
            self._ahead = piece[need:]
        return bytes(taken)


async def files(request: Request) -> Upload:
    """Read all files of a body into memory. Raises InvalidInput, ImportFailed."""
    body, found, room = Body(request), [], LARGEST
    while (head := await body.line(Handed)) is not None:
        room -= head.size
        if room < 0:
            raise InvalidInput(f"That is too much at once: at most {LARGEST >> 20} MB. Import it in several parts.")
        found.append((head.name, await body.take(head.size)))
    if not found:
        raise InvalidInput("Choose a file first.")
    folder = found[0][0].split("/")[0]
    return Upload(folder, tuple(found))


async def backup(request: Request, path: str) -> str:
    """Write the encrypted backup of a body to a file for its owner alone; return what opens it."""
    body = Body(request)
    head = await body.line(Restoring)
    if head is None:
        raise InvalidInput("Choose a backup first.")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        while piece := await body.piece():
            await asyncio.to_thread(_write_all, descriptor, piece)
    finally:
        os.close(descriptor)
    return head.passphrase


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
