"""Who gets how much of the memory block: one table of shares, and pure functions over token counts.

Laws (property-tested): the grants never pass the limit; every part gets at least the smaller of its need and its share; more
room never takes from a part; the same needs give the same grants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

# Part → its share of the block in hundredths, in the order in which unused room is handed on (DESIGN §4).
SHARES: Mapping[str, int] = {
    "references": 25,
    "pinned": 20,
    "recalled": 25,
    "summary": 12,
    "memories": 14,
    "names": 4,
}
FIXED = ("pinned", "summary", "memories", "names")  # stand in the system message, unchanged during an epoch

Count = Callable[[str], int]  # tokens of a text

GAP = "\n[… {count} characters left out here …]\n"


def share_out(needs: Mapping[str, int], limit: int, taken: int = 0) -> dict[str, int]:
    """Return the tokens each part may use: its need up to its share, then what others left, in the table's order.

    `taken` is what parts that are not asked about hold already of the block of `limit` tokens.
    """
    grants = {part: min(needs.get(part, 0), share * limit // 100) for part, share in SHARES.items()}
    left = limit - taken - sum(grants.values())
    for part in SHARES:
        more = max(0, min(left, needs.get(part, 0) - grants[part]))
        grants[part] += more
        left -= more
    return grants


def shares(limit: int) -> dict[str, int]:
    """Return what each part may always have of a block of `limit` tokens."""
    return {part: share * limit // 100 for part, share in SHARES.items()}


def cut_middle(text: str, tokens: int, count: Count) -> str:
    """Return the text within `tokens`: whole, or its beginning and end with the gap between them marked (B4).

    Empty when not even the mark and a little text fit.
    """
    if count(text) <= tokens:
        return text
    low, high = 0, len(text)  # letters kept; the most that fit
    while low < high:
        middle = (low + high + 1) // 2
        if count(_cut(text, middle)) <= tokens:
            low = middle
        else:
            high = middle - 1
    return _cut(text, low) if low >= 16 else ""


def _cut(text: str, kept: int) -> str:
    if kept >= len(text):
        return text
    head = -(-kept * 2 // 3)  # what an entry is about stands at its start more often than at its end
    tail = kept - head
    return text[:head].rstrip() + GAP.format(count=len(text) - kept) + (text[-tail:].lstrip() if tail else "")
