"""What the tests of the vault file share: a cheap key derivation, a vault with a few lines in it, child processes."""

import asyncio
import os
import pathlib
import subprocess
import sys
from typing import Any

import apsw

from ricordo.conversation import Moment, Role
from ricordo.store import conversations, messages
from ricordo.store.connection import Database
from ricordo.store.keys import KdfCost

LOW = KdfCost(19_456, 2, 1)  # the lowest that is accepted: 20 ms
PASSPHRASE = "correct horse battery staple"
NOON = Moment(1_786_104_000_000_000, 120)
ROOT = pathlib.Path(__file__).parents[2]


def new_vault(path: pathlib.Path) -> tuple[Database, str]:
    """Make a vault with the passphrase of these tests; return it with its recovery key."""
    return Database.create(path, PASSPHRASE, cost=LOW)


def shut(vault: Database) -> None:
    """Close a vault outside of any event loop."""
    asyncio.run(vault.close())


async def say(vault: Database, *texts: str) -> list[int]:
    """Store one message a text, in a conversation of their own; return their ids."""

    def job(connection: apsw.Connection) -> list[int]:
        conversation = conversations.create(connection, "A day", None, NOON)
        new = [messages.NewMessage(Role.USER, text, NOON) for text in texts]
        return [message.id for message in messages.insert(connection, conversation.id, new)]

    return await vault.write(job)


def said(connection: apsw.Connection) -> list[str]:
    """Return the texts of all messages, oldest first: a job for `read`."""
    return [row[0] for row in connection.execute("select text from messages order by id")]


async def read_back(path: pathlib.Path, secret: str = PASSPHRASE) -> list[str]:
    """Open a vault, return the texts of its messages, close it."""
    vault = Database.open(path, secret)
    try:
        return await vault.read(said)
    finally:
        await vault.close()


def child(program: str, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
    """Start a program of this folder in a process of its own, with pipes for its lines."""
    settings: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", f"tests.store.{program}", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        **settings,
    )


def report(*words: object) -> None:
    """Tell the parent something, from a child, at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def line(process: "subprocess.Popen[str]") -> str:
    """Wait for the child's next line."""
    assert process.stdout is not None
    return process.stdout.readline().rstrip("\n")


def rest(process: "subprocess.Popen[str]") -> list[str]:
    """Wait for the child's end and return the lines it still said; `communicate` would lose those that were read ahead."""
    assert process.stdout is not None
    return process.stdout.read().splitlines()


def tell(process: "subprocess.Popen[str]", text: str) -> None:
    """Send the child a line."""
    assert process.stdin is not None
    process.stdin.write(text + "\n")
    process.stdin.flush()


def end(process: "subprocess.Popen[str]") -> None:
    """Kill the child, if it still runs, and close its pipes."""
    process.kill()
    process.communicate()
