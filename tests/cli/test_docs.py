"""The page about the command line, and the command line's own shape."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer.main
from hypothesis import given
from hypothesis import strategies as some

from ricordo.cli.main import ahead, app
from scripts import write_cli


def _parameters(command: Any) -> Iterator[Any]:
    yield from command.params
    for below in getattr(command, "commands", {}).values():
        yield from _parameters(below)


@pytest.mark.req("I2")
def test_the_page_of_the_command_line_is_what_the_commands_say() -> None:
    """Run scripts/write_cli.py after changing a command."""
    assert write_cli.PAGE.read_text(encoding="utf-8") == write_cli.page()


@pytest.mark.req("I2")
def test_every_command_and_option_is_explained() -> None:
    """On the page, and by --help."""
    page = write_cli.PAGE.read_text(encoding="utf-8")
    root = typer.main.get_command(app)
    for name, command in root.commands.items():  # type: ignore[attr-defined]
        assert f"## `ricordo {name}" in page
        assert command.help
    for parameter in _parameters(root):
        assert parameter.name == "help" or parameter.help, parameter.name


@pytest.mark.req("I2", "V1")
def test_no_option_takes_a_passphrase() -> None:
    """Other programs of the computer can read a command line."""
    names = {name for parameter in _parameters(typer.main.get_command(app)) for name in (parameter.name, *parameter.opts)}
    assert not [name for name in names if "pass" in name or "secret" in name or "key" in name]


@pytest.mark.req("I2")
def test_asking_for_help_loads_nothing_heavy() -> None:
    """So that it takes little longer than Python itself; a list of modules tells it without a clock."""
    heavy = {"apsw", "argon2", "asyncio", "cryptography", "fastapi", "httpx2", "pydantic", "rich", "uvicorn"}
    program = "import sys, ricordo.cli.main as m\nsys.argv = ['ricordo', '--help']\ntry: m.main()\nexcept SystemExit: pass\n"
    done = subprocess.run(
        [sys.executable, "-c", program + "print(','.join(sys.modules), file=sys.stderr)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "Usage: ricordo" in done.stdout
    loaded = done.stderr.strip().split(",")
    assert not heavy & set(loaded)
    assert len(loaded) < 230  # some 190; with a web server there are 900


@pytest.mark.req("I2")
@pytest.mark.parametrize(
    ("shell", "more", "told"),
    [
        ("bash", {"COMP_WORDS": "ricordo tok", "COMP_CWORD": "1"}, "tokens"),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "ricordo tokens rev"}, "revoke"),
        ("fish", {"_TYPER_COMPLETE_ARGS": "ricordo mod", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}, "model"),
    ],
)
def test_a_shell_completes_commands(shell: str, more: dict[str, str], told: str) -> None:
    """By what --install-completion makes it call; no passphrase is asked for."""
    call = [sys.executable, "-c", "import sys, ricordo.cli.main as m\nsys.argv = ['ricordo']\nm.main()"]
    environment = {**os.environ, "_RICORDO_COMPLETE": f"complete_{shell}", **more}
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    assert told in done.stdout


@pytest.mark.req("I2")
def test_global_options_may_stand_anywhere() -> None:
    """Ahead of the command or behind it, but not behind a --, which makes what follows a text."""
    assert ahead(["ask", "Hi", "--json", "--vault", "v"]) == ["--json", "--vault", "v", "ask", "Hi"]
    assert ahead(["search", "--space=Work", "x"]) == ["--space=Work", "search", "x"]
    assert ahead(["ask", "--json", "--", "--json"]) == ["--json", "ask", "--", "--json"]
    assert ahead(["search", "--vault"]) == ["--vault", "search"]


@pytest.mark.req("I2")
@given(some.lists(some.sampled_from(["ask", "--json", "--vault", "--space=x", "--", "--limit", "5", ""])))
def test_moving_options_ahead_loses_nothing(arguments: list[str]) -> None:
    """Every argument stays, once, and moving twice is moving once."""
    moved = ahead(arguments)
    assert sorted(moved) == sorted(arguments)
    assert ahead(moved) == moved
