"""A disk between the vault and the real one: full when it is told to be, refusing one operation, or writing down what is done.

SQLite knows it by its name; `under()` puts the files of all vaults on it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from unittest import mock

import apsw

from ricordo.store import vfs

_NAME = "faulty"


class Fault(StrEnum):
    """What the disk does at the operation it is told: it is full from then on, or it refuses that one."""

    FULL = "full"
    ONCE = "once"


@dataclass(frozen=True, slots=True)
class Done:
    """One operation: what was done to which file. `offset` is the new size of one that was cut off."""

    what: str
    path: str
    data: bytes = b""
    offset: int = 0


@dataclass(slots=True)
class Acknowledged:
    """Here the vault said that something is kept: what was in it then."""

    state: Any
    more: dict[str, Any] = field(default_factory=dict)


class Disk(apsw.VFS):
    """The disk."""

    def __init__(self) -> None:
        self.count = 0
        self.at: int | None = None
        self.fault = Fault.ONCE
        self.hit = False
        self.log: list[Done | Acknowledged] | None = None
        super().__init__(_NAME, base="unix", maxpathname=512)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "Platter":
        return Platter(self, name, flags)

    def fail_at(self, at: int | None, fault: Fault = Fault.ONCE) -> None:
        """Count from here on, and fail at that operation; None never fails."""
        self.count, self.at, self.fault, self.hit = 0, at, fault, False

    def tick(self, what: str, extended: int) -> None:
        """Count an operation, and fail if it is its turn."""
        self.count += 1
        if self.at is None or self.count <= self.at:
            return
        if self.fault is Fault.FULL:
            if what == "write":
                self.hit = True
                raise apsw.FullError("no space left on device")
        elif self.count == self.at + 1:
            self.hit = True
            error = apsw.IOError(f"the disk refused to {what}")
            error.extendedresult = extended  # type: ignore[attr-defined]
            raise error

    def note(self, done: Done) -> None:
        """Write down what is done."""
        if self.log is not None:
            self.log.append(done)


class Platter(apsw.VFSFile):
    """One file on the disk."""

    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self.disk = disk
        self.path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        super().__init__("unix", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self.disk.tick("write", apsw.SQLITE_IOERR_WRITE)
        super().xWrite(data, offset)
        self.disk.note(Done("write", self.path, bytes(data), offset))

    def xTruncate(self, newsize: int) -> None:
        self.disk.tick("truncate", apsw.SQLITE_IOERR_TRUNCATE)
        super().xTruncate(newsize)
        self.disk.note(Done("truncate", self.path, offset=newsize))

    def xSync(self, flags: int) -> None:
        self.disk.tick("sync", apsw.SQLITE_IOERR_FSYNC)
        super().xSync(flags)
        self.disk.note(Done("sync", self.path))


_made: list[Disk] = []


@contextmanager
def under() -> Iterator[Disk]:
    """Put the files of all vaults that are opened meanwhile on a disk that can fail."""
    if not _made:
        _made.append(Disk())  # one a process: SQLite keeps its name
    disk = _made[0]
    disk.fail_at(None)
    disk.log = None

    def delete(files: apsw.VFS, name: str, sync: bool) -> None:
        apsw.VFS.xDelete(files, name, sync)
        disk.note(Done("delete", name))

    with mock.patch.object(vfs._files, "_system", _NAME), mock.patch.object(vfs._Files, "xDelete", delete, create=True):
        yield disk
