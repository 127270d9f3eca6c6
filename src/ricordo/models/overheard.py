"""What a model said to somebody else: read from the bytes of its answer as they pass by, and never in their way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ricordo.errors import ModelGarbled
from ricordo.models.answers import ThoughtSplitter
from ricordo.models.base import Finish, Text
from ricordo.models.dialect import Delta, read_event
from ricordo.models.event_stream import EventStream
from ricordo.models.json_text import parsed
from ricordo.prompt import Usage

_MOST = 32_000_000  # bytes of an answer that is read whole; more is no reply that a person reads


@dataclass(slots=True)
class Overheard:
    """The reply in an answer: `feed` its bytes, then `end`. `finish` is None until the model said that it was done.

    `tools` says that it called some: then the reply is yet to come. `failed` says that the server sent an error instead of
    the rest.
    """

    text: str = ""
    finish: Finish | None = None
    usage: Usage = field(default_factory=Usage)
    tools: bool = False
    failed: bool = False
    model: str = ""
    _stream: EventStream = field(default_factory=EventStream)
    _splitter: ThoughtSplitter = field(default_factory=ThoughtSplitter)
    _whole: bytearray | None = None  # of an answer that is one JSON object
    _begun: bool = False
    _deaf: bool = False

    @property
    def done(self) -> bool:
        """Whether the stream has said that it is over."""
        return self._stream.done

    def feed(self, data: bytes) -> None:
        """Take the next bytes; whatever they are, nothing is raised."""
        if not self._begun and data.strip():
            self._begun = True
            if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
                self._whole = bytearray()
        if self._whole is not None:
            self._whole += data[: _MOST - len(self._whole)]
        else:
            self._read(data)

    def end(self) -> None:
        """Take note that the answer is over."""
        if self._whole is not None:
            try:
                value = parsed(self._whole)
            except ValueError:
                value = None
            if isinstance(value, dict):
                self._event(value)
        elif not self._deaf:
            self._read(b"", last=True)
        self._say(self._splitter.finish())

    def _read(self, data: bytes, *, last: bool = False) -> None:
        if self._deaf:
            return
        try:
            for event in self._stream.finish() if last else self._stream.feed(data):
                self._event(event)
        except ModelGarbled:
            self._deaf = self.failed = True
        if self._stream.done and self.finish is None:
            self.finish = Finish.STOP

    def _event(self, event: dict[str, Any]) -> None:
        if event.get("error"):
            self.failed = True
            return
        delta: Delta = read_event(event)
        self.model = self.model or str(event.get("model") or "")
        self.tools = self.tools or _calls_tools(event)
        self._say(self._splitter.feed(delta.content))
        self.finish, self.usage = delta.finish or self.finish, delta.usage or self.usage

    def _say(self, pieces: list[Any]) -> None:
        self.text += "".join(piece.text for piece in pieces if isinstance(piece, Text))


def _calls_tools(event: dict[str, Any]) -> bool:
    choices = event.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, dict) and not choice.get("index"):
            message = choice.get("delta") or choice.get("message")
            if isinstance(message, dict) and (message.get("tool_calls") or message.get("function_call")):
                return True
    return False
