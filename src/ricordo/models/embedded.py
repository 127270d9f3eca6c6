"""The embedded chat model: a child process with a server in it, started at the first use and started anew if it dies.

A crash there never takes the vault down. The key and the file's path go through the child's standard input, never through
its command line, which others on the computer can read.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from ricordo.errors import ModelMissing, ModelTimeout, ModelUnreachable
from ricordo.models import embedded_server
from ricordo.models.base import Completion, Finish, Finished, Piece, Request
from ricordo.models.connection import Connection
from ricordo.models.cores import threads as usual_threads
from ricordo.models.openai_api import OpenAIModel

_FETCH = "Run `ricordo model fetch`, or choose a model server in Settings."
# Loading 1.1 GB takes 2 s from memory, half a minute from a slow disk.
_LOADING_SECONDS = 300.0
_ENDING_SECONDS = 2.0
_NOTICE_SECONDS = 0.5
# Tokens: about a stamp and a few words, so that short turns too are found again in the cache when those before them went.
_SHORTEST_RUN = 16


@dataclass(frozen=True, slots=True)
class _Child:
    process: Process
    model: OpenAIModel


class EmbeddedModel:
    """The model in a GGUF file. `window` is in tokens, and costs memory; `threads` None takes RICORDO_THREADS or every core.

    Every call may raise ModelMissing (no file, or no runtime) and ModelUnreachable when the child died; the next call starts
    it anew. One event loop per instance; `aclose` ends the child.
    """

    def __init__(self, file: Path | None, threads: int | None = None, window: int = 8192) -> None:
        self._file = file.absolute() if file else None
        self._threads = threads
        self._window = window
        self._child: _Child | None = None
        self._starting: asyncio.Task[_Child] | None = None

    @property
    def name(self) -> str:
        """embedded/ and the file's name."""
        return f"embedded/{self._file.stem if self._file else ''}"

    @property
    def loaded(self) -> bool:
        """Whether a call would be answered at once; if not, show that the model is being loaded."""
        return self._child is not None and self._child.process.returncode is None

    async def server(self) -> Connection:
        """Return the way to the child's server, started if need be."""
        return await (await self._running()).model.server()

    async def ready(self) -> None:
        """Load the model if it is not loaded."""
        await self._running()

    async def window(self) -> int:
        """Return the window it was given, without loading the model."""
        return self._window

    async def count(self, text: str) -> int | None:
        """Return the exact tokens of a text if the model is loaded, else None."""
        return await self._child.model.count(text) if self._child and self.loaded else None

    async def stream(self, request: Request) -> AsyncGenerator[Piece]:
        """Yield the reply as it comes, as OpenAIModel does."""
        child = await self._running()
        try:
            async with aclosing(child.model.stream(request)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Finished):
                        await self._require_alive(child, piece.finish)
                    yield piece
        except ModelUnreachable:
            await self._require_alive(child, Finish.CUT)
            raise

    async def complete(self, request: Request) -> Completion:
        """Return the whole reply."""
        child = await self._running()
        try:
            completion = await child.model.complete(request)
        except ModelUnreachable:
            await self._require_alive(child, Finish.CUT)
            raise
        await self._require_alive(child, completion.finish)
        return completion

    async def aclose(self) -> None:
        """End the child: asked first, then made to."""
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
            self._starting = None
        if self._child is not None:
            child, self._child = self._child, None
            await child.model.aclose()
            await _end(child.process)

    async def _running(self) -> _Child:
        """Return the child, started if need be. Cancelling a caller does not stop the loading that others wait for."""
        if self._child is not None and self._child.process.returncode is None:
            return self._child
        if self._starting is None:
            self._starting = asyncio.create_task(self._start(), name="load the embedded model")
            self._starting.add_done_callback(self._started)
        return await asyncio.shield(self._starting)

    def _started(self, starting: asyncio.Task[_Child]) -> None:
        if self._starting is starting:
            self._starting = None
        if not starting.cancelled() and starting.exception() is None:
            self._child = starting.result()

    async def _start(self) -> _Child:
        if self._file is None or not self._file.is_file():
            where = f" at {self._file}" if self._file else ""
            raise ModelMissing(f"There is no model file{where} yet. {_FETCH}")
        if find_spec("xllamacpp") is None:
            raise ModelMissing("The runtime of the embedded model is not installed. Run `pip install 'ricordo[local]'`.")
        if self._child is not None:  # it died
            old, self._child = self._child, None
            await old.model.aclose()
            await _end(old.process)
        # -P: only installed modules are found, not those that lie beside the script.
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", embedded_server.__file__), stdin=PIPE, stdout=PIPE, stderr=DEVNULL
        )
        try:
            return await self._handshake(process, self._file)
        except BaseException:
            await _end(process)
            raise

    async def _handshake(self, process: Process, file: Path) -> _Child:
        """Tell a new child what to load and wait until it has."""
        assert process.stdin is not None
        assert process.stdout is not None
        key = secrets.token_urlsafe(32)
        told = {
            "file": str(file),
            "name": file.stem,
            "key": key,
            "window": self._window,
            "threads": self._threads or usual_threads(),
        }
        try:
            async with asyncio.timeout(_LOADING_SECONDS):
                process.stdin.write(json.dumps(told).encode() + b"\n")
                line = (await process.stdout.readline()).decode().split()
        except TimeoutError as error:
            raise ModelTimeout(
                "The embedded model took over five minutes to load. Close other programs and try again."
            ) from error
        if line[:1] != ["READY"]:
            status = await process.wait()
            if status == 3:
                raise ModelMissing("The runtime of the embedded model does not start. Run `pip install 'ricordo[local]'` anew.")
            todo = f"It may need more memory than there is, or the file is damaged: delete it and run {_FETCH[4:]}"
            raise ModelMissing(f"The embedded model {file.name} could not be loaded. {todo}")
        return _Child(process, OpenAIModel(line[1], file.stem, key, self._window, shifts=_SHORTEST_RUN))

    @staticmethod
    async def _require_alive(child: _Child, finish: Finish) -> None:
        """Raise ModelUnreachable if a reply was cut because the child has ended, which shows a moment after its connection."""
        if finish is not Finish.CUT:
            return
        try:
            async with asyncio.timeout(_NOTICE_SECONDS):
                await child.process.wait()
        except TimeoutError:
            return
        raise ModelUnreachable("The embedded model's process ended in the middle of its work. Try again: it is started anew.")


async def _end(process: Process) -> None:
    """End a child by closing its input, then by the system's means."""
    if process.stdin is not None:
        process.stdin.close()
    for end in (process.terminate, process.kill):
        if process.returncode is None:
            try:
                async with asyncio.timeout(_ENDING_SECONDS):
                    await process.wait()
            except TimeoutError:
                if process.returncode is None:
                    end()
    await process.wait()
