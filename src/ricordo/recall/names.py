"""Which names a prompt reminds of: those whose mentions have left the window (N4); and the person's own name. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ricordo.store.name_reading import folded

_OWN = re.compile(
    r"^(?:the )?user(?:['’]s (?:full |first |given |real )?name is"
    r"| is (?:called|named)| goes by)(?: the name)? (?P<name>[^,.;(]+)",
    re.IGNORECASE,
)


def own_names(facts: Iterable[str]) -> frozenset[str]:
    """Return the words of the person's own name, folded, as facts tell it: they mean the same as "the user"."""
    told = (_OWN.match(fact.strip()) for fact in facts)
    return frozenset(word for match in told if match for word in folded(match["name"]).split() if len(word) > 1)


def out_of_sight(names: Sequence[str], window: Iterable[str]) -> tuple[str, ...]:
    """Return the names that no text of a window mentions, in the order given; the texts are as `folded_text` has them."""
    shown = "\n".join(window)
    return tuple(name for name in names if not _stands_in(folded(name), shown))


def _stands_in(name: str, text: str) -> bool:
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            return True
        at = text.find(name, at + 1)
    return False
