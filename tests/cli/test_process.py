"""The real command in a process of its own: at a terminal, interrupted, serving, killed."""

import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from tests.cli.terminal import ROOT, Terminal, environment, run, start
from tests.fake_server import FakeServer, Reply
from tests.vaults import PASSPHRASE

pytestmark = pytest.mark.slow


class Keyboard:
    """A terminal with a command in it: type, and wait for what it shows."""

    def __init__(self, process: int, terminal: int) -> None:
        self.process, self.terminal = process, terminal
        self.shown = ""
        self.seen = 0

    def wait_for(self, text: str, seconds: float = 30) -> None:
        """Read until a text is shown after what was waited for before; fail after some seconds without a sign of life."""
        start = self.seen
        while text not in self.shown[start:]:
            ready, _, _ = select.select([self.terminal], [], [], seconds)
            assert ready, f"{text!r} never came: {self.shown[start:]!r} after {self.shown[:start]!r}"
            try:
                self.shown += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:  # the command has ended
                raise AssertionError(f"{text!r} never came: {self.shown[start:]!r}") from None
        self.seen = self.shown.index(text, start) + len(text)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self.terminal, text.encode())

    def interrupt_until(self, text: str) -> None:
        """Press Ctrl+C until a text is shown.

        Pressed in the very moment in which the line editor handles the key before, it is noticed only with the next key.
        """
        for _ in range(20):
            self.type("\x03")
            with suppress(AssertionError):
                self.wait_for(text, 1)
                return
        raise AssertionError(f"{text!r} never came: {self.shown!r}")

    def end(self) -> int:
        """Read to the end and return the exit code."""
        while True:
            try:
                piece = os.read(self.terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            self.shown += piece.decode(errors="replace")
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@contextmanager
def typing(vault: pathlib.Path, *arguments: str, **more: str) -> Iterator[Keyboard]:
    """Run the command in a terminal of its own."""
    told = environment(vault, **{"TERM": "dumb", **more})
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(ROOT)
        os.execve(sys.executable, [sys.executable, "-m", "ricordo", *arguments], told)
    try:
        yield Keyboard(process, terminal)
    finally:
        try:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(terminal)


@pytest.mark.req("I2", "V2")
def test_a_passphrase_is_typed_twice_and_never_shown(tmp_path: pathlib.Path) -> None:
    """Two that differ are asked for again; then it opens the vault."""
    vault = tmp_path / "diary.ricordo"
    with typing(vault, "init", RICORDO_PASSPHRASE="") as keyboard:
        for first, second in (("one thing", "another"), ("open sesame", "open sesame")):
            keyboard.wait_for("New passphrase: ")
            keyboard.type(f"{first}\n")
            keyboard.wait_for("once more: ")
            keyboard.type(f"{second}\n")
        keyboard.wait_for("Recovery key:")
        assert keyboard.end() == 0
    assert "not the same" in keyboard.shown
    assert "open sesame" not in keyboard.shown
    assert "another" not in keyboard.shown
    assert run(vault, "memories", RICORDO_PASSPHRASE="open sesame").code == 0


@pytest.mark.req("I2", "S3")
def test_ctrl_c_in_a_chat_stops_the_reply_and_not_the_program(ricordo: Terminal, model: FakeServer) -> None:
    """What had come is kept; the next message gets its reply; Ctrl+C at the prompt gives up the line; Ctrl+D leaves."""
    model.script(Reply("one two three four", hang_after=3), "Here again.")
    with typing(ricordo.vault, "chat") as keyboard:
        keyboard.wait_for("> ")
        keyboard.type("Tell me\n")
        keyboard.wait_for("one")
        keyboard.type("\x03")
        keyboard.wait_for("Stopped.")
        keyboard.wait_for("> ")
        keyboard.type("half a line")
        keyboard.wait_for("half a line")  # echoed: the line is being read, as it is long before a person presses Ctrl+C
        keyboard.interrupt_until("> ")
        keyboard.type("Go on\n")
        keyboard.wait_for("Here again.")
        keyboard.wait_for("> ")
        keyboard.type("\x04")
        assert keyboard.end() == 0
    shown = ricordo("conversations", "show", "1", "--json").json["messages"]
    assert [(message["author"], message["status"]) for message in shown] == [
        ("user", "complete"), ("model", "stopped"), ("user", "complete"), ("model", "complete"),
    ]  # fmt: skip
    assert shown[1]["text"].startswith("one")
    assert shown[2]["text"] == "Go on"


@pytest.mark.req("I2", "S3")
def test_an_interrupted_ask_keeps_what_had_come(ricordo: Terminal, model: FakeServer) -> None:
    """And ends with 130, as shells have it."""
    model.script(Reply("one two three four", hang_after=3))
    process = start(ricordo.vault, "ask", "Tell me")
    assert process.stdout is not None
    assert process.stdout.read(3) == "one"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "What had come is kept." in err
    assert "Traceback" not in err
    shown = ricordo("conversations", "show", "1", "--json").json["messages"]
    assert [message["status"] for message in shown] == ["complete", "stopped"]
    assert shown[1]["text"].startswith("one")


@pytest.mark.req("I2", "V4")
def test_a_vault_in_use_names_who_has_it(ricordo: Terminal, model: FakeServer) -> None:
    """The second command changes nothing and says what to do."""
    model.script(Reply("one two", hang_after=1))
    first = start(ricordo.vault, "ask", "Tell me")
    assert first.stdout is not None
    first.stdout.read(1)
    second = run(ricordo.vault, "memories")
    assert second.code == 4
    assert "ricordo ask" in second.err
    assert str(first.pid) in second.err
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=30)


