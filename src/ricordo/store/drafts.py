"""What is written but not sent yet. It lies in the vault, because a browser's own storage is plain text on the disk."""

from __future__ import annotations

import apsw

from ricordo.store import conversations


def listed(connection: apsw.Connection) -> dict[int | None, str]:
    """Return the drafts by conversation, None for the one that has not begun."""
    return dict(connection.execute("select conversation, text from drafts"))


def keep(connection: apsw.Connection, conversation: int | None, text: str) -> None:
    """Replace a draft; an empty one is forgotten. Raises NotFound for a conversation that is not there."""
    if conversation is not None:
        conversations.get(connection, conversation)
    connection.execute("delete from drafts where conversation is ?", (conversation,))
    if text.strip():
        connection.execute("insert into drafts (conversation, text) values (?, ?)", (conversation, text))
