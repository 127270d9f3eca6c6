"""An embedder for tests: vectors of hashed words, and what a test wants to happen in the middle."""

from collections.abc import Awaitable, Callable, Sequence

import numpy as np

from tests.fake_replies import embedding


class HashEmbedder:
    """Embeds as the fake server does. `during` is awaited with each batch, before it answers."""

    def __init__(
        self, name: str = "hashed", dimension: int = 64, during: Callable[[Sequence[str]], Awaitable[None]] | None = None
    ) -> None:
        self.name = name
        self.dimension = dimension
        self.asked: list[list[str]] = []
        self._during = during

    async def embed(self, texts: Sequence[str]) -> np.ndarray:
        if texts:
            self.asked.append(list(texts))
            if self._during:
                await self._during(texts)
        return np.array([embedding(text, self.dimension) for text in texts], np.float32).reshape(len(texts), self.dimension)

    async def aclose(self) -> None:
        """Nothing is open."""
