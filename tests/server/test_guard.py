"""The guard: only this server's own pages may ask, only in JSON, only what fits, only with a session."""

import asyncio
import json
import pathlib

import pytest

from ricordo.server.guard import LARGEST_BODY
from tests.server.served import Served, over
from tests.vaults import PASSPHRASE

pytestmark = pytest.mark.req("X1")


async def raw(port: int, request: str, body: bytes = b"") -> tuple[int, dict[str, str], bytes]:
    """Send bytes as they are and return status, headers and body: a client would not send such headers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
    await writer.drain()
    head, _, rest = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    return int(lines[0].split()[1]), headers, rest


async def asked(one: Served, *headers: str, path: str = "/api/conversations", method: str = "GET", host: str = "") -> int:
    """Ask with the session's cookie and these headers; return the status."""
    cookie = f"Cookie: ricordo_{one.port}={one.client.cookies.get(f'ricordo_{one.port}')}"
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{one.port}'}", "Connection: close", cookie, *headers]
    return (await raw(one.port, "\n".join(lines)))[0]


def test_only_its_own_name_is_answered(tmp_path: pathlib.Path) -> None:
    """A foreign Host (as after DNS rebinding), a wrong or missing port, or two Hosts are refused."""

    async def work(one: Served) -> None:
        await one.enter()
        assert await asked(one) == 200
        assert await asked(one, host=f"[::1]:{one.port}") == 200
        for host in ("evil.example", f"evil.example:{one.port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.evil:{one.port}"):
            assert await asked(one, host=host) == 403, host
        assert await asked(one, f"Host: 127.0.0.1:{one.port}") in (400, 403)

    over(tmp_path, work)


def test_another_page_may_not_ask(tmp_path: pathlib.Path) -> None:
    """Neither another site nor another port of this computer, whose requests carry the cookie too, gets an answer."""

    async def work(one: Served) -> None:
        await one.enter()
        for header in (
            "Origin: https://evil.example",
            "Origin: null",
            "Origin: http://127.0.0.1:1",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site",
        ):
            assert await asked(one, header) == 403, header
            assert await asked(one, header, method="POST", path="/api/vault/lock") == 403, header
        assert one.door.state == "unlocked"
        assert await asked(one, f"Origin: http://127.0.0.1:{one.port}", "Sec-Fetch-Site: same-origin") == 200

    over(tmp_path, work)


def test_a_link_from_elsewhere_may_open_the_page_and_nothing_else(tmp_path: pathlib.Path) -> None:
    """Following a link shows the page; the same link in a frame or as a script is refused."""

    async def work(one: Served) -> None:
        visit = ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document")
        assert await asked(one, *visit, path="/") == 200
        assert await asked(one, *visit, path="/api/vault") == 403
        assert await asked(one, *visit[:2], "Sec-Fetch-Dest: iframe", path="/") == 403

    over(tmp_path, work)


def test_localhost_is_led_to_the_address(tmp_path: pathlib.Path) -> None:
    """A browser takes localhost for another site than 127.0.0.1, so the page lives at one of them."""

    async def work(one: Served) -> None:
        request = f"GET /?a=1 HTTP/1.1\nHost: localhost:{one.port}\nConnection: close"
        status, headers, _ = await raw(one.port, request)
        assert (status, headers["location"]) == (307, f"http://127.0.0.1:{one.port}/?a=1")

    over(tmp_path, work)


@pytest.mark.req("V3")
def test_a_locked_vault_answers_423(tmp_path: pathlib.Path) -> None:
    """While the vault is locked there is the page to unlock it, and nothing else."""

    async def work(one: Served) -> None:
        client = await one.enter()
        await client.post("/api/vault/lock")
        for method, path in (("GET", "/api/conversations"), ("GET", "/api/events"), ("POST", "/api/search"), ("GET", "/api/x")):
            answer = await client.request(method, path, json={} if method == "POST" else None)
            assert (answer.status_code, answer.json()["error"]["kind"]) == (423, "VaultLocked"), path
        assert (await client.get("/api/vault")).json()["state"] == "locked"
        assert (await client.get("/")).status_code == 200

    over(tmp_path, work)


