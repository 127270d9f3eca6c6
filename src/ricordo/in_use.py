"""The chat model and the embedder that the settings name: opened when first needed, replaced when the settings name others.

The one rule: whoever uses a vault sees one desk at a time; it is cleared and its model let go when the vault is locked.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import tzinfo

from ricordo.conversation import Moment
from ricordo.desk import Desk
from ricordo.errors import ModelError
from ricordo.hit import ByMeaning
from ricordo.models.base import ChatModel, Embedder, Request
from ricordo.models.choose import no_embedder, open_embedder, open_model
from ricordo.models.gate import Gate
from ricordo.models.pace import start_at
from ricordo.models.tokens import TokenCounter
from ricordo.prompt import ChatMessage
from ricordo.settings import Settings
from ricordo.store import kept, vectors
from ricordo.store.connection import Database

_OF_MODEL = ("server", "model", "api_key", "window", "timeout")
_OF_EMBEDDER = ("embedder", "server", "model", "api_key", "timeout")


class InUse:
    """What one vault works with. `own` stands in for the model that the settings name and is not let go with it."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        now: Callable[[], Moment],
        zone: Callable[[], tzinfo],
        own: ChatModel | None,
    ) -> None:
        self._database = database
        self._settings = settings
        self._now = now
        self._zone = zone
        self._own = own
        self._gate = Gate()
        self._desk: Desk | None = None
        self._embedder: Embedder | None = None
        self._opening = asyncio.Lock()

    async def desk(self) -> Desk:
        """Return the desk, with the model and what was learned about it. Raises ModelMissing."""
        async with self._opening:
            if self._desk is None:
                model = self._own or open_model(self._settings)
                profile = await self._database.read(lambda c: kept.profile(c, model.name))
                start_at(model, profile.get("reading", 0.0), profile.get("writing", 0.0))
                self._desk = Desk(
                    database=self._database,
                    model=model,
                    gate=self._gate,
                    settings=self._settings,
                    now=self._now,
                    zone=self._zone,
                    counter=TokenCounter(**{"factor": profile["factor"]} if "factor" in profile else {}),
                    embedder=self.embedder,
                    smallest_window=profile.get("window"),
                )
            return self._desk

    def embedder(self) -> Embedder | None:
        """Return the embedder, None when words must do."""
        if self._embedder is None:
            self._embedder = open_embedder(self._settings)
        return self._embedder

    async def by_meaning(self) -> ByMeaning:
        """Return how far finding by meaning is, or why it is off; an embedder that fails is a reason, too."""
        embedder = self.embedder()
        if embedder is None:
            return ByMeaning(no_embedder(self._settings))
        try:
            await embedder.embed(())  # its name may be known only then
        except ModelError as error:
            return ByMeaning(f"The embedding model fails, so words alone are searched. {error}")
        done, total = await self._database.read(lambda c: vectors.counts(c, embedder.name))
        return ByMeaning("", done, total, embedder.name)

    async def change(self, new: Settings) -> bool:
        """Go on with other settings; return whether what is stored may now want another embedder."""
        old, self._settings = self._settings, new
        other_embedder = any(getattr(new, name) != getattr(old, name) for name in _OF_EMBEDDER)
        if other_embedder:
            await self._let_embedder_go()
        if self._desk is not None:
            self._desk.settings = new
            if self._own is None and any(getattr(new, name) != getattr(old, name) for name in _OF_MODEL):
                await self._let_desk_go()
        return other_embedder

    async def try_with(self, settings: Settings) -> tuple[str, float]:
        """Ask the model that other settings name for one word; return its name and the seconds. Raises ModelError."""
        model = open_model(settings)
        try:
            started = time.perf_counter()
            await model.complete(Request((ChatMessage("user", "Reply with the word yes."),), 16, timeout=float(settings.timeout)))
            return model.name, time.perf_counter() - started
        finally:
            await model.aclose()

    async def forget(self) -> None:
        """Forget all that was written, because it was deleted or came new; the model stays."""
        async with self._opening:
            if self._desk is not None:
                self._desk.clear()

    async def close(self) -> None:
        """Let go of both."""
        await self._let_desk_go()
        await self._let_embedder_go()

    async def _let_desk_go(self) -> None:
        if self._desk is not None:
            desk, self._desk = self._desk, None
            desk.clear()
            await desk.model.aclose()

    async def _let_embedder_go(self) -> None:
        if self._embedder is not None:
            embedder, self._embedder = self._embedder, None
            await embedder.aclose()
