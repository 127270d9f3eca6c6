"""Whether a fact says what a known one says already (E7, E9, N2): by words, and by meaning where an embedder gives it.

The one rule: two facts are one when nothing objects and each word has its place on both sides. Meaning may bridge a word
that the tables do not know; it never overrules a guard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ricordo.learn.fact_nearness import keys, nearest
from ricordo.learn.fact_reading import Reading, read
from ricordo.learn.fact_shape import SHAPING, same_shape
from ricordo.learn.guards import objection
from ricordo.learn.stems import stem

__all__ = ["Duplicate", "Verdict", "duplicate_of", "nearest", "same_fact"]

# Cosine from which an unknown word may stand for another. MiniLM gives 0.91 to living and working in one town, 0.98 to
# swapped halves: it bridges a word after every guard has passed, and nothing else.
ALIKE = 0.95
_BRIDGED = 2  # words on each side that meaning may bridge
_SPOUSE, _SPOUSES = stem("spouse"), frozenset(map(stem, ("wife", "husband")))


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two facts are the same, and why."""

    same: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The known fact that says it already: its place among those given, and why it is the same."""

    index: int
    reason: str


def duplicate_of(candidate: str, known: Sequence[str], alike: Callable[[str, str], float] | None = None) -> Duplicate | None:
    """Return the first known fact that says what the candidate says, None if it is new.

    `alike` gives the cosine of two texts' meanings; it is asked only about facts that nothing forbids to be the same.
    """
    own, reading = keys(candidate), read(candidate)
    for index, fact in enumerate(known):
        if fact == candidate:
            return Duplicate(index, "the same words")
        theirs = keys(fact)
        if own != theirs and not (alike and own & theirs and max(len(own - theirs), len(theirs - own)) <= _BRIDGED):
            continue
        verdict = _verdict(reading, read(fact), partial(alike, candidate, fact) if alike else None)
        if verdict.same:
            return Duplicate(index, verdict.reason)
    return None


def same_fact(one: str, other: str, similarity: float | None = None) -> Verdict:
    """Say whether two facts are the same; `similarity` is the cosine of their meanings, if there is an embedder."""
    return _verdict(read(one), read(other), None if similarity is None else lambda: similarity)


def _verdict(mine: Reading, yours: Reading, similarity: Callable[[], float] | None) -> Verdict:
    if not mine.stems or not yours.stems:
        return Verdict(False, "one of them is empty")
    mine, yours = _as_broad(mine, yours), _as_broad(yours, mine)
    if objected := objection(mine, yours):
        return Verdict(False, objected)
    if mine.stems == yours.stems:
        return Verdict(True, "the same words")
    if same_shape(mine.stems, yours.stems):
        return Verdict(True, "the same words, placed in another way")
    if set(mine.stems) == set(yours.stems):
        return Verdict(False, "the same words in an order that says something else")
    if similarity and mine.english and yours.english and _bridgeable(mine.stems, yours.stems) and similarity() >= ALIKE:
        return Verdict(True, "other words of the same meaning")
    return Verdict(False, "they say different things")


def _bridgeable(one: Sequence[str], other: Sequence[str]) -> bool:
    """Say whether two facts differ by a word or two on each side that mean something, all others in the same order.

    A word on one side only is something more that is said, never the same; words of one root differ by tense or person.
    """
    mine, yours = [word for word in one if word not in other], [word for word in other if word not in one]
    shared = [word for word in one if word in other]
    return (
        0 < len(mine) <= _BRIDGED
        and 0 < len(yours) <= _BRIDGED
        and len(shared) > 1
        and shared == [word for word in other if word in one]
        and all(len(word) > 2 and word.isalpha() and word.islower() and word not in SHAPING for word in mine + yours)
        and not {word[:4] for word in mine} & {word[:4] for word in yours}
    )


def _as_broad(reading: Reading, other: Reading) -> Reading:
    """Read wife and husband as spouse where the other fact does not say which: she is married to Ingrid."""
    if _SPOUSE not in other.stems:
        return reading
    return replace(reading, stems=tuple(_SPOUSE if word in _SPOUSES else word for word in reading.stems))
