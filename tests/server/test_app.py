"""Serving: the address it takes, what it says, and how it ends."""

import asyncio
import pathlib
import signal
import socket
import subprocess
import sys

import httpx2
import pytest

from ricordo.errors import InvalidInput
from ricordo.server.app import WEB, listen
from tests.vaults import PASSPHRASE


def test_a_taken_port_is_passed_over() -> None:
    """The next free one is used; listening is on the loopback address only."""
    with listen(0) as first:
        port = first.getsockname()[1]
        with listen(port) as second:
            host, other = second.getsockname()
            assert host == "127.0.0.1" and port < other < port + 10


def test_answers_are_not_held_back() -> None:
    """Not even for 40 ms, as the system would hold back the second part of an answer until the first is acknowledged."""
    asked: list[int] = []

    async def work() -> None:
        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked.append(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = listen(0)
        async with await asyncio.start_server(connected, sock=listening):
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            await reader.read()
            writer.close()
            await writer.wait_closed()

    asyncio.run(work())
    assert asked == [1]


def test_a_port_that_cannot_be_is_an_error_in_a_sentence() -> None:
    """There is no port 70000."""
    with pytest.raises(InvalidInput, match=r"cannot listen at port 70000 .* Choose another\."):
        listen(70_000)


@pytest.mark.req("V3", "V4")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_end_of_the_process_locks_the_vault(tmp_path: pathlib.Path, how: signal.Signals) -> None:
    """Asked to end while a page follows its events, it ends within seconds, quietly, and leaves the vault free and whole."""
    command = [sys.executable, "-m", "tests.web.serve", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        with httpx2.Client(base_url=process.stdout.readline().strip(), timeout=20, trust_env=False) as client:
            client.post("/api/vault/create", json={"passphrase": PASSPHRASE}).raise_for_status()
            with client.stream("GET", "/api/events") as watching:
                process.send_signal(how)
                assert "event: locked" in "".join(watching.iter_text())
        process.wait(5)
        assert process.stderr.read() == ""
    assert [path.name for path in tmp_path.iterdir()] == ["diary.ricordo"]


@pytest.mark.req("I2")
def test_every_file_that_the_page_names_is_served() -> None:
    """What index.html and the modules refer to lies beside them."""
    page = (WEB / "index.html").read_text()
    named = {part.split('"')[0] for part in (page.replace("src=", "href=")).split('href="')[1:]}
    assert {name for name in named if not name.startswith(("#", "/api/", "data:"))} <= {path.name for path in WEB.iterdir()}
