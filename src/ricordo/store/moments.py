"""What a connection sees: one moment of the vault, which within a transaction that writes may never come to be."""

from __future__ import annotations

import apsw


def may_be_undone(connection: apsw.Connection) -> bool:
    """Say whether a connection is in a transaction that writes: nothing that is read in it may be kept."""
    return connection.txn_state("main") == apsw.SQLITE_TXN_WRITE
