"""What is written but not sent yet, with the files given along.

It lies in the vault, because a browser's own storage is plain text on the disk.
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from ricordo.conversation import Attachment, Draft
from ricordo.store import conversations


def listed(connection: apsw.Connection) -> list[Draft]:
    """Return the drafts, first that of the conversation that has not begun."""
    files: dict[int | None, list[Attachment]] = {}
    for conversation, *file in connection.execute(
        "select conversation, name, media_type, text from draft_attachments order by id"
    ):
        files.setdefault(conversation, []).append(Attachment(*file))
    rows = connection.execute("select conversation, text from drafts order by conversation")
    return [Draft(conversation, text, tuple(files.get(conversation, ()))) for conversation, text in rows]


def keep(
    connection: apsw.Connection, conversation: int | None, text: str | None, attachments: Sequence[Attachment] | None = None
) -> None:
    """Replace the text of a draft or what is given along, None leaves it as it is; an empty draft is forgotten.

    Raises NotFound for a conversation that is not there.
    """
    if conversation is not None:
        conversations.get(connection, conversation)
    if attachments is not None:
        connection.execute("delete from draft_attachments where conversation is ?", (conversation,))
        connection.executemany(
            "insert into draft_attachments (conversation, name, media_type, text) values (?, ?, ?, ?)",
            [(conversation, each.name, each.media_type, each.text) for each in attachments],
        )
    if text is None:
        row = connection.execute("select text from drafts where conversation is ?", (conversation,)).fetchone()
        text = row[0] if row else ""
    connection.execute("delete from drafts where conversation is ?", (conversation,))
    files = connection.execute("select 1 from draft_attachments where conversation is ? limit 1", (conversation,)).fetchone()
    if files or text.strip():
        connection.execute("insert into drafts (conversation, text) values (?, ?)", (conversation, text))
