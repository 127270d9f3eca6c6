"""The vault as a whole: backup, restore, export, erase, another recovery key. `import ricordo` stands with the imports."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ricordo.cli import output
from ricordo.cli.session import options, passphrase, unlocked
from ricordo.errors import InvalidInput

_WORDS = {"data": "remove", "everything": "reset"}

Target = Annotated[Path, typer.Argument(metavar="PATH", help="The file to write; nothing is there yet.")]
Confirmed = Annotated[
    str | None, typer.Option(metavar="WORD", help="The word that confirms it, where nobody is there to type it.")
]


def backup(context: typer.Context, path: Target) -> None:
    """Write an encrypted copy of the vault, which the same passphrase opens."""
    with unlocked(context) as at, output.progress(path.name, pages=True) as progress:
        at.call(at.vault.data.backup(path, progress))
    if at.options.json:
        output.data({"path": str(path.absolute())})
    else:
        output.say(f"The backup is at {path.absolute()}. Keep it away from this computer, too.")


def restore(context: typer.Context, path: Annotated[Path, typer.Argument(metavar="BACKUP", help="A backup of a vault.")]) -> None:
    """Put a backup in the vault's place, after checking it whole. What was there is kept beside it, under another name.

    The passphrase is that of the backup.
    """
    # Only here, so that `--help` does not wait for a database.
    from ricordo.vault import harden
    from ricordo.vault import restore as put

    harden()
    chosen = options(context)
    aside = put(chosen.path, path, passphrase("Passphrase of the backup, or its recovery key: "), owner="ricordo restore")
    if chosen.json:
        output.data({"path": str(chosen.path), "aside": aside})
        return
    output.say(f"The backup is the vault at {chosen.path} now.")
    if aside is not None:
        output.note(f"What was there before is kept at {aside}. Delete it when you are sure.")


def export(
    context: typer.Context,
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A name that ends in .json, or in .zip, or a folder for Markdown files.")
    ],
) -> None:
    """Write everything as plain text: .json is complete and can be imported again; a folder or .zip is Markdown to be read.

    It is not encrypted. Keys of model servers are left out.
    """
    with unlocked(context) as at:
        at.call(at.vault.data.export(path))
    if at.options.json:
        output.data({"path": str(path.absolute())})
    else:
        output.say(f"Everything is at {path.absolute()}.")
        output.note("It is not encrypted: whoever gets hold of it can read it. For keeping, take a backup.")


def erase(
    context: typer.Context,
    what: Annotated[
        Literal["data", "everything"],
        typer.Argument(metavar="data|everything", help="What you wrote and what was learned, or the whole vault."),
    ],
    confirm: Confirmed = None,
) -> None:
    """Erase for good: `data` removes conversations, Spaces and memories, and keeps the settings; `everything` the whole vault.

    A typed word confirms it: `remove` for the data, `reset` for everything. Backups that you saved elsewhere stay.
    """
    from ricordo.vault import erase as destroy

    with unlocked(context) as at:
        _require(_WORDS[what], confirm)
        if what == "data":
            at.call(at.vault.remove_data())
    if what == "everything":
        destroy(at.options.path, owner="ricordo erase")
    if at.options.json:
        output.data({"erased": what})
    else:
        output.say("Your data is removed." if what == "data" else "The vault is erased.")


def _require(word: str, given: str | None) -> None:
    if given is None:
        given = output.asked(f"Type {word} to confirm: ")
    if given.strip().casefold() != word:
        raise InvalidInput(f"That is not the word {word}, so nothing was erased.")


def recovery_key(context: typer.Context) -> None:
    """Make a new recovery key and print it, this once. The old one opens the vault no more, but backups made before."""
    secret = passphrase("Passphrase, or the recovery key: ")
    with unlocked(context, secret) as at:
        key = at.call(at.vault.new_recovery_key(secret))
    if at.options.json:
        output.data({"recovery_key": key})
        return
    output.say(f"Recovery key:\n\n    {key}\n")
    output.note("Write it down and keep it away from this computer. It is never shown again.")
