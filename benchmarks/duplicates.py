"""How many copies of known facts are found, how many that are none, and how long it takes: `python -m benchmarks.duplicates`."""

from __future__ import annotations

import sys
import time

from benchmarks.tables import bar, percentile, show
from ricordo.learn.duplicates import duplicate_of, nearest, same_fact
from tests.learn.fact_pairs import Pair, pairs, rates

_KNOWN = 500
_THINGS = "cats hills opera rice rain chess trains bread ferns jazz maps figs owls snow clay"
_CANDIDATES = (
    "The user adores Vermeer's paintings.",
    "The user lives in Ghent.",
    "The user has two kids.",
    "The user no longer works at Bosch.",
    "The user likes cats and dogs.",
)


def main() -> int:
    """Print a table a question; exit code 1 where a bar is missed."""
    kept = [_bars(half) for half in ("tuned", "unseen")]
    _by_kind(pairs())
    kept.append(_speed())
    return 0 if all(kept) else 1


def _same(one: str, other: str) -> bool:
    return same_fact(one, other).same


def _bars(half: str) -> bool:
    precision, recall = rates(pairs(half), _same)
    found = bar(f"precision of what is merged, half {half}, by words alone", precision, 0.99, at_least=True)
    return bar(f"recall, half {half}, by words alone", recall, 0.80, at_least=True) and found


def _by_kind(held: list[Pair]) -> None:
    rows = []
    for kind in dict.fromkeys(pair.kind for pair in held):
        ours = [pair for pair in held if pair.kind == kind]
        copies, others = [pair for pair in ours if pair.same], [pair for pair in ours if not pair.same]
        found = sum(_same(pair.one, pair.other) for pair in copies)
        wrong = sum(_same(pair.one, pair.other) for pair in others)
        rows.append((kind, len(copies), found, len(others), wrong))
    show("Pairs of facts, both halves, and those found later", ("kind", "copies", "found", "no copies", "taken for one"), rows)


def _speed() -> bool:
    """A candidate against 500 facts: those of the pairs, 500 that begin alike, 500 that no quick look can tell apart."""
    varied = [text for pair in pairs() if not pair.same for text in (pair.one, pair.other)][:_KNOWN]
    things = _THINGS.split()
    alike = [f"The user likes {things[at % 15]} and {things[at // 15 % 15]} {at}." for at in range(_KNOWN)]
    read_all = [f"The user has {at} children and {at // 9} dogs." for at in range(_KNOWN)]
    rows, worst = [], 0.0
    for title, known in (
        ("varied facts", varied),
        ("facts that begin alike", alike),
        ("facts without a word of their own", read_all),
    ):
        copies = sorted(_timed(known, candidate) for candidate in _CANDIDATES for _ in range(5))
        near = sorted(_timed(known, candidate, near=True) for candidate in _CANDIDATES for _ in range(5))
        worst = max(worst, percentile(copies, 0.5))
        rows.append((title, percentile(copies, 0.5), copies[-1], percentile(near, 0.5)))
    show(
        f"Milliseconds against {_KNOWN} facts, with an embedder that finds nothing alike",
        ("known", "copy: median", "copy: worst", "nearest 5: median"),
        rows,
    )
    return bar("ms for one candidate, median", worst, 20)


def _timed(known: list[str], candidate: str, *, near: bool = False) -> float:
    start = time.perf_counter()
    if near:
        nearest(candidate, known, 5)
    else:
        duplicate_of(candidate, known, lambda one, other: 0.0)
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    sys.exit(main())
