"""Values: Said. One thing that was said in a conversation that a client keeps, and the digests by which it is known again."""

from __future__ import annotations

from dataclasses import dataclass

from ricordo.conversation import Attachment, Role


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that was said: by whom, what, and where it stands among the client's messages.

    `chain` is a digest of all that was said up to it, `link` one of it and what was said before it.
    """

    role: Role
    text: str
    attachments: tuple[Attachment, ...]
    place: int
    chain: bytes
    link: bytes
