"""Taking endings off words, so that lives and living meet, and lived stays apart: tense is part of what a fact says.

A stem is no word: `lik`, `mov+ed` (past), `hik~` (in -ing). The same word always gives the same stem.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ricordo.learn.fact_words import FORMS, PAST, SAME_LINES

ED, ING = "+ed", "~"
_VOWEL = re.compile("[aeiouy]")
_DOUBLED = re.compile(r"([bdgmnprt])\1$")


def plain_stem(word: str) -> str:
    """Take off the ending of one small-letter word, without looking for words that say the same."""
    if word in PAST:
        return _base(PAST[word]) + ED
    if not word.isascii() or not word.isalpha() or len(word) < 4:
        return word
    if word.endswith("ied"):
        return word[:-3] + "y" + ED
    if word.endswith("ed") and not word.endswith("eed") and len(word) > 4 and _VOWEL.search(word[:-2]):
        return _base(word[:-2]) + ED
    if word.endswith("ing") and len(word) > 5 and _VOWEL.search(word[:-3]):
        return _base(word[:-3]) + ING
    return _base(_singular(word))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if re.search("(?:ss|sh|ch|x|zz)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and word[-2] not in "sui" else word


def _base(word: str) -> str:
    word = _DOUBLED.sub(r"\1", word)
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


_SAME: Mapping[str, str] = {plain_stem(word): plain_stem(line[0]) for line in SAME_LINES for word in line[1:]}


def stem(word: str) -> str:
    """Return the stem of one small-letter word, or of the word that stands for it."""
    found = plain_stem(word)
    for ending in (ED, ING):
        if found.endswith(ending):
            bare = found.removesuffix(ending)
            return _SAME.get(bare, bare) + ending
    return _SAME.get(found, found)


def stems(word: str) -> str:
    """Return what one small-letter word becomes: none, one or several stems with spaces between them."""
    form = FORMS.get(word)
    if form is None:
        return stem(word)
    return " ".join(part if part == part.upper() or "+" in part or "~" in part else stem(part) for part in form.split())
