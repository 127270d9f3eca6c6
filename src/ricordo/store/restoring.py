"""Putting a backup in a vault's place, and taking a vault away for good. Both are done to a vault that is locked.

The one rule: nothing is lost by a restore: the backup is checked whole first, and what was there is kept beside it.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from ricordo.errors import InvalidInput, VaultMissing
from ricordo.store.backup import verify
from ricordo.store.connection import Database, VaultPath
from ricordo.store.faults import told_plainly
from ricordo.store.file import destroy, publish, refuse_occupied, remove
from ricordo.store.ownership import claim

_ASIDE = "before-restore"
_COPIES = ("before-*", "restore", "download", "fetched", "part")


def restore(path: VaultPath, backup: VaultPath, secret: str, *, owner: str = "ricordo") -> str | None:
    """Put a copy of a backup at `path`; `secret` opens the backup. Return where the vault that was there is kept, if one was.

    The backup is checked from the first page to the last before anything is touched, and if the new vault does not open, the
    old one is put back. Takes a second and what copying takes. Raises what `verify` and `Database.open` raise.
    """
    real, source = os.path.realpath(path), os.path.realpath(backup)
    if real == source:
        raise InvalidInput(f"{source} is the vault itself. Choose a backup of it.")
    verify(source, secret)
    part = f"{real}.part"
    with told_plainly(real):
        os.makedirs(os.path.dirname(real), mode=0o700, exist_ok=True)
        owned = claim(real, owner)
        try:
            _copy(source, part)
            aside = _set_aside(real)
            publish(part, real)
        finally:
            remove(part)
            owned.release()
    try:
        _open_once(real, secret, owner)
    except BaseException:
        _put_back(real, aside)
        raise
    return aside


def _copy(source: str, part: str) -> None:
    remove(part)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as target, open(source, "rb") as file:
        shutil.copyfileobj(file, target, 1 << 20)


def _set_aside(real: str) -> str | None:
    """Give the vault that is there another name, with the journal that may lie beside it."""
    if not os.path.lexists(real):
        refuse_occupied(real)  # a journal alone
        return None
    stem, ending = os.path.splitext(real)
    number, aside = 2, f"{stem}.{_ASIDE}{ending}"
    while os.path.lexists(aside):
        aside, number = f"{stem}.{_ASIDE}-{number}{ending}", number + 1
    _move(real, aside)
    return aside


def _move(before: str, after: str) -> None:
    for ending in ("-wal", "-journal", ""):
        with suppress(FileNotFoundError):
            os.replace(before + ending, after + ending)


def _put_back(real: str, aside: str | None) -> None:
    remove(real)
    if aside is not None:
        _move(aside, real)


def _open_once(real: str, secret: str, owner: str) -> None:
    """Open the vault and close it: this also brings the tables of an older backup up to date."""
    database = Database.open(real, secret, owner=owner)
    database.shut()


def erase(path: VaultPath, *, owner: str = "ricordo") -> None:
    """Delete a vault and the copies of it that were kept beside it; nothing of them can be opened any more.

    Backups that the person made elsewhere stay. Raises VaultMissing, VaultInUse.
    """
    real = os.path.realpath(path)
    if not os.path.lexists(real):
        raise VaultMissing(f"There is no vault at {real}. Check the name.")
    with told_plainly(real):
        owned = claim(real, owner)
        try:
            for copy in copies(real):
                destroy(str(copy))
            destroy(real)
        finally:
            owned.release()


def copies(path: VaultPath) -> list[Path]:
    """Return the copies that were kept beside a vault: from before a migration or a restore, or not yet handed over."""
    real = Path(os.path.realpath(path))
    found: set[Path] = set()
    for pattern in _COPIES:
        found.update(real.parent.glob(f"{_plain(real.stem)}.{pattern}{real.suffix}"))
        found.update(real.parent.glob(f"{_plain(real.name)}.{pattern}"))
    return sorted(path for path in found if not path.name.endswith(".lock"))


def _plain(name: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
