"""The shape of a fact: who does what to whom, where and when, however its parts are placed.

The one rule: two readings have the same shape only if each word stands in the same part on both sides. What may change
places is listed here (both sides of *is*, the parts after prepositions, the items of a list); all else keeps its order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ricordo.learn.fact_words import CONVERSES, DEGREES, PREPOSITIONS, QUANTITIES
from ricordo.learn.stems import stem

_JOINTS = frozenset(("AND", "OR", "BUT", ","))
_PLACELESS = frozenset(map(stem, DEGREES))
_COUNTED = frozenset(map(stem, QUANTITIES))
_BEFORE = frozenset(map(stem, PREPOSITIONS))
_CONVERSE = {stem(word): stem(other) for word, other in CONVERSES.items()}
# Words that mean nothing by themselves, or all depends on: no other word stands for one of them.
SHAPING = (
    _BEFORE | {stem(word) for word in ("be", "have", "do", "that", "who", "which")} | _CONVERSE.keys() | set(_CONVERSE.values())
)
_ORDERED = frozenset(("respectively", "then"))

Part = tuple[str, ...]
Side = tuple[Part, tuple[Part, ...]]
Clause = tuple[tuple[str, ...], tuple[Side, ...]]


def same_shape(one: Sequence[str], other: Sequence[str]) -> bool:
    """Say whether two lines of stems state the same, part by part."""
    if tuple(one) == tuple(other):
        return True
    if Counter(_counted(one)) != Counter(_counted(other)):
        return False
    first, second = _split(one), _split(other)
    if len(first) != len(second):
        return False
    if len(first) == 1:
        return _clause(first[0]) == _clause(second[0])
    if [*map(_clause, first)] == [*map(_clause, second)]:
        return True
    if _ORDERED & {*one, *other}:
        return False
    return _items(first, second) == _items(second, first)


def _counted(line: Sequence[str]) -> Iterable[str]:
    """The words of a line, without those that depend on how it is put."""
    return (_CONVERSE.get(word, word) for word in line if word not in ("USER", ",", "AND"))


def _split(line: Sequence[str]) -> list[list[str]]:
    clauses: list[list[str]] = [[]]
    for word in line:
        if word in _JOINTS:
            if clauses[-1]:
                clauses.append([])
            if word in ("OR", "BUT"):
                clauses[-1].append(word)
        else:
            clauses[-1].append(word)
    return [clause for clause in clauses if clause]


def _items(clauses: list[list[str]], others: list[list[str]]) -> Counter[Clause]:
    """The clauses in any order; where they are a list, its items, without what stands around it on both sides."""
    start = _common(clauses[0], others[0])
    end = _common(clauses[-1][::-1], others[-1][::-1])
    items = [list(clause) for clause in clauses]
    items[-1] = items[-1][: len(items[-1]) - end]
    items[0] = items[0][start:]
    around = (tuple(clauses[0][:start]), tuple(clauses[-1][len(clauses[-1]) - end :]))
    return Counter(
        [*(_clause([word for word in item if word not in ("OR", "BUT")]) for item in items), (around[0] + around[1], ())]
    )


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    length = 0
    for mine, yours in zip(one, other, strict=False):
        if mine != yours:
            break
        length += 1
    return length


def _clause(words: Sequence[str]) -> Clause:
    """One clause: what holds of it as a whole (not, often, was), and its side or the two sides of *is*."""
    words = list(words)
    loose = sorted(word for word in words if word in _PLACELESS)
    words = [word for word in words if word not in loose]
    at = next((place for place, word in enumerate(words) if word in ("be", "be+ed")), None)
    if at is None:
        return tuple(loose), (_side(words),)
    left, right = words[:at], words[at + 1 :]
    loose.append(words[at])
    if words[at] == "be+ed" and (active := _active(left, right)):
        return tuple(loose[:-1]), (_side(active),)
    turned = next((word for word in right if word in _CONVERSE), None)
    if turned and "than" in right:
        than = right.index("than")
        rest = [_CONVERSE.get(word, word) for word in right[:than]]
        left, right = right[than + 1 :], [*rest, "than", *(left or ["USER"])]
    sides = _side(left), _side(right)
    return tuple(loose), sides if _COUNTED & set(words) else tuple(sorted(sides))


def _active(left: Sequence[str], right: Sequence[str]) -> list[str] | None:
    """Turn *was hired by Nina* into *Nina hired …*, None where nobody is named who did it."""
    if not right or not right[0].endswith("+ed") or "by" not in right:
        return None
    by = right.index("by")
    end = next((at for at in range(by + 1, len(right)) if right[at] in _BEFORE), len(right))
    doer = right[by + 1 : end]
    return [*doer, right[0], *(left or ["USER"]), *right[1:by], *right[end:]] if doer else None


def _side(words: Sequence[str]) -> Side:
    """Cut at the prepositions: what comes first, and each of the parts that follow, in any order."""
    if words and words[0] == "USER":
        words = words[1:]
    parts: list[list[str]] = [[]]
    for number, word in enumerate(words):
        if word in _BEFORE and number:
            parts.append([word])
        else:
            parts[-1].append(word)
    return tuple(parts[0]), tuple(sorted(map(tuple, parts[1:])))
