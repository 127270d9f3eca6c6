"""Finding the names of secrets in a text: whole words, ends of longer ones, and words of scripts without blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from ricordo.learn.secret import Reading
from ricordo.learn.secret_words import COMPOUNDS, NAMES, TAILS, Label

# Thai, kana, Chinese, Hangul: words stand side by side there.
NO_BLANKS = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_NO_BLANKS = re.compile(f"[{NO_BLANKS}]")


def _by_root() -> dict[str, list[str]]:
    """Put each name under the shortest one in it: a text without "pass" has none of "password", "passphrase", …"""
    roots: dict[str, list[str]] = {}
    for word in sorted(NAMES, key=len):
        roots.setdefault(next((root for root in roots if root in word), word), []).append(word)
    return roots


_BY_ROOT = _by_root()


class Link(Enum):
    """What stands between a name and a value."""

    MARK = auto()  # a colon, an equals sign, an arrow
    VERB = auto()  # "is"
    TO = auto()  # "changed to", "mit"
    NONE = auto()


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a secret, found at `start` up to `stop`."""

    label: Label
    word: str
    start: int
    stop: int


def names(reading: Reading) -> Iterator[Name]:
    """Yield the names in order, the longest where several begin, without those that are part of another word."""
    folded, found = reading.folded, []
    for root, words in _BY_ROOT.items():
        for word in words if root in folded else ():
            at = folded.find(word)
            while at >= 0:
                if _stands_alone(reading, word, at):
                    found.append(Name(NAMES[word], word, at, at + len(word)))
                at = folded.find(word, at + len(word))
    found.sort(key=lambda name: (name.start, -name.stop))
    last = 0
    for name in found:
        if name.start >= last:
            last = name.stop
            if not COMPOUNDS.match(folded, name.stop, name.stop + 40):
                yield name


def _stands_alone(reading: Reading, word: str, at: int) -> bool:
    if _NO_BLANKS.match(word):
        return True
    text, stop = reading.text, at + len(word)
    before, after = text[at - 1 : at], text[stop : stop + 2]
    seam = before.islower() and text[at].isupper()  # wifiPin
    if before.isalnum() and not (seam or word in TAILS or _NO_BLANKS.match(before)):
        return False
    if after[:1].isalpha() and not _NO_BLANKS.match(after):
        return False
    return not (after[:1] == "_" or (after[:1] == "-" and after[1:].isalpha()))
