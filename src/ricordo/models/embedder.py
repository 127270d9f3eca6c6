"""The embedded embedding model: all-MiniLM-L6-v2 on this computer's own cores, with nothing asked of any network.

The one rule: a text's vector depends on that text alone. So each is run by itself; more cores run more texts at once.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from ricordo.errors import ModelMissing
from ricordo.models import minilm
from ricordo.models.cores import threads as usual_threads
from ricordo.models.onnx_format import FLOAT, Graph, Tensor
from ricordo.models.weights import INSTALL, read_vocabulary, read_weights
from ricordo.models.wordpiece import WordPiece

# Letters of a text that are looked at: more than its 256 tokens ever take, so that a long one costs no more.
_MOST_LETTERS = 8_000
_NO_TELEMETRY = ("ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED")  # as releases since 1.32 and those before call it
_ONLY_FATAL = 4  # of onnxruntime's levels of logging: it writes to the terminal


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: Any
    words: WordPiece


class EmbeddedEmbedder:
    """The model that comes with the extra `local`, loaded at its first use in a third of a second.

    `threads` None takes RICORDO_THREADS or every core. A text is read up to its 256th token. Every call may raise
    ModelMissing, without the extra, and ModelGarbled, where the installed weights are other ones.
    """

    name = "embedded/all-MiniLM-L6-v2 int8 1"  # the last number: raised whenever the same text gets another vector
    dimension = minilm.DIMENSION

    def __init__(self, threads: int | None = None) -> None:
        self._pool = ThreadPoolExecutor(threads or usual_threads(), "embedder")
        self._loading = threading.Lock()
        self._loaded: _Loaded | None = None
        self._closed = False

    async def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one unit vector per text, in order. Cancelling leaves the few texts in hand to their end, 10 ms away."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        self._require_open()
        loop = asyncio.get_running_loop()
        return np.stack(await asyncio.gather(*(loop.run_in_executor(self._pool, self._vector, text) for text in texts)))

    async def aclose(self) -> None:
        """Let the model go, and the words it remembers. Who waits for vectors gets ModelMissing."""
        self._closed = True  # not by cancelling what waits in the pool: its caller would take that for a cancellation of its own
        await asyncio.to_thread(self._pool.shutdown)
        self._loaded = None

    def _require_open(self) -> None:
        if self._closed:
            raise ModelMissing("The embedding model was let go, because another was chosen or the vault is locked.")

    def _vector(self, text: str) -> npt.NDArray[np.float32]:
        self._require_open()
        model = self._model()
        numbers = model.words.encode(text[:_MOST_LETTERS], minilm.LONGEST)
        (states,) = model.session.run(None, {"input_ids": np.array([numbers], np.int32)})
        mean: npt.NDArray[np.float32] = states[0].mean(axis=0)
        return mean / np.linalg.norm(mean)

    def _model(self) -> _Loaded:
        with self._loading:
            if self._loaded is None:
                self._loaded = _Loaded(session(minilm.encoder(read_weights())), WordPiece(read_vocabulary()))
            return self._loaded


def session(model: bytes) -> Any:
    """Return an ONNX model, ready to run, one thread a call. Raises ModelMissing where the runtime is not installed."""
    # Before it is imported: from then on it would keep an id of this computer on the disk and report to its makers.
    os.environ.update(dict.fromkeys(_NO_TELEMETRY, "1"))
    try:
        runtime = import_module("onnxruntime")
    except ImportError as error:
        raise ModelMissing(f"The runtime of the embedding model is not installed. {INSTALL}") from error
    runtime.disable_telemetry_events()
    return _open(runtime, model, exact=not _adds_up(runtime))


def _open(runtime: Any, model: bytes, *, exact: bool = False) -> Any:
    """Return a session; with `exact` products are added up in the way that never overflows, at 0.6 of the speed."""
    options = runtime.SessionOptions()
    options.log_severity_level = _ONLY_FATAL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # it would keep one plan for each length of text
    options.add_session_config_entry("session.x64quantprecision", "1" if exact else "0")
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _adds_up(runtime: Any) -> bool:
    """Say whether this processor adds up the largest products of eight bits right: x86 without VNNI does so in 16 bits."""
    rows, size, columns = 8, 64, 32
    graph, ones = Graph(), np.ones((rows, size), np.float32)
    constants: dict[str, Tensor] = {
        "matrix": np.full((size, columns), 127, np.int8),
        "scale": np.full(columns, 1 / 127, np.float32),
        "zero": np.zeros(columns, np.int8),
    }
    inputs = ["ones", *(graph.tensor(name, value) for name, value in constants.items())]
    summed = graph.node("DynamicQuantizeMatMul", inputs, "sum", domain=minilm.OWN)
    session = _open(runtime, graph.model([("ones", FLOAT, (rows, size))], summed, minilm.VERSIONS))
    return bool(np.allclose(session.run(None, {"ones": ones})[0], size, atol=1))
