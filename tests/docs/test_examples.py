"""Every example of the documentation is true: its Python runs, its commands are commands."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import pytest
import typer.main
from typer import Exit
from typer.exceptions import TyperException

from ricordo.cli.main import ahead, app
from ricordo.models.files import model_file
from tests.docs.pages import DOCS, PAGES, ROOT, blocks, commands, named
from tests.docs.reader import APP, SERVER, Reader
from tests.docs.running import running
from tests.fake_server import FakeServer

# Its examples need what `make frameworks` brings; where everything must run, they fail without.
WITHOUT = {"langgraph.md"} if importlib.util.find_spec("langgraph") is None and not os.environ.get("CI") else set()
WITH_PYTHON = [page for page in PAGES if blocks(page, "python") and page.name not in WITHOUT]


@pytest.mark.req("I1")
@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From its first block to its last, and prints what its comments say; a page that asks the app finds it running."""
    found = blocks(page, "python")
    with ExitStack() as stack:
        server = stack.enter_context(FakeServer())
        addresses = {SERVER: server.url}
        if any(APP in block.text for block in found):
            addresses[APP], token = stack.enter_context(running(tmp_path, server))
            monkeypatch.setenv("RICORDO_TOKEN", token)
        reader = Reader(tmp_path, monkeypatch, addresses)
        for block in found:
            reader.run(block)


@pytest.mark.real_model
@pytest.mark.req("I1", "I7")
def test_the_first_lines_run_with_nothing_configured(tmp_path: pathlib.Path) -> None:
    """With the embedded model, in a process of their own, just as they stand."""
    first = blocks(DOCS / "library.md", "python")[0]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RICORDO_") or name == "RICORDO_MODELS"}
    assert model_file() is not None
    done = subprocess.run(
        [sys.executable, "-c", first.text], capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path,
        env={**kept, "RICORDO_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def parsed(command: Any, name: str, words: Sequence[str], parent: Any = None) -> None:
    """Read a command line as `ricordo` does, without doing what it says; raises a usage error for what is wrong in it."""
    try:
        context = command.make_context(name, list(words), parent=parent)
    except Exit:  # --version, --help
        return
    rest = [*context._protected_args, *context.args]
    if not hasattr(command, "commands") or not rest:
        return
    below, child, after = command.resolve_command(context, rest)
    parsed(child, below, after, context)


def required(words: Sequence[str]) -> None:
    """Hold that a command is one."""
    match words:
        case ["ricordo", *rest]:
            parsed(typer.main.get_command(app), "ricordo", ahead(list(rest)))
        case ["make", target]:
            assert re.search(rf"(?m)^{target}:", (ROOT / "Makefile").read_text())
        case [("pip" | "pipx" | "uv"), *rest]:
            extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
            asked = {extra for word in rest for part in re.findall(r"\[([\w,]+)\]", word) for extra in part.split(",")}
            assert asked <= set(extras)


@pytest.mark.parametrize("line", ["ricordo dance", "ricordo search --bogus x", "ricordo model use", "ricordo serve --port x"])
def test_what_is_no_command_is_noticed(line: str) -> None:
    """The command, an option, what is missing, a value."""
    with pytest.raises(TyperException):
        required(line.split())


SHELL = [(block, words) for page in PAGES for block in blocks(page, "sh", "bash", "shell") for words in commands(block)]


@pytest.mark.req("I2")
@pytest.mark.parametrize(("block", "words"), SHELL, ids=[f"{block.name} {' '.join(words)}"[:60] for block, words in SHELL])
def test_the_commands_of_a_page_are_commands(
    block: Any, words: list[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With options and values that they take."""
    monkeypatch.chdir(tmp_path)
    required(words)


@pytest.mark.req("I2")
@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "cli.md"], ids=lambda page: page.name)
def test_the_commands_that_sentences_name_are_there(page: pathlib.Path) -> None:
    """Each command, and each option, whatever stands for its values."""
    for text in named(page):
        command = typer.main.get_command(app)
        options = {name for parameter in command.params for name in parameter.opts}
        for word in text.split()[1:]:
            if word.startswith("--"):
                assert word in options, f"{text}: no option {word}"
            elif word in getattr(command, "commands", {}):
                command = command.commands[word]  # type: ignore[attr-defined]
                options |= {name for parameter in command.params for name in parameter.opts}
            else:
                assert not getattr(command, "commands", {}) or command.name == "memories", f"{text}: no command {word}"
