"""The vault file and its data key: make it, unlock it, connect to it. Everything made here is for its owner alone.

Nothing here knows threads or tables; whoever calls has claimed the path (ownership.py).
"""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from dataclasses import dataclass, replace

import apsw

from ricordo.errors import InvalidInput, VaultDamaged, VaultExists
from ricordo.store import keys
from ricordo.store.header import FRONT_BYTES, Header, first_front, read_front
from ricordo.store.keys import KdfCost
from ricordo.store.vfs import VAULT_VFS, write_header

BUSY_MILLISECONDS = 60_000  # other programs have been seen to lock a file for half a minute; waiting is better than losing
_CIPHER = "chacha20"
_JOURNALS = ("-wal", "-shm", "-journal")
# 16 MB. A page that changes often is encrypted again at each checkpoint: with SQLite's usual 4 MB an import took 1.29 times
# as long as without encryption, with 16 MB 1.13 times.
_JOURNAL_PAGES = 4000
_LARGEST_IDLE_WAL = 16 << 20  # bytes; a big import leaves no more than this behind


@dataclass(slots=True)
class VaultFile:
    """An unlocked vault file. `behind` when one copy of the header has to be written again."""

    path: str
    header: Header
    data_key: bytearray
    behind: bool = False

    @classmethod
    def make(cls, path: str, passphrase: str, cost: KdfCost | None) -> tuple[VaultFile, str]:
        """Return a new vault file with nothing but its header, and its recovery key. Takes half a second."""
        data_key, recovery_key = keys.new_data_key(), keys.new_recovery_key()
        header = Header(uuid.uuid4().hex, _CIPHER, ())
        slots = (
            keys.wrap_with_passphrase(data_key, passphrase, cost or KdfCost.for_this_machine(), header.context),
            keys.wrap_with_recovery(data_key, recovery_key, header.context),
        )
        header, front = first_front(replace(header, slots=slots))
        write_new(path, front)
        return cls(path, header, data_key), recovery_key

    @classmethod
    def unlock(cls, path: str, secret: str) -> VaultFile:
        """Read the header and unwrap the data key; nothing is written. Takes half a second.

        Raises VaultDamaged, VaultTooNew, WrongPassphrase, InvalidInput.
        """
        if not os.path.isfile(path):
            raise InvalidInput(f"{path} is not a file. Choose a vault.")
        front = read_front(path)
        data_key = keys.unwrap(front.header.slots, secret, front.header.context)
        return cls(path, front.header, data_key, front.behind)

    def connect(self, *, cache_kib: int, read_only: bool = False) -> apsw.Connection:
        """Open a connection to the database; `read_only` refuses statements that write.

        Raises errors of apsw; `faults.told_plainly` is for whoever calls.
        """
        connection = apsw.Connection(self.path, flags=apsw.SQLITE_OPEN_READWRITE, vfs=VAULT_VFS)
        try:
            self._unlock(connection)
            connection.set_busy_timeout(BUSY_MILLISECONDS)
            connection.pragma("synchronous", "full")  # NORMAL lost acknowledged rows in simulated power cuts
            connection.pragma("fullfsync", True)  # on macOS a plain fsync stops at the drive's cache
            connection.pragma("temp_store", "memory")
            connection.pragma("secure_delete", True)
            connection.pragma("foreign_keys", True)
            connection.pragma("cache_size", -cache_kib)
            connection.wal_autocheckpoint(_JOURNAL_PAGES)
            connection.pragma("journal_size_limit", _LARGEST_IDLE_WAL)
            connection.pragma("query_only", read_only)
        except BaseException:
            connection.close()
            raise
        return connection

    def connect_frozen(self) -> apsw.Connection:
        """Open a connection that trusts nobody writes the file: no journal is read, nothing is made beside it."""
        address = f"file:{_as_uri(self.path)}?immutable=1"
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        connection = apsw.Connection(address, flags=flags, vfs=VAULT_VFS)
        try:
            self._unlock(connection)
            connection.pragma("temp_store", "memory")
        except BaseException:
            connection.close()
            raise
        return connection

    def _unlock(self, connection: apsw.Connection) -> None:
        connection.pragma("cipher", self.header.cipher)
        raw = bytearray(b"raw:") + self.data_key
        # can_cache keeps the key out of the connection's statement cache.
        connection.execute(f"pragma hexkey='{raw.hex()}'", can_cache=False).fetchall()
        keys.wipe(raw)

    def refuse_hollow(self, connection: apsw.Connection) -> None:
        """Raise VaultDamaged where there is a header and no database: SQLite would take that for a new one."""
        if not connection.pragma("page_count"):
            raise VaultDamaged(f"{self.path} ends after its key slots. Restore your latest backup.")

    def replace_header(self, connection: apsw.Connection, header: Header) -> None:
        """Replace both copies of the header, one after the other, each synced."""
        for _ in range(2):
            header = header.next()
            write_header(connection, header)
            self.header = header
        self.behind = False

    def change_passphrase(self, connection: apsw.Connection, old: str, new: str, cost: KdfCost | None) -> None:
        """Wrap the data key under a new passphrase; `old` may be the recovery key. The data is not touched.

        Both copies of the header are replaced, so that the old wrapping is gone from the file. Raises WrongPassphrase,
        InvalidInput. Takes a second.
        """
        context = self.header.context
        data_key = keys.unwrap(self.header.slots, old, context)
        try:
            slot = keys.wrap_with_passphrase(data_key, new, cost or KdfCost.for_this_machine(), context)
        finally:
            keys.wipe(data_key)
        others = tuple(slot for slot in self.header.slots if not isinstance(slot, keys.PassphraseSlot))
        self.replace_header(connection, replace(self.header, slots=(slot, *others)))

    def new_recovery_key(self, connection: apsw.Connection, secret: str) -> str:
        """Wrap the data key under a new recovery key and return that; the old one opens this file no more.

        Raises WrongPassphrase. Takes half a second.
        """
        context = self.header.context
        data_key = keys.unwrap(self.header.slots, secret, context)
        try:
            recovery_key = keys.new_recovery_key()
            slot = keys.wrap_with_recovery(data_key, recovery_key, context)
        finally:
            keys.wipe(data_key)
        others = tuple(slot for slot in self.header.slots if not isinstance(slot, keys.RecoverySlot))
        self.replace_header(connection, replace(self.header, slots=(*others, slot)))
        return recovery_key

    def check(self, secret: str) -> None:
        """Raise WrongPassphrase unless a passphrase or recovery key opens this vault. Takes half a second, changes nothing."""
        keys.wipe(keys.unwrap(self.header.slots, secret, self.header.context))

    def forget(self) -> None:
        """Overwrite the data key."""
        keys.wipe(self.data_key)


