"""The person's own words in a turn, clause by clause, each with what kind of saying it is. Only these can ground a fact.

Left out: the reply, attachments, pasted mail, quoted lines and passages, code, tagged blocks, letters that cannot be seen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from ricordo.conversation import Turn
from ricordo.learn import asking, signs
from ricordo.letters import visible


class Kind(StrEnum):
    """What a clause does."""

    SAID = "said"
    ASKED = "asked"
    SUPPOSED = "supposed"
    FORGET = "forget"


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of the person's words; of a question or request only what it takes for granted ("my cousin Beth")."""

    text: str
    kind: Kind
    message: int
    whole: str


_READ = 6_000  # letters at either end of a message: a longer one is read at its two ends
_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_TAGGED = re.compile(r"<([a-zA-Z][\w-]*)\b[^<>]*>.*?<\s*/\s*\1\s*>", re.DOTALL)
_TAG = re.compile(r"<\s*/?\s*[a-zA-Z][^<>\n]{0,200}>")
_MAIL = re.compile(
    r"^[ \t]*(?:-{2,}\s*(?:original|forwarded|weitergeleitet|messaggio|message)\b.*"
    r"|(?:from|sent|subject|von|betreff|da|oggetto|de|objet|asunto|assunto)[ \t]*:[ \t]*\S.*"
    r"|(?:dear|sehr geehrte\w*|gentile|cher|chère|estimad[oa])\b[^.!?\n]{0,60},?[ \t]*)$.*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_PASSAGE = re.compile(
    r'"[^"\n]{1,2000}"|“[^”]{1,2000}”|«[^»]{1,2000}»|„[^“”]{1,2000}[“”]|「[^」]{1,2000}」|‘[^‘\n]{12,2000}?’(?!\w)'
    r"|(?<![\w'])'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w)){12,2000}'(?!\w)"
)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|(?<=[。！？；])|\n+|;\s+|\s+[—–]\s+")
_SUBJECT = (
    r"i|i'm|i've|i'd|my|we|our|he|she|they|it|his|her|the|ich|mein\w*|er|wir|io|mi[oa]|lui|lei|je|j'\w*|mon|ma|mes|il|elle"
    r"|yo|mi|él|ella|eu"
)
_JOINT = re.compile(
    rf",?\s+(?:but|and|while|whereas|because|since|although|though|so|aber|und|weil|denn|ma|e|perché|mais|et|car|pero|y)\s+"
    rf"(?=(?:{_SUBJECT}|please|can you|could you|bitte)\b)|(?<=[，、])(?=[我他她])|:\s+",
    re.IGNORECASE,
)
_ASKS_THEN = re.compile(
    r",\s+(?:so\s+|and\s+)?(?=(?:what|which|how|where|when|why|who|can|could|would|should|any|is|are|do|does)\b)", re.IGNORECASE
)
_GREETING = re.compile(
    r"\W*(?:(?:good (?:morning|night|evening|afternoon|day)|hello|hi|hey|thanks|thank you|bye|welcome)\b\W*)+", re.IGNORECASE
)
# Where a question or a request begins to speak of the person.
_GRANTED = re.compile(
    r"\b(?:my|our|i['’]?m|i am|i have|i['’]ve|i live|i work|mein\w*|ich bin|ich habe|mi[oae]i?|sono|mon|ma|mes|je suis|j['’]ai"
    r"|mis|soy|meus?|minhas?|sou)\b|我的|我是",
    re.IGNORECASE,
)


def clauses(turn: Turn) -> tuple[Clause, ...]:
    """Return the person's own words in a turn; nothing of it that asks not to be remembered (E17) but what it asks to forget."""
    found = _clauses(turn.asked.text, turn.asked.id)
    if asking.WITHHELD.search(visible(turn.asked.text)):
        return tuple(clause for clause in found if clause.kind is Kind.FORGET)
    return found


@lru_cache(64)
def _clauses(text: str, message: int) -> tuple[Clause, ...]:
    found = []
    own = _own(text)
    played = signs.PLAYED.search(own) is not None
    for sentence in _SENTENCE.split(own):
        sentence = sentence.strip()
        if not any(char.isalnum() for char in sentence):
            continue
        if asking.FORGET.match(sentence):
            found.append(Clause(sentence, Kind.FORGET, message, sentence))
        elif played or signs.SUPPOSED.search(sentence):
            found.append(Clause(sentence, Kind.SUPPOSED, message, sentence))
        elif _asks(sentence):
            told, question = _told_before(sentence)
            found += [_clause(part, message, sentence) for part in _parts(told)]
            found.append(Clause(_granted(question), Kind.ASKED, message, sentence))
        elif not _GREETING.fullmatch(sentence):
            found += [_clause(part, message, sentence) for part in _parts(sentence)]
    return tuple(found)


def _told_before(sentence: str) -> tuple[str, str]:
    """Part "I have diabetes, what can I eat?" into what is told and what is asked."""
    turn = _ASKS_THEN.search(sentence)
    told = sentence[: turn.start()] if turn else ""
    if turn is None or _asks(told) or not (signs.FIRST.match(told) or signs.MINE.match(told)):
        return "", sentence
    return told, sentence[turn.end() :]


def _clause(part: str, message: int, sentence: str) -> Clause:
    if asking.REQUEST.match(part) and not asking.FOR_GOOD.search(part):
        return Clause(_granted(part), Kind.ASKED, message, sentence)
    return Clause(part, Kind.SAID, message, sentence)


def _parts(sentence: str) -> list[str]:
    """Split a sentence where another subject begins; "Anna and I" is one."""
    parts: list[str] = []
    start = 0
    for joint in _JOINT.finditer(sentence):
        if len(sentence[start : joint.start()].split()) > 2 or not joint.group():
            parts.append(sentence[start : joint.start()])
            start = joint.end()
    return [part.strip() for part in (*parts, sentence[start:]) if part.strip()]


def _own(text: str) -> str:
    """Leave out what a person's message holds that they did not say."""
    if len(text) > 2 * _READ:
        text = f"{text[:_READ]}\n{text[-_READ:]}"
    text = _CODE.sub("\n", visible(text))
    text = _QUOTED_LINE.sub("", text)
    text = _TAG.sub(" ", _TAGGED.sub(" ", text))
    text = _LINK.sub(r"\1", _MAIL.sub("", text))
    if given := signs.GIVEN_TEXT.search(text):
        text = text[: given.end()]
    return _PASSAGE.sub(_short_quotation, text)


def _short_quotation(match: re.Match[str]) -> str:
    """Keep quoted names; a passage of four words and more is somebody's speech, or a text."""
    inside = match.group()[1:-1]
    return match.group() if len(inside.split()) < 4 and len(inside) < 40 else " "


def _asks(sentence: str) -> bool:
    if asking.QUESTION.search(sentence):
        return True
    return asking.REQUEST.match(sentence) is not None and not asking.FOR_GOOD.search(sentence)


def _granted(sentence: str) -> str:
    """Return what a question or request takes for granted: from "my …" or "I am …" on; nothing where just that is asked."""
    fitting = asking.OPEN_QUESTION.search(sentence) or asking.REQUEST.match(sentence)
    if not fitting or asking.WHETHER.search(sentence):
        return ""
    start = _GRANTED.search(sentence.partition(":")[0])
    return sentence[start.start() :].rstrip("?？؟! ") if start else ""
