"""Finding names in a text by their capitals: people, places, firms, and codes like DGIA or SN2903. Pure text.

The one rule: a capital that only opens a sentence makes no name; scripts without capitals have no names here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from ricordo.letters import visible
from ricordo.store.name_words import ARTICLES_OF_PLACES, EVERYDAY, FIRMS, LITTLE, OPENERS, PARTICLES, TIME, TIME_AND_NAME, TITLES

_UPPER = "".join(chr(code) for code in (*range(0x41, 0x590), *range(0x1E00, 0x2000)) if chr(code).isupper())
_CAP = rf"[{_UPPER}](?:[^\W_]|['’.-](?=[^\W_])|[\u0300-\u036f])*"
_INITIAL = rf"[{_UPPER}]\.(?![^\W_]{{2}})"
_ABBREVIATED = r"(?:Mrs?|Ms|Mx|Dr|Prof|St|Sr|Jr|Sra|Sig|Mme|Rev|Col|Gen|Capt|Lt|Sgt)\."
_PART = rf"(?:{_ABBREVIATED}|{_INITIAL}|{_CAP})"
_LITTLE_PART = rf"(?:{'|'.join(PARTICLES)})[ \u00a0]"  # longer ones stand first
_JOINT = rf"(?:[ \u00a0](?:{_LITTLE_PART}|d['’][ \u00a0]|&[ \u00a0])?|(?<=\.)|[ \u00a0]d['’])"
# The capital stands first, and what may not stand ahead of it after it: so a search runs from capital to capital.
_FIRST = (
    rf"[{_UPPER}](?<![^\W_].)(?<![$#@/.'’&-].)"
    r"(?:(?<=[CDGJLMPRS])(?:rs?|s|x|rof|t|ra|ig|me|ev|ol|en|apt|gt)\.|\.(?![^\W_]{2})|(?:[^\W_]|['’.-](?=[^\W_])|[\u0300-\u036f])*)"
)
_RUN = re.compile(rf"{_FIRST}(?:{_JOINT}{_PART})*")
_CODE = re.compile(r"[A-Z](?<![\w$#@/.'’-].)[A-Z0-9]*(?:[-/][A-Z0-9]+)*(?![\w'’-]|[./]\w)")
_SYMBOL = re.compile(r"(?<![\w$])\$([A-Z]{1,5})(?!\w)")
# What no name is read from: addresses, paths, quoted program text.
_FOREIGN = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`|https?://\S+|www\.\S+|\S+@\S+\.\w+|[@#]\w+", re.DOTALL)
_FOREIGN_SIGN = re.compile(r"[`@#]|://|www\.")  # asked first: most texts have none
_OPENING = re.compile(r"(?:^|[.!?…:;。！？\n])[\s\"'“”‘’«»()\[\]*_>#•·–—-]*(?:\d+[.)]\s*)?$")
_ENDING = re.compile(r"['’](?:s|ll|d|ve|re|m)?$", re.IGNORECASE)
_CONTRACTION = re.compile(r"(?:n['’]t|(?<=^i)['’]\w+|['’](?:m|re|ve|ll|d))$", re.IGNORECASE)
_PARTING = LITTLE - ARTICLES_OF_PLACES
_MOST_LETTERS = 40_000  # of a text that are read: a pasted book names too much to remind of
_LONGEST_CODE = 16
_LOOK_BACK = 24


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a text, each once, in the order of their first mention; codes are not among them."""
    return tuple(dict.fromkeys(_names(_runs(_readable(text)))))


def codes_in(text: str) -> tuple[str, ...]:
    """Return the all-capital codes in a text, each once; of a line that is all in capitals none."""
    return tuple(dict.fromkeys(_codes(_readable(text))))


def tickers_in(text: str) -> tuple[str, ...]:
    """Return exchange symbols: after a dollar sign any, else two to five capital letters that are no everyday ones."""
    text = _readable(text)
    found = [(match.start(), match.group(1)) for match in _SYMBOL.finditer(text)]
    found += [(match.start(), match.group()) for match in _CODE.finditer(text) if _is_symbol(match.group())]
    return tuple(dict.fromkeys(symbol for _, symbol in sorted(found)))


def mentions(text: str, *, codes_only: bool) -> list[str]:
    """Return what a reminder may name, once a mention: names of two and more words, and codes (N4)."""
    text = _readable(text)
    runs = [] if codes_only else [run for run in _runs(text) if not run.group().isalnum()]
    names = [name for name in _names(runs) if " " in name]
    return names + _codes(text)


