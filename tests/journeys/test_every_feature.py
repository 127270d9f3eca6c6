"""Each thing the app can do, watched from outside: where its words go on the disk, and whom it speaks to."""

import os
import pathlib
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest

from benchmarks.figures import note
from ricordo.store.connection import Database
from tests import plaintext
from tests.fake_server import FakeServer
from tests.journeys import features
from tests.journeys.features import Day
from tests.journeys.test_nothing_in_plain_text import free_port
from tests.plaintext import Watch, hunt
from tests.store.box import ROOT

pytestmark = pytest.mark.slow

# Writes down whom the process asks for and whom it speaks to, then is `ricordo`.
OVERHEARD = """
import os, runpy, sys
file = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
TOLD = ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
sys.addaudithook(lambda event, args: event in TOLD and os.write(file, (
    event + " " + repr(args[1] if event in ("socket.connect", "socket.sendto") else args[:2]) + chr(10)).encode()))
sys.argv = ["ricordo", *sys.argv[2:]]
runpy.run_module("ricordo", run_name="__main__")
"""


@contextmanager
def app(home: pathlib.Path) -> Iterator[tuple["subprocess.Popen[bytes]", httpx2.Client]]:
    """The app in a process of its own, which tells whom it speaks to, and a browser's part."""
    port = free_port()
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(home / "tmp"), "SQLITE_TMPDIR": str(home / "tmp")}
    environment |= {"RICORDO_VAULT": str(home / "diary.ricordo"), "XDG_DATA_HOME": str(home / "data"), "RICORDO_THREADS": "1"}
    environment |= {"XDG_CACHE_HOME": str(home / "cache"), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", OVERHEARD, str(home.parent / "overheard"), "serve", "--port", str(port)]
    with (home / "app.log").open("ab") as log:
        process = subprocess.Popen(command, env=environment, cwd=home / "work", stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    try:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False) as client:
            for _ in range(400):
                try:
                    client.get("/")
                    break
                except httpx2.ConnectError:
                    time.sleep(0.05)
            yield process, client
    finally:
        process.kill()
        process.wait()


def overheard(home: pathlib.Path) -> set[str]:
    """Return whom the processes asked for and spoke to, without repetition."""
    return set((home.parent / "overheard").read_text().splitlines())


def sockets(process: int) -> set[str]:
    """Return the other ends of a process's sockets that are not loopback, native code's too; nothing where it cannot be seen."""
    if not os.access(f"/proc/{process}/fd", os.R_OK):
        return set()
    held = set()
    for each in pathlib.Path(f"/proc/{process}/fd").iterdir():
        if (target := os.readlink(each)).startswith("socket:["):
            held.add(target[8:-1])
    ends = set()
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in pathlib.Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]:
            columns = line.split()
            host = columns[2].partition(":")[0]
            if columns[9] in held and host not in ("0100007F", "00000000", "0" * 32, "0000000000000000FFFF00000100007F"):
                ends.add(f"{table} {columns[2]}")
    return ends


@pytest.fixture
def home(tmp_path: pathlib.Path) -> pathlib.Path:
    """A home of its own, so that all that the app writes is within."""
    for name in ("home/tmp", "home/work"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path / "home"


def contents(vault: pathlib.Path, passphrase: str) -> bytes:
    """Return all pages of a vault, decrypted."""
    database = Database.open(vault, passphrase)
    try:
        return database._writer.serialize("main")
    finally:
        database.shut()


@pytest.mark.req("V1", "V4", "V5", "X1", "I4", "I5", "S2")
def test_no_feature_leaves_a_word_on_the_disk_or_speaks_to_anybody_but_the_model(home: pathlib.Path) -> None:
    """Through all features, a kill in the middle, an unlock after it and an end: files, handles, sockets, names looked up.

    In the vault itself all words are found, but for those of the private conversation and of what was only searched for.
    """
    # Pronounced like a name: what looks like a key is not learned (E8).
    word = "Zu" + "".join(secrets.choice("bdklmnrstv") + secrets.choice("aeiou") for _ in range(6))
    passphrase = "p" + secrets.token_hex(9)
    with FakeServer() as model:
        model.on(features.talkative(word))
        with app(home) as (process, client), Watch(home, process.pid, word) as watch:
            assert client.post("/api/vault/create", json={"passphrase": passphrase}).is_success
            day = Day(client, word)
            features.begin(day, model.url, "embedded")
            for feature in features.FEATURES:
                feature(day)
                watch.look()
                assert not watch.guilty, feature.__name__
                assert not sockets(process.pid), feature.__name__
            with client.stream(
                "POST", f"/api/conversations/{day.talk}/reply", json={"text": f"{day.of('killed')} off"}
            ) as answer:
                next(answer.iter_raw(200))
                process.send_signal(signal.SIGKILL)
                process.wait()
        assert {"diary.ricordo", "diary.ricordo-wal", "app.log"} <= watch.seen, "the hunt looked at what it should"
        assert not watch.guilty
        with app(home) as (process, client), Watch(home, process.pid, word) as watch:
            assert client.post("/api/vault/unlock", json={"passphrase": passphrase}).is_success
            client.patch("/api/settings", json={"embedder": "server"})
            day.client = client
            day.post(f"/conversations/{day.talk}/reply", text=f"{day.of('after')} the kill")
            features.search(day)
            process.send_signal(signal.SIGTERM)
            process.wait(20)
        assert not watch.guilty
        assert not hunt(home, process.pid, word.encode())[1]
        assert not hunt(home, process.pid, passphrase.encode())[1]
        told = overheard(home)
        assert told == {f"socket.connect ('127.0.0.1', {model.port})"}, "it speaks to the model's server, and looks up nobody"
        assert {"/v1/chat/completions", "/v1/embeddings"} <= {asked.path for asked in model.requests}
    note(
        "Nothing in plain text", "bytes of files searched, feature by feature", plaintext.searched["bytes"], "no word", kept=True
    )
    note("Whom it speaks to", "other ends that the app looked up or spoke to", len(told), "the model's server alone", kept=True)
    inside = contents(home / "diary.ricordo", passphrase)
    assert [each for each in day.said if each.encode() not in inside] == []
    for kept_nowhere in ("private", "searched", "sought", "listed", "tool"):
        assert f"{word}{kept_nowhere}".encode() not in inside, kept_nowhere