def test_without_a_session_nothing_is_told(tmp_path: pathlib.Path) -> None:
    """An unlocked vault answers 401 to a browser that did not unlock it, and to an old or made-up token."""

    async def work(one: Served) -> None:
        client = await one.enter()
        old = dict(client.cookies)
        await client.post("/api/vault/lock")
        await client.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})
        assert (await client.get("/api/conversations")).status_code == 200
        client.cookies.clear()
        assert (await client.get("/api/conversations")).status_code == 401
        outside = {"state": "unlocked", "inside": False, "path": one.door.path, "held_up": 0.0, "told": 0}
        assert (await client.get("/api/vault")).json() == outside
        for token in (*old.values(), "made-up", ""):
            client.cookies.set(f"ricordo_{one.port}", token, domain="127.0.0.1")
            assert (await client.get("/api/conversations")).status_code == 401
            client.cookies.clear()

    over(tmp_path, work)


def test_the_session_cookie_is_strict(tmp_path: pathlib.Path) -> None:
    """The cookie is out of reach of scripts and of other sites, and its name holds the port."""

    async def work(one: Served) -> None:
        answer = await one.client.post("/api/vault/create", json={"passphrase": PASSPHRASE})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith(f"ricordo_{one.port}=")
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie
        assert len(cookie.split("=")[1].split(";")[0]) >= 43  # 256 bits

    over(tmp_path, work)


def test_too_large_a_body_is_refused(tmp_path: pathlib.Path) -> None:
    """More than 8 MB are refused, whether the length was told or it comes in pieces without one."""

    async def work(one: Served) -> None:
        client = await one.enter()
        big = json.dumps({"title": "x" * LARGEST_BODY}).encode()
        kind = {"content-type": "application/json"}
        assert (await client.post("/api/conversations", content=big, headers=kind)).status_code == 413

        async def pieces():  # type: ignore[no-untyped-def]
            for start in range(0, len(big), 1 << 16):
                yield big[start : start + (1 << 16)]

        assert (await client.post("/api/conversations", content=pieces(), headers=kind)).status_code == 413
        assert (await client.get("/api/conversations")).json() == []

    over(tmp_path, work)


def test_only_json_is_read(tmp_path: pathlib.Path) -> None:
    """A form or plain text, as another site's page could send, is refused."""

    async def work(one: Served) -> None:
        client = await one.enter()
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            answer = await client.post("/api/conversations", content=b'{"title": "x"}', headers={"content-type": kind})
            assert answer.status_code == 415, kind
        assert (await client.post("/api/conversations", content=b'{"title": "x"}')).status_code == 415

    over(tmp_path, work)


@pytest.mark.req("X2")
def test_every_answer_has_the_strict_headers(tmp_path: pathlib.Path) -> None:
    """Page, API, refusals and missing pages alike; nothing of the API is kept by a cache."""

    async def work(one: Served) -> None:
        client = await one.enter()
        for path in ("/", "/nothing", "/api/conversations", "/api/conversations/9/messages"):
            headers = (await client.get(path)).headers
            policy = headers["content-security-policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';")
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cache-control"] == ("no-store" if path.startswith("/api") else "no-cache")
        _, refused, _ = await raw(one.port, "GET / HTTP/1.1\nHost: evil.example\nConnection: close")
        assert "content-security-policy" in refused

    over(tmp_path, work)


def test_there_is_no_websocket(tmp_path: pathlib.Path) -> None:
    """A page of another site cannot open a WebSocket here, because there is none."""

    async def work(one: Served) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", one.port)
        request = (
            f"GET /api/events HTTP/1.1\nHost: 127.0.0.1:{one.port}\nConnection: Upgrade\nUpgrade: websocket\n"
            "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\nOrigin: https://evil.example\n\n"
        )
        writer.write(request.replace("\n", "\r\n").encode())
        assert int((await reader.readline()).split()[1]) >= 400
        writer.close()
        await writer.wait_closed()

    over(tmp_path, work)
