"""Which names a prompt reminds of: those whose mentions have left the window (N4); and the person's own name. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ricordo.conversation import Message
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


class Sight:
    """Which names a window mentions, remembered: while it only grows, no more than what is new in it is looked through."""

    def __init__(self) -> None:
        self._first: int | None = None  # the id of the turn that the window begins with
        self._seen: dict[str, bool] = {}  # by name, in the turns up to there
        self._length = 0

    def out_of(self, names: Sequence[str], window: Sequence[Message], text_of: Callable[[Message], str]) -> tuple[str, ...]:
        """Return the names that no turn of a window mentions, in the order given.

        Windows that begin with the same turn must be the same as far as both go. `text_of` is as `folded_text` has it.
        """
        first = window[0].id if window else None
        if first != self._first or len(window) < self._length:
            self._first, self._seen, self._length = first, {}, 0
        unseen = [name for name, seen in self._seen.items() if not seen]
        if self._length < len(window):
            missing = set(out_of_sight(unseen, map(text_of, window[self._length :])))
            self._seen |= {name: name not in missing for name in unseen}
            self._length = len(window)
        if unknown := [name for name in names if name not in self._seen]:
            missing = set(out_of_sight(unknown, map(text_of, window)))
            self._seen |= {name: name not in missing for name in unknown}
        return tuple(name for name in names if not self._seen[name])


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
