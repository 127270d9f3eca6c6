"""The layer below SQLite's encryption that leaves the first 8 KiB of a vault file to the header.

While SQLite has the file open, the header is written through SQLite's own handle: closing any other descriptor of it
would drop the process's POSIX locks (https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
"""

from __future__ import annotations

import os
import threading

import apsw

from ricordo.store.header import FRONT_BYTES, Header

_NAME = "ricordo"
_ENCRYPTING = "multipleciphers-"  # SQLite3MultipleCiphers makes one of that name over any other
_LONGEST_PATH = 512  # bytes; SQLite's own files have buffers of that size
_HAND_OVER = 7_411_953  # a file control code of our own; SQLite's stay far below
_handed = threading.local()


class _File(apsw.VFSFile):
    """A file of SQLite's; the database itself begins after the header, its journals at their beginning."""

    def __init__(self, base: str, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__(base, name, flags)
        self._front = FRONT_BYTES if flags[0] & apsw.SQLITE_OPEN_MAIN_DB else 0

    def xRead(self, amount: int, offset: int) -> bytes:
        return super().xRead(amount, offset + self._front)

    def xWrite(self, data: bytes, offset: int) -> None:
        super().xWrite(data, offset + self._front)

    def xTruncate(self, newsize: int) -> None:
        super().xTruncate(newsize + self._front)

    def xFileSize(self) -> int:
        return max(0, super().xFileSize() - self._front)

    def xFileControl(self, op: int, ptr: int) -> bool:
        if op == _HAND_OVER:
            _handed.file = self
            return True
        return super().xFileControl(op, ptr)

    def write_front(self, data: bytes, offset: int) -> None:
        """Write into the header and wait until the disk has it."""
        super().xWrite(data, offset)
        super().xSync(apsw.SQLITE_SYNC_FULL)


class _Files(apsw.VFS):
    def __init__(self) -> None:
        self._system = next(name for name in apsw.vfs_names() if not name.startswith(_ENCRYPTING))
        super().__init__(_NAME, base=self._system, maxpathname=_LONGEST_PATH)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _File:
        return _File(self._system, name, flags)

    def xFullPathname(self, name: str) -> str:
        # SQLite answers "OK, a symbolic link" where there is one on the way, which apsw takes for an error.
        real = os.path.realpath(name)
        if len(os.fsencode(real)) > _LONGEST_PATH - len("-journal"):
            raise apsw.CantOpenError("the path is too long")
        return real


_files = _Files()  # registered as long as it lives
VAULT_VFS = f"{_ENCRYPTING}{_NAME}"  # what to open a vault with: encryption above, the header's room below


def write_header(connection: apsw.Connection, header: Header) -> None:
    """Write one copy of the header into the file that `connection` has open; no other thread may be using it."""
    connection.file_control("main", _HAND_OVER, 0)
    file: _File = _handed.file
    del _handed.file
    file.write_front(header.encoded(), header.offset)
