"""How fast a model reads and writes, learned from its calls: so that nothing is begun that the time does not allow.

Kept beside each model while it is open; it says nothing of what was read.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from ricordo.models.base import ChatModel
from ricordo.prompt import Usage

_NEWEST = 0.5  # the weight of the newest call: the computer may have become busy
_ENOUGH_READ, _ENOUGH_WRITTEN = 16, 8  # tokens below which a call tells nothing of the speed


@dataclass(slots=True)
class Pace:
    """Seconds per token read and written; 0 until a call has told."""

    reading: float = 0.0
    writing: float = 0.0

    def expected(self, read: int, written: int) -> float:
        """Return the seconds that reading and writing so many tokens should take; 0 where nothing is known."""
        return read * self.reading + written * self.writing

    def learn(self, usage: Usage, seconds: float, new: int) -> None:
        """Take note of a call; `new` is about how many tokens it added, for servers that do not tell what they had already."""
        read = usage.prompt - usage.cached if usage.prompt is not None and usage.cached is not None else new
        written = usage.reply or 0
        if written <= 1 and read >= _ENOUGH_READ:
            self.reading = _between(self.reading, seconds / read)
        elif written >= _ENOUGH_WRITTEN and seconds > read * self.reading:
            self.writing = _between(self.writing, (seconds - read * self.reading) / written)


def _between(known: float, seen: float) -> float:
    return known + (seen - known) * _NEWEST if known else seen


_PACES: WeakKeyDictionary[ChatModel, Pace] = WeakKeyDictionary()


def pace_of(model: ChatModel) -> Pace:
    """Return what is known of a model's pace."""
    return _PACES.setdefault(model, Pace())
