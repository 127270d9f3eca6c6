"""A chat model that says what it was told to: for demonstrations, and for tests that need no server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable

from ricordo.errors import ModelMissing
from ricordo.models.base import Completion, Finish, Finished, Piece, Request, Text
from ricordo.models.tokens import count_messages, pieces
from ricordo.prompt import ChatMessage, Usage

Answer = str | Exception
Script = Answer | Callable[[tuple[ChatMessage, ...]], Answer]

_WORD = re.compile(r"\s*\S+|\s+")


class ScriptedModel:
    """Replies from a script, word by word.

    A text or an error is used once, in order; a function of the messages is asked from then on, for every call.
    `delay` is seconds before each word. `requests` holds what was asked.
    """

    def __init__(self, *replies: Script, delay: float = 0.0, window: int = 8192, name: str = "scripted") -> None:
        self.requests: list[Request] = []
        self._replies = list(replies)
        self._delay = delay
        self._window = window
        self._name = name

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    async def window(self) -> int:
        """Return the window it was given, in tokens."""
        return self._window

    async def stream(self, request: Request) -> AsyncGenerator[Piece]:
        """Yield the next reply's words; raise it if it is an error, or ModelMissing when the script is at its end."""
        self.requests.append(request)
        words = _WORD.findall(self._next(request))
        written = 0
        for word in words:
            await asyncio.sleep(self._delay)
            if written + pieces(word) > request.max_tokens:
                break
            written += pieces(word)
            yield Text(word)
        else:
            yield Finished(Finish.STOP, self._usage(request, written))
            return
        yield Finished(Finish.LENGTH, self._usage(request, written))

    async def complete(self, request: Request) -> Completion:
        """Return the next reply whole; raises as `stream` does."""
        text = ""
        finished = Finished(Finish.CUT, Usage())
        async for piece in self.stream(request):
            match piece:
                case Text():
                    text += piece.text
                case Finished():
                    finished = piece
                case _:
                    pass
        return Completion(text, finished.finish, finished.usage)

    async def aclose(self) -> None:
        """Do nothing: there is nothing to end."""

    def _next(self, request: Request) -> str:
        if not self._replies:
            raise ModelMissing("The scripted model has no reply left. Give it one more.")
        script = self._replies[0] if callable(self._replies[0]) else self._replies.pop(0)
        answer = script(request.messages) if callable(script) else script
        if isinstance(answer, Exception):
            raise answer
        return answer

    @staticmethod
    def _usage(request: Request, written: int) -> Usage:
        return Usage(prompt=count_messages(request.messages), cached=0, reply=written)
