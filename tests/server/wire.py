"""Bytes on the wire, as no client would send them, and what comes back: for tests of what a stranger may try."""

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass

from tests.server.served import Served

_STATUS = re.compile(rb"HTTP/1\.1 (\d{3})[^\r\n]*\r\n")
QUIET = 0.4  # seconds without an answer, after which none is expected any more


@dataclass(frozen=True)
class Said:
    """All that came back over one connection."""

    data: bytes
    closed: bool

    @property
    def statuses(self) -> list[int]:
        """The status of each answer, in order."""
        return [int(status) for status in _STATUS.findall(self.data)]


def cookie(one: Served) -> str:
    """Return the session's cookie, as a header."""
    name = f"ricordo_{one.port}"
    return f"Cookie: {name}={one.client.cookies.get(name)}"


def request(
    one: Served, first: str, *headers: str, body: bytes = b"", session: bool = True, host: str = "", last: bool = True
) -> bytes:
    """Write a request; `first` is method and target; the `last` one asks for the connection's end."""
    lines = [f"{first} HTTP/1.1", f"Host: {host or f'127.0.0.1:{one.port}'}", *headers, *(["Connection: close"] if last else [])]
    if session:
        lines.append(cookie(one))
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body


async def sent(port: int, *parts: bytes, quiet: float = QUIET, pause: float = 0.0) -> Said:
    """Send bytes, part by part, and read until the other side closes or nothing more comes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data, closed = b"", False
    try:
        with suppress(ConnectionError):
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(pause)
        with suppress(TimeoutError):
            while True:
                more = await asyncio.wait_for(reader.read(1 << 16), 20 if not data else quiet)
                if not more:
                    closed = True
                    break
                data += more
    except ConnectionError:
        closed = True
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    return Said(data, closed)
