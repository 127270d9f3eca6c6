"""The turns of conversations as prompts last read and worded them, kept in RAM while the vault is unlocked.

The one rule: each connection is answered as of the moment it sees. What changed but for more at the end is read anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

import apsw

from ricordo.conversation import Message
from ricordo.recall import parts
from ricordo.recall.names import Sight
from ricordo.store import conversations, messages
from ricordo.store.moments import may_be_undone
from ricordo.store.name_reading import folded_text

_MOST = 8  # conversations, those read last


@dataclass(frozen=True, slots=True)
class Wordings:
    """A memo of the turns of a conversation in the words that prompts need of them, by id."""

    shown: dict[int, str] = field(default_factory=dict)
    folded: dict[int, str] = field(default_factory=dict)
    sight: Sight = field(default_factory=Sight)

    def of(self, turn: Message) -> str:
        """Return a turn as the prompt shows it."""
        if (words := self.shown.get(turn.id)) is None:
            words = self.shown[turn.id] = parts.stamped(turn)
        return words

    def folded_of(self, turn: Message) -> str:
        """Return the text of a turn as names are looked for in it."""
        if (words := self.folded.get(turn.id)) is None:
            words = self.folded[turn.id] = folded_text(turn.text)
        return words


@dataclass(frozen=True, slots=True)
class Read:
    """Turns of the shown branch, oldest first, and their wordings."""

    turns: Sequence[Message] = ()
    wordings: Wordings = field(default_factory=Wordings)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The last turns of a conversation, up to its end; `whole` says that they begin where it does."""

    rearranged: int
    turns: Sequence[Message]
    whole: bool
    wordings: Wordings


class Turns:
    """What is kept of a vault's conversations."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._lock = Lock()

    def clear(self) -> None:
        """Forget all turns (V3)."""
        with self._lock:
            self._kept.clear()

    def newest(self, connection: apsw.Connection, conversation: int, letters: int, before: int | None = None) -> Read:
        """Return what `messages.newest` does."""
        kept = self._now(connection, conversation)
        if kept is not None and (stop := _place(kept.turns, before)) is not None:
            first = stop
            left = letters
            while first > 0 and left >= 0:
                first -= 1
                left -= len(kept.turns[first].text)
            if left < 0 or kept.whole:
                return Read(kept.turns[first:stop], kept.wordings)
        turns = messages.newest(connection, conversation, letters, before)
        whole = sum(len(turn.text) for turn in turns) <= letters
        return self._keep(connection, conversation, turns, before, whole)

    def since(self, connection: apsw.Connection, conversation: int, first: int, before: int | None = None) -> Read:
        """Return what `messages.since` does."""
        kept = self._now(connection, conversation)
        if kept is not None and (stop := _place(kept.turns, before)) is not None:
            start = _place(kept.turns[:stop], first)
            if start is not None:
                return Read(kept.turns[start:stop], kept.wordings)
        turns = messages.since(connection, conversation, first, before)
        return self._keep(connection, conversation, turns, before, False)

    def _now(self, connection: apsw.Connection, conversation: int) -> _Kept | None:
        """Return what is kept, with what was written since; None when that is no longer so."""
        with self._lock:
            kept = self._kept.get(conversation)
        if kept is None:
            return None
        rearranged, last = conversations.standing(connection, conversation)
        if rearranged != kept.rearranged:
            return None
        if last == kept.turns[-1].id:
            return kept
        more = messages.since(connection, conversation, kept.turns[-1].id)
        if not more:
            return None  # another connection saw a later moment
        kept = _Kept(rearranged, [*kept.turns, *more[1:]], kept.whole, kept.wordings)
        self._put(connection, conversation, kept)
        return kept

    def _keep(
        self, connection: apsw.Connection, conversation: int, turns: Sequence[Message], before: int | None, whole: bool
    ) -> Read:
        read = Read(turns)
        rest = [] if before is None or not turns else messages.since(connection, conversation, before)
        if turns and (before is None or rest):
            at, _ = conversations.standing(connection, conversation)
            self._put(connection, conversation, _Kept(at, [*turns, *rest], whole, read.wordings))
        return read

    def _put(self, connection: apsw.Connection, conversation: int, kept: _Kept) -> None:
        if may_be_undone(connection):
            return
        with self._lock:
            self._kept[conversation] = kept
            self._kept.move_to_end(conversation)
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)


def _place(turns: Sequence[Message], key: int | None) -> int | None:
    """Return where a message stands, the end for None; None when it is not there. The newest are looked at first."""
    if key is None:
        return len(turns)
    return next((at for at in range(len(turns) - 1, -1, -1) if turns[at].id == key), None)
