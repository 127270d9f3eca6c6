"""Cutting a fact into words, numbers and signs, short forms written out: doesn't is does not, 9am is 9 am.

The one rule: what tells two things apart stays one word: C++, A-, 10.0.0.1, ASR1603, 2026-05-03.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ricordo.learn.foreign_words import UNSPACED

LONGEST = 600  # letters of a text that are read: a fact of the model has 280 at most (E11), one of the person may be a page

# Scripts without spaces; Hangul has them.
_UNSPACED_RUN = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
UNSPACED_SIGN = re.compile(f"[{_UNSPACED_RUN}]")
_LONGEST_UNSPACED = max(map(len, UNSPACED))

# What has to be in the small-letter text for the pattern to be worth trying; the pattern; what it becomes.
_WRITTEN_OUT = tuple(
    (needle, re.compile(pattern, re.IGNORECASE), becomes)
    for needle, pattern, becomes in (
        ("'t", r"\bcan't\b", "can not"),
        ("'t", r"\bwon't\b", "will not"),
        ("'t", r"\bain't\b", "is not"),
        ("'t", r"\bshan't\b", "shall not"),
        ("'t", r"n't\b", " not"),
        ("'m", r"\bi'm\b", "i am"),
        ("'re", r"'re\b", " are"),
        ("'ve", r"'ve\b", " have"),
        ("'ll", r"'ll\b", " will"),
        ("'d", r"\b(i|he|she|they|you|we|user)'d\b", r"\1 would"),
        ("'s", r"\b(it|he|she|that|what|who|there|here)'s\b", r"\1 is"),
        ("'s", r"'s\b", " POSS"),
        ("s'", r"(?<=s)'(?=\s|$)", " POSS"),
        ("m.", r"\b([ap])\. ?m\b\.?", r"\1m"),
        ("a ", r"\ba (?:few|couple)\b", "several"),
        ("a ", r"\ba little\b", "somewhat"),
        ("a ", r"\ba lot(?: of)?\b", "lot"),
        (" of", r"\b(all|some|most|both|half|one) of\b", r"\1"),
        ("longer", r"\b(?:no|not any) longer\b", "NO-LONGER"),
        ("quit", r"\bquit\b(?= \w)", "NO-LONGER"),
        ("stopped", r"\bstopped\b(?= \w)", "NO-LONGER"),
        (" up", r"\b(?:gave|given) up\b(?= \w)", "NO-LONGER"),
        ("up to", r"\bup to\b", "up-to"),
        (" is a", r"\b(?:user POSS|my) (?:car|phone|laptop|computer|tablet|bike|camera) is an? ", "user has a "),
        (" own", r"\b(?:on|by) (?:their|his|her|my) own\b", "alone"),
        ("sel", r"\bby (?:them|him|her|my)sel(?:f|ves)\b", "alone"),
        ("(", r"\s*\(", ", "),
        (" too", r",? too\W*$", ""),
        (" is a", r"\b(?:user POSS|my) (?:job|profession|occupation) is an? ", "user is a "),
        (":", r"^\W*user:", "user "),
        (": ", r"^\W*(?:(?:the )?user POSS |my )?((?!user)[a-z]+(?: [a-z]+)?): ", r"user POSS \1 is "),
    )
)
_TOKEN = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+|NO-LONGER|up-to"
    r"|@[\w.-]*\w|[^\W_]+(?:_[^\W_]+)+|(?<!\w)[A-Za-z]\*(?!\*)"
    r"|\d{4}-\d{2}-\d{2}"
    rf"|(?:(?<!\S)[-−])?\d+(?:[.,:/]\d+)*[^\W\d_{_UNSPACED_RUN}]*"
    rf"|[{_UNSPACED_RUN}]+"
    r"|(?<!\S)\.[^\W\d_]+"
    rf"|[^\W\d_][^\W_{_UNSPACED_RUN}]*(?:\+\+|[#+]|-(?!\w))?"
    r"|[,;&%°$£¥<>=\u20a0-\u20cf\u2190-\u2bff\U0001f000-\U0001faff]"
)
_AMOUNT = re.compile(r"([-−]?\d+(?:[.,]\d+)*)([^\W\d_]*)")
_THOUSANDS = re.compile(r"[-−]?\d{1,3}(?:[.,]\d{3})+")
UNITS = frozenset("kg g mg km m cm mm l ml h min am pm gb mb tb k".split())


def spelled(text: str) -> Iterator[str]:
    """Yield the words of a fact as they are written, capitals and accents too; POSS stands for 's."""
    text = " ".join(unicodedata.normalize("NFKC", text[:LONGEST]).replace("’", "'").split())
    small = text.casefold()
    for needle, pattern, becomes in _WRITTEN_OUT:
        if needle in small:
            text = pattern.sub(becomes, text)
    for match in _TOKEN.finditer(text):
        word = match.group()
        if UNSPACED_SIGN.match(word):
            yield from _cut(word)
        elif not word[-1].isalnum() or not (word[0].isdigit() or word[0] in "-−"):
            yield word
        elif _THOUSANDS.fullmatch(word):
            yield re.sub("[.,]", "", word)
        elif (amount := _AMOUNT.fullmatch(word)) and amount[2].casefold() in UNITS:
            yield from amount.groups()
        else:
            yield word


def _cut(run: str) -> Iterator[str]:
    """Cut a run without spaces at the words known, the longest first, else sign by sign."""
    start = 0
    while start < len(run):
        length = next((n for n in range(_LONGEST_UNSPACED, 0, -1) if run[start : start + n] in UNSPACED), 1)
        word = run[start : start + length]
        yield from UNSPACED.get(word, word).split()
        start += length


def named(word: str) -> bool:
    """Say whether a word within a sentence is a name or a code: a capital, or letters with digits."""
    if word in ("I", "POSS", "NO-LONGER", "USER", "USERS"):
        return False
    return word[0].isupper() or coded(word)


def coded(word: str) -> bool:
    """Say whether a word is a name or a code even at the start of a sentence."""
    if word in ("I", "POSS", "NO-LONGER", "USER", "USERS"):
        return False
    return any(letter.isupper() for letter in word[1:]) or (word[0].isalpha() and any(map(str.isdigit, word)))
