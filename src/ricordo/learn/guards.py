"""What forbids taking two facts for one, however alike they sound. A guard only blocks a merge; it never deletes.

The one rule: when in doubt they are two. A fact kept twice costs a line; a fact lost is lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection

from ricordo.learn.fact_reading import Reading
from ricordo.learn.fact_words import KIN, MODALS, MONTHS, NEGATIONS, OPPOSITES, QUANTITIES, WEEKDAYS
from ricordo.learn.stems import ED, stem


def _stems(words: Collection[str]) -> frozenset[str]:
    return frozenset(word if word.isupper() else stem(word) for word in words)


_NEGATIONS = _stems(NEGATIONS)
_QUANTITIES = _stems(QUANTITIES)
_MODALS = _stems(MODALS)
_KIN = _stems(KIN)
_UNITS = _stems(
    "kg g mg km m cm mm l mile pound ounce inch foot euro dollar quid yen franc percent degree second minute hour day week "
    "month year time am pm today tomorrow yesterday".split()
)
_DATES = frozenset(MONTHS) | WEEKDAYS | _stems("spring summer autumn winter".split())
_OPPOSED = tuple((stem(one), stem(other) if other.islower() else other) for one, other in OPPOSITES)
_TURNED = re.compile(r"(?:un|in|im|ir|il|non|dis|mis|anti|ex|pre|post)(\w{3,})")


def _negated(reading: Reading) -> object:
    return Counter(word for word in reading.stems if word in _NEGATIONS)


def _figures(reading: Reading) -> object:
    return Counter(word for word in reading.stems if word[0].isdigit() or word.startswith(("-", "x-")))


def _units(reading: Reading) -> object:
    return {word for word in reading.stems if word in _UNITS}


def _days(reading: Reading) -> object:
    return {word for word in reading.stems if word in _DATES}


def _amounts(reading: Reading) -> object:
    return Counter(word for word in reading.stems if word in _QUANTITIES)


def _times(reading: Reading) -> object:
    return {word for word in reading.stems if word in _MODALS or word.endswith(ED)}


def _relations(reading: Reading) -> object:
    return {word for word in reading.stems if word in _KIN}, reading.stems.count("POSS")


_COMPARED: tuple[tuple[Callable[[Reading], object], str], ...] = (
    (_negated, "one of them says no where the other says yes"),
    (_figures, "they hold other numbers, dates or times"),
    (_units, "they hold other units or spans of time"),
    (_days, "they hold other days, months or seasons"),
    (_amounts, "they say how much or how often in other ways"),
    (_times, "one of them is past, planned or only possible"),
    (_relations, "they are about other persons or relations"),
)


def objection(one: Reading, other: Reading) -> str | None:
    """Return why two facts may not be taken for one whatever they share, None if nothing forbids it."""
    for of, reason in _COMPARED:
        if of(one) != of(other):
            return reason
    if not (one.names <= other.words and other.names <= one.words):
        return "they hold other names or codes"
    mine, yours = set(one.stems), set(other.stems)
    only, only_other = mine - yours, yours - mine
    for left, right in _OPPOSED:
        if (left in only and right in only_other) or (right in only and left in only_other):
            return "they say opposite things"
    if any((match := _TURNED.fullmatch(word)) and match[1] in only | only_other for word in only | only_other):
        return "they say opposite things"
    if _one_of_several(one, other) or _one_of_several(other, one):
        return "one of them speaks of one, the other of several"
    return None


def _one_of_several(one: Reading, other: Reading) -> bool:
    """Say whether one has *a cat* or *the user's cat* where the other has cats. (Who has a peanut allergy dreads peanuts.)"""
    missing = one.singles - other.words if "allergic" not in one.stems else frozenset()
    return any({f"{word}s", f"{word}es", f"{word[:-1]}ies", f"{word}ren"} & other.words for word in missing)
