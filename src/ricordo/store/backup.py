"""Copies of a vault: consistent while it is in use, as encrypted as it is, opened by the same passphrase.

A copy gets its name only when it is complete; it is checked whole by `verify` before anything is replaced by it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import apsw

from ricordo.errors import InvalidInput, VaultDamaged, VaultError, VaultExists, VaultInUse, VaultMissing
from ricordo.store.faults import told_plainly
from ricordo.store.file import VaultFile, leftover_journal, publish, remove, write_new
from ricordo.store.header import first_front
from ricordo.store.ownership import Claim, claim

Progress = Callable[[int, int], None]

_PAGES_A_STEP = 1000
_CACHE_KIB = 1024  # each page is read once


def write_copy(file: VaultFile, target: str, progress: Progress | None = None, *, replacing: bool = False) -> None:
    """Write a copy of an unlocked vault, while others read and write it.

    `progress` is told pages done and pages in all. Raises VaultExists when something is there already, VaultInUse when
    another copy is being written there, errors of apsw and of the disk.
    """
    owned = claim(target, "a backup being written")
    part = f"{target}.part"
    try:
        if os.path.lexists(target) and not replacing:
            raise VaultExists(f"There is already something at {target}. Choose another name.")
        remove(part)
        _write_part(file, part, progress)
        publish(part, target)
    finally:
        remove(part)
        owned.release()


def copy_before_change(file: VaultFile, version: int) -> None:
    """Write the copy that is made before the tables are changed from a version: diary.before-3.ricordo beside the vault.

    One of the same version is replaced: a migration that fails at each opening must not fill the disk.
    """
    stem, ending = os.path.splitext(file.path)
    write_copy(file, f"{stem}.before-{version}{ending}", replacing=True)


def _write_part(file: VaultFile, part: str, progress: Progress | None) -> None:
    source = file.connect(cache_kib=_CACHE_KIB, read_only=True)
    try:
        write_new(part, first_front(replace(file.header, generation=0))[1])
        copy = replace(file, path=part).connect(cache_kib=_CACHE_KIB)
        try:
            copy.pragma("journal_mode", "off")
            copy.pragma("synchronous", "off")  # all of it is synced at the end, and nobody knows this name yet
            _copy_pages(source, copy, progress)
        finally:
            copy.close()
    finally:
        source.close()


def _copy_pages(source: apsw.Connection, copy: apsw.Connection, progress: Progress | None) -> None:
    # Held open, the transaction makes all steps see one moment; without it each write would start the copy anew.
    source.execute("begin; select count(*) from sqlite_schema").fetchall()
    with copy.backup("main", source, "main") as backup:
        while not backup.done:
            backup.step(_PAGES_A_STEP)
            if progress is not None:
                progress(backup.page_count - backup.remaining, backup.page_count)
    source.execute("rollback")


def verify(path: str | os.PathLike[str], secret: str) -> int:
    """Check a copy from the first page to the last, changing nothing; return the version of its tables.

    Raises VaultMissing, WrongPassphrase, VaultDamaged, VaultTooNew, VaultInUse, and InvalidInput for a vault that was
    in use when it ended.
    """
    real = os.path.realpath(path)
    if not os.path.exists(real):
        raise VaultMissing(f"There is no file at {real}. Check the name of the backup.")
    journal = leftover_journal(real)
    if journal:
        raise InvalidInput(f"{real} was not closed: {journal} holds a part of it. Open it once, close it, and try again.")
    with told_plainly(real):
        owned = _claim_if_writable(real)
        try:
            file = VaultFile.unlock(real, secret)
            try:
                return _check(file)
            finally:
                file.forget()
        finally:
            if owned is not None:
                owned.release()


def _claim_if_writable(path: str) -> Claim | None:
    try:
        return claim(path, "a check of the backup")
    except VaultInUse:
        raise
    except VaultError:
        return None  # on a read-only disk nobody changes it meanwhile


def _check(file: VaultFile) -> int:
    connection = file.connect_frozen()
    try:
        file.refuse_hollow(connection)
        with suppress(apsw.CorruptError):  # some damage is an answer of the check, some stops it
            if connection.pragma("integrity_check") == "ok":
                return int(connection.pragma("user_version"))
    finally:
        connection.close()
    raise VaultDamaged(f"{file.path} is damaged, so it was not used. Take another backup.")
