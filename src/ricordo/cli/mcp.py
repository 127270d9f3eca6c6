"""The vault for programs that speak MCP: `ricordo mcp`, which such a program starts and talks to over pipes."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from ricordo.cli.session import options
from ricordo.errors import InvalidInput, VaultInUse, VaultLocked

_NO_KEY = (
    "Set RICORDO_TOKEN to a token of the app, which `ricordo tokens new NAME` makes, and keep the app open and unlocked. "
    "Or set RICORDO_PASSPHRASE, and the vault is opened here."
)
_TOKEN_SAYS = (
    "With RICORDO_TOKEN the token says what is allowed. Leave --read-only and --space away, and make a token with these limits: "
    "`ricordo tokens new NAME --scope read`."
)


def mcp(
    context: typer.Context,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Let nothing be remembered or forgotten, where the vault is opened here.")
    ] = False,
) -> None:
    """Serve the memory tools to a program that speaks MCP and starts this command; docs/mcp.md says how to set one up.

    With RICORDO_TOKEN it asks the app that holds the vault, within what the token allows. With RICORDO_PASSPHRASE it opens the
    vault itself when no app holds it, and keeps it until the program ends; --space NAME keeps it to one Space.
    """
    # Only here, so that `--help` does not wait for it.
    import asyncio

    from ricordo.vault import address_of, harden

    harden()
    try:
        from ricordo.server.mcp import stdio
    except ImportError as error:
        from ricordo.server.mcp.http import MISSING

        raise InvalidInput(MISSING) from error
    chosen = options(context)
    token, secret = os.environ.pop("RICORDO_TOKEN", ""), os.environ.pop("RICORDO_PASSPHRASE", "")
    if not token and not secret:
        raise VaultLocked(_NO_KEY)
    if token and (read_only or chosen.space is not None):
        raise InvalidInput(_TOKEN_SAYS)
    if token and (not secret or address_of(str(chosen.path))):
        asyncio.run(stdio.serve_app(chosen.path, token))
        return
    try:
        asyncio.run(stdio.serve_vault(chosen.path, secret, chosen.space, write=not read_only))
    except VaultInUse as error:
        raise VaultInUse(
            f"{error} To use it through the app, set RICORDO_TOKEN to what `ricordo tokens new NAME` prints."
        ) from error
