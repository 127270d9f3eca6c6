"""A chat model behind any OpenAI-compatible server. Every call streams: a closed stream is how the server learns to stop.

One event loop per instance: its connections belong to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager

import httpx2

from ricordo.errors import ModelTimeout, ModelUnreachable
from ricordo.models.address import Address
from ricordo.models.answers import ThoughtSplitter, spoken
from ricordo.models.base import Alternative, Completion, Finish, Finished, Piece, Request, Text, Thought
from ricordo.models.connection import DONE, Connection
from ricordo.models.dialect import Delta, Dialect, read_event
from ricordo.models.refusals import Refusal, read_error
from ricordo.models.window import UNKNOWN, ask_window
from ricordo.prompt import Usage

# Rounds of leaving out what is refused: enough for any two fields of five when the server does not say which.
_MOST_ROUNDS = 10
# Seconds to wait after the reply's end: for the usage, then for the end of the stream, so that the connection can be
# used again. Some servers keep it open and say no more.
_FOR_USAGE, _FOR_END = 2.0, 0.3


class OpenAIModel:
    """A model at `base_url` (with or without /v1); without a name it is the server's first.

    `window` is the model's size in tokens if it is known; 0 asks the server. `connect_timeout` is seconds; a call's own
    patience is in its request. `shifts` is for a llama.cpp server: the shortest run of tokens that it may move within its
    cache. Raises InvalidInput for an address or a key that cannot be one.
    """

    def __init__(
        self,
        base_url: str,
        model: str = "",
        api_key: str = "",
        window: int = 0,
        *,
        connect_timeout: float = 10.0,
        shifts: int = 0,
    ) -> None:
        self._address = Address.of(base_url)
        self._connection = Connection(self._address, api_key, connect_timeout)
        self._model = model
        self._window = window
        self._dialect = Dialect(shifts=shifts)
        self._counts: bool | None = None  # whether the server has a tokenizer to ask; None until it was asked

    @property
    def name(self) -> str:
        """Server and model: 127.0.0.1:11434/qwen3:4b."""
        return f"{self._address.host}/{self._model}".rstrip("/")

    async def server(self) -> Connection:
        """Return the way to its server, for calls that somebody else has made."""
        return self._connection

    async def window(self) -> int:
        """Return the window in tokens as the server tells it, else 8,192; remembered once a server answered."""
        if not self._window:
            ask = self._connection.ask
            told = await ask_window(ask, self._address, await self._model_name())
            if told is None and await ask(f"{self._address.base}/models") is None:
                return UNKNOWN
            self._window = told or UNKNOWN
        return self._window

    async def count(self, text: str) -> int | None:
        """Return the exact tokens of a text if the server has a tokenizer to ask (llama.cpp, vLLM), else None."""
        if self._counts is False:
            return None
        body = {"content": text, "prompt": text, "model": await self._model_name()}
        tokens = (await self._connection.ask(f"{self._address.root}/tokenize", body) or {}).get("tokens")
        if isinstance(tokens, list):
            self._counts = True
            return len(tokens)
        self._counts = self._counts or False  # one that has counted before is only busy
        return None

    async def stream(self, request: Request) -> AsyncGenerator[Piece]:
        """Yield the reply as it comes; the last piece is `Finished`. Closing the iterator ends the connection.

        Raises ModelUnreachable, ModelTimeout, ModelRefused, ContextOverflow, ModelGarbled.
        """
        splitter, finish, usage = ThoughtSplitter(), Finish.CUT, Usage()
        async with aclosing(self._deltas(request)) as deltas:
            async for delta in deltas:
                if delta.thought:
                    yield Thought(delta.thought)
                for piece in splitter.feed(delta.content):
                    yield piece
                finish, usage = delta.finish or finish, delta.usage or usage
        for piece in splitter.finish():
            yield piece
        yield Finished(finish, usage)

    async def complete(self, request: Request) -> Completion:
        """Return the whole reply without its reasoning. Cancelling ends the connection. Raises as `stream` does."""
        splitter, finish, usage = ThoughtSplitter(), Finish.CUT, Usage()
        pieces: list[Text | Thought] = []
        logprobs: list[tuple[Alternative, ...]] = []
        async with aclosing(self._deltas(request)) as deltas:
            async for delta in deltas:
                pieces += splitter.feed(delta.content)
                logprobs += delta.logprobs
                finish, usage = delta.finish or finish, delta.usage or usage
        pieces += splitter.finish()
        text = "".join(piece.text for piece in pieces if isinstance(piece, Text))
        return Completion(spoken(text), finish, usage, tuple(logprobs))

    async def aclose(self) -> None:
        """End all connections."""
        await self._connection.aclose()

    async def _deltas(self, request: Request) -> AsyncGenerator[Delta]:
        """Yield what the events of one answer say, up to its end or to where the connection broke."""
        spoke = finished = counted = False
        connection = self._connection
        async with self._answer(request) as response, aclosing(connection.events(response, request.timeout)) as events:
            try:
                while True:
                    async with asyncio.timeout((_FOR_END if counted else _FOR_USAGE) if finished else None):
                        event = await anext(events)
                    if event.get("error"):
                        raise connection.error(read_error(event, 200), self._model)
                    delta = read_event(event)
                    if event is DONE and not finished:
                        delta = Delta(finish=Finish.STOP)
                    spoke = spoke or bool(delta.content or delta.thought)
                    finished = finished or delta.finish is not None
                    counted = counted or delta.usage is not None
                    yield delta
            except StopAsyncIteration:
                return
            except (TimeoutError, ModelTimeout):
                if not finished:
                    raise
            except ModelUnreachable:
                if not (spoke or finished):
                    raise

    @asynccontextmanager
    async def _answer(self, request: Request) -> AsyncIterator[httpx2.Response]:
        """Open an answer, leaving out what the server refuses; what it took is remembered."""
        model = await self._model_name()
        waiting, tried, first = [self._dialect], set[Dialect](), Refusal(0, "")
        while waiting and len(tried) < _MOST_ROUNDS:
            dialect = waiting.pop(0)
            if dialect in tried:
                continue
            answer = await self._connection.open(dialect.body(request, model), request.timeout)
            if isinstance(answer, httpx2.Response):
                self._dialect = dialect
                try:
                    yield answer
                finally:
                    await answer.aclose()
                return
            if answer.overflow:
                raise self._connection.error(answer, model)
            first = first if tried else answer
            tried.add(dialect)
            waiting += dialect.simpler(request, answer)
        raise self._connection.error(first, model)

    async def _model_name(self) -> str:
        """Return the model's name; without one the server's first that is not for embedding (none: the server decides)."""
        if not self._model:
            listed = (await self._connection.ask(f"{self._address.base}/models") or {}).get("data")
            names = [str(entry.get("id", "")) for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
            self._model = next((name for name in names if name and "embed" not in name.lower()), "")
        return self._model
