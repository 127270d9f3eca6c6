"""What every command shares: the global options, the passphrase, and the vault unlocked for as long as the command runs.

The one rule: a passphrase comes from the environment or the keyboard, never from the command line, where others could read it.
"""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from ricordo.errors import InvalidInput, NotFound, VaultLocked

if TYPE_CHECKING:
    from ricordo.portal import Portal
    from ricordo.vault import AsyncVault

T = TypeVar("T")

_TRIES = 3


@dataclass(frozen=True, slots=True)
class Options:
    """The options that may stand anywhere on the command line."""

    vault: Path | None = None
    conversation: str | None = None
    space: str | None = None
    json: bool = False

    @property
    def path(self) -> Path:
        """Where the vault is: as told, else where the system keeps a person's application data."""
        if self.vault is not None:
            return self.vault.expanduser()
        # Only here, so that `--help` does not wait for it.
        import platformdirs

        return platformdirs.user_data_path("ricordo") / "diary.ricordo"


def options(context: typer.Context) -> Options:
    """Return the global options of a command."""
    found = context.find_root().obj
    return found if isinstance(found, Options) else Options()


@dataclass(frozen=True, slots=True)
class Unlocked:
    """A vault that is open, and the loop it lives in."""

    vault: AsyncVault
    portal: Portal
    options: Options

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a call of the vault to its end; Ctrl+C cancels it."""
        return self.portal.call(work)

    def space(self) -> int | None:
        """Return the Space of `--space`, by its name. Raises NotFound."""
        if self.options.space is None:
            return None
        return self.call(self.vault.spaces.named(self.options.space)).id

    def conversation(self) -> int | None:
        """Return the conversation of `--conversation`: its id, or `last` for the one written in last. Raises NotFound."""
        told = self.options.conversation
        if told is None:
            return None
        if told != "last":
            return self.call(self.vault.conversations.get(number(told, "conversations"))).id
        found = self.call(self.vault.conversations.all())
        if not found:
            raise NotFound("There is no conversation yet. Leave --conversation away to begin one.")
        return found[0].id


def number(text: str, listed: str) -> int:
    """Return an id as a person types it, `7` or `#7`; `listed` is the command that shows them. Raises InvalidInput."""
    figures = text.strip().removeprefix("#")
    if not (figures.isascii() and figures.isdigit()) or len(figures) > 18:
        raise InvalidInput(f"{text} is no id: that is a number, which `ricordo {listed}` shows.")
    return int(figures)


def require_terminal(otherwise: str) -> None:
    """Raise InvalidInput, which says what to do `otherwise`, when there is nobody at a terminal to be asked."""
    if not sys.stdin.isatty():
        raise InvalidInput(otherwise)


@contextmanager
def unlocked(context: typer.Context, secret: str | None = None) -> Iterator[Unlocked]:
    """Open the vault for the length of a command, asking for its passphrase if need be; it is locked however that ends.

    Raises VaultMissing, VaultLocked without a passphrase, WrongPassphrase, VaultInUse, VaultDamaged, VaultTooNew.
    """
    # Only here, so that `--help` does not wait for a database and an HTTP client.
    from ricordo.portal import Portal
    from ricordo.vault import AsyncVault, harden

    harden()
    chosen = options(context)
    if secret is None:
        # Nobody types a passphrase for a vault that is not there: opening it says so.
        secret = passphrase() if chosen.path.exists() else ""
    portal = Portal()
    try:
        vault = portal.call(AsyncVault.open(chosen.path, secret, owner=context.command_path))
        try:
            yield Unlocked(vault, portal, chosen)
        finally:
            portal.call(vault.close())
    finally:
        portal.close()


def passphrase(prompt: str = "Passphrase: ", variable: str = "RICORDO_PASSPHRASE") -> str:
    """Return the passphrase from the environment, else from the keyboard, without showing it. Raises VaultLocked.

    It is taken out of the environment, so that no process started from here inherits it.
    """
    if told := os.environ.pop(variable, ""):
        return told
    if not sys.stdin.isatty():
        raise VaultLocked(f"There is no terminal to type a passphrase at. Set {variable}, or run the command in a terminal.")
    try:
        return getpass.getpass(prompt)
    except EOFError as error:
        raise VaultLocked("No passphrase was given, so the vault stays locked.") from error


def new_passphrase(variable: str = "RICORDO_PASSPHRASE") -> str:
    """Return a new passphrase, asked for twice when it is typed. Raises VaultLocked, InvalidInput."""
    if os.environ.get(variable):
        return passphrase(variable=variable)
    for _ in range(_TRIES):
        first = passphrase("New passphrase: ", variable)
        if first and first == passphrase("The same once more: ", variable):
            return first
        typer.secho("These were not the same." if first else "An empty passphrase protects nothing.", fg="red", err=True)
    raise InvalidInput("No new passphrase was chosen, so nothing was changed. Try again.")
