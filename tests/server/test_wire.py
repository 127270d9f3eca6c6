"""The wire itself: requests that two readers would read differently, names and paths in disguise, every route from outside."""

import asyncio
import json
import pathlib
from contextlib import suppress

import httpx2
import pytest

from benchmarks.figures import note
from ricordo.server.guard import LARGEST_BODY, LARGEST_OPEN, OPEN
from tests.server.served import Served, over
from tests.server.wire import request, sent
from tests.vaults import PASSPHRASE

pytestmark = pytest.mark.req("X1")
TABLE = "Requests that nobody should send"


def smuggled(one: Served) -> bytes:
    """A whole request with the session, which would lock the vault: to be hidden in another."""
    return request(one, "POST /api/vault/lock", "Content-Length: 0")


def framed(length: int) -> list[tuple[str, ...]]:
    """Ways to say where a body ends that two readers may understand differently."""
    return [
        ("Content-Length: 0", "Transfer-Encoding: chunked"),
        (f"Content-Length: {length}", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: chunked", "Content-Length: 0"),
        ("Content-Length: 0", f"Content-Length: {length}"),
        (f"Content-Length: {length}", "Content-Length: 0"),
        (f"Content-Length: 0, {length}",),
        ("Content-Length: +0",),
        ("Content-Length: -1",),
        ("Content-Length: 0x0",),
        ("Content-Length: 0 0",),
        ("Content-Length:",),
        ("Content-Length: " + "9" * 30,),
        ("Content-Length : 0",),
        ("Content-Length\t: 0",),
        ("Transfer-Encoding: identity",),
        ("Transfer-Encoding: chunked, identity",),
        ("Transfer-Encoding: identity, chunked",),
        ("Transfer-Encoding: xchunked",),
        ("Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
        ("Transfer-Encoding : chunked",),
        ("Transfer-Encoding:\x0bchunked",),
        ("Transfer-Encoding: chunked\x00",),
        ("X-A: b", " Transfer-Encoding: chunked"),
        ("X-A: b", "\tContent-Length: 0"),
        ("X-A: b\nContent-Length: 0",),
        ("X-A: b\rTransfer-Encoding: chunked",),
        ("Foo Bar: x", "Content-Length: 0"),
        ("Transfer-Encoding: gzip, chunked",),
    ]


CHUNKS = (
    b"zz\r\n", b"-1\r\n", b"0x5\r\n", b"+5\r\n", b" 5\r\n", b"5 \r\n", b"\r\n", b"FFFFFFFFFFFFFFFFF\r\n", b"1\r\nxx\r\n0\r\n\r\n",
    b"2\nxx\n0\n\n", b"5;\x00\r\n", b"1;a=\nb\r\nx\r\n0\r\n\r\n", b"0\r\nX y\r\n\r\n",
)  # fmt: skip


@pytest.mark.slow
def test_no_request_is_hidden_in_another(tmp_path: pathlib.Path) -> None:
    """However its end is told, what stands in a refused request's body, or behind a broken one, is not answered or done."""

    async def work(one: Served) -> None:
        await one.enter()
        hidden = smuggled(one)
        # Each is refused, for its page, its missing session or its kind, before anybody would read the body.
        outer = [
            ("POST /api/conversations", ("Origin: https://evil.example",), True),
            ("POST /api/conversations", (), False),
            ("POST /api/conversations", ("Content-Type: text/plain",), True),
            ("POST /api/vault/unlock", ("Content-Type: text/plain",), False),
        ]
        tried = 0
        for first, more, session in outer:
            for headers in framed(len(hidden)):
                said = await sent(
                    one.port, request(one, first, *more, *headers, session=session, last=False, body=b"0\r\n\r\n" + hidden)
                )
                assert 200 not in said.statuses, (first, headers, said)
                assert one.door.state == "unlocked", (first, headers, said)
                tried += 1
            honest = request(one, first, *more, f"Content-Length: {len(hidden)}", session=session, last=False, body=hidden)
            assert len((await sent(one.port, honest)).statuses) == 1
            for chunk in CHUNKS:
                data = request(one, first, *more, "Transfer-Encoding: chunked", session=session, last=False, body=chunk + hidden)
                said = await sent(one.port, data)
                assert not {200, 201} & set(said.statuses), (first, chunk, said)
                assert one.door.state == "unlocked", (first, chunk, said)
                tried += 2
        note(TABLE, "a request hidden in another", tried, "none answered or done", kept=True)

    over(tmp_path, work)


def test_two_honest_requests_in_one_go_are_two(tmp_path: pathlib.Path) -> None:
    """What is sent ahead is not lost, so the test above tells something."""

    async def work(one: Served) -> None:
        await one.enter()
        said = await sent(one.port, request(one, "GET /api/conversations", last=False) + smuggled(one))
        assert said.statuses == [200, 200]
        assert one.door.state == "locked"

    over(tmp_path, work)


BROKEN = (
    b"\x16\x03\x01\x02\x00\x01\xfc\x03\x03", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/0.9\r\n\r\n",
    b"GET  / HTTP/1.1\r\n\r\n", b"get / http/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", b"\r\n" * 50, b"\x00" * 100, b"GET / HTTP/1.1\r\n" + b"A" * 100_000,
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X-Long: " + b"z" * 100_000 + b"\r\n\r\n", b"SSH-2.0-x\r\n\r\n", b"HELO me\r\n\r\n",
)  # fmt: skip


def test_what_is_no_request_is_refused_and_costs_nothing(tmp_path: pathlib.Path) -> None:
    """TLS, HTTP/2, older HTTP, noise, heads without an end: an error or nothing, the connection closed, the page goes on."""

    async def work(one: Served) -> None:
        client = await one.enter()
        for data in BROKEN:
            said = await sent(one.port, data + b"\r\n\r\n")
            assert all(400 <= status < 500 for status in said.statuses), (data[:40], said)
            assert len(said.statuses) <= 2 and said.closed, (data[:40], said)
            assert (await client.get("/api/conversations")).status_code == 200
        note(TABLE, "what is no request", len(BROKEN), "refused, the page goes on", kept=True)

    over(tmp_path, work)


def test_a_name_in_disguise_is_a_foreign_one(tmp_path: pathlib.Path) -> None:
    """DNS rebinding comes with the foreign name in Host; no other header, and no spelling, makes it this server's."""

    async def work(one: Served) -> None:
        await one.enter()
        here, port = f"127.0.0.1:{one.port}", one.port
        foreign = [
            f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", f"localhost.:{port}", f"localhost.evil.example:{port}",
            f"x@127.0.0.1:{port}", f"127.0.0.1:{port}@evil.example", f"127.0.0.1:{port}.evil.example", f"127.0.0.1:0{port}",
            f"127.0.0.1:{port} evil", f"127.1:{port}", f"2130706433:{port}", f"0x7f.1:{port}", f"0.0.0.0:{port}", f"[::]:{port}",
            f"[::ffff:127.0.0.1]:{port}", f"127.0.0.2:{port}", f"http://{here}", f"{here}/", f"{here}#", f"{here},evil.example",
            f"ｌｏｃａｌｈｏｓｔ:{port}", f"127。0。0。1:{port}", "127.0.0.1:80", "",
        ]  # fmt: skip
        for host in foreign:
            data = request(one, "GET /api/conversations", host=host or " ")
            assert set((await sent(one.port, data)).statuses) <= {400, 403}, host
        for name in ("X-Forwarded-Host", "X-Host", "Forwarded", "X-Original-Host", "X-Forwarded-Server"):
            data = request(one, "GET /api/conversations", f"{name}: {here}", host=f"evil.example:{port}")
            assert (await sent(one.port, data)).statuses == [403], name
        # Nor does a header that a proxy in front would set make a stranger a friend, or this another origin.
        for header in (
            "X-Forwarded-For: 127.0.0.1",
            "X-Forwarded-Proto: https",
            "X-Real-IP: 127.0.0.1",
            "Forwarded: for=127.0.0.1",
        ):
            data = request(one, "GET /api/conversations", header, session=False)
            assert (await sent(one.port, data)).statuses == [401], header
            data = request(one, "GET /api/conversations", header, f"Origin: https://{here}")
            assert (await sent(one.port, data)).statuses == [403], header
        absolute = request(one, f"GET http://evil.example:{port}/api/conversations", session=False)
        assert not {200, 201} & set((await sent(one.port, absolute)).statuses)
        note(TABLE, "names that are not this server's", len(foreign) + 5, "none answered", kept=True)

    over(tmp_path, work)


def test_no_spelling_of_a_path_leads_past_the_guard_or_out_of_the_page(tmp_path: pathlib.Path) -> None:
    """Dots, doubled and encoded signs, encoded question marks: without a session nothing of the vault, never a file beside."""
    ways = [
        "/../../../../etc/passwd", "/..%2f..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/%252e%252e/etc/passwd",
        "/..\\..\\etc\\passwd", "/%5c..%5c..%5cetc%5cpasswd", "//etc/passwd", "/./guard.py", "/../guard.py", "/..%2fguard.py",
        "/index.html/../../guard.py", "/%2e%2e%2fguard.py", "/index.html%00.py", "/%c0%ae%c0%ae/guard.py", "/..;/guard.py",
        "/api/../api/conversations", "/api%2fconversations", "//api/conversations", "/%61pi/conversations", "/API/conversations",
        "/./api/conversations", "/x/../api/conversations", "/api/conversations;x", "/api/conversations/", "/api/conversations%20",
        "/api/conversations%00", "/api/vault%3f/../conversations", "/api/vault%23/../conversations", "/api/start%3fx",
        "/%3f/../api/conversations", "/%23/api/conversations", "/index.html%3f/../api/conversations", "/v1/../api/conversations",
        "/api/vault/../conversations", "/api/vault%2f..%2fconversations", "/api//conversations", "/api/./conversations",
        "/mcp/../api/conversations", "/api/conversations?x=/api/vault", "/api/conversations%3F", "/api/data/export.json%3f",
        "*", "/api/vault\\..\\conversations", "/api/data/import%3fx", "/api/data/restore%23",
    ]  # fmt: skip

    async def work(one: Served) -> None:
        client = await one.enter()
        word = "Quixalorn"
        await client.post("/api/conversations", json={"title": word})
        tried = 0
        for locked in (False, True):
            for way in ways:
                for method in ("GET", "POST", "HEAD", "OPTIONS", "DELETE", "PUT"):
                    said = await sent(one.port, request(one, f"{method} {way}", "Content-Length: 0", session=False))
                    assert not {200, 201, 204} & set(said.statuses), (method, way, said)
                    assert word.encode() not in said.data and b"root:" not in said.data and b"def " not in said.data
                    tried += 1
            await client.post("/api/vault/lock")
            assert locked or one.door.state == "locked"
        note(TABLE, "paths in disguise, without a session", tried, "nothing told", kept=True)

    over(tmp_path, work)


def test_every_route_is_shut_to_strangers_to_other_pages_and_while_locked(tmp_path: pathlib.Path) -> None:
    """All that the description names: 401 without a session, 403 for another page with it, 423 locked; nothing changes."""

    async def work(one: Served) -> None:
        client = await one.enter()
        told = (await client.get("/api/openapi.json")).json()
        routes = [(method.upper(), path) for path, methods in told["paths"].items() for method in methods]
        assert len(routes) > 70
        before = (await client.get("/api/data/export.json")).content
        tried = 0

        async def asked(method: str, path: str, **headers: str) -> int:
            filled = path.replace("{", "").replace("}", "")
            for name in ("conversation", "message", "space", "fact", "change", "key", "token", "entry"):
                filled = filled.replace(f"/{name}", "/1") if f"{{{name}}}" in path else filled
            kind = "application/octet-stream" if path in ("/api/data/import", "/api/data/restore") else "application/json"
            answer = await client.request(method, filled, content=b"{}", headers={"content-type": kind, **headers})
            return answer.status_code

        for method, path in routes:
            for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "same-site"}):
                assert await asked(method, path, **headers) == 403, (method, path, headers)
                tried += 1
        assert (await client.get("/api/data/export.json")).content == before
        cookies = dict(client.cookies)
        client.cookies.clear()
        for method, path in routes:
            if (method, path) not in OPEN:
                assert await asked(method, path) == 401, (method, path)
                assert await asked(method, path, authorization="Bearer ricordo_guess") == 401, (method, path)
                tried += 2
        client.cookies.update(cookies)
        await client.post("/api/vault/lock")
        for method, path in routes:
            if (method, path) not in OPEN:
                assert await asked(method, path) == 423, (method, path)
                tried += 1
        await client.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})
        assert (await client.get("/api/data/export.json")).content == before
        note(TABLE, "each route, from outside", tried, "each refused", kept=True)

    over(tmp_path, work)


