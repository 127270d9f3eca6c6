"""The lists of facts that each prompt is made with, kept in RAM while the vault is unlocked.

The one rule: each connection is answered as of the moment it sees; when any fact has changed, all lists are read anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import apsw

from ricordo.fact import Fact, Home
from ricordo.store import facts
from ricordo.store.moments import may_be_undone

_MOST = 64  # lists: far more than the conversations that are written in at one time need

Key = Home | int | None


@dataclass(frozen=True, slots=True)
class _AsOf:
    """Lists as they were after so many changes of facts."""

    changed: int = -1
    lists: dict[Key, Sequence[Fact]] = field(default_factory=dict)


class Lists:
    """What is kept of a vault's facts."""

    def __init__(self) -> None:
        self._as_of = _AsOf()

    def clear(self) -> None:
        """Forget all lists (V3)."""
        self._as_of = _AsOf()

    def of_home(self, connection: apsw.Connection, home: Home) -> Sequence[Fact]:
        """Return what `facts.of_home` does."""
        return self._list(connection, home, lambda: facts.of_home(connection, home))

    def pinned_for(self, connection: apsw.Connection, conversation: int | None) -> Sequence[Fact]:
        """Return what `facts.pinned_for` does."""
        return self._list(connection, conversation, lambda: facts.pinned_for(connection, conversation))

    def _list(self, connection: apsw.Connection, key: Key, read: Callable[[], list[Fact]]) -> Sequence[Fact]:
        if may_be_undone(connection):
            return read()
        changed, as_of = facts.changed(connection), self._as_of
        if changed != as_of.changed or len(as_of.lists) >= _MOST:
            as_of = _AsOf(changed)
            if changed >= self._as_of.changed:  # else another connection sees a later moment
                self._as_of = as_of
        if key not in as_of.lists:
            as_of.lists[key] = tuple(read())
        return as_of.lists[key]
