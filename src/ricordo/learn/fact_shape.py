"""The shape of a fact: who does what to whom, where and when, however its parts are placed.

The one rule: two readings have the same shape only if each word stands in the same part on both sides. What may change
places is listed here (both sides of *is*, the parts after prepositions, the items of a list); all else keeps its order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ricordo.learn.fact_words import CONVERSES, DEGREES, MODALS, NEGATIONS, PREPOSITIONS, QUANTITIES
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
# What they govern may be one clause or all that follow.
_SCOPES = _COUNTED | set(map(stem, MODALS)) | set(map(stem, NEGATIONS - {"NO-LONGER"})) | {"NO-LONGER"}
_WAY = frozenset(map(stem, ("to", "into", "via", "over", "through")))
_COMPARING = frozenset(map(stem, ("than", "as", "instead")))
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
    if _ORDERED & {*one, *other} or not (_plain_row(one) and _plain_row(other)):
        return False  # what belongs to which *or* depends on the place
    return _same_list([*map(_settled, first)], [*map(_settled, second)])


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


def _plain_row(line: Sequence[str]) -> bool:
    """Say whether the joints are those of one row: all alike, or commas and a last *and*; not *Milo, and a dog, Leo*."""
    joints = [word for at, word in enumerate(line) if word in _JOINTS and (word != "," or "AND" not in line[at + 1 : at + 2])]
    return len(set(joints)) == 1 or set(joints[:-1]) == {","}


def _settled(clause: Sequence[str]) -> list[str]:
    """The words of one clause of several, the parts after its prepositions in one order, so that lists end alike."""
    if "be" in clause or "be+ed" in clause:
        return list(clause)
    first, parts = _side(clause)
    who = ["USER"] if clause[0] == "USER" else []
    return [*who, *first, *(word for part in parts for word in part)]


def _same_list(clauses: list[list[str]], others: list[list[str]]) -> bool:
    """Say whether two rows of clauses hold the same items between what stands around them on both sides alike."""
    before = _common(clauses[0], others[0])
    after = _common(clauses[-1][::-1], others[-1][::-1])
    ends = range(after, -1, -1)
    starts = [start for start in range(before, 0, -1) if _may_begin(clauses[0], start)]
    if any(_items(clauses, start, end) == _items(others, start, end) for start in starts for end in ends):
        return True
    both = [*clauses, *others]
    apart = all(map(_whole, both)) and not _SCOPES & {word for clause in both for word in clause}
    return any(
        (apart or (_doers(clauses, end) and _doers(others, end))) and _items(clauses, 0, end) == _items(others, 0, end)
        for end in ends
    )


def _doers(clauses: list[list[str]], end: int) -> bool:
    """Say whether a row is *Kim and Leo* of *Kim and Leo run a shop*: a word each, and what they all do."""
    return end > 0 and len(clauses[-1]) - end == 1 and all(len(clause) == 1 for clause in clauses[:-1])


def _may_begin(clause: Sequence[str], start: int) -> bool:
    """Say whether a list may begin here: after the verb of the person, after *is* or a preposition; never within a name."""
    if clause[start - 1] in SHAPING:
        return True
    verb = next((place for place, word in enumerate(clause) if place and word not in _SCOPES), None)
    return clause[0] == "USER" and start - 1 == verb


def _whole(clause: Sequence[str]) -> bool:
    """Say whether a clause can stand for itself: *and dances* may still hang on *likes to*."""
    return sum(word not in ("USER", "OR", "BUT") for word in clause) > 1 or clause == ["USER"]


def _items(clauses: list[list[str]], start: int, end: int) -> Counter[Clause]:
    items = [[word for word in clause if word not in ("OR", "BUT")] for clause in clauses]
    items[-1] = items[-1][: len(items[-1]) - end]
    items[0] = items[0][start:]
    return Counter(map(_clause, items))


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
    loose = [word for place, word in enumerate(words) if word in _PLACELESS and _of_all(words, place)]
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


def _of_all(words: Sequence[str], place: int) -> bool:
    """Say whether *often* stands where it belongs to the whole clause: beside *is*; else near the start, or at the end."""
    if "be" in words or "be+ed" in words:
        return any(word in ("be", "be+ed") for word in words[max(0, place - 1) : place + 2])
    return place <= 2 or place == len(words) - 1


def _active(left: Sequence[str], right: Sequence[str]) -> list[str] | None:
    """Turn *was hired by Nina* into *Nina hired …*, None where nobody is named who did it."""
    if not right or not right[0].endswith("+ed") or "by" not in right:
        return None
    by = right.index("by")
    end = next((at for at in range(by + 1, len(right)) if right[at] in _BEFORE), len(right))
    doer = right[by + 1 : end]
    return [*doer, right[0], *(left or ["USER"]), *right[1:by], *right[end:]] if doer else None


def _side(words: Sequence[str]) -> Side:
    """Cut at the prepositions: what comes first, and the parts that follow, in any order but where they compare or name a way."""
    if words and words[0] == "USER":
        words = words[1:]
    parts: list[list[str]] = [[]]
    for number, word in enumerate(words):
        if word in _BEFORE and number:
            parts.append([word])
        else:
            parts[-1].append(word)
    rest = [tuple(part) for part in parts[1:]]
    if not _COMPARING & set(words):
        rest.sort(key=lambda part: part[:1] if part[0] in _WAY else part)
    return tuple(parts[0]), tuple(rest)
