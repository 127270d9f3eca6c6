"""Tokens: made once, kept as hashes, good for what they allow while the vault is unlocked."""

import asyncio
import pathlib
import threading

import httpx2
import pytest

from tests.server.served import Served, over
from tests.vaults import PASSPHRASE

pytestmark = pytest.mark.req("I3")


async def made(one: Served, **what: object) -> str:
    """Make a token as the page does."""
    answer = await one.client.post("/api/tokens", json={"name": f"Program {len(what)} {what}", **what})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


async def status(one: Served, token: str, method: str, path: str, **more: object) -> int:
    """Ask as a program does: with a token, without the cookie."""
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{one.port}", trust_env=False) as program:
        answer = await program.request(method, path, headers={"authorization": f"Bearer {token}".encode()}, **more)  # type: ignore[arg-type]
        return answer.status_code


@pytest.mark.req("X1")
def test_a_token_is_shown_once_and_kept_as_a_hash(tmp_path: pathlib.Path) -> None:
    """The list says what it may do and when it was used last; the secret is in no table and no list."""

    async def work(one: Served) -> None:
        client = await one.enter()
        secret = await made(one, scope="read")
        (listed,) = (await client.get("/api/tokens")).json()
        assert (listed["scope"], listed["space"], listed["last_used"]) == ("read", None, None)
        assert secret not in str(listed)
        assert await status(one, secret, "GET", "/api/facts") == 200
        (listed,) = (await client.get("/api/tokens")).json()
        assert listed["last_used"] is not None
        rows = await one.door.vault._database.read(lambda c: c.execute("select * from tokens").fetchall())
        assert secret.encode() not in repr(rows).encode()
        assert secret not in (await client.get("/api/data/export.json")).text

    over(tmp_path, work)


def test_what_a_token_does_not_allow_is_refused_in_a_sentence(tmp_path: pathlib.Path) -> None:
    """A wrong one is no way in; one that reads does not write; none changes passphrases, tokens or where the model is."""

    async def work(one: Served) -> None:
        await one.enter()
        reads, writes = await made(one, scope="read"), await made(one, name="W")
        fact = {"text": "The user sails.", "home": {"kind": "global"}}
        await one.client.patch("/api/settings", json={"global_memories": True})
        assert await status(one, "ricordo_guess", "GET", "/api/facts") == 401
        assert await status(one, "ünknown", "GET", "/api/facts") == 401
        assert await status(one, reads, "GET", "/api/conversations") == 200
        assert await status(one, reads, "POST", "/api/search", json={"text": "sails"}) == 200
        assert await status(one, reads, "POST", "/api/facts", json=fact) == 403
        assert await status(one, writes, "POST", "/api/facts", json=fact) == 201
        for token in (reads, writes):
            assert await status(one, token, "GET", "/api/tokens") == 403
            assert await status(one, token, "PATCH", "/api/settings", json={"server": "http://127.0.0.1:1"}) == 403
            assert await status(one, token, "POST", "/api/models/test", json={"server": "http://127.0.0.1:1"}) == 403
            assert await status(one, token, "POST", "/api/vault/lock") == 403
            assert await status(one, token, "POST", "/api/data/erase", json={"what": "data", "word": "remove"}) == 403
        assert one.door.state == "unlocked"

    over(tmp_path, work)


def test_a_token_for_one_space_ends_there(tmp_path: pathlib.Path) -> None:
    """It finds and adds facts of that Space alone, and goes with it."""

    async def work(one: Served) -> None:
        client = await one.enter()
        work_space = (await client.post("/api/spaces", json={"name": "Work"})).json()["id"]
        home = (await client.post("/api/spaces", json={"name": "Home"})).json()["id"]
        for space, text in ((work_space, "The user codes in Rust."), (home, "The user's boiler is rusty, in Rust.")):
            kept = {"text": text, "home": {"kind": "space", "space": space}}
            assert (await client.post("/api/facts", json=kept)).status_code == 201
        await client.patch("/api/facts/2", json={"shared": True})  # with conversations, not with programs of another Space
        token = await made(one, space=work_space)
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{one.port}", trust_env=False) as program:
            program.headers["authorization"] = f"Bearer {token}"
            facts = (await program.get("/api/facts")).json()
            found = (await program.post("/api/search", json={"text": "Rust"})).json()
            assert [each["text"] for each in facts] == ["The user codes in Rust."]
            assert [each["fact"]["text"] for each in found] == ["The user codes in Rust."]
            assert (await program.post("/api/search", json={"text": "Rust", "space": home})).status_code == 404
            outside = {"text": "The user sails.", "home": {"kind": "space", "space": home}}
            assert (await program.post("/api/facts", json=outside)).status_code == 422
            assert (await program.get("/api/conversations")).status_code == 403
            await client.delete(f"/api/spaces/{work_space}?keep_conversations=true")
            assert (await program.get("/api/facts")).status_code == 401

    over(tmp_path, work)