@pytest.mark.req("I2", "V1")
def test_the_passphrase_is_not_handed_down_and_no_secret_is_printed(ricordo: Terminal) -> None:
    """It is taken out of the environment before anything else is started."""
    program = (
        "import os, sys, ricordo.cli.main as m\nsys.argv = ['ricordo', 'memories']\ntry: m.main()\nexcept SystemExit: pass\n"
        "print('RICORDO_PASSPHRASE' in os.environ)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(ricordo.vault), capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("False\n")
    assert PASSPHRASE not in done.stdout + done.stderr


@pytest.mark.req("I2", "X1")
def test_serve_tells_its_address_and_ends_with_ctrl_c(ricordo: Terminal) -> None:
    """The page is there without a passphrase, and locked."""
    process = start(ricordo.vault, "serve", "--port", "0", RICORDO_PASSPHRASE="")
    assert process.stdout is not None
    found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
    assert found
    with urllib.request.urlopen(found.group(), timeout=30) as answer:
        assert answer.status == 200
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Traceback" not in err


@pytest.mark.req("I2", "I7")
def test_ricordo_alone_opens_the_page_in_the_browser(tmp_path: pathlib.Path) -> None:
    """Also before there is a vault: the page makes one."""
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    os.mkfifo(opened)
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o700)
    process = start(tmp_path / "none.ricordo", RICORDO_PASSPHRASE="", BROWSER=f"{browser} %s")
    reading = os.open(opened, os.O_RDONLY | os.O_NONBLOCK)
    assert select.select([reading], [], [], 30)[0], "no browser was opened"
    address = os.read(reading, 1000).decode().strip()
    os.close(reading)
    with urllib.request.urlopen(address, timeout=30) as answer:
        assert answer.status == 200
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert address in out


@pytest.mark.req("I2", "S1", "S4")
def test_what_cannot_be_undone_is_asked_first_at_a_terminal(ricordo: Terminal, model: FakeServer) -> None:
    """No means no; lists come as tables with titles."""
    ricordo("ask", "Hello")
    ricordo("spaces", "create", "Work")
    with typing(ricordo.vault, "conversations", "delete", "1") as keyboard:
        keyboard.wait_for("Delete “Hello” with its 2 messages?")
        keyboard.type("n\n")
        assert keyboard.end() == 1
    with typing(ricordo.vault, "spaces", "delete", "Work") as keyboard:
        keyboard.wait_for("move them out, or delete?")
        keyboard.type("maybe\n")
        assert keyboard.end() == 2
    with typing(ricordo.vault, "spaces") as keyboard:
        assert keyboard.end() == 0
        assert keyboard.shown.split()[:5] == ["id", "name", "memory", "reach", "1"]
    with typing(ricordo.vault, "spaces", "delete", "Work") as keyboard:
        keyboard.wait_for("move them out, or delete?")
        keyboard.type("move\n")
        assert keyboard.end() == 0
    with typing(ricordo.vault, "conversations", "delete", "1") as keyboard:
        keyboard.wait_for("It cannot be undone.")
        keyboard.type("y\n")
        assert keyboard.end() == 0
    assert ricordo("conversations", "--json").json == ricordo("spaces", "--json").json == []


@pytest.mark.req("I2", "I6")
def test_a_long_import_shows_a_bar_at_a_terminal(ricordo: Terminal, data: pathlib.Path) -> None:
    """On the way, and the result at the end."""
    with typing(ricordo.vault, "import", "--as", "diary", str(data / "pepys" / "pepys_diary.jsonl.xz"), TERM="xterm") as keyboard:
        keyboard.wait_for("━")
        keyboard.wait_for("3,415 messages, 1 new conversation came in")
        assert keyboard.end() == 0


@pytest.mark.req("I2")
def test_python_m_ricordo_is_the_command(ricordo: Terminal) -> None:
    """With its version and its exit codes."""
    assert run(ricordo.vault, "--version").out.startswith("ricordo ")
    assert run(ricordo.vault, "forget", "1").code == 1
