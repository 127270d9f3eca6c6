"""JSON read piece by piece: the elements of the outer list, or of the lists one level below, never the whole file at once.

The one rule: what stands in memory is one element and a buffer. A file that is broken says so, by where it broke.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from ricordo.errors import ImportFailed

_PIECE = 1 << 18  # bytes that are read at once
_LARGEST = 1 << 28  # letters of one element: an export with a bigger one is none that a person made
_NEAR = 16  # letters from the end of the buffer within which an error may only mean that more is to come
_FIGURES = "0123456789.eE+-"
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODE = json.JSONDecoder().raw_decode


class Readable(Protocol):
    """What can be read piece by piece."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, none at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the outer object whose value is no list."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Began:
    """A list begins: the outer one (None), or a member of the outer object."""

    name: str | None


@dataclass(frozen=True, slots=True)
class Element:
    """An element of the list that began."""

    name: str | None
    value: Any


Found = Member | Began | Element


def found(raw: Readable, name: str) -> Iterator[Found]:
    """Yield what is in a file, in its order. Raises ImportFailed when it is not JSON, or is cut off."""
    yield from _Reading(raw, name).all()


class _Reading:
    """One pass over a file."""

    def __init__(self, raw: Readable, name: str) -> None:
        self._raw, self._name = raw, name
        first = raw.read(_PIECE)
        self._decoder = codecs.getincrementaldecoder(_encoding(first))()
        self._text, self._at, self._ended = "", 0, False
        self._passed = 0  # letters that were let go
        self._take(first)

    def all(self) -> Iterator[Found]:
        match self._look():
            case "[":
                yield Began(None)
                yield from self._elements(None)
            case "{":
                yield from self._members()
            case "":
                raise self._broken("there is nothing in it")
            case _:
                raise self._broken("it is not JSON")
        if self._look():
            raise self._broken("something follows its end")

    def _members(self) -> Iterator[Found]:
        self._at += 1
        if self._look() == "}":
            self._at += 1
            return
        while True:
            key = self._value() if self._look() == '"' else None
            if not isinstance(key, str) or self._look() != ":":
                raise self._broken("a name is missing")
            self._at += 1
            if self._look() == "[":
                yield Began(key)
                yield from self._elements(key)
            else:
                yield Member(key, self._value())
            if self._next("}"):
                return

    def _elements(self, name: str | None) -> Iterator[Found]:
        self._at += 1
        if self._look() == "]":
            self._at += 1
            return
        while True:
            yield Element(name, self._value())
            if self._next("]"):
                return

    def _next(self, end: str) -> bool:
        """Pass over a comma, or the end of a list or object; say whether it was the end."""
        sign = self._look()
        if sign not in (",", end):
            raise self._broken("it is cut off" if not sign else "a comma is missing")
        self._at += 1
        return sign == end

    def _look(self) -> str:
        """Return the next letter that is no space, empty at the end; it is not passed over."""
        while True:
            match = _SPACE.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text) or not self._more(_PIECE):
                return self._text[self._at : self._at + 1]

    def _value(self) -> Any:
        self._look()
        while True:
            try:
                value, end = _DECODE(self._text, self._at)
            except json.JSONDecodeError as error:
                sure = not error.msg.startswith("Unterminated") and error.pos < len(self._text) - _NEAR
                if sure or not self._more(max(_PIECE, len(self._text) - self._at)):
                    self._at = error.pos
                    raise self._broken("it is cut off" if self._ended and not sure else error.msg) from error
                continue
            except RecursionError as error:
                raise self._broken("it is nested too deeply") from error
            except ValueError as error:  # a number with thousands of figures
                raise self._broken(str(error)) from error
            if end + 4 > len(self._text) and not self._text[end:].strip(_FIGURES) and self._more(_PIECE):
                continue  # a number may go on: "1", "1.", "1e+"
            self._at = end
            return value

    def _more(self, size: int) -> bool:
        """Read on; say whether there was more."""
        if self._ended:
            return False
        if len(self._text) - self._at > _LARGEST:
            raise self._broken("one part of it is too large")
        self._take(self._raw.read(size))
        return True

    def _take(self, data: bytes) -> None:
        try:
            text = self._decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            raise ImportFailed(f"{self._name} is not UTF-8 text, as JSON is. Export it again.") from error
        self._ended = not data
        self._passed += self._at
        self._text, self._at = self._text[self._at :] + text, 0

    def _broken(self, what: str) -> ImportFailed:
        place = f"after {self._passed + self._at:,} letters"
        return ImportFailed(f"{self._name} cannot be read: {what} ({place}). Download or export it again.")


def _encoding(first: bytes) -> str:
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    return "utf-8-sig"
