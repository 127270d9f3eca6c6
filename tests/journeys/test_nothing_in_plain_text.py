"""The whole app as a person runs it: no file it leaves or touches holds a word of what was written, whatever happens."""

import os
import pathlib
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import httpx2
import pytest

from tests.fake_server import FakeServer
from tests.plaintext import Watch, hunt

pytestmark = pytest.mark.slow


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def home(tmp_path: pathlib.Path) -> pathlib.Path:
    """A home of its own for the process, so that all that it writes is within."""
    for name in ("tmp", "work"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.fixture
def app(home: pathlib.Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The app, served from its own process, logging to a file; and its address."""
    port = free_port()
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(home / "tmp"), "SQLITE_TMPDIR": str(home / "tmp")}
    environment |= {"RICORDO_VAULT": str(home / "diary.ricordo"), "XDG_DATA_HOME": str(home / "data")}
    with (home / "app.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "ricordo", "serve", "--port", str(port)],
            env=environment, cwd=home / "work", stdout=log, stderr=log, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    for _ in range(200):
        try:
            httpx2.get(address, timeout=5)
            break
        except httpx2.ConnectError:
            time.sleep(0.05)
    yield process, address
    process.kill()
    process.wait()


@pytest.mark.req("V1", "V3", "V4")
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_written_in_the_app_reaches_the_disk_in_plain_text(
    home: pathlib.Path, app: tuple[subprocess.Popen[bytes], str], ending: signal.Signals
) -> None:
    """Chat, facts, drafts, search, settings, an error; unlocked, locked, and right after the process is ended."""
    process, address = app
    word = "z" + secrets.token_hex(9)
    passphrase = "p" + secrets.token_hex(9)
    with FakeServer() as model, httpx2.Client(base_url=f"{address}/api", timeout=30) as client:
        model.on(lambda asked: f"You said {word}. " * 40)
        with Watch(home, process.pid, word) as watch:
            assert client.post("/vault/create", json={"passphrase": passphrase}).is_success
            settings = {"server": model.url, "instructions": f"{word} instructions", "api_key": f"sk-{word}"}
            assert client.patch("/settings", json=settings).is_success
            talk = client.post("/conversations", json={"title": f"{word} title"}).json()["id"]
            for number in range(5):
                reply = client.post(f"/conversations/{talk}/reply", json={"text": f"{number} {word} at the harbour " * 50})
                assert word in reply.text
            assert client.put("/draft", json={"conversation": talk, "text": f"{word} draft"}).is_success
            file = {"name": f"{word}.txt", "text": f"{word} given along " * 60_000}  # 1 MB
            assert client.put("/draft", json={"conversation": talk, "attachments": [file]}).is_success
            assert client.post("/search", json={"text": word}).is_success
            client.post(f"/conversations/{word}/reply", json={"text": 7})  # refused, and not written to the log
            assert client.post("/vault/lock").is_success
            watch.look()
            assert client.post("/vault/unlock", json={"passphrase": "wrong" + word}).status_code == 403
            assert client.post("/vault/unlock", json={"passphrase": passphrase}).is_success
            assert word in client.get(f"/conversations/{talk}/messages").text
            process.send_signal(ending)
            process.wait(20)
    assert {"diary.ricordo", "diary.ricordo-wal"} <= watch.seen, "the hunt looked at what it should"
    assert not watch.guilty
    assert not hunt(home, process.pid, word.encode())[1]
    assert not hunt(home, process.pid, passphrase.encode())[1]


@pytest.mark.req("V1")
def test_the_app_leaves_no_core_file(app: tuple[subprocess.Popen[bytes], str]) -> None:
    """Neither a core dump of its memory nor a look into it by another process of the same person."""
    limits = pathlib.Path(f"/proc/{app[0].pid}/limits").read_text()
    assert any(line.split()[4:6] == ["0", "0"] for line in limits.splitlines() if line.startswith("Max core file size"))
