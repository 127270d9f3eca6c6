"""Which known facts are worth a closer look: by quick keys for duplicates, by shared words to show them to the model.

The one rule: two facts that are the same have the same `keys`, so that unlike ones need not be read; keys decide nothing else.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ricordo.learn import fact_words, rephrasings
from ricordo.learn.fact_spelling import LONGEST, UNITS
from ricordo.learn.fact_words import LIGHT, PREPOSITIONS
from ricordo.learn.foreign_words import LANGUAGES, UNSPACED
from ricordo.learn.stems import ED, ING, stems
from ricordo.store.words import fold

_WORD = re.compile(r"[^\W\d_]{2,}")
_KEY = 3  # letters: run and running, bake and baking share them
_SHORT_FORMS = (
    "doesn isn aren wasn weren couldn wouldn shouldn mustn needn didn hasn haven hadn don won ain shan ll ve re "
    "alone own th st nd rd what where who how longer stopped quit given"
)


def _tabled() -> Iterator[str]:
    """The words that any rule knows: they may come and go between two facts that are the same."""
    yield from _SHORT_FORMS.split()
    yield from (*rephrasings.WORDS, *UNITS)
    for table in (
        fact_words.FORMS,
        fact_words.PAST,
        fact_words.NUMBERS,
        fact_words.SCALES,
        fact_words.ORDINALS,
        fact_words.MONTHS,
        fact_words.CONVERSES,
    ):
        yield from table
        yield from (word for value in table.values() for word in str(value).split())
    for words in (LIGHT, PREPOSITIONS, fact_words.DEGREES, fact_words.QUANTITIES, fact_words.WEEKDAYS, *fact_words.SAME_LINES):
        yield from words
    for table in LANGUAGES.values():
        yield from map(fold, table)


def _inflected(word: str) -> Iterator[str]:
    """A word and all that could be a form of it; more than there are does no harm."""
    bare = word[:-1] if word[-1] in "ey" else word
    yield from (word, *(root + ending for root in (word, bare, word + word[-1]) for ending in _ENDINGS))


_ENDINGS = ("s", "es", "ed", "d", "ing", "ies", "ied", "er", "ers")
_TABLED = frozenset(form for word in _tabled() if word for form in _inflected(word.lower()))
_TABLED_SIGNS = frozenset("".join(UNSPACED))


def keys(text: str) -> frozenset[str]:
    """Return the keys of a text's own words: those that no rule adds, drops or replaces."""
    text = text[:LONGEST]
    words = _WORD.findall(text.lower() if text.isascii() else _folded(text))
    return frozenset(word[:_KEY].replace("y", "i") for word in words if word not in _TABLED)


def _folded(text: str) -> str:
    """A text with its accents off and its scripts without spaces sign by sign, less those that rules know."""
    return fold("".join(" " if letter in _TABLED_SIGNS else letter for letter in text))


def nearest(text: str, known: Sequence[str], count: int) -> list[int]:
    """Return the places of the known facts that share most words with a text, best first; rare words count more.

    Fewer than `count` where fewer share any word that says something.
    """
    wanted = _content(text)
    held = [_content(fact) for fact in known]
    spread = Counter(word for words in held for word in words & wanted)
    weights = {word: math.log(1 + len(known) / times) for word, times in spread.items()}
    scores = [sum(weights[word] for word in words & wanted) / math.sqrt(1 + len(words)) for words in held]
    best = sorted((at for at, score in enumerate(scores) if score), key=lambda at: (-scores[at], at))
    return best[:count]


def _content(text: str) -> frozenset[str]:
    text = text[:LONGEST]
    words = _CONTENT.findall(text.lower() if text.isascii() else fold(text))
    return frozenset(
        stem.rstrip(ING).removesuffix(ED)
        for word in words
        if word not in _SAYS_NOTHING
        for stem in stems(word).split()
        if stem not in _SHAPE
    )


_CONTENT = re.compile(r"[^\W_]+")
_PERSONS = ("", "USER", "USERS")
_SAYS_NOTHING = (
    LIGHT
    | PREPOSITIONS
    | {*_SHORT_FORMS.split(), "s", "t", "d", "m", "not"}
    | {fold(word) for table in LANGUAGES.values() for word, stands in table.items() if stands in _PERSONS}
    | {word for word, stands in UNSPACED.items() if stands in _PERSONS}
)
_SHAPE = frozenset("be be+ed hav hav+ed do do+ed not USER USERS THEIR THEM AND OR BUT".split())
