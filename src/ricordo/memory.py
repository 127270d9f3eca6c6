"""Values: what the Memory screen lists, by kind, and what it is sifted by."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ricordo.fact import Fact, Home


class Kind(StrEnum):
    """The kinds of what a vault remembers: each row is of one. A pinned fact or note is `PINNED` and nothing else."""

    PINNED = "pinned"
    FACT = "fact"
    NOTE = "note"
    SUMMARY = "summary"
    EXCERPT = "excerpt"


FACTS = frozenset((Kind.PINNED, Kind.FACT, Kind.NOTE))  # the kinds that are rows of one list


@dataclass(frozen=True, slots=True)
class Sieve:
    """What is listed: of this home, or of the whole vault where it is None; with all of these words in it.

    With `within`, a Space means what is at home in its conversations too. Words are parts of words, whatever their capitals
    and accents; of an excerpt they are beginnings of words.
    """

    home: Home | None = None
    within: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """A fact as it is listed.

    `sent` says whether the model is sent it without looking for it (B2), where it is at home. `source` is the conversation
    that it was learned from, or None when that is gone or it came from none.
    """

    fact: Fact
    sent: bool
    source: int | None
