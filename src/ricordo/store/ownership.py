"""One process owns a vault: a lock file beside it, which the system frees when the owner ends, however it ends.

The file's text names the owner for whoever comes second; only the holder of the lock writes it.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from ricordo.errors import VaultError, VaultInUse

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# On Windows a locked byte cannot be read by others: lock one far behind the text.
_LOCKED_BYTE = 1 << 30
_TRIES, _LOOK = 5, 0.02  # seconds, in which `address_of` has long let go of a lock that nobody owns
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d{1,5}/(?=$|\s)")  # part of the program's name where it serves the vault


@dataclass(slots=True)
class Claim:
    """The ownership of one vault, until released."""

    _lock_file: str
    _descriptor: int | None

    def release(self) -> None:
        """Give the vault up; a second time does nothing."""
        if self._descriptor is None:
            return
        # Removed while still locked: whoever locked it meanwhile finds that it is no longer the file at this path.
        with suppress(OSError):  # Windows removes no open file; then it stays, unlocked
            os.unlink(self._lock_file)
        os.close(self._descriptor)
        self._descriptor = None


def claim(path: str, program: str) -> Claim:
    """Take ownership of the vault at `path` (a real path, no symbolic links) in the name of `program`.

    Raises VaultInUse, naming the owner, when another process or another part of this one has it.
    """
    lock_file = f"{path}.lock"
    while True:
        try:
            descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        except OSError as error:
            raise VaultError(
                f"The folder of {path} cannot be written ({error.strerror}). Choose another, or change its permissions."
            ) from error
        try:
            if not _locked(descriptor, path):
                raise VaultInUse(_who(descriptor, path))
            if _still_there(descriptor, lock_file):
                _sign(descriptor, program)
                return Claim(lock_file, descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # its owner has just removed it: take the next one


def address_of(path: str) -> str | None:
    """Return the address on this computer at which the vault's owner serves it, None where nobody does.

    It is read from the lock file, which only the owner writes, and only while it is locked: no other program can pose as it.
    """
    try:
        descriptor = os.open(f"{os.path.realpath(path)}.lock", os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    try:
        if _try_lock(descriptor, path):
            return None
        os.lseek(descriptor, 0, os.SEEK_SET)
        found = _ADDRESS.search(str(json.loads(os.read(descriptor, 4096))["program"]))
        return found.group() if found else None
    except (ValueError, KeyError, TypeError):  # about to be signed
        return None
    finally:
        os.close(descriptor)


def _locked(descriptor: int, path: str) -> bool:
    for _ in range(_TRIES):
        if _try_lock(descriptor, path):
            return True
        time.sleep(_LOOK)
    return False


def _try_lock(descriptor: int, path: str) -> bool:
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        raise VaultError(
            f"The disk of {path} cannot lock files ({error.strerror}), so two programs could spoil the vault. "
            "Keep it on a local disk."
        ) from error
    return True


def _still_there(descriptor: int, lock_file: str) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(lock_file, follow_symlinks=False))
    except FileNotFoundError:
        return False


def _sign(descriptor: int, program: str) -> None:
    since = datetime.now().astimezone().isoformat(timespec="seconds")
    text = json.dumps({"process": os.getpid(), "program": program, "since": since})
    with suppress(OSError):  # on a full disk the lock itself must do
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, text.encode())


def _who(descriptor: int, path: str) -> str:
    for _ in range(20):  # the owner may have locked it this instant and be about to sign
        os.lseek(descriptor, 0, os.SEEK_SET)
        try:
            owner = json.loads(os.read(descriptor, 4096))
            since = datetime.fromisoformat(owner["since"])
            program, process = str(owner["program"]), int(owner["process"])
        except (ValueError, KeyError, TypeError):
            time.sleep(0.01)
            continue
        if process == os.getpid():
            return f"{path} is already open in this program. Close it there first."
        today = since.date() == datetime.now().astimezone().date()
        when = since.strftime("%H:%M" if today else "%Y-%m-%d %H:%M")
        return f"{path} is in use by `{program}` (process {process}, since {when}). Close it, or use the vault through it."
    return f"{path} is in use by another program. Close it first."
