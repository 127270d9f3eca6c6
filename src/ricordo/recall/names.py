"""Which names a prompt reminds of: those whose mentions have left the window (N4). Pure functions over values."""

from __future__ import annotations

from collections.abc import Sequence

from ricordo.conversation import Message
from ricordo.store.name_reading import folded


def out_of_sight(names: Sequence[str], window: Sequence[Message]) -> tuple[str, ...]:
    """Return the names that no message of a window mentions, in the order given."""
    if not names:
        return ()
    shown = folded(" \n".join(message.text for message in window))
    return tuple(name for name in names if not _stands_in(folded(name), shown))


def _stands_in(name: str, text: str) -> bool:
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            return True
        at = text.find(name, at + 1)
    return False
