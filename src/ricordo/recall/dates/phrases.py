"""Reads a text into words with their places, and finds phrases among them by patterns kept in one tree.

A pattern is atoms parted by spaces: `a|b` is either, `a?` may be missing, and CAPITALS are a class of words (words)
whose value is handed to the phrase's meaning. The work is linear in the text, for a pattern has few atoms.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ricordo.recall.dates import numeric
from ricordo.recall.dates.words import CAPITAL_ONLY, LEXICON, MISSPELT

# Words of scripts that put no spaces between them are left out: a date in figures may stand right beside them.
_LETTERS = r"[^\W_\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_WORD = rf"{_LETTERS}+(?:[\u0300-\u036f]+{_LETTERS}*)*"
_TOKEN = re.compile(
    r"(?P<stamp>\[(?:[A-Z][a-z]{2} )?[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}\])"
    r"|(?P<instant>(?<![\w/-])[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?(?!\w))"
    r"|(?P<cjk>(?<![0-9])[0-9]{4}\s?[年년](?:\s?[0-9]{1,2}\s?[月월](?:\s?[0-9]{1,2}\s?[日일号])?)?)"
    r"|(?P<short>(?<![\w'’])['’][0-9]{2}(?![\w'’]))"
    rf"|(?P<chunk>{_WORD}(?:(?:[-/_'’]|(?<=[0-9])[.,:](?=[0-9])){_WORD})*)"
    r"|(?P<mark>\n|[^\s\w])"
)
_MONEY = frozenset("$€£¥#%+@~")
# Not the person's own words about a day: code, quoted lines, addresses, and quotations.
_FOREIGN = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*|\b[a-zA-Z]+://\S+|\"[^\"\n]{0,400}\"|“[^“”\n]{0,400}”|„[^„“”\n]{0,400}[“”]|«[^«»\n]{0,400}»",
    re.DOTALL | re.MULTILINE,
)
_CLOSE = re.compile(r"([0-9]{1,2}),([0-9]{4})")
_ELIDED = re.compile(r"([a-zA-Z]{1,5})['’]([0-9]{1,2})")
_NO_CLASSES: Mapping[str, Any] = {}


class Token(NamedTuple):
    """A word, figures or a mark: in small letters without accents, as written, its place, and what it may stand for."""

    word: str
    text: str
    start: int
    end: int
    classes: Mapping[str, Any]


Guard = Callable[[Sequence[Token], int, int], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and what it means: `meaning(frame, *values)`. Where `only` is not met the words mean nothing at all."""

    pattern: str
    meaning: Callable[..., Any]
    only: Guard | None = None


@dataclass(slots=True)
class Node:
    """A branching of the tree: where each next word or class leads, and the rule that ends here."""

    nexts: dict[str, Node] = field(default_factory=dict)
    rule: Rule | None = None


class Match(NamedTuple):
    """A rule met by the tokens from `begin` to `end` (exclusive)."""

    begin: int
    end: int
    rule: Rule
    values: tuple[Any, ...]


def tree(rules: Iterable[Rule]) -> Node:
    """Build the tree of all patterns; of two rules for the same words the earlier holds."""
    root = Node()
    for rule in rules:
        atoms = [
            (*atom.removesuffix("?").split("|"), *([""] if atom.endswith("?") and atom != "?" else []))
            for atom in rule.pattern.split()
        ]
        for words in itertools.product(*atoms):
            node = root
            for word in filter(None, words):
                node = node.nexts.setdefault(word, Node())
            node.rule = node.rule or rule
    return root


def matches(tokens: Sequence[Token], root: Node) -> list[Match]:
    """Return the phrases found, in order and apart from each other: where they overlap, the longer one."""
    found = [
        match
        for begin, token in enumerate(tokens)
        if (token.word in root.nexts or token.classes) and (match := _longest(tokens, begin, root))
    ]
    found.sort(key=lambda match: (match.begin - match.end, match.begin))
    taken = bytearray(len(tokens))
    kept = []
    for match in found:
        if not any(taken[match.begin : match.end]):
            taken[match.begin : match.end] = b"\x01" * (match.end - match.begin)
            kept.append(match)
    return sorted(kept)


