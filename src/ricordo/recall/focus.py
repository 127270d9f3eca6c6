"""The part of a text that a search is about: its best sentence, and as much around it as there is room for. Pure functions.

The one rule: what is left out is marked, and no sentence is cut unless it alone is too long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ricordo.recall.budget import Count, cut_middle
from ricordo.store import words

GAP = "[…]"
_END = re.compile(r"(?<=[.!?…;\n])[\"'”’)\]]*\s+|(?<=[。！？；])")

_ROOT, _ENDING = 4, 3  # letters: of a word at least, and of its ending at most

Weigh = Callable[[str], float]  # how much of what is looked for a text holds


def looking_for(search: str) -> Weigh:
    """Return what counts how many of a search's words a text holds, whatever their endings."""
    roots = [term.strip('"*') for term in words.searchable(search)]
    roots = [root if len(root) < _ROOT else root[: max(_ROOT, len(root) - _ENDING)] for root in roots]

    def weigh(text: str) -> float:
        folded = words.fold(text)
        return float(sum(root in folded for root in roots))

    return weigh


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the sentences of a text as (start, stop), which together cover all of it."""
    ends = [match.end() for match in _END.finditer(text) if match.end() < len(text)]
    return list(zip([0, *ends], [*ends, len(text)], strict=True))


def around_best(text: str, weigh: Weigh, tokens: int, count: Count) -> str:
    """Return the text within `tokens`: whole, else its best sentence with what stands around it, gaps marked.

    Where no sentence weighs anything, its beginning and end (`budget.cut_middle`).
    """
    if count(text) <= tokens:
        return text
    parts = sentences(text)
    weights = [weigh(text[start:stop]) for start, stop in parts]
    best = max(range(len(parts)), key=lambda at: (weights[at], -at), default=0)
    if not weights or weights[best] <= 0:
        return cut_middle(text, tokens, count)
    shown = ""
    for first, last in _growing(best, weights):
        wider = _marked(text, parts[first][0], parts[last][1])
        if count(wider) > tokens:
            break
        shown = wider
    return shown or cut_middle(text[slice(*parts[best])].strip(), tokens, count)


def _growing(best: int, weights: list[float]) -> Iterator[tuple[int, int]]:
    """Yield wider and wider stretches of sentences: on the side that weighs more, in doubt on what follows."""
    first = last = best
    yield first, last
    while first > 0 or last < len(weights) - 1:
        before = weights[first - 1] if first > 0 else -1.0
        after = weights[last + 1] if last < len(weights) - 1 else -1.0
        if after >= before:
            last += 1
        else:
            first -= 1
        yield first, last


def _marked(text: str, start: int, stop: int) -> str:
    before = f"{GAP} " if text[:start].strip() else ""
    after = f" {GAP}" if text[stop:].strip() else ""
    return f"{before}{text[start:stop].strip()}{after}"
