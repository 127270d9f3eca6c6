"""Reading one fact: from its text to a line of stems, in the words that stand for all ways of saying it.

The one rule: what is left out or replaced here may never change what is true. Whoever says it, the person is USER.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ricordo.learn.fact_dates import dated
from ricordo.learn.fact_spelling import UNSPACED_SIGN, coded, named, spelled
from ricordo.learn.fact_words import FORMS, KIN, LIGHT, MONTHS, NUMBERS, ORDINALS, PREPOSITIONS, QUANTITIES, SCALES, WEEKDAYS
from ricordo.learn.foreign_words import LANGUAGES, language
from ricordo.learn.rephrasings import rephrased
from ricordo.learn.stems import stem, stems
from ricordo.store.words import fold

_NUMBER = re.compile(r"[-−]?\d")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|e|er|º|ª)")
_ROUND = re.compile(r"[2-9]0")
_CAPITALS = frozenset(("A", "IT", "US", "WHO", "HR", "AM", "PM"))  # a vitamin, a trade: nothing that goes without saying
_NAMELESS = LIGHT | PREPOSITIONS | QUANTITIES | MONTHS.keys() | NUMBERS.keys() | ORDINALS.keys()
_SINGLE = frozenset(("a", "an", "my", "poss", "his", "her", "their"))
_TAKEN = ("POSS", "NO-LONGER", "USER", "USERS")
_BEFORE = frozenset(map(stem, PREPOSITIONS))
_KIN = frozenset(map(stem, KIN))


@dataclass(frozen=True, slots=True)
class Reading:
    """One fact as it is compared: stems in order; the words as they stand; those among them that are names or codes.

    A first word with a capital counts as a name: Anne is not Ann, and nothing else tells it from other first words.
    `singles` are English words of which there is one: after *a*, or *the user's*.
    """

    stems: tuple[str, ...]
    words: frozenset[str]
    names: frozenset[str]
    singles: frozenset[str]
    english: bool


def read(text: str) -> Reading:
    """Read one fact; any text gives a reading, an empty one an empty reading."""
    words = list(spelled(text))
    small = [word.casefold() for word in words]
    table = language(small)
    found = _foreign(small, words, table) if table else _english(small, words)
    names = frozenset(fold(word) for at, word in enumerate(words) if _is_name(word, at, table))
    line = _tidied(dated(" ".join(_persons(found, alone=not names))))
    line = rephrased(_ordered(rephrased(line), verb_second=table is LANGUAGES["de"]))
    singles = frozenset(word for at, word in enumerate(small) if not table and _SINGLE & set(small[max(0, at - 2) : at]))
    return Reading(tuple(line.replace("~", "").split()), frozenset(map(fold, small)), names, singles, english=table is None)


def _is_name(word: str, at: int, table: Mapping[str, str] | None) -> bool:
    small = word.casefold()
    if small in (table or FORMS) or small in _NAMELESS or small.removesuffix("s") in WEEKDAYS:
        return False
    return named(word) and not (at == 0 and not coded(word) and word.endswith("ing"))


def _foreign(small: Sequence[str], words: Sequence[str], table: Mapping[str, str]) -> list[str]:
    found: list[str] = []
    for word, written in zip(small, words, strict=True):
        if written in _TAKEN:
            found.append(written)
        elif word in table:
            found += table[word].split()
        elif UNSPACED_SIGN.match(word) or _NUMBER.match(word):
            found.append(_number(word))
        else:
            found += stems(word).split() if not word[0].isalnum() else [fold(word)]
    return found


def _english(small: Sequence[str], words: Sequence[str]) -> list[str]:
    found: list[str] = []
    for at, (word, written) in enumerate(zip(small, words, strict=True)):
        if written in _TAKEN:
            found.append(written)
        elif word in NUMBERS or word in SCALES:
            _count(found, word)
        elif word in ORDINALS:
            found.append(f"{ORDINALS[word]}º")
        elif _NUMBER.match(word):
            found.append(_number(word))
        elif word in ("am", "pm") and found and _NUMBER.match(found[-1]):
            found.append(word)
        elif at and written in _CAPITALS:
            found.append(f"{written}.")
        elif word in MONTHS and _month(at, small, words):
            found.append(word)
        elif word.endswith("s") and word[:-1] in WEEKDAYS:
            found += ["every", word[:-1]]
        elif word not in LIGHT:
            found += stems(word if word.isascii() else fold(word)).split()
    return found


def _month(at: int, small: Sequence[str], words: Sequence[str]) -> bool:
    """Tell the months March and May from to march and may: by the capital, or a number beside."""
    near = small[max(0, at - 1) : at + 2]
    return words[at][0].isupper() or any(_NUMBER.match(word) for word in near)


def _count(found: list[str], word: str) -> None:
    """Add a number word, together with the number before it: twenty nine, 40 thousand."""
    before = found[-1] if found and re.fullmatch(r"\d+(?:\.\d+)?", found[-1]) else ""
    if before and word in SCALES:
        found[-1] = f"{float(before) * SCALES[word]:.15g}"
    elif _ROUND.fullmatch(before) and 0 < NUMBERS.get(word, 0) < 10:
        found[-1] = str(int(before) + NUMBERS[word])
    else:
        found.append(str(NUMBERS[word] if word in NUMBERS else SCALES[word]))


def _number(word: str) -> str:
    """A number as it is compared: 3rd as 3º, 2,5 as 2.5; one with other letters is a code and stays."""
    if match := _ORDINAL.fullmatch(word):
        return f"{match[1]}º"
    return re.sub(r"(?<=\d),(?=\d)", ".", word.replace("−", "-"))


def _persons(found: Sequence[str], *, alone: bool) -> list[str]:
    """Put USERS for *user POSS*, and for *their* where nobody but the person can be meant: no name, no relation before it."""
    words = " ".join(found).replace("USER POSS", "USERS").split()
    others = not alone or words[:1] != ["USER"]
    for at, word in enumerate(words):
        others = others or word in _KIN
        if word in ("THEIR", "THEM") and not others:
            words[at] = "USERS" if word == "THEIR" else "USER"
    return words


# What has to be in the line for the pattern to be worth trying; the pattern; what it becomes.
_TIDY = tuple(
    (needle, re.compile(pattern), becomes)
    for needle, pattern, becomes in (
        ("USER USER", r"\bUSER USER\b", "USER"),
        (" tim", r"(?<=\d tim) every (?=day|week|month|year)", " "),
        ("1 tim", r"(?<!\S)1 tim (?=day|week|month|year)", "every "),
        ("do not", r"\bdo not\b", "not"),
        ("mor", r"\bnot (.*?) ?\b(?:anymor|any mor)\b", r"NO-LONGER \1"),
        ("mehr", r"\bmehr not\b|\bnot mehr\b", "NO-LONGER"),
        ("mehr", r"\bnot (.*?) ?\bmehr\b", r"NO-LONGER \1"),
        (" any", r"\bnot (\S+ )any\b", r"not \1"),
        (" not ", r"^USER (?!can|will|would|could|may|might|must|shall|should|be)(\S+) not (\S+)(?<!~)$", r"USER not \1 \2"),
        ("hav not", r"(?<!\S)hav not\b(?! \S+\+ed)", "not hav"),
        ("hav be", r"\bhav be (\S+)~", r"hav \1+ed"),
        ("hav be", r"(?<!\S)hav be to\b", "visit+ed"),
        ("hav ", r"(?<!\S)hav (not )?(\S+\+ed)(?!\S)(?!.* (?:for|sinc) )", r"\1\2"),
        (" be wh", r"^(\S.*?) be (?:what|where|who) (USER|\S+) (.+?)(?= (?:for|in|at|on|with|to|from)\b|$)", r"\2 \3 \1"),
        ("what ", r"^what (USER) (\S+) (.*?) ?\bbe (.+)$", r"\1 \2 \4 \3"),
        ("~", r"(?<!hobby )(?<!job )\bbe (not )?(?=\S+~)(?!go~|plan~ to|get~|hav~|com~|be~)", r"\1"),
    )
)


def _tidied(line: str) -> str:
    """Undo what English does for the sake of grammar: do not, is living, has been to, what … is."""
    for needle, pattern, becomes in _TIDY:
        if needle in line:
            line = pattern.sub(becomes, line)
    return " ".join(line.split())


_OF_USER = re.compile(r"(?<!\S)([^\sA-Z]\S*(?: POSS \S+)*) of USER(?!\S)")
_LEAD = re.compile(r"(?P<lead>(?!USER)[^\sA-Z]\S*(?: (?!USER|AND|OR|BUT)[^\s,]+)+?)(?: ,)? (?P<who>USERS?) (?P<rest>.+)")
_TIME = stem("time")
_OF = re.compile(r"(?<!\S)([^\sA-Z]\S*) of ((?:USERS )?[^\sA-Z]\S*)(?! POSS)")


def _ordered(line: str, *, verb_second: bool) -> str:
    """Bring what may stand in two places to one: the son of Anna; In winter the user …."""
    for _ in range(3 if " of " in line else 0):
        line = _OF.sub(r"\2 POSS \1", _OF_USER.sub(r"USERS \1", line))
    found = _LEAD.match(line)
    if not found or not (found["lead"].split()[0] in _BEFORE or found["lead"].split()[1] == _TIME):
        return line
    lead = found["lead"].split()
    verb = [lead.pop()] if verb_second and len(lead) > 2 else []  # German puts the verb before its subject
    return " ".join([found["who"], *verb, found["rest"], *lead])
