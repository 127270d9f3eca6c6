"""Opening and closing the connections of an unlocked vault: one that writes, some that read, and their page caches.

The one rule: where one cannot be opened none stays open, and the key is overwritten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

import apsw

from ricordo.store.backup import copy_before_change
from ricordo.store.file import BUSY_MILLISECONDS, VaultFile

Migrate = Callable[[apsw.Connection, Callable[[], None]], None]

_READERS = 2
# Most for the writer, which also reads ahead of each reply: its pages stay when it writes, those of the others all go then.
_WRITER_CACHE_KIB = 65_536
_READER_CACHE_KIB = 32_768
_COPY_CACHE_KIB = 1024  # each page is read once


def lay_out(file: VaultFile, migrate: Migrate) -> None:
    """Make the tables in a file that has only its header."""
    connection = file.connect(cache_kib=_WRITER_CACHE_KIB)
    try:
        connection.pragma("journal_mode", "wal")
        migrate(connection, lambda: None)
        empty_journal(connection)
    finally:
        connection.close()


def connect(file: VaultFile, migrate: Migrate) -> tuple[apsw.Connection, list[apsw.Connection]]:
    """Return the writer's connection and the readers', with the tables brought to this version after a copy beside it.

    Raises errors of apsw, VaultDamaged, VaultTooNew.
    """
    connections: list[apsw.Connection] = []
    try:
        writer = file.connect(cache_kib=_WRITER_CACHE_KIB)
        connections.append(writer)
        file.refuse_hollow(writer)
        if file.behind:
            file.replace_header(writer, file.header)
        migrate(writer, lambda: copy_before_change(file, writer.pragma("user_version")))
        for _ in range(_READERS):
            connections.append(file.connect(cache_kib=_READER_CACHE_KIB, read_only=True))
    except BaseException:
        close_all(reversed(connections))
        file.forget()
        raise
    return writer, connections[1:]


def connect_for_copying(file: VaultFile) -> apsw.Connection:
    """Return one more connection that reads, which passes over the vault once. Raises errors of apsw."""
    return file.connect(cache_kib=_COPY_CACHE_KIB, read_only=True)


def close_all(connections: Iterable[apsw.Connection]) -> None:
    """Close connections, whatever the disk says."""
    for connection in connections:
        # The last one brings the journal into the file. On a full disk it cannot, says so and closes all the same: the
        # journal stays beside the file and is read at the next opening.
        with suppress(apsw.Error):
            connection.close()


def empty_journal(connection: apsw.Connection) -> bool:
    """Bring the journal into the file and empty it; return False when somebody who reads still needs it."""
    connection.set_busy_timeout(0)
    try:
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    except apsw.BusyError:
        return False
    finally:
        connection.set_busy_timeout(BUSY_MILLISECONDS)
    return True
