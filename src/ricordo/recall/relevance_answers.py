"""Reading which of some numbered notes a model keeps, in whatever form it says so: numbers, lists, JSON, a verdict a line.

The one rule: numbers that were not asked about do not exist, and an answer without any says nothing unless it says "none".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ricordo.models.answers import Nothing, Read, read_json, said
from ricordo.models.yes_no import verdict

_NONE = re.compile(
    r"^\W*(?:none|nothing|no(?:ne)? of (?:them|these|the)|no (?:notes?|numbers?|relevant|entries)|neither|keine?|nichts"
    r"|nessun[oa]?|aucune?|ningun[oa]|0|无|没有|なし|нет)\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"^\W*(?:all(?: of (?:them|these|the notes))?|both|every (?:one|note)|alle|tutti|tous|todas?|todos)\b\W*", re.IGNORECASE
)
_VERDICT_LINE = re.compile(
    r"^\W*(?:(?:note|entry|number|no|nr|#)\.?\s*)?(\d{1,3})\s*[\])*]*\s*(?:[:.=)–—-]|is\b|->|→)\s*(.*)$", re.IGNORECASE
)
_NOT = re.compile(r"\b(?:not|irrelevant|unrelated|except|but not|isn['’]t|aren['’]t|don['’]t|nicht|non|pas)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\d.,:/-])(\d{1,3})(?![\d:/%]|[.,]\d)")
_RANGE = re.compile(r"(?<![\d.])(\d{1,2})\s*(?:-|–|to)\s*(\d{1,2})(?![\d.])")
_KEYS = ("relevant", "keep", "kept", "numbers", "notes", "ids", "indices", "answer", "result", "helpful")
_DIGITS = 9  # of a number, spaces around it too; no list of notes is that long
_LARGEST = 10**_DIGITS


def kept_in(answer: str, notes: int) -> frozenset[int] | None:
    """Return the numbers, from 1 to `notes`, that an answer keeps; None when it cannot be read."""
    text = said(answer)
    if not text:
        return None
    if re.search(r"[{\[]", text):
        match read_json(text):
            case Read(value):
                listed = list(_listed(value))
                return frozenset(number for number in listed if 1 <= number <= notes) if listed or _empty(value) else None
            case Nothing():
                return frozenset()
            case _:
                pass
    if (lines := _by_line(text, notes)) is not None:
        return lines
    if _NONE.match(text):
        return frozenset()
    first = next((line for line in text.splitlines() if _NUMBER.search(line)), "")
    numbers = frozenset(number for number in _numbers(_NOT.split(first)[0]) if 1 <= number <= notes)
    if numbers or (first and _NUMBER.search(_NOT.split(first)[0])):
        return numbers
    return frozenset(range(1, notes + 1)) if _ALL.match(text) else None


def _listed(value: Any, depth: int = 0) -> Iterator[int]:
    """Yield the numbers of a JSON answer, and those whose value says yes."""
    match value:
        case bool():
            return
        case int() | float() if 0 <= value <= _LARGEST and value == int(value):
            yield int(value)
        case str() if _is_number(value):
            yield int(value)
        case list() if depth < 3:
            for part in value:
                yield from _listed(part, depth + 1)
        case dict() if depth < 3:
            for key, part in value.items():
                if str(key).casefold() in _KEYS:
                    yield from _listed(part, depth + 1)
                elif _is_number(str(key)) and (part is True or (isinstance(part, str) and verdict(part))):
                    yield int(key)
        case _:
            return


def _is_number(text: str) -> bool:
    return len(text) <= _DIGITS and text.strip().isdecimal()


def _empty(value: Any) -> bool:
    """Tell an answer that keeps nothing from one about something else."""
    match value:
        case dict():
            return any(str(key).casefold() in _KEYS and part in ([], "", None) for key, part in value.items()) or all(
                str(key).isdecimal() for key in value
            )
        case list():
            return True
        case _:
            return False


def _by_line(text: str, notes: int) -> frozenset[int] | None:
    """Return what is kept where each line gives one number and its verdict; None where lines do not."""
    found: dict[int, bool] = {}
    for line in text.splitlines():
        match = _VERDICT_LINE.match(line)
        if match and 1 <= int(match[1]) <= notes and (says := verdict(match[2])) is not None:
            found[int(match[1])] = says
    return frozenset(number for number, says in found.items() if says) if found else None


def _numbers(text: str) -> Iterator[int]:
    for match in _RANGE.finditer(text):
        yield from range(int(match[1]), min(int(match[2]), 99) + 1)
    yield from (int(number) for number in _NUMBER.findall(_RANGE.sub(" ", text)))
