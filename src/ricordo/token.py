"""Values: Token. What lets a program in without the passphrase, and how far: only its name and its hash are kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ricordo.conversation import Moment


class TokenScope(StrEnum):
    """What a token allows: reading, or everything that a program may do."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Token:
    """A program's way in. With `space` (its id) it sees and writes nothing but that Space.

    `last_used` is None for one that was never used.
    """

    id: int
    name: str
    scope: TokenScope
    space: int | None
    created: Moment
    last_used: Moment | None
