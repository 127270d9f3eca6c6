"""The embedding model of a server that speaks the OpenAI dialect: its `/v1/embeddings`, by batches.

The one rule: the first answer says how long a vector is, and one of another length is an error, never put beside the others.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ricordo.errors import ContextOverflow, ModelError, ModelGarbled, ModelMissing, ModelRefused
from ricordo.models.address import Address
from ricordo.models.connection import Connection
from ricordo.models.refusals import Refusal

Vectors = npt.NDArray[np.float32]

_BATCH = 32  # texts a call: enough that the way there costs little, few enough for a server on one computer
_SHORTEST = 200  # letters; a text that is too long for the server is halved down to this
_OTHER = "Choose another embedder in Settings."


class ServerEmbedder:
    """An embedding model at `base_url`; without a name the server's first, by the alphabet, that is called an embedding model.

    `fallback` is the name to ask for where none is called so: the chat model may embed too. `patience` is seconds without a
    sign of life. Raises InvalidInput for an address or a key that cannot be one.
    """

    def __init__(
        self,
        base_url: str,
        model: str = "",
        api_key: str = "",
        *,
        fallback: str = "",
        patience: float = 120.0,
        connect_timeout: float = 10.0,
    ) -> None:
        self._address = Address.of(base_url)
        self._connection = Connection(self._address, api_key, connect_timeout)
        self._model = model
        self._fallback = fallback
        self._patience = patience
        self._dimension = 0
        self._calls: set[asyncio.Task[Vectors]] = set()
        self._closed = False

    @property
    def name(self) -> str:
        """Server and model: 127.0.0.1:11434/nomic-embed-text."""
        return f"{self._address.host}/{self._model}".rstrip("/")

    @property
    def dimension(self) -> int:
        """The length of the first vector that came; 0 before."""
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text, in order; for no text at all one is asked for, if the length is not known.

        Raises ModelUnreachable, ModelTimeout, ModelRefused, ContextOverflow, ModelGarbled, and ModelMissing once it is closed.
        """
        if self._closed:
            raise self._let_go()
        call = asyncio.create_task(self._embed(texts))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        try:
            return await call
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if self._closed and task is not None and not task.cancelling():
                raise self._let_go() from error
            raise

    async def aclose(self) -> None:
        """End all calls and connections. Who waits for vectors gets ModelMissing."""
        self._closed = True  # a call that went on would open new connections
        for call in self._calls:
            call.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)
        await self._connection.aclose()

    def _let_go(self) -> ModelMissing:
        return ModelMissing("The embedding model was let go, because another was chosen or the vault is locked.")

    async def _embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            if not self._dimension:
                await self._vectors(["diary"])
            return np.zeros((0, self._dimension), np.float32)
        return np.concatenate([await self._vectors(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)])

    async def _vectors(self, texts: Sequence[str]) -> Vectors:
        """Embed a batch; where the server says that it is too long, its halves, and of one text its first half."""
        try:
            return await self._asked(texts)
        except ContextOverflow:
            half = len(texts) // 2
            if half:
                return np.concatenate([await self._vectors(texts[:half]), await self._vectors(texts[half:])])
            if len(texts[0]) <= _SHORTEST:
                raise
            return await self._vectors([texts[0][: len(texts[0]) // 2]])

    async def _asked(self, texts: Sequence[str]) -> Vectors:
        model = await self._model_name()
        body: dict[str, Any] = {"input": list(texts)}
        if model:
            body["model"] = model
        answer = await self._connection.open(body, self._patience, "/embeddings")
        if isinstance(answer, Refusal):
            raise self._refused(answer)
        vectors = self._read(await self._connection.whole(answer, self._patience), len(texts))
        if self._dimension and vectors.shape[1] != self._dimension:
            raise ModelGarbled(
                f"{self._connection.server} sent vectors of {vectors.shape[1]} numbers where they had {self._dimension} before. "
                f"It is another model under the same name. {_OTHER}"
            )
        self._dimension = vectors.shape[1]
        return vectors

    def _refused(self, refusal: Refusal) -> ModelError:
        if refusal.status in (404, 405, 501):
            named = f" with {self._model}" if self._model else ""
            return ModelRefused(
                f"{self._connection.server} does not embed{named}. Start an embedding model there, or set embedder to "
                "'embedded' or 'off' in Settings.",
                refusal.status,
            )
        return self._connection.error(refusal, self._model)

    def _read(self, answer: dict[str, Any], wanted: int) -> Vectors:
        """Read the vectors, in the order of their `index`, made one long; each a list of numbers, or float32 in base64."""
        listed = answer.get("data")
        rows = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
        rows = sorted(rows, key=_index) if all(isinstance(each.get("index"), int) for each in rows) else rows
        vectors = [_numbers(each.get("embedding")) for each in rows]
        if len(vectors) != wanted or len({vector.size for vector in vectors}) != 1 or not vectors[0].size:
            raise ModelGarbled(f"{self._connection.server} sent {len(vectors)} vectors for {wanted} texts. {_OTHER}")
        with np.errstate(over="ignore"):  # of numbers too large to be squared: such a vector points nowhere, too
            lengths = np.linalg.norm(found := np.stack(vectors), axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise ModelGarbled(f"{self._connection.server} sent a vector that points nowhere. {_OTHER}")
        unit: Vectors = (found / lengths).astype(np.float32)
        return unit

    async def _model_name(self) -> str:
        if not self._model:
            listed = (await self._connection.ask(f"{self._address.base}/models") or {}).get("data")
            names = [str(each.get("id", "")) for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
            self._model = min((name for name in names if "embed" in name.lower()), default=self._fallback)
        return self._model


def _index(row: dict[str, Any]) -> int:
    return int(row["index"])


def _numbers(value: Any) -> npt.NDArray[np.float64]:
    """Read one vector; what is none has no numbers."""
    try:
        if isinstance(value, str):
            return np.frombuffer(base64.b64decode(value, validate=True), "<f4").astype(np.float64)
        return np.array(value if isinstance(value, list) else [], np.float64).reshape(-1)
    except (binascii.Error, ValueError, TypeError, OverflowError):  # the last: a whole number beyond any float
        return np.zeros(0, np.float64)
