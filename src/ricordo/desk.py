"""What turns are made with while a vault is unlocked: the store, the model, and what is known of that model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import lru_cache, partial

from ricordo.conversation import Moment
from ricordo.models.base import ChatModel, Embedder
from ricordo.models.gate import Gate
from ricordo.models.tokens import TokenCounter, in_line
from ricordo.prompt import Budget
from ricordo.recall.beside import Beside
from ricordo.recall.epochs import Epoch
from ricordo.recall.material import Kept
from ricordo.recall.shorten import ShortForms
from ricordo.said import Digest, said_after
from ricordo.settings import Settings
from ricordo.store.connection import Database

_ROOM, _LINES = 4096, 16_384  # texts, and lines of them, whose token counts are remembered while the vault is unlocked
_SAID = 4096  # messages of clients whose digests are remembered as long


@dataclass(slots=True)
class Desk:
    """The one place where a turn finds all it needs. Cleared when the vault is locked (V3)."""

    database: Database
    model: ChatModel
    gate: Gate
    settings: Settings
    now: Callable[[], Moment]
    zone: Callable[[], tzinfo]
    counter: TokenCounter
    embedder: Callable[[], Embedder | None] = lambda: None
    smallest_window: int | None = None  # learned from an overflow; None: as the model says
    epochs: dict[int, Epoch] = field(default_factory=dict)
    carried: dict[int, Beside] = field(default_factory=dict)  # what conversations that clients keep were sent with
    forms: ShortForms = field(default_factory=ShortForms)
    kept: Kept = field(default_factory=Kept)
    count: Callable[[str], int] = field(init=False)
    digest: Digest = field(init=False)
    _in_line: Callable[[str], float] = field(init=False)

    def __post_init__(self) -> None:
        self._forget_counts()

    def use(self, counter: TokenCounter) -> None:
        """Count tokens with another counter from now on."""
        self.counter = counter
        self.count = lru_cache(_ROOM)(partial(counter.count, of_line=self._in_line))

    async def budget(self) -> Budget:
        """Return the window and the reply's room in it."""
        window = self.settings.window or await self.model.window()
        window = min(window, self.smallest_window or window)
        return Budget(window, min(self.settings.reply_room, window // 4))

    def clear(self) -> None:
        """Forget all that was written: epochs, short forms, turns and lists, remembered counts."""
        self.epochs.clear()
        self.carried.clear()
        self.forms.clear()
        self.kept.clear()
        self._forget_counts()

    def _forget_counts(self) -> None:
        self.digest = lru_cache(_SAID)(said_after)
        self._in_line = lru_cache(_LINES)(in_line)
        self.use(self.counter)
