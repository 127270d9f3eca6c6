"""The command `ricordo`: its global options and its commands. Errors become one sentence on stderr and an exit code, here only.

The one rule: `ricordo --help` takes no longer than Python and typer do, so a command imports what is heavy when it runs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from ricordo._version import __version__
from ricordo.cli import (
    chat,
    data,
    diary,
    doctor,
    exits,
    imports,
    learning,
    mcp,
    memories,
    models,
    output,
    places,
    serve,
    setup,
    tokens,
    why,
)
from ricordo.cli.session import Options
from ricordo.errors import RicordoError

# Plain help: drawing it with rich would take four times as long.
app = typer.Typer(name="ricordo", rich_markup_mode=None, pretty_exceptions_enable=False)

# Global options, and whether a value follows.
_ANYWHERE = {"--vault": True, "--conversation": True, "--space": True, "--json": False}


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"ricordo {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def ricordo(
    context: typer.Context,
    vault: Annotated[
        Path | None, typer.Option(envvar="RICORDO_VAULT", help="The vault's file; else the one in your application data.")
    ] = None,
    conversation: Annotated[
        str | None, typer.Option(metavar="ID|last", help="The conversation to work in: its id, or the one written in last.")
    ] = None,
    space: Annotated[str | None, typer.Option(metavar="NAME", help="The Space to work in.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print data as one JSON document, and nothing else, to stdout.")] = False,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """A private diary and chat that remembers. Without a command: serve the page and open it in the browser.

    --vault, --conversation, --space and --json may stand before or after the command. The passphrase is asked for, or read
    from RICORDO_PASSPHRASE; it is never given on the command line.

    Exit codes: 0 done, 1 not there or nothing found, 2 invalid, 3 locked or wrong passphrase, 4 trouble with the vault's file,
    5 trouble with the model, 130 interrupted.
    """
    context.obj = Options(vault, conversation, space, json)
    if context.invoked_subcommand is None:
        serve.app(context)


for _command in (
    setup.init, serve.app, serve.serve, chat.chat, chat.ask, chat.prompt, why.why,
    memories.search, diary.diary, memories.remember, memories.forget,
    learning.changes, learning.undo, learning.runs, learning.unread, learning.learn, learning.summary, doctor.doctor, mcp.mcp,
):  # fmt: skip
    app.command()(_command)
app.add_typer(memories.memories, name="memories")
app.add_typer(places.spaces, name="spaces")
app.add_typer(places.conversations, name="conversations")
app.command()(setup.settings)
app.command("import")(imports.bring)
app.add_typer(imports.app, name="imports")
app.add_typer(models.app, name="model")
app.add_typer(tokens.app, name="tokens")
app.command("passphrase")(setup.change_passphrase)
app.command("recovery-key")(data.recovery_key)
app.command()(data.backup)
app.command()(data.restore)
app.command()(data.export)
app.command()(data.erase)


def ahead(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with the global options ahead of the command, wherever they stand before a `--`."""
    rest = list(arguments)
    first: list[str] = []
    kept: list[str] = []
    while rest:
        argument = rest.pop(0)
        if argument == "--":
            return [*first, *kept, argument, *rest]
        name, _, value = argument.partition("=")
        if name not in _ANYWHERE:
            kept.append(argument)
            continue
        first.append(argument)
        if _ANYWHERE[name] and not value and rest:
            first.append(rest.pop(0))
    return [*first, *kept]


@cache
def _command_line() -> Any:
    """Return the commands made of the functions above: the one slow part of it, wanted once."""
    return typer.main.get_command(app)


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        _command_line()(ahead(sys.argv[1:]), prog_name="ricordo")
    except RicordoError as error:
        output.fail(str(error))
        sys.exit(exits.code_of(error))
