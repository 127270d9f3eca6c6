"""How fast a model reads and writes, learned from its calls: so that nothing is begun that the time does not allow.

Kept beside each model while it is open; it says nothing of what was read.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from ricordo.models.base import ChatModel
from ricordo.prompt import Usage

_SLOWER = 4  # times slower than reading, is writing on a processor, until it is known
_NEWEST = 0.5  # the weight of the newest call: the computer may have become busy
_EASED = 0.9
_ENOUGH_READ, _ENOUGH_WRITTEN = 16, 8  # tokens below which a call tells nothing of the speed


@dataclass(slots=True)
class Pace:
    """Seconds per token read and written; 0 until a call has told."""

    reading: float = 0.0
    writing: float = 0.0

    def expected(self, read: int, written: int) -> float:
        """Return the seconds that reading and writing so many tokens should take; 0 where nothing is known."""
        return read * self.reading + written * (self.writing or self.reading * _SLOWER)

    def allows(self, read: int, written: int, seconds: float) -> bool:
        """Tell whether a call should end within so many seconds; each refusal lets the pace be tried anew a little sooner.

        Without that, one call while the computer slept would end all asking for good.
        """
        if self.expected(read, written) <= seconds:
            return seconds > 0
        self.reading *= _EASED
        self.writing *= _EASED
        return False

    def learn(self, usage: Usage, seconds: float, new: int) -> None:
        """Take note of a whole call; `new` is about how many tokens it added, for servers that do not tell what they had."""
        if usage.prompt is None or usage.reply is None:
            return
        read = usage.prompt - usage.cached if usage.cached is not None else new
        written = usage.reply
        if written <= 1 and read >= _ENOUGH_READ:
            self.reading = _between(self.reading, seconds / read)
        elif written >= _ENOUGH_WRITTEN and seconds > read * self.reading:
            self.writing = _between(self.writing, (seconds - read * self.reading) / written)

    def learn_reading(self, read: int, seconds: float) -> None:
        """Take note of how long so many tokens took before the first one was written: what every reply shows."""
        if read >= _ENOUGH_READ and seconds > 0:
            self.reading = _between(self.reading, seconds / read)

    def learn_cut(self, read: int, seconds: float) -> None:
        """Take note of a call that was cut off after so many seconds, so that as much is not begun at once again."""
        if read >= _ENOUGH_READ:
            self.reading = max(self.reading, seconds / read)


def _between(known: float, seen: float) -> float:
    return known + (seen - known) * _NEWEST if known else seen


_PACES: WeakKeyDictionary[ChatModel, Pace] = WeakKeyDictionary()


def pace_of(model: ChatModel) -> Pace:
    """Return what is known of a model's pace."""
    return _PACES.setdefault(model, Pace())


def start_at(model: ChatModel, reading: float, writing: float) -> None:
    """Take up what was known of a model's pace when it was used last, unless more is known by now."""
    pace = pace_of(model)
    pace.reading = pace.reading or reading
    pace.writing = pace.writing or writing