def test_a_token_works_only_while_the_vault_is_unlocked_and_until_it_is_revoked(tmp_path: pathlib.Path) -> None:
    """Locked is 423, with a sentence that says what to do; unlocked it works again, revoked never."""

    async def work(one: Served) -> None:
        client = await one.enter()
        token = await made(one)
        await client.post("/api/vault/lock")
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{one.port}", trust_env=False) as program:
            program.headers["authorization"] = f"Bearer {token}"
            for path in ("/api/facts", "/v1/models"):
                locked = await program.get(path)
                assert (locked.status_code, "Unlock it" in locked.json()["error"]["message"]) == (423, True)
        await client.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})
        assert await status(one, token, "GET", "/api/facts") == 200
        (listed,) = (await client.get("/api/tokens")).json()
        assert (await client.delete(f"/api/tokens/{listed['id']}")).json()["name"] == listed["name"]
        assert (await client.delete(f"/api/tokens/{listed['id']}")).status_code == 404
        assert await status(one, token, "GET", "/api/facts") == 401

    over(tmp_path, work)


@pytest.mark.req("X1")
def test_a_token_stands_in_for_the_origin_but_not_for_the_host(tmp_path: pathlib.Path) -> None:
    """A desktop program has an origin of its own; a name that leads here by DNS rebinding is refused all the same."""

    async def work(one: Served) -> None:
        await one.enter()
        headers = {"authorization": f"Bearer {await made(one)}", "origin": "app://desk", "sec-fetch-site": "cross-site"}
        async with httpx2.AsyncClient(trust_env=False) as program:
            for host, wanted in (("127.0.0.1", 200), ("localhost", 200), ("evil.example", 403)):
                told = {**headers, "host": f"{host}:{one.port}"}
                answer = await program.get(f"http://127.0.0.1:{one.port}/api/facts", headers=told)
                assert answer.status_code == wanted, host

    over(tmp_path, work)


def test_a_token_needs_a_name_of_its_own(tmp_path: pathlib.Path) -> None:
    """So that the person knows later which program has it."""

    async def work(one: Served) -> None:
        client = await one.enter()
        assert (await client.post("/api/tokens", json={"name": "Notes"})).status_code == 201
        assert (await client.post("/api/tokens", json={"name": " notes "})).status_code == 422
        assert (await client.post("/api/tokens", json={"name": " "})).status_code == 422
        assert (await client.post("/api/tokens", json={"name": "Other", "space": 9})).status_code == 404
        both = await asyncio.gather(*(client.post("/api/tokens", json={"name": f"P{n}"}) for n in range(3)))
        assert {one.status_code for one in both} == {201}

    over(tmp_path, work)


@pytest.mark.req("I3", "X3")
def test_a_program_that_reads_does_not_wait_for_what_is_being_written(tmp_path: pathlib.Path) -> None:
    """That a token was used is noted when there is time for it."""

    async def work(one: Served) -> None:
        client = await one.enter()
        secret = (await client.post("/api/tokens", json={"name": "script"})).json()["token"]
        begun, ended = threading.Event(), threading.Event()

        def slow(connection: object) -> None:
            begun.set()
            assert ended.wait(60)

        writing = asyncio.create_task(one.door.vault._database.write(slow))
        await asyncio.to_thread(begun.wait)
        async with httpx2.AsyncClient(base_url=client.base_url, trust_env=False, timeout=10) as program:
            answer = await program.get("/api/conversations", headers={"authorization": f"Bearer {secret}"})
        assert answer.status_code == 200
        assert not writing.done()
        ended.set()
        await writing
        assert (await client.get("/api/tokens")).json()[0]["last_used"] is not None

    over(tmp_path, work)
