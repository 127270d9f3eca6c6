"""Values: Secret, a stretch of text nobody wants remembered, and Reading, the text as it is looked through for them.

A Secret says where it stands and why it was taken for one, never what it is: it may be logged.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Kind(StrEnum):
    """What sort of secret it is."""

    KEY = "key"
    PASSWORD = "password"
    CODE = "code"
    CARD = "card number"
    BANK = "bank number"
    IDENTITY = "identity number"
    PHRASE = "recovery phrase"
    TOKEN = "random token"


@dataclass(frozen=True, slots=True)
class Secret:
    """A stretch of a text, `start` up to `stop`, that looks like a secret; `reason` is a sentence for the trace."""

    kind: Kind
    start: int
    stop: int
    reason: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it is looked through: full-width signs made plain, invisible ones and Markdown's stars left out.

    `folded` is `text` without case and accents, sign by sign; `offsets` gives where each sign stands in the original.
    """

    text: str
    folded: str
    offsets: Sequence[int]

    @classmethod
    def of(cls, original: str) -> Reading:
        """Read a text."""
        if original.isascii() and not ("*" in original or "`" in original):
            return cls(original, original.lower(), range(len(original)))
        plain = {char: _plain(char) for char in set(original)}
        text = original.translate({ord(char): sign for char, sign in plain.items()})
        folded = text.translate({ord(char): _base(char) for char in set(text)})
        if all(len(sign) == 1 for sign in plain.values()):
            return cls(text, folded, range(len(original)))
        return cls(text, folded, [at for at, char in enumerate(original) for _ in plain[char]])

    def original(self, secret: Secret) -> Secret:
        """Return a secret found in `text` as it stands in the original."""
        return Secret(secret.kind, self.offsets[secret.start], self.offsets[secret.stop - 1] + 1, secret.reason)


def fold(word: str) -> str:
    """Return a word as `Reading.folded` shows it."""
    return Reading.of(word).folded


_DIGITS = re.compile(r"\d[ .,/-]{0,2}(?:(?:and|then|und|dann|e|y|et) )?\d")


def near_digits(text: str, before: int, behind: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches, so many signs around, that have two digits side by side: a text without costs little."""
    begin = end = 0
    for digits in _DIGITS.finditer(text):
        if digits.start() - before > end:
            if end:
                yield begin, end
            begin = max(0, digits.start() - before)
        end = min(len(text), digits.end() + behind)
    if end:
        yield begin, end


_ALIKE = str.maketrans("‐‑‒–—−“”„«»‘’‚‹›", "------\"\"\"\"\"'''''") | dict.fromkeys(map(ord, "*`"))


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    if unicodedata.category(char) in ("Cf", "Mn", "Me"):
        return ""  # zero-width signs, soft hyphens, accents that stand alone
    return unicodedata.normalize("NFKC", char).translate(_ALIKE)


@lru_cache(maxsize=4096)
def _base(sign: str) -> str:
    lower = sign.lower()
    apart = unicodedata.normalize("NFD", lower)
    # What is more than a letter with accents stays as it is (Hangul), so that positions in `folded` and `text` agree.
    return apart[0] if all(map(unicodedata.combining, apart[1:])) else lower if len(lower) == 1 else sign
