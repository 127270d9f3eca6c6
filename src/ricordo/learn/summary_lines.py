"""The lines of a summary: read out of an answer, held against what was said, and set under the four headings.

The one rule: a line stands only if its names and numbers were said, and it denies just what was denied.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ricordo.conversation import Message, Role
from ricordo.learn.asking import OPEN_QUESTION
from ricordo.learn.secrets import secret_in
from ricordo.learn.signs import negated
from ricordo.learn.telling import COUNTS, heard, telling, tokens
from ricordo.letters import visible
from ricordo.store.name_reading import codes_in, folded, names_in

HEADINGS = (
    ("decisions", "Decisions"),
    ("facts", "Facts"),
    ("open_threads", "Open threads"),
    ("current_state", "Current state"),
)
MOST_LINES = 8  # under a heading
_MOST_LETTERS = 3_600  # of all lines: the next call is shown the whole of them
_LONGEST = 320  # letters of a line; a longer one is left out, never cut
_SAME = 0.6  # share of a line's telling words in a clause that says the same
_ADVISED = 0.34  # share of them that only the companion may have said, in what is claimed of the person
_GROUNDED = 0.4  # share of them that was said at all: the rest may be how minutes put it

Lines = Mapping[str, Sequence[str]]

_MARK = re.compile(r"^[\s>*•·–—-]*(?:\d{1,2}[.)]\s+)?|[\s*]+$")
_HEADING = re.compile(
    r"^[\s#*_>-]*(decisions?|facts?|open[ _](?:threads?|items?|questions?)|current[ _]state)[\s*_]*:?[\s*_]*(.*)$", re.I
)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")
# Clauses, because what denies in one says nothing of the next: "I sleep badly, and I do not drink coffee".
_CLAUSE = re.compile(
    r"(?<=[.!?…])\s+|(?<=[。！？，、；])|\n+|[;,:]\s+|\s+(?:and|but|because|since|while|und|aber|weil|ma|perché|et|mais|y|pero)\s+",
    re.IGNORECASE,
)
# What fills a heading that has nothing to say.
_EMPTY = re.compile(
    r"(?:(?:there (?:is|are|was|were) )?(?:currently |as yet )?no )?(?:(?:prior|previous|new|open|further|known|other|current) )*"
    r"(?:none|nothing|n/?a|null|empty|unknown|decisions?|facts?|history|threads?|items?|state|information|summary|minutes)"
    r"(?: (?:were|was|are|is|have been|has been))?"
    r"(?: (?:yet|so far|recorded|known|new|noted|here|made|mentioned|available|given|stated|to (?:report|add|note|carry on)))*",
    re.IGNORECASE,
)
# How minutes speak of those who talk and of what they did; nobody says it in the talk.
_MINUTES = frozenset(
    "companion assistant asked discussed decided agreed chose chosen planned plans plan planning considering undecided unsure "
    "currently whether decision open thread still waiting conversation talked wrote wondering intends noted".split()
)
_COMPANION = re.compile(r"\b(?:companion|assistant|ai|model|chatbot|suggest\w*|advis\w*|recommend\w*|offer\w*|propos\w*)\b", re.I)
_ASSENT = re.compile(
    r"^\W*(?:(?:oh|well|hm+|and|so)\W+)?(?:yes|yeah|yep|yup|sure|ok|okay|agreed|deal|done|great|good idea|perfect|exactly|right"
    r"|fine|sounds|let'?s|i will|i'll|we will|we'll|i think so|absolutely|definitely|of course|ja|gern\w*|genau|sì|si"
    r"|va bene|certo|oui|d'accord|bien sûr|sí|vale|claro|sim|да|хорошо|好|是|可以|はい|うん)(?!\w)",
    re.IGNORECASE,
)
_OF_THE_PERSON = re.compile(r"^(?:the )?(?:user|person|nutzer\w*|utente|utilisat\w+|usuari[oa]|i)\b", re.IGNORECASE)
# There every noun has a capital.
_GERMAN = re.compile(r"\b(?:der|die|das|und|ein|eine|einen|ist|nicht|wird|hat)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """What a clause tells, whether it denies that, and its weight: the person's new words, the old summary, the companion's."""

    words: frozenset[str]
    denies: bool
    weight: int


@dataclass(frozen=True, slots=True)
class Sources:
    """What lines are held against: all words that were said, those the person stands behind, and the clauses."""

    words: frozenset[str]
    own: frozenset[str]
    clauses: tuple[Clause, ...]

    @classmethod
    def of(cls, old: str, said: Sequence[Message]) -> Sources:
        """Take an old summary and what was said since.

        The person stands behind what they said, and behind what they agreed to or answered at once.
        """
        own: list[str] = []
        other: list[str] = []
        for place, message in enumerate(said):
            text = visible(message.text)
            following = said[place + 1] if place + 1 < len(said) else None
            if message.role is Role.USER:
                own.append(text)
            elif following is not None and following.role is Role.USER:
                agreed = _ASSENT.match(visible(following.text)) is not None
                for sentence in _SENTENCE.split(text):
                    (own if agreed or OPEN_QUESTION.match(sentence) else other).append(sentence)
            else:
                other.append(text)
        mine = frozenset(word for text in (old, *own) for word in tokens(text))
        clauses = tuple(
            Clause(frozenset(telling(clause)), negated(clause), weight)
            for weight, texts in enumerate((other, [visible(old)], own))
            for text in texts
            for clause in _CLAUSE.split(text)
            if clause.strip()
        )
        return cls(mine | {word for text in other for word in tokens(text)}, mine, clauses)


def of_fields(value: Any) -> Lines:
    """Return the lines of an answer's fields; a text is taken as lines, and what is no text is passed over."""
    if isinstance(value, list):
        value = {key: part for each in value if isinstance(each, dict) for key, part in each.items()}
    if not isinstance(value, dict):
        return {}
    fields = {re.sub(r"[\s_-]+", "_", str(key).strip().casefold()): part for key, part in value.items()}
    lines = {field: tuple(_texts(fields.get(field, fields.get(field.rstrip("s"))))) for field, _ in HEADINGS}
    return lines if any(lines.values()) else {}


