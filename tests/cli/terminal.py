"""What the tests of the command line share: a vault made cheaply, the command run in this process or in one of its own."""

import asyncio
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
from dataclasses import dataclass
from typing import Any
from unittest import mock

from ricordo.cli import main
from ricordo.vault import AsyncVault
from tests.vaults import CHEAP, PASSPHRASE

ROOT = pathlib.Path(__file__).parents[2]


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)


def make_vault(path: pathlib.Path) -> pathlib.Path:
    """Make a vault whose passphrase is quick to check."""

    async def make() -> None:
        await (await AsyncVault.create(path, PASSPHRASE, cost=CHEAP)).close()

    asyncio.run(make())
    return path


def environment(vault: pathlib.Path, **more: str) -> dict[str, str]:
    """Return the environment of a command that works with a vault."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RICORDO_")}
    return {**kept, "RICORDO_VAULT": str(vault), "RICORDO_PASSPHRASE": PASSPHRASE, **more}


@dataclass(frozen=True)
class Terminal:
    """A vault and the command `ricordo`, run in this process as its entry point runs it."""

    vault: pathlib.Path

    def __call__(self, *arguments: str, stdin: str = "", **more: str) -> Ended:
        """Run a command to its end; `more` is added to its environment."""
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, environment(self.vault, **more), clear=True),
            mock.patch.object(sys, "argv", ["ricordo", *arguments]),
            mock.patch.object(sys, "stdin", io.StringIO(stdin)),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                main.main()
                code = 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        return Ended(code, out.getvalue(), err.getvalue())


def start(vault: pathlib.Path, *arguments: str, **more: str) -> "subprocess.Popen[str]":
    """Start the real command in a process of its own, with pipes."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "ricordo", *arguments],
        env=environment(vault, **more),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(vault: pathlib.Path, *arguments: str, stdin: str = "", **more: str) -> Ended:
    """Run the real command to its end."""
    process = start(vault, *arguments, **more)
    out, err = process.communicate(stdin, timeout=60)
    return Ended(process.returncode, out, err)
