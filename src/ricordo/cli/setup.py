"""A vault's beginning and its settings: init, passphrase, settings."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from ricordo.cli import output
from ricordo.cli.session import new_passphrase, options, passphrase, unlocked
from ricordo.errors import InvalidInput, VaultExists

_NEW = "RICORDO_NEW_PASSPHRASE"


def init(context: typer.Context) -> None:
    """Make a new vault and print its recovery key, this once."""
    # Only here, so that `--help` does not wait for a database.
    from ricordo.portal import Portal
    from ricordo.vault import AsyncVault, harden

    harden()
    chosen = options(context)
    if os.path.lexists(chosen.path):
        raise VaultExists(f"There is already something at {chosen.path}. Open it, or choose another name with --vault.")
    portal = Portal()
    try:
        vault = portal.call(AsyncVault.create(chosen.path, new_passphrase(), owner="ricordo init"))
        path, recovery_key = vault.path, vault.recovery_key
        portal.call(vault.close())
    finally:
        portal.close()
    if chosen.json:
        output.data({"path": path, "recovery_key": recovery_key})
        return
    output.say(f"Your vault is at {path}.\n\nRecovery key:\n\n    {recovery_key}\n")
    output.note(
        "Write the recovery key down and keep it away from this computer. It opens the vault when the passphrase is lost, it is "
        "never shown again, and without either of the two nobody can open the vault, not even its makers."
    )
    _offer_models()


def _offer_models() -> None:
    """Say which models this computer has, so that the first message finds one."""
    import asyncio

    from ricordo import local_models

    for server in asyncio.run(local_models.found_servers()):
        for name in server.models[:4]:
            output.note(f"{server.name} runs here. To have replies from it: ricordo model use {server.base_url} {name}")
    if local_models.model_file() is None:
        output.note("The embedded model is not here yet. To fetch it (1.1 GB): ricordo model fetch")


def change_passphrase(context: typer.Context) -> None:
    """Change the passphrase. The old one, or the recovery key, is asked for first; the recovery key stays as it is.

    Without a terminal the old one is read from RICORDO_PASSPHRASE and the new one from RICORDO_NEW_PASSPHRASE.
    """
    old = passphrase("Passphrase now, or recovery key: ")
    with unlocked(context, old) as at:
        at.call(at.vault.change_passphrase(old, new_passphrase(_NEW)))
    if at.options.json:
        output.data({"changed": True})
    else:
        output.say("The passphrase is changed. Backups made before still open with the old one.")


def settings(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A setting; all of them when left away.")] = None,
    value: Annotated[
        str | None,
        typer.Argument(metavar="VALUE", help="Its new value; on, off, yes, no for switches; `-` reads it from stdin."),
    ] = None,
) -> None:
    """Show the settings, or one of them, or change one."""
    with unlocked(context) as at:
        if name is not None and value is not None:
            at.call(at.vault.set(**{name: _given(value)}))
        shown = at.vault.settings.shown()
        told = {key: field.description or "" for key, field in type(at.vault.settings).model_fields.items()}
    if name is None:
        if at.options.json:
            output.data(shown)
        else:
            output.table(("setting", "value", ""), [(key, _said(one), told[key]) for key, one in shown.items()])
        return
    if name not in shown:
        raise InvalidInput(f"There is no setting {name}. There are: {', '.join(shown)}.")
    if at.options.json:
        output.data({name: shown[name]})
    elif value is None:
        output.say(_said(shown[name]))
    else:
        output.say(f"{name} is now {_said(shown[name]) or 'empty'}.")


def _given(value: str) -> str:
    """Return a value; a key is better piped in than typed where other programs of this computer can read it."""
    return sys.stdin.read().strip() if value == "-" else value


def _said(value: object) -> str:
    match value:
        case True:
            return "on"
        case False:
            return "off"
        case _:
            return str(value)
