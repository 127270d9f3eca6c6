"""Server-sent events as model servers send them, read bytewise: any line ends, split characters, comments, no last [DONE]."""

from __future__ import annotations

from typing import Any

from ricordo.errors import ModelGarbled
from ricordo.models.json_text import parsed

# One event never comes near this; a server that sends more without a line end sends something else.
MOST_BYTES = 8_000_000


class EventStream:
    """Turns the bytes of one answer into its events: each a JSON object. `done` is true once [DONE] came."""

    def __init__(self) -> None:
        self.done = False
        self._bytes = b""
        self._lines: list[str] = []

    def feed(self, data: bytes) -> list[dict[str, Any]]:
        """Take the next bytes; return the events that are whole by now. Raises ModelGarbled."""
        self._bytes += data
        if len(self._bytes) > MOST_BYTES:
            raise ModelGarbled("The model server sent an endless line instead of a reply. Check its address in Settings.")
        whole = self._bytes.replace(b"\r\n", b"\n")
        if whole.endswith(b"\r"):  # its line feed may be in the next bytes
            whole, kept = whole[:-1], b"\r"
        else:
            kept = b""
        *lines, rest = whole.replace(b"\r", b"\n").split(b"\n")
        self._bytes = rest + kept
        return [event for line in lines for event in self._line(line.decode("utf-8", "replace"))]

    def finish(self) -> list[dict[str, Any]]:
        """Return the last event, if the stream ended without the empty line that closes it."""
        line, self._bytes = self._bytes, b""
        return [*self._line(line.decode("utf-8", "replace")), *self._line("")]

    def _line(self, line: str) -> list[dict[str, Any]]:
        name, _, value = line.lstrip("\ufeff").partition(":")
        if name in ("data", "error"):  # llama.cpp has sent errors as a field of their own
            return self._data(value.strip())
        if line.strip() == "" and self._lines:
            self._lines = []
            raise ModelGarbled("The model server sent an event that is no JSON. Try again; if it stays so, restart that server.")
        return []

    def _data(self, value: str) -> list[dict[str, Any]]:
        """Read each line as an event if it can be: many servers leave out the empty line between events."""
        if value == "[DONE]":
            self.done = True
            return []
        if not value and not self._lines:
            return []
        self._lines.append(value)
        try:
            event = parsed("\n".join(self._lines))
        except ValueError:
            return []
        self._lines = []
        return [event] if isinstance(event, dict) else []
