"""Values: what a model proposes for the fact list, and the tolerant reading of the shapes models use for it.

A proposal names a known fact by its short id: its place, counted from 1, in the list that the model was shown; 0 is no such fact.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Save:
    """Keep a new fact; `quote` is what the person said, as the model gives it, and may be empty."""

    text: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Give a known fact other words."""

    id: int
    text: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Remove:
    """Drop a known fact that no longer holds."""

    id: int
    quote: str = ""


Proposal = Save | Rewrite | Remove


@dataclass(frozen=True, slots=True)
class Refused:
    """A proposal that code did not follow, and the sentence that says why."""

    proposal: Proposal
    reason: str


# The names that models give to the three lists, to the operations themselves, and to the parts of one.
_SAVE = frozenset(
    "add adds added save saves saved new new_facts facts fact memories memory create insert remember store learn".split()
)
_REWRITE = frozenset(
    "rewrite rewrites rewritten update updates updated replace replaces edit change modify modified correct".split()
)
_REMOVE = frozenset("remove removes removed removals delete deletes deleted forget drop outdated".split())
_NONE = frozenset("none noop no_op keep ignore skip nothing".split())
_WRAPPERS = (
    "result results output response operations ops actions changes json data arguments parameters input properties".split()
)
_KIND = "op operation action event type kind tool name".split()
_TEXT = "text new_text new fact new_fact content statement memory value new_memory".split()
_QUOTE = "quote evidence quotes source words said".split()
_ID = "id fact_id memory_id index number n ref target old_id".split()
_OLD = "old old_text old_fact old_memory before previous from".split()
_NOT_TEXT = frozenset("none null nil n/a na nothing empty - ...".split())
_NUMBERS = re.compile(
    r"(?:(?:fact|memory|id|no\.?|number)?\s*[:#\[(]?\s*\d{1,4}\s*[\])]?\.?(?:\s*(?:,|;|and)\s*|$))+", re.IGNORECASE
)
_DIGITS = 9  # of a short id; Python refuses to read a number of thousands of them
_NUMBERED = re.compile(
    r"\s*(?:(?:fact|memory|id)\s*)?[#\[(]?\s*(\d{1,4})\s*[\])]?\s*[.:)\-–]\s+(\S.*)", re.IGNORECASE | re.DOTALL
)


def read_proposals(value: Any, known: Sequence[str]) -> tuple[Proposal, ...]:
    """Read proposals out of an answer's JSON; `known` are the texts of the facts in the order the model was shown them.

    What holds neither a text nor an id is passed over.
    """
    return tuple(_Reader(known).read(value))


