"""Values: Said. One thing that was said in a conversation that a client keeps, and the digests by which it is known again."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable
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


Digest = Callable[[Role, str, tuple[Attachment, ...], str, int, Said | None], Said]


def said_after(role: Role, text: str, attachments: tuple[Attachment, ...], marks: str, place: int, before: Said | None) -> Said:
    """Return one thing that was said, after `before`; `marks` stand for what is in it beside its text."""
    # Clients trim what they show and send again; what is left must not depend on that.
    plain = unicodedata.normalize("NFC", " ".join(text.split()))
    digest = hashlib.sha256(json.dumps([role.value, plain, marks]).encode()).digest()
    chain = hashlib.sha256((before.chain if before else b"") + digest).digest()
    # A link ends with the message's own digest, which the next one's begins with.
    return Said(role, text, attachments, place, chain, (before.link[-32:] if before else b"") + digest)
