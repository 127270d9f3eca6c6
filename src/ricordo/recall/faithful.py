"""Whether a short form says what its source says, as far as words can tell: names, numbers and denials, and no word of its own.

The one rule: in doubt it does not. A cut passage misleads nobody; a small model once wrote "agreed" for "refused".
"""

from __future__ import annotations

import re
from typing import Final

from ricordo.letters import visible
from ricordo.recall.little_words import EMPTY, SOCIAL
from ricordo.store.name_reading import codes_in, folded, names_in

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_DENIAL: Final = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|nowhere|neither|nor|without|cannot"
    r"|refus\w+|declin\w+|den(?:y|ied|ies)|fail\w*|cancel\w*|except|unless"
    r"|nicht|nie|niemals|kein\w*|nichts|niemand|ohne|weder|non|mai|nessun\w*|niente|nulla|senza|ne"
    r"|n['’]|pas|jamais|aucun\w*|rien|sans"
    r"|nunca|jamás|ningun\w*|ningún|nadie|nada|sin|tampoco|não|nenhum\w*|sem|niet|geen|nooit|нет|не"
    r"|ни|никогда|без)\b|n['’]t\b"
    r"|[不没沒无無未别勿莫]|ない|ません|ぬ\b|않|없|못",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
# What one says of an entry when shortening it.
_FRAME: Final = frozenset(
    "user person writer author diary entry note notes mentions mentioned says writes wrote describes reports however therefore "
    "due various several including related regarding".split()
)
_SHORTEST = 4  # letters of a word that has to stand in the source
_STEM = 5  # letters that forms of one word share: refused, refuses


def why_unfaithful(source: str, short: str) -> str:
    """Return why a short form may not stand for its source, as a clause for the trace; empty when it may."""
    source, short = visible(source), visible(short)
    if not short.strip():
        return "the short form was empty"
    lost, added = _numbers(source) - _numbers(short), _numbers(short) - _numbers(source)
    if lost or added:
        return "the short form lost a number" if lost else "the short form holds a new number"
    named, names = _names(source), _names(short)
    flat, flat_source = folded(short), folded(source)
    if any(not _stands_in(name, flat) for name in named):
        return "the short form lost a name"
    if any(not _stands_in(name, flat_source) for name in names):
        return "the short form holds a new name"
    denials, kept = len(_DENIAL.findall(source)), len(_DENIAL.findall(short))
    if denials != kept:
        return "the short form lost a denial" if kept < denials else "the short form holds a new denial"
    return "the short form holds words of its own" if _new_words(flat_source, flat) else ""


def _numbers(text: str) -> set[str]:
    return {number.strip(".,:/-") for number in _NUMBER.findall(text)}


def _names(text: str) -> set[str]:
    return {folded(name) for name in (*names_in(text), *codes_in(text))}


def _stands_in(name: str, text: str) -> bool:
    """Tell whether a name stands in a text, whole or by its last word: who was Dr. Osei may be Osei."""
    words = name.split()
    return name in text or (len(words) > 1 and words[-1] in text)


def _new_words(source: str, short: str) -> list[str]:
    """Return the words of a short form that its source has in no form."""
    known = {word[:_STEM] for word in _WORD.findall(source)}
    words = [word for word in _WORD.findall(short) if len(word) >= _SHORTEST and not _UNSPACED.search(word)]
    new = [
        word for word in words if word[:_STEM] not in known and word not in EMPTY and word not in SOCIAL and word not in _FRAME
    ]
    return new + [letter for letter in short if _UNSPACED.match(letter) and letter not in source]