def _longest(tokens: Sequence[Token], begin: int, root: Node) -> Match | None:
    best: Match | None = None
    ways: list[tuple[Node, int, tuple[Any, ...]]] = [(root, begin, ())]
    while ways:
        node, at, values = ways.pop()
        if node.rule and (best is None or at > best.end):
            best = Match(begin, at, node.rule, values)
        if at == len(tokens):
            continue
        token = tokens[at]
        if follower := node.nexts.get(token.word):
            ways.append((follower, at + 1, values))
        for name, value in token.classes.items():
            if follower := node.nexts.get(name):
                ways.append((follower, at + 1, (*values, value)))
    return best


def read(text: str) -> list[Token]:
    """Read a text into tokens; what is quoted, code or an address is passed over. A line's end is a mark."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(_FOREIGN.sub(_blank, text)):
        kind, found, start = match.lastgroup, match[0], match.start()
        if kind == "mark":
            tokens.append(Token(found, found, start, start + 1, _NO_CLASSES))
        elif kind == "stamp":
            tokens.append(Token("", found, start, match.end(), {"STAMP": found[-17:-1]}))
        elif kind == "instant":
            tokens.append(Token("", found, start, match.end(), {"INSTANT": found}))
        elif kind == "cjk":
            tokens.append(Token("", found, start, match.end(), numeric.classes(found)))
        elif kind == "short":
            tokens.append(Token(found, found, start, match.end(), {"YEAR": numeric.ShortYear(int(found[1:]))}))
        elif found.isascii() and found.isalpha() and (word := _folded(found)) not in LEXICON:
            tokens.append(Token(word, found, start, match.end(), _NO_CLASSES))  # most words: the short way
        else:
            tokens += _chunk(found, start, tokens[-1] if tokens else None)
    return tokens


def _blank(match: re.Match[str]) -> str:
    found = match[0]
    inner = found[1:-1].strip()
    if found[0] in '"“„«' and inner[:1].isdigit() and "DATE" in numeric.classes(inner):
        return found  # a date put in quotation marks is still that date
    return "\n" + " " * (len(found) - 1)


def _chunk(text: str, start: int, before: Token | None) -> Iterator[Token]:
    word = _folded(text)
    end = start + len(text)
    if before and "MONTH" in before.classes and (close := _CLOSE.fullmatch(text)):  # "December 1,2023"
        for group in (1, 2):
            yield Token(
                close[group],
                close[group],
                start + close.start(group),
                start + close.end(group),
                numeric.classes(close[group]),
            )
        return
    if text[0].isdigit():
        # Figures that stand against a currency or a minus sign are no part of a date.
        amount = before is not None and before.end == start and before.word in _MONEY
        classes = _NO_CLASSES if amount else numeric.classes(word)
        if classes or "-" not in text or not any(map(str.isalpha, text)):
            yield Token(word, text, start, end, classes)
            return
    classes = _classes(word, text)
    if not classes and (elided := _ELIDED.fullmatch(text)):  # "l'8 maggio"
        yield Token(_folded(elided[1]), elided[1], start, start + elided.end(1), _NO_CLASSES)
        yield Token(elided[2], elided[2], start + elided.start(2), end, numeric.classes(elided[2]))
        return
    parts = re.split("-", text)
    if classes or len(parts) == 1:
        yield Token(word, text, start, end, classes)
        return
    inner = [_classes(_folded(part), part) or numeric.classes(part) for part in parts]
    # `3-May-2024` and `mid-March` are several words; a file's name or a made-up compound is one that means nothing.
    if not all(found or _folded(part) in _JOINABLE for part, found in zip(parts, inner, strict=True)):
        yield Token(word, text, start, end, _NO_CLASSES)
        return
    for part, found in zip(parts, inner, strict=True):
        yield Token(_folded(part), part, start, start + len(part), found)
        start += len(part) + 1


_JOINABLE = frozenset("mid early late second to next day before yesterday avant hier".split())


def _classes(word: str, text: str) -> Mapping[str, Any]:
    own = word.endswith("'s")
    found = LEXICON.get(word[:-2] if own else word, _NO_CLASSES)
    if not found:
        return found
    if text[0].islower() and word in CAPITAL_ONLY:
        return {"LOWDAY": found["WEEKDAY"]} if "WEEKDAY" in found else _NO_CLASSES
    # "Tuesday's" is no Tuesday, but "last Tuesday's" is: a class of its own.
    return {name + "'s": value for name, value in found.items()} if own else found


def _folded(text: str) -> str:
    if text.isascii():
        word = text.lower()
        return MISSPELT.get(word, word)
    parts = unicodedata.normalize("NFD", text.replace("’", "'")).lower()
    return "".join(part for part in parts if not unicodedata.combining(part))
