"""JSON of others: reading it, and where things stand in it, so that one can be replaced and every other byte stays as it came."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")

Span = tuple[int, int]  # from, up to


def parsed(text: str | bytes | bytearray) -> Any:
    """Return what a JSON text holds; raises ValueError for what is none, and for one nested too deep to be read."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def members(text: str, start: int = 0) -> dict[str, Span]:
    """Return where the values of an object's members stand; of a name given twice, the last, which readers take.

    Raises ValueError for what is no object.
    """
    found: dict[str, Span] = {}
    at = _after(text, start, "{")
    while text[at : at + 1] != "}":
        if text[at : at + 1] != '"':
            raise ValueError("no name where one should be")
        name, at = scanstring(text, at + 1, True)
        begin = _after(text, at, ":")
        _, end = _DECODER.raw_decode(text, begin)
        found[name] = (begin, end)
        at = _next(text, end, "}")
    return found


def items(text: str, start: int = 0) -> list[Span]:
    """Return where the items of a list stand. Raises ValueError for what is no list."""
    found: list[Span] = []
    at = _after(text, start, "[")
    while text[at : at + 1] != "]":
        _, end = _DECODER.raw_decode(text, at)
        found.append((at, end))
        at = _next(text, end, "]")
    return found


def replaced(text: str, changes: Mapping[Span, str]) -> str:
    """Return the text with other texts at some places; an empty place is where one is put in."""
    pieces, at = [], 0
    for (start, stop), new in sorted(changes.items()):
        pieces += [text[at:start], new]
        at = stop
    return "".join([*pieces, text[at:]])


def with_messages(text: str, first: str | None, changed: Mapping[int, Mapping[str, object]], among: Iterable[str]) -> str:
    """Return a request with some messages changed: of each, those members `among` that differ; `first` is put ahead of all.

    Raises ValueError where the request has no list of messages, or no such member.
    """
    messages = members(text)["messages"][0]
    places = items(text, messages)
    changes: dict[Span, str] = {}
    for number, message in changed.items():
        there = members(text, places[number][0])
        for name in among:
            if name in message and json.loads(text[slice(*there[name])]) != message[name]:
                changes[there[name]] = json.dumps(message[name], ensure_ascii=False)
    if first is not None:
        start = places[0][0]
        changes[start, start] = first + ", "
    return replaced(text, changes)


def _after(text: str, at: int, sign: str) -> int:
    """Return where something begins after a sign and the space around it."""
    at = _skip(text, at)
    if text[at : at + 1] != sign:
        raise ValueError(f"no {sign} where one should be")
    return _skip(text, at + 1)


def _next(text: str, at: int, closing: str) -> int:
    """Return where the next entry begins, or where the closing sign stands."""
    at = _skip(text, at)
    if text[at : at + 1] == closing:
        return at
    return _after(text, at, ",")


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