def test_a_cookie_of_another_port_or_in_another_name_is_none(tmp_path: pathlib.Path) -> None:
    """Cookies do not keep ports apart: other servers' come along, and one that another page planted lets nobody in."""

    async def work(one: Served) -> None:
        await one.enter()
        name, value = f"ricordo_{one.port}", one.client.cookies.get(f"ricordo_{one.port}")
        for told in (f"ricordo_1={value}", f"ricordo={value}", f"{name}=", f"{name}=planted", f"{name.upper()}={value}",
                     f"x{name}={value}", f"{name}={value}x", f'{name}="x; {name}={value}"', f"{name}[]={value}"):  # fmt: skip
            said = await sent(one.port, request(one, "GET /api/conversations", f"Cookie: {told}", session=False))
            assert said.statuses == [401], told
        beside = f"Cookie: ricordo_1=other; theme=dark; {name}={value}; z=1"
        assert (await sent(one.port, request(one, "GET /api/conversations", beside, session=False))).statuses == [200]

    over(tmp_path, work)


@pytest.mark.slow
def test_no_upgrade_leads_to_another_protocol(tmp_path: pathlib.Path) -> None:
    """Not a WebSocket, not HTTP/2, with a session or without: the answer is that of the request without the upgrade."""

    async def work(one: Served) -> None:
        await one.enter()
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        for protocol in ("websocket", "WebSocket", "h2c", "HTTP/2.0", "TLS/1.0"):
            for path in ("/", "/api/events", "/api/conversations", "/mcp", "/v1/chat/completions"):
                for session in (True, False):
                    headers = ("Connection: Upgrade", f"Upgrade: {protocol}", "Sec-WebSocket-Version: 13", key)
                    said = await sent(one.port, request(one, f"GET {path}", *headers, session=session, last=False), quiet=0.05)
                    assert 101 not in said.statuses and said.statuses, (protocol, path)
                    evil = request(one, f"GET {path}", *headers, "Origin: https://evil.example", session=session, last=False)
                    assert (await sent(one.port, evil, quiet=0.05)).statuses == [403], (protocol, path)

    over(tmp_path, work)


def test_a_large_body_of_who_is_not_in_is_cut_short(tmp_path: pathlib.Path) -> None:
    """There is no more to say than a passphrase: neither told ahead nor in pieces without an end is more taken in."""

    async def work(one: Served) -> None:
        client = await one.enter()
        client.cookies.clear()
        kind = {"content-type": "application/json"}
        taken = 0

        async def endless():  # type: ignore[no-untyped-def]
            nonlocal taken
            while taken < LARGEST_BODY:
                taken += 1 << 14
                yield b" " * (1 << 14)
                await asyncio.sleep(0)

        long = json.dumps({"passphrase": "x" * LARGEST_OPEN}).encode()
        refused = await client.post("/api/vault/unlock", content=long, headers=kind)
        assert (refused.status_code, "at most 64 kB" in refused.text) == (413, True)
        with suppress(httpx2.TransportError):  # where it went on sending after the answer, and was cut off
            assert (await client.post("/api/vault/unlock", content=endless(), headers=kind)).status_code == 413
        assert (await client.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})).status_code == 200

    over(tmp_path, work)