def folded(name: str) -> str:
    """Return a name as its spellings meet: one encoding, small letters, single spaces."""
    return " ".join(folded_text(name).split())


def folded_text(text: str) -> str:
    """Return a text in which folded names can be looked for; its spaces stay, since no name is read across a line's end."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", visible(text)).casefold().replace("’", "'")


def _readable(text: str) -> str:
    text = visible(text[:_MOST_LETTERS])
    text = text if text.isascii() else unicodedata.normalize("NFC", text)
    return _FOREIGN.sub(" , ", text) if _FOREIGN_SIGN.search(text) else text


def _runs(text: str) -> Iterator[re.Match[str]]:
    return _RUN.finditer(text)


def _names(runs: Iterable[re.Match[str]]) -> list[str]:
    found = []
    for run in runs:
        opens = _OPENING.search(run.string, max(0, run.start() - _LOOK_BACK), run.start()) is not None
        found += [name for part in _split(run.group()) if (name := _name(part, opens and run.group().startswith(part[0])))]
    return found


def _split(run: str) -> list[list[str]]:
    """Return the stretches of a run that little words part: "Alice And Bob" are two."""
    parts: list[list[str]] = [[]]
    for word in re.split(r"[ \u00a0]+|(?<=\.)(?=\w{2})", run):
        bare = _CONTRACTION.sub("", word)
        if word[:1].isupper() and (bare.casefold() in _PARTING or bare != word) and not re.fullmatch(rf"[{_UPPER}]\.", word):
            kept = bare if bare != word and bare.casefold() not in OPENERS and not word.casefold().endswith("n't") else ""
            parts[-1] += [kept] if kept else []
            parts.append([])
        elif _ENDING.search(word):  # a possessive ends a name
            parts[-1].append(_ENDING.sub("", word))
            parts.append([])
        else:
            parts[-1].append(word)
    return [half for part in parts if part for half in _halves(part)]


def _halves(words: list[str]) -> list[list[str]]:
    """Part two whole names with an & between them: not a firm's, not Tom & Jerry."""
    at = words.index("&") if "&" in words else 0
    if at < 2 or len(words) - at < 3 or words[-1].rstrip(".").casefold() in FIRMS:
        return [words]
    return [words[:at], words[at + 1 :]]


def _name(words: list[str], opens: bool) -> str | None:
    """Return what is left of a stretch as a name, None when nothing is."""
    while words and _is_no_start(words, opens):
        words = words[1:]
    while words and (words[-1].casefold() in TIME or not words[-1][:1].isupper() or words[-1] == "&"):
        words = words[:-1]
    if not words or all(word.isupper() and len(word) > 1 and "." not in word for word in words):
        return None  # codes, or shouting
    if len(words) == 1 and re.fullmatch(rf"(?:[{_UPPER}]\.)+[{_UPPER}]?\.?|Ph\.?D", words[0]):
        return None  # U.S., a degree
    if all(word.rstrip(".").casefold() in TITLES or re.fullmatch(rf"[{_UPPER}]\.?", word) for word in words):
        return None
    return " ".join(words)


def _is_no_start(words: list[str], opens: bool) -> bool:
    small = words[0].casefold()
    follows = len(words) > 1 and words[1][:1].isupper() and words[1].casefold() not in TIME
    if small in ARTICLES_OF_PLACES and follows:
        return False
    if not words[0][:1].isupper() or small in LITTLE:
        return True
    if small in TIME:
        return not (small in TIME_AND_NAME and follows)
    return opens and small in OPENERS


def _codes(text: str) -> list[str]:
    found = [(match.start(), match.group()) for match in _CODE.finditer(text) if _is_code(match.group())]
    if not found:
        return []
    shouted = [line.span() for line in re.finditer(r"[^\n.!?]+", text) if _is_shouted(line.group())]
    return [code for start, code in found if not any(low <= start < high for low, high in shouted)]


def _is_code(word: str) -> bool:
    bare = word.replace("-", "").replace("/", "")
    if not 2 <= len(bare) <= _LONGEST_CODE or word in EVERYDAY or not any(char.isalpha() for char in bare[:4]):
        return False
    return not all(part in EVERYDAY or part.isdigit() for part in re.split("[-/]", word))


def _is_symbol(word: str) -> bool:
    return word.isalpha() and 2 <= len(word) <= 5 and word not in EVERYDAY


def _is_shouted(line: str) -> bool:
    words = re.findall(r"[^\W\d_]{2,}", line)
    return len(words) >= 3 and sum(word.isupper() for word in words) * 2 > len(words)
