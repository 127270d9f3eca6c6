"""How fast the embedded embedding model is, and how near to its float weights: `python -m benchmarks.embedding`.

Texts per second of processor, because that does not depend on what else the machine does; one thread.
"""

from __future__ import annotations

import asyncio
import sys
import time
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.tables import bar, show
from benchmarks.texts import messages
from ricordo.models import minilm
from ricordo.models.embedder import EmbeddedEmbedder, session
from ricordo.models.weights import read_vocabulary, read_weights
from ricordo.models.wordpiece import WordPiece

_TEXTS = 200
_LENGTHS = (10, 30, 60, 130)  # words


def main() -> int:
    """Print the table; exit code 1 where a bar is missed."""
    return 0 if asyncio.run(_measure()) else 1


async def _measure() -> bool:
    embedder = EmbeddedEmbedder(threads=1)
    start = time.process_time()
    await embedder.embed(["diary"])
    loading = time.process_time() - start
    as_it_is = _Floats()
    rows, worst, ratios = [], 1.0, []
    for words in _LENGTHS:
        texts = list(islice(messages(_TEXTS, words), _TEXTS))
        start = time.process_time()
        ours = await embedder.embed(texts)
        middle = time.process_time()
        exact = as_it_is.embed(texts)
        end = time.process_time()
        cosines = (ours * exact).sum(axis=1)
        worst, ratio = min(worst, float(cosines.min())), (end - middle) / (middle - start)
        ratios.append(ratio)
        rows.append(
            (words, _TEXTS / (middle - start), _TEXTS / (end - middle), ratio, float(cosines.mean()), float(cosines.min()))
        )
    await embedder.aclose()
    columns = ("words", "texts/s", "the file as it is", "ratio", "cosine", "least")
    show("Embedding, per second of one thread", columns, rows)
    kept = bar("seconds of processor to load the model and embed the first text", loading, 1.0)
    kept = bar("least cosine to the float weights", worst, 0.97, at_least=True) and kept
    return bar("speed against the file as it is", min(ratios), 1.5, at_least=True) and kept


class _Floats:
    """The model as its file has it: int8 weights that become floats before each product."""

    def __init__(self) -> None:
        self._session: Any = session(read_weights())
        self._words = WordPiece(read_vocabulary())

    def embed(self, texts: list[str]) -> npt.NDArray[np.float32]:
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> npt.NDArray[np.float32]:
        numbers = np.array([self._words.encode(text, minilm.LONGEST)], np.int64)
        same = {"input_ids": numbers, "attention_mask": np.ones_like(numbers), "token_type_ids": np.zeros_like(numbers)}
        mean: npt.NDArray[np.float32] = self._session.run(None, same)[0][0].mean(axis=0)
        return mean / np.linalg.norm(mean)


if __name__ == "__main__":
    sys.exit(main())
