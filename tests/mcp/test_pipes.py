"""`ricordo mcp` as a client starts it: a process of its own, talked to over its pipes by the SDK's client."""

import asyncio
import pathlib
import re
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx2
import pytest

from tests.cli.terminal import Terminal, environment, make_vault, run, start
from tests.mcp.clients import ERAS, by_http, by_pipes, called, refused, texts
from tests.server.served import Served, over
from tests.vaults import PASSPHRASE

pytestmark = [pytest.mark.req("I5"), pytest.mark.slow]


@pytest.fixture
def vault(tmp_path: pathlib.Path) -> pathlib.Path:
    """The path of a new vault that is locked, with global memories on."""
    path = make_vault(tmp_path / "diary.ricordo")
    assert Terminal(path)("settings", "global_memories", "on").code == 0
    return path


@asynccontextmanager
async def app(vault: pathlib.Path) -> AsyncGenerator[httpx2.AsyncClient]:
    """Start the real app over a vault, locked; yields a client like its page."""
    process = start(vault, "serve", "--port", "0", RICORDO_PASSPHRASE="")
    try:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert found
        async with httpx2.AsyncClient(base_url=found.group(), trust_env=False, timeout=30) as page:
            yield page
    finally:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        assert "Traceback" not in err


async def unlock(page: httpx2.AsyncClient) -> None:
    """Come in by the passphrase."""
    assert (await page.post("/api/vault/unlock", json={"passphrase": PASSPHRASE})).status_code in (200, 204)


@pytest.mark.parametrize("era", ERAS)
def test_it_opens_the_vault_itself_and_locks_it_when_the_client_goes(
    vault: pathlib.Path, tmp_path: pathlib.Path, era: str
) -> None:
    """By the passphrase, which it hands on to nobody; what was remembered is there afterwards, and nothing was said on stderr."""
    errors = tmp_path / "errors"

    async def work() -> None:
        async with by_pipes(vault, errors=errors, era=era) as client:
            assert len((await client.list_tools()).tools) == 5
            await called(client, "remember", text="The user is allergic to hazelnuts.")
            assert texts(await called(client, "search", text="hazelnuts")) == ["The user is allergic to hazelnuts."]
            assert "in use by `ricordo mcp`" in run(vault, "memories").err

    asyncio.run(work())
    assert errors.read_text() == ""
    assert [fact["text"] for fact in run(vault, "memories", "--json").json] == ["The user is allergic to hazelnuts."]


def test_it_can_be_kept_to_reading_and_to_a_space(vault: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """As a token keeps a program to it."""
    ricordo = Terminal(vault)
    ricordo("spaces", "create", "Work")
    ricordo("remember", "I code in Rust.", "--space", "Work")
    ricordo("remember", "I keep bees.")

    async def work() -> None:
        async with by_pipes(vault, "--read-only", "--space", "work", errors=tmp_path / "errors") as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == {"search", "list_memories", "entries_by_date"}
            assert texts(await called(client, "list_memories")) == ["I code in Rust."]
            assert "may only read" in await refused(client, "remember", text="The user sails.")

    asyncio.run(work())


@pytest.mark.req("I3")
def test_with_a_token_it_asks_the_app_that_holds_the_vault(vault: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Locked, unlocked, ended and revoked meanwhile: each is a sentence or an answer, and the client stays connected."""

    async def work() -> None:
        async with app(vault) as page:
            await unlock(page)
            made = (await page.post("/api/tokens", json={"name": "Desk"})).json()
            await page.post("/api/vault/lock")
            told = {"RICORDO_TOKEN": made["token"], "RICORDO_PASSPHRASE": "", "errors": tmp_path / "errors"}
            async with by_pipes(vault, **told) as client:
                assert len((await client.list_tools()).tools) == 5  # a client may start before the person has unlocked
                assert "open it and unlock it" in await refused(client, "search", text="bees")
                await unlock(page)
                await called(client, "remember", text="The user keeps bees.")
                async with by_pipes(vault, **{**told, "RICORDO_PASSPHRASE": PASSPHRASE}) as second:  # the app holds the vault
                    assert texts(await called(second, "search", text="bees")) == ["The user keeps bees."]
                (change,) = (await page.get("/api/changes")).json()
                assert change["model"] == "Desk"
                reads = (await page.post("/api/tokens", json={"name": "Reader", "scope": "read"})).json()["token"]
                async with by_pipes(vault, **{**told, "RICORDO_TOKEN": reads}) as reader:
                    assert len((await reader.list_tools()).tools) == 3
                    assert "may only read" in await refused(reader, "forget", memory=1)
                await page.delete(f"/api/tokens/{made['id']}")
                assert "No such token" in await refused(client, "search", text="bees")
        # The app has ended by now.
        async with by_pipes(vault, RICORDO_TOKEN="ricordo_guess", RICORDO_PASSPHRASE="", errors=tmp_path / "errors") as client:
            assert "open it and unlock it" in await refused(client, "search", text="bees")
        assert (tmp_path / "errors").read_text() == ""

    asyncio.run(work())


@pytest.mark.req("I2", "V4")
def test_what_keeps_it_from_starting_is_said_on_stderr(vault: pathlib.Path) -> None:
    """With the exit code that it has everywhere, and nothing on stdout, which is the client's."""
    for told, code, sentence in (
        ({"RICORDO_PASSPHRASE": ""}, 3, "Set RICORDO_TOKEN"),
        ({"RICORDO_PASSPHRASE": "wrong"}, 3, "passphrase"),
        ({"RICORDO_VAULT": f"{vault}.none"}, 4, "There is no vault"),
    ):
        ended = run(vault, "mcp", **told)
        assert (ended.code, ended.out) == (code, "")
        assert sentence in ended.err
    for options in (["--read-only"], ["--space", "Work"]):
        ended = run(vault, "mcp", *options, RICORDO_TOKEN="ricordo_x")
        assert (ended.code, "the token says what is allowed" in ended.err) == (2, True)

    async def work() -> None:
        async with app(vault) as page:
            await unlock(page)
            ended = await asyncio.to_thread(run, vault, "mcp")
            assert ended.code == 4
            assert re.search(r"in use by `ricordo serve at http://127\.0\.0\.1:\d+/`.* set RICORDO_TOKEN", ended.err)

    asyncio.run(work())


def test_without_the_extra_a_sentence_says_how_to_install_it(
    vault: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the command line and over HTTP; the rest of the app works without it."""
    program = (
        "import sys\nfor name in ('mcp', 'mcp_types'): sys.modules[name] = None\n"
        "import ricordo.cli.main as m\nsys.argv = ['ricordo', 'mcp']\nm.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], env=environment(vault), capture_output=True, text=True, check=False)
    assert (done.returncode, "pip install 'ricordo[mcp]'" in done.stderr) == (2, True)

    async def work(one: Served) -> None:
        client = await one.enter()
        secret = (await client.post("/api/tokens", json={"name": "Desk"})).json()["token"]
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        headers = {"authorization": f"Bearer {secret}", "accept": "application/json"}
        monkeypatch.setitem(sys.modules, "ricordo.server.mcp.protocol", None)
        answer = await client.post("/mcp", json=asked, headers=headers)
        assert (answer.status_code, "pip install" in answer.json()["error"]["message"]) == (501, True)
        monkeypatch.undo()
        async with by_http(one, secret) as program:
            assert len((await program.list_tools()).tools) == 5

    (tmp_path / "other").mkdir()
    over(tmp_path / "other", work)