def publish(part: str, path: str) -> None:
    """Give a finished file its name: complete on disk first, then there at once and whole."""
    with open(part, "rb+") as file:
        os.fsync(file.fileno())
    os.replace(part, path)
    if os.name != "nt":  # Windows opens no folders
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def destroy(path: str) -> None:
    """Delete a vault's file for good: its key slots are overwritten first, so that nothing left on the disk can be opened."""
    with suppress(FileNotFoundError), open(path, "rb+") as file:
        file.write(os.urandom(FRONT_BYTES))
        file.flush()
        os.fsync(file.fileno())
    remove(path)


def remove(path: str) -> None:
    """Remove an unfinished file and its journals, as far as they are there."""
    for ending in ("", *_JOURNALS):
        with suppress(FileNotFoundError):
            os.unlink(path + ending)


def refuse_occupied(path: str) -> None:
    """Raise VaultExists where a new vault would meet a file, or the journal of a vault that was moved away."""
    if os.path.lexists(path):
        raise VaultExists(f"There is already something at {path}. Open it, or choose another name.")
    journal = leftover_journal(path)
    if journal:
        raise VaultExists(f"{journal} belongs to a vault that was here. Move it away, or choose another name.")


def leftover_journal(path: str) -> str | None:
    """Return the journal with content that lies beside a path, if there is one: it holds writes the file lacks."""
    for ending in ("-wal", "-journal"):
        with suppress(FileNotFoundError):
            if os.path.getsize(path + ending):
                return path + ending
    return None


def write_new(path: str, front: bytes) -> None:
    """Make a file that holds only a header, readable by its owner alone."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(front)


def _as_uri(path: str) -> str:
    return "".join(f"%{byte:02X}" for byte in os.fsencode(path)) if os.name != "nt" else path.replace("\\", "/")
