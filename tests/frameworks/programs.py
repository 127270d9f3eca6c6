"""A program of another environment for tests: started once, asked by lines of JSON, ended with the tests that use it."""

import json
import pathlib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

HERE = pathlib.Path(__file__).parent
LITELLM = HERE.parents[1] / ".venv-litellm" / "bin" / "python"


class Program:
    """A running program; `ask` has it do something and returns what it answers."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, do: str, **asked: Any) -> dict[str, Any]:
        """Return the program's answer: `gave` what it got, or how it `failed`; `reached` are hosts it had no business with."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **asked}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the program has ended"
        return dict(json.loads(line))


@contextmanager
def running(python: pathlib.Path, script: str, log: pathlib.Path) -> Iterator[Program]:
    """Run a script of this folder until the block is left."""
    with log.open("w") as errors:
        process = subprocess.Popen(
            [python, HERE / script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        try:
            yield Program(process)
        finally:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
            process.wait(30)