class _Reader:
    def __init__(self, known: Sequence[str]) -> None:
        self._known = [same_words(text) for text in known]

    def read(self, value: Any, depth: int = 0) -> Iterator[Proposal]:
        """Read an answer: an object of lists, a list of operations, or a bare list of facts to add."""
        value = _opened(value)
        if depth > 4:
            return
        match value:
            case list():
                for item in value:
                    if isinstance(_opened(item), dict):
                        yield from self.read(item, depth + 1)
                    else:
                        yield from self._each("save", item)
            case dict():
                yield from self._object({str(key).strip().lower(): part for key, part in value.items()}, depth)

    def _object(self, item: Item, depth: int) -> Iterator[Proposal]:
        if isinstance(function := item.get("function"), dict):  # a tool call as the OpenAI dialect writes it
            item = {str(key).lower(): part for key, part in function.items()}
        kind = next((kind for name in _KIND if (kind := _kind_of(item.get(name)))), None)
        if kind is not None:
            if kind != "none":
                inner = next((_opened(item[name]) for name in _WRAPPERS if name in item), item)
                if isinstance(inner, dict) and any(isinstance(part, list) and _kind_of(key) for key, part in inner.items()):
                    yield from self.read(inner, depth + 1)
                else:
                    yield from self._each(kind, inner)
            return
        if _is_item(item):
            has_id = any(name in item for name in (*_ID, *_OLD))
            yield from self._each("rewrite" if has_id else "save", item)
            return
        for key, part in item.items():
            if (named := _kind_of(key)) and named != "none":
                yield from self._each(named, part)
            elif key in _WRAPPERS:
                yield from self.read(part, depth + 1)

    def _each(self, kind: str, value: Any, depth: int = 0) -> Iterator[Proposal]:
        value = _opened(value)
        if isinstance(value, list) and depth < 4:
            for item in value:
                yield from self._each(kind, item, depth + 1)
        elif isinstance(value, dict):
            yield from self._item(kind, {str(key).strip().lower(): part for key, part in value.items()})
        elif kind == "remove":
            yield from (Remove(id) for id in self._ids(value))
        elif kind == "save" and (text := _text(value)):
            yield Save(text)
        elif kind == "rewrite" and isinstance(value, str) and (numbered := _NUMBERED.fullmatch(value)):
            yield Rewrite(self._within(int(numbered[1])), numbered[2].strip())

    def _item(self, kind: str, item: Item) -> Iterator[Proposal]:
        own = next((own for name in _KIND if (own := _kind_of(item.get(name)))), kind)
        text, quote = _first(item, _TEXT), _first(item, _QUOTE)
        match own:
            case "none":
                return
            case "save":
                if text:
                    yield Save(text, quote)
            case "remove":
                yield from (Remove(id, quote) for id in self._target(item, text))
            case _:
                pairs = [(key, part) for key, part in item.items() if key.lstrip("#").isdecimal() and isinstance(part, str)]
                if pairs:  # {"3": "new words"}
                    yield from (Rewrite(self._numbered(key.lstrip("#")), part.strip(), quote) for key, part in pairs)
                elif item:
                    yield from (Rewrite(id, text, quote) for id in self._target(item, "")[:1])

    def _target(self, item: Item, text: str) -> list[int]:
        """Return the ids that an item means; two hints that disagree mean none."""
        given = next((item[name] for name in _ID if item.get(name) not in (None, "")), None)
        old = _first(item, _OLD) or text
        by_text = self._like(old) if old else 0
        if given is None:
            return [by_text] if old else []
        ids = self._ids(given)
        return [0] if by_text and ids != [by_text] else ids

    def _ids(self, value: Any) -> list[int]:
        """Return the short ids a value means: 3, "3", "#3", "fact 3", "1, 2", or a known fact's own words."""
        if isinstance(value, bool) or value is None:
            return []
        if isinstance(value, list):
            return [id for part in value[:50] for id in self._ids(part)]
        if isinstance(value, int | float):
            return [self._within(int(value)) if 0 < value <= len(self._known) and value == int(value) else 0]
        if not (text := _text(value)):
            return []
        if _NUMBERS.fullmatch(text):
            return [self._numbered(digits) for digits in re.findall(r"\d+", text)]
        if numbered := _NUMBERED.fullmatch(text):
            number, like = self._within(int(numbered[1])), self._like(numbered[2])
            return [number if number == like else 0]
        return [self._like(text)]

    def _numbered(self, digits: str) -> int:
        return self._within(int(digits)) if len(digits) <= _DIGITS else 0

    def _within(self, id: int) -> int:
        return id if 1 <= id <= len(self._known) else 0

    def _like(self, text: str) -> int:
        """Return the one known fact that says this, or holds all its telling words."""
        words = same_words(text)
        same = [place for place, known in enumerate(self._known, 1) if known == words]
        if not same:
            telling = {word for word in words.split() if word not in _SUBJECT}
            same = [place for place, known in enumerate(self._known, 1) if telling and telling <= set(known.split())]
        return same[0] if len(same) == 1 else 0


_SUBJECT = frozenset("the a user human person i s is are has he she they his her their my".split())


def same_words(text: str) -> str:
    """Return the text with case, accents, punctuation and spaces made equal, to see whether two say the same words."""
    folded = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(char for char in folded if not unicodedata.combining(char))
    return " ".join(re.findall(r"\w+", plain))


def _opened(value: Any) -> Any:
    """Return what a text that is itself JSON holds; tool calls carry their arguments so."""
    if isinstance(value, str) and value.strip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _kind_of(name: Any) -> str | None:
    """Tell which operation a name means: "add", "ADD", "add_memory", "deleteFact" …"""
    if not isinstance(name, str) or len(name) > 40:
        return None
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.strip()).lower().replace("-", "_").replace(" ", "_")
    for kind, names in (("remove", _REMOVE), ("rewrite", _REWRITE), ("none", _NONE), ("save", _SAVE)):
        if words in names or words.split("_")[0] in names - {"fact", "facts", "memory", "memories", "new"}:
            return kind
    return None


def _is_item(item: Item) -> bool:
    return isinstance(next((item[name] for name in _TEXT if name in item), None), str) and not any(
        isinstance(part, list) for part in item.values()
    )


def _first(item: Item, names: Sequence[str]) -> str:
    return next((text for name in names if (text := _text(item.get(name)))), "")


def _text(value: Any) -> str:
    """Return a text worth reading, else nothing."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    text = value.strip() if isinstance(value, str) else ""
    return "" if text.lower().strip(".") in _NOT_TEXT else text