def _texts(value: Any) -> list[str]:
    match value:
        case str():
            return value.splitlines()
        case list():
            return [line for part in value for line in _texts(part)]
        case dict():
            return [line for part in value.values() for line in _texts(part)]
        case _:
            return []


def under_headings(text: str) -> Lines:
    """Return the lines of an answer that has the headings in place of fields; empty without any."""
    found: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading is not None:
            name = heading.group(1).casefold().replace(" ", "_")
            field = "open_threads" if name.startswith("open") else next(f for f, _ in HEADINGS if f[:4] == name[:4])
            lines = found.setdefault(field, [])
            line = heading.group(2)
        if lines is not None:
            lines.append(line)
    return found


def sift(lines: Lines, sources: Sources) -> tuple[Lines, tuple[str, ...]]:
    """Return the lines that hold, each once, and why others do not; a reason never repeats a secret."""
    held: dict[str, list[str]] = {}
    refused: list[str] = []
    seen: set[tuple[str, ...]] = set()
    room = _MOST_LETTERS
    for field, _ in HEADINGS:
        for raw in lines.get(field, ()):
            line = " ".join(_MARK.sub("", visible(raw)).split())
            key = tokens(line)
            if not key or key in seen or _EMPTY.fullmatch(line.rstrip(".! ")):
                continue
            seen.add(key)
            if (reason := _refusal(line, field, sources)) is not None:
                refused.append(reason)
            elif len(held.setdefault(field, [])) < MOST_LINES and len(line) <= room:
                held[field].append(line)
                room -= len(line)
    return held, tuple(refused)


def rendered(lines: Lines) -> str:
    """Return a summary's text: each heading that has lines, in their order."""
    parts = ["\n".join([title, *(f"- {line}" for line in lines[field])]) for field, title in HEADINGS if lines.get(field)]
    return "\n\n".join(parts)


def _refusal(line: str, field: str, sources: Sources) -> str | None:
    if secret_in(line) is not None:
        return "A line looked like a secret."
    if len(line) > _LONGEST:
        return "A line was too long."
    bent = _GERMAN.search(line) is not None
    for name in _names_of(line):
        if not _named(name, sources, bent=bent):
            return f"Nobody said “{name}”."
    for number in _numbers_of(line):
        if not heard(number, sources.words):
            return f"Nobody said “{number}”."
    wanted = [word for word in telling(line) if word not in _MINUTES]
    found = [word for word in wanted if heard(word, sources.words)]
    if len(found) < len(wanted) * _GROUNDED:
        return f"Nobody said: {line}"
    if _claims(line, field) and sum(not heard(word, sources.own) for word in found) > len(found) * _ADVISED:
        return f"Only the companion said: {line}"
    if not wanted and not all(heard(word, sources.words) for word in tokens(line) if word not in _MINUTES):
        return f"Nobody said: {line}"
    if _turned_around(line, sources):
        return f"What was said is denied, or the other way round: {line}"
    return None


def _claims(line: str, field: str) -> bool:
    """Tell whether a line says something of the person, or as settled, that they have to have said themselves."""
    return not _COMPANION.search(line) and (field in ("decisions", "facts") or _OF_THE_PERSON.match(line) is not None)


def _names_of(line: str) -> list[str]:
    """Return the names and codes of a line, which have to have been said just so."""
    return [name for name in (*names_in(line), *codes_in(line)) if folded(name) not in _MINUTES]


def _numbers_of(line: str) -> list[str]:
    return [word for word in tokens(line) if any(char.isdigit() for char in word) or word in COUNTS]


def _named(name: str, sources: Sources, *, bent: bool) -> bool:
    """Tell whether a name was said; `bent` where a capital may be any noun's, in any of its forms."""
    for part in tokens(name):
        if part in sources.words or part in _MINUTES or not telling(part):
            continue
        if not (bent and heard(part, sources.words)):
            return False
    return True


def _turned_around(line: str, sources: Sources) -> bool:
    """Tell whether, for some clause of a line, those that say the same all deny where it does not, or the other way round."""
    for clause in _CLAUSE.split(line):
        wanted = [word for word in telling(clause) if word not in _MINUTES]
        if len(wanted) < 2:
            continue
        shares = [(sum(heard(word, said.words) for word in wanted) / len(wanted), said) for said in sources.clauses]
        same = [(share, said) for share, said in shares if share >= _SAME]
        heaviest = max((said.weight for _, said in same), default=0)  # what was said since counts more than what was carried on
        same = [(share, said) for share, said in same if said.weight == heaviest]
        best = max((share for share, _ in same), default=0.0)
        if same and all(said.denies != negated(clause) for share, said in same if share == best):
            return True
    return False
