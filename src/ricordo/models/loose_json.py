"""Reads JSON as small models write it: other quotes, missing commas and brackets, comments, Python's words, an end cut off.

The one rule: a value that is not whole, or might be two, is left out and counted in `lost`; it is never cut, joined or guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

# Deeper than any answer that was asked for; keeps a row of brackets from exhausting the stack.
_DEEPEST = 24
_SPACE = re.compile(r"(?:[\s\u200b\u2060\ufeff]|//[^\n]*|/\*(?s:.{0,500}?)\*/|#(?![\s#]*\d)[^\n]*|\.{3}|…)+")
# What may close a string, by what opened it. Straight quotes are closed by themselves alone: “yes”, is common inside them.
_CLOSERS = {'"': '"', "'": "'’", "`": "`'", "“": '”“"', "”": '”"', "„": '“”"', "«": "»", "‘": "’'", "’": "’'"}
_OPEN = re.escape("".join(_CLOSERS))
# A quote ends a string only where the grammar can go on after it: a reply may hold quotes and apostrophes it did not escape.
_AFTER_STRING = re.compile(
    rf"\s{{0,99}}(?:$|[\]}}:]|//|/\*|,\s*(?:$|[{_OPEN}\[{{\]}},]|-?[\d.]+\s*[,\]}}]|(?:true|false|null|none)\b|[\w-]+\s*:|//|/\*|#|\.\.\.))"
    rf"|[ \t\r]{{0,99}}\n\s{{0,99}}[{_OPEN}\[{{]",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?=\s*[,;\]}\n]|\s*//|\s+#)")
_WORD = re.compile(r"(?:true|false|null|none|undefined|nan)\b", re.IGNORECASE)
_WORDS = {"true": True, "false": False}
_REFERENCE = re.compile(r"#?\s*(?:fact|id|no\.?|memory)?\s*#?\d+", re.IGNORECASE)
_KEY = re.compile(r"[^\W\d][\w-]*(?=\s*:)")
_BARE = re.compile(r"[^,;\[\]{}\n]*")
_TWO = re.compile(rf"\s*[,;]|\s+[{_OPEN}]")
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_LOST = object()


class NotJson(ValueError):
    """What stands there is no JSON, however broken."""


class Scanner:
    """Reads one value from `text` at `at`; afterwards `at` is behind it, `lost` how many values were left out."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at
        self.lost = 0
        self.cut = False
        self._open: list[str] = []

    def read(self) -> Any:
        """Return the object or list that begins here; raises NotJson."""
        return self._value()

    def _peek(self) -> str:
        if space := _SPACE.match(self.text, self.at):
            self.at = space.end()
        return self.text[self.at : self.at + 1]

    def _value(self) -> Any:
        char = self._peek()
        if char in ("{", "["):
            if len(self._open) >= _DEEPEST:
                raise NotJson("too deep")
            self._open.append(char)
            value = self._object() if char == "{" else self._list()
            self._open.pop()
            return value
        return self._string() if char and char in _CLOSERS else self._bare()

    def _list(self) -> list[Any]:
        self.at += 1
        found: list[Any] = []
        while True:
            char = self._peek()
            if char == "":
                self.cut = True
                return found
            if char in ",;":
                self.at += 1
            elif char == "]":
                self.at += 1
                return found
            elif char == "}":  # the list was not closed; what holds it is
                return found
            else:
                value = self._value()
                if self.cut or value is _LOST:
                    self.lost += 1
                else:
                    found.append(value)
                if self.cut:
                    return found

    def _object(self) -> dict[str, Any]:
        self.at += 1
        pairs: list[tuple[str, Any]] = []
        while True:
            char = self._peek()
            if char == "":
                self.cut = True
                return joined(pairs)
            if char in ",;":
                self.at += 1
            elif char == "}":
                self.at += 1
                return joined(pairs)
            elif char == "]":
                if "[" in self._open:
                    return joined(pairs)
                self.at += 1
            else:
                key = self._key()
                if self.cut:
                    return joined(pairs)
                value = self._value()
                if value is _LOST:
                    self.lost += 1
                else:
                    pairs.append((key, value))

    def _key(self) -> str:
        if self._peek() in _CLOSERS:
            key = self._string()
        elif name := _KEY.match(self.text, self.at):
            key, self.at = name.group(), name.end()
        else:
            key = _LOST
        following = self._peek()
        if following == "":
            self.cut = True
        elif not isinstance(key, str) or (following not in (":", "[", "{")):
            raise NotJson("no key")
        elif following == ":":
            self.at += 1
        return str(key)

    def _string(self) -> Any:
        quote = self.text[self.at]
        closers = _CLOSERS[quote]
        self.at += 1
        start = self.at
        parts: list[str] = []
        inner, sure = 0, True
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "\\":
                text, whole = self._escape()
                parts.append(text)
                sure = sure and whole
                continue
            if char in closers:
                if _AFTER_STRING.match(self.text, self.at + 1):
                    self.at += 1
                    sure = sure and (inner % 2 == 0 or quote != '"')
                    self.cut = self.cut or not sure  # what follows is not to be trusted either
                    return paired("".join(parts)) if sure else _LOST
                inner += 1
                sure = sure and not self._doubtful(quote, start)
            parts.append(char)
            self.at += 1
        self.cut = True
        return _LOST

    def _doubtful(self, quote: str, start: int) -> bool:
        """Tell whether the bare quote here may be where one string ends or the next begins, so that two would become one."""
        before = self.text[max(start, self.at - 40) : self.at]
        begins = "\n" in before and not before.rpartition("\n")[2].strip()
        return begins or (quote == "'" and before[-1:].isspace()) or _TWO.match(self.text, self.at + 1) is not None

    def _escape(self) -> tuple[str, bool]:
        """Return the character behind a backslash, and whether it was whole."""
        char = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        if char != "u":
            return _ESCAPES.get(char, char), bool(char)
        digits = self.text[self.at : self.at + 4]
        if not _HEX.fullmatch(digits):
            return "", False
        self.at += 4
        return chr(int(digits, 16)), True

    def _bare(self) -> Any:
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            digits = number.group()
            return int(digits) if digits.lstrip("-").isdecimal() and len(digits) < 19 else float(digits)
        if word := _WORD.match(self.text, self.at):
            self.at = word.end()
            return _WORDS.get(word.group().lower())
        bare = _BARE.match(self.text, self.at)
        assert bare is not None
        if bare.end() == self.at:
            self.at += 1
            return _LOST
        self.at = bare.end()
        self.cut = self.at == len(self.text)
        content = bare.group().strip()
        return content if _REFERENCE.fullmatch(content) and not self.cut else _LOST


def joined(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return pairs as an object; lists under the same key, as models repeat them, follow one another."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        before = found.get(key)
        found[key] = [*before, *value] if isinstance(before, list) and isinstance(value, list) else value
    return found


def paired(text: str) -> str:
    """Return the text with escaped halves of a character put together; a half without its other half is dropped."""
    if not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
