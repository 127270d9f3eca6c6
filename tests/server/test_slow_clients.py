"""Who holds a place and does not get on, and who guesses from many places at once: the page goes on working."""

import asyncio
import pathlib
import socket
import subprocess
import sys
import time
from contextlib import suppress

import httpx2
import pytest

from benchmarks.figures import note
from ricordo.server import guard
from ricordo.server.patience import PatientProtocol
from tests.server.served import Served, over
from tests.server.wire import request, sent
from tests.store.box import ROOT
from tests.vaults import PASSPHRASE

pytestmark = pytest.mark.req("X1", "X3")
SLOW = 200


async def held(port: int, data: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Begin a request, and leave it there."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    return reader, writer


async def ended(writer: asyncio.StreamWriter) -> None:
    """Close our end."""
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


def halves(one: Served) -> list[bytes]:
    """Requests that are not at their end."""
    long = "Content-Length: 1000"
    return [
        b"", b"G", b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ", request(one, "GET /", last=False)[:-2],
        request(one, "POST /api/vault/unlock", long, "Content-Type: application/json", session=False, last=False, body=b'{"pass'),
        request(one, "POST /api/conversations", long, "Origin: https://evil.example", last=False, body=b"x"),
        request(one, "GET /api/vault", last=False) + b"GET /api/va",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", range(7))
def test_a_request_that_never_ends_is_let_go(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, kind: int) -> None:
    """Also where it drips on: nothing sent, half a head, half a body of who is not in, a refused body, half of a second one."""
    monkeypatch.setattr(PatientProtocol, "seconds", 0.3)
    monkeypatch.setattr(guard, "SECONDS", 0.3)

    async def work(one: Served) -> None:
        await one.enter()
        reader, writer = await held(one.port, halves(one)[kind])
        started = time.monotonic()
        dripping = asyncio.create_task(drip(writer, halves(one)[kind][-1:] or b""))
        async with asyncio.timeout(8):
            with suppress(ConnectionError):
                while await reader.read(1 << 16):
                    pass
        assert time.monotonic() - started > 0.2
        dripping.cancel()
        await ended(writer)
        assert (await one.client.get("/api/conversations")).status_code == 200

    async def drip(writer: asyncio.StreamWriter, more: bytes) -> None:
        while more:
            await asyncio.sleep(0.1)
            writer.write(b"a")

    over(tmp_path, work)


def test_a_page_that_follows_its_events_is_not_let_go(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is one that is quiet between two questions, for as long as connections are kept."""
    monkeypatch.setattr(PatientProtocol, "seconds", 0.2)

    async def work(one: Served) -> None:
        client = await one.enter()
        async with client.stream("GET", "/api/events") as watching:
            assert watching.status_code == 200
            await asyncio.sleep(1)
            reader, writer = await held(one.port, request(one, "GET /api/conversations", last=False))
            assert b"200 OK" in await reader.read(1 << 16)
            await asyncio.sleep(0.6)
            writer.write(request(one, "GET /api/conversations"))
            assert b"200 OK" in await reader.read(1 << 16)
            await ended(writer)
            await client.post("/api/conversations", json={"title": "New"})
            assert "event: " in await anext(watching.aiter_lines())

    over(tmp_path, work)


IMPATIENT = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (150, 150))
sys.argv = ["serve", sys.argv[1]]
runpy.run_module("tests.web.serve", run_name="__main__")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_hundreds_that_hold_a_place_do_not_shut_the_page_out(tmp_path: pathlib.Path) -> None:
    """With room for 150 files, and 200 that never ask: the oldest are let go, and the page is answered at once."""
    command = [sys.executable, "-c", IMPATIENT, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        port = int(address.rstrip("/").rpartition(":")[2])
        holding = [socket.create_connection(("127.0.0.1", port)) for _ in range(SLOW)]
        try:
            for each in holding:
                each.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ")
            started = time.monotonic()
            assert httpx2.get(f"{address}api/vault", timeout=60, trust_env=False).json()["state"] == "missing"
            assert time.monotonic() - started < 8
        finally:
            for each in holding:
                each.close()
            process.kill()
    note("Requests that nobody should send", "connections held half open at once", SLOW, "the page is answered", kept=True)


def test_many_that_ask_at_once_are_all_answered(tmp_path: pathlib.Path) -> None:
    """Two hundred connections in one go, each with its question: none is taken for one that only holds a place."""

    async def work(one: Served) -> None:
        await one.enter()
        said = await asyncio.gather(*(sent(one.port, request(one, "GET /api/vault")) for _ in range(SLOW)))
        assert [each.statuses for each in said] == [[200]] * SLOW

    over(tmp_path, work)


@pytest.mark.slow
@pytest.mark.req("X1", "V2")
def test_guessing_from_many_places_at_once_is_no_faster(tmp_path: pathlib.Path) -> None:
    """Tries wait for each other, whoever makes them: five at once take as long as five in a row."""

    async def work(one: Served) -> None:
        await one.enter()
        await one.door.lock()
        started = time.monotonic()
        body = b'{"passphrase": "guess"}'
        guess = request(one, "POST /api/vault/unlock", f"Content-Length: {len(body)}", "Content-Type: application/json",
                        session=False, body=body)  # fmt: skip
        said = await asyncio.gather(*(sent(one.port, guess) for _ in range(5)))
        assert [each.statuses for each in said] == [[403]] * 5
        assert time.monotonic() - started >= 3  # the fourth waits a second, the fifth two
        assert (one.door.state, b"set-cookie" in b"".join(each.data for each in said)) == ("locked", False)

    over(tmp_path, work)


@pytest.mark.req("X1", "V3")
def test_a_session_is_in_no_file_and_ends_with_the_lock(tmp_path: pathlib.Path) -> None:
    """Its secret is kept by the browser alone: here as a hash in memory, so that not even a backup opens the door."""

    async def work(one: Served) -> None:
        client = await one.enter()
        secret = client.cookies.get(f"ricordo_{one.port}")
        assert secret is not None
        assert secret not in repr(vars(one.door))
        await one.door.vault.data.backup(tmp_path / "backup.ricordo")
        pages = await one.door.vault._database.read(lambda c: c.serialize("main"))
        assert secret.encode() not in pages
        data = request(one, "GET /api/conversations")
        assert (await sent(one.port, data)).statuses == [200]
        await one.door.lock()
        assert (await sent(one.port, data)).statuses == [423]
        await client.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})
        assert (await sent(one.port, data)).statuses == [401]

    over(tmp_path, work)
