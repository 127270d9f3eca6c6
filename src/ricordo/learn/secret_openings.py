"""Secrets without a name: what opens a thing ("the safe opens with …", "enter … at the gate", "the alarm is …").

The one rule: the thing, the opening and a value have to stand in one clause; any two of them are an ordinary sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.learn import secret_values as values
from ricordo.learn.secret import Kind, Reading, Secret
from ricordo.learn.secret_sentences import TURNS
from ricordo.learn.secret_things import FILL, IS_SET, LOCKS, OPENING, THINGS, TYPED, USED, WITH

# What may open something: digits, a word with a digit or a sign in it, a quoted one, one that is said to be a word. What stands
# before and after is looked at from there, so that a text without them costs little.
_VALUE = re.compile(
    r"(?<![\w.,:/+-])(?P<digits>[#*]?\d(?:[ \-./]{0,3}\d){2,11}[#*]?|\d{2,4}[A-F]\d{0,3}|[A-F]\d{3,5})(?![\w%€$£]|[:.,]\d)"
    r"|\"(?P<quoted>[^\"\n]{3,64})\""
    r"|(?<![^\s\"'(])(?P<word>(?=[^\s\d!$#_]{0,40}[\d!$#_])[^\s\"<>]{6,64})"
)
_SIGN = re.compile(r"[\d\"!$#_]")
_AS_A_WORD = re.compile(
    r"\b(?:word|wort|parola|mot|palabra|palavra|woord|слово)\s[\"']?(?P<named>[^\W\d_]{4,30})(?![\w-])", re.IGNORECASE
)
_BEFORE, _BEHIND = 110, 80  # signs that are looked at
_LEAD = rf"(?:\s+(?:{FILL})\b){{0,3}}[:,]?\s+[\"'(]?$"
_THING = re.compile(rf"\b(?:{LOCKS}|{THINGS}|log in|sign in)\b")
_OPENED = re.compile(rf"\b(?:{LOCKS}|{THINGS})\b[^\d]{{0,50}}?\b(?:{WITH}|{TYPED}){_LEAD}")
_OPENS_IT = re.compile(
    rf"\b(?:{OPENING})\s[^:\d]{{0,30}}?\b(?:{LOCKS}|{THINGS}|it)\s+(?:with|using|by typing|by entering|mit|con|avec|com){_LEAD}"
)
_PUT_IN = re.compile(rf"\b(?:{TYPED}|{USED}){_LEAD}")
# A code may be put in for many reasons; these are the ones to keep it to oneself.
_PURPOSE = re.compile(
    rf"[^\n.;!?]{{0,40}}?(?:\b(?:{LOCKS})\b|\b(?:to|at|for|on|an|am|pour|per|para|voor|bij)\b[^\n.;!?]{{0,20}}?"
    rf"\b(?:{THINGS}|log in|sign in|log on|get in|let (?:me|you|us|them) in|verify|unlock|disarm)\b)"
)
_SET = re.compile(
    rf"\b(?:{LOCKS}|interphone|(?:back |front |side |garden )(?:gate|door))(?:\s+(?:{IS_SET})(?=[\s:])|'s"
    r"|(?:\s(?:im|in|at|on|by|nel|nella|en el|dans)\b[^:\d]{0,30})?[:=]|\s-|,)?\s+$"
)
# Further on in the clause of a lock, or before it: only four digits and more that are no time, year, price or count.
_LOCKED = re.compile(rf"\b(?:{LOCKS})\b[^\d]{{0,60}}\s$")
_GATE = re.compile(
    rf"\b(?:gate|door|turnstile|barrier|haustur|tor|porte|portail|puerta|portone|cancello|deur|poort)\s+(?:{IS_SET})\s+$"
)
_UNLOCKS = re.compile(
    rf"(?: \w{{1,10}})? (?:to|zum|pour|per|para|om) (?:arm|disarm|open|unlock|turn off|offnen|ouvrir|aprire|abrir)\b"
    rf"[^\n.;!?]{{0,30}}?\b(?:{LOCKS}|{THINGS})\b"
)
_CODE = re.compile(r"[#*]?\d{4,6}[#*]?$")
_TIME = re.compile(r"(?:[01]?\d|2[0-3])[0-5][05]$")
_EMERGENCY = frozenset("000 110 111 112 113 115 116 117 118 119 144 911 999".split())
# Networks: what is said of one is its name or its password.
_NETWORK = re.compile(
    rf"\b(?:wi-?fi|wlan|hotspot)\b(?:\s+(?:at|in|for|of|on|im|in|bei|auf|del|de|du|chez)\b[^:\d]{{0,30}}?)?"
    rf"(?:\s+(?:{IS_SET})\s+|'s\s+|\s*[:=]\s*|\s-\s)(?:[^\s/|,]{{1,30}}\s?[/|,]\s?)?$"
)
_TURN = rf"(?:(?:{TURNS})(?: to)? \d{{1,2}}|\d{{1,2}} (?:{TURNS}))"
_TURNED = re.compile(rf"\b{_TURN}(?:,? (?:(?:and |then |und |dann )?{_TURN})){{2,4}}\b")


def openings(reading: Reading) -> Iterator[Secret]:
    """Yield codes and made-up words that are said to open something."""
    folded = reading.folded
    if not _THING.search(folded):
        return
    for match in _TURNED.finditer(folded):
        yield Secret(Kind.CODE, *match.span(), "It gives the turns of a combination lock.")
    for match in _values(reading.text):
        kind = match.lastgroup or "word"
        start, stop = match.span(kind)
        before = _CLAUSE_END.split(folded[max(0, match.start() - _BEFORE) : match.start()])[-1]
        if kind == "digits":
            if _opens(before, folded, start, stop):
                yield Secret(Kind.CODE, start, stop, "It gives a code: digits that are said to open something.")
        elif any(way.search(before) for way in (_OPENED, _OPENS_IT, _NETWORK)):
            value = values.trimmed(match[kind])
            if values.made_up(value) or (kind == "named" and not values.ordinary(value)):
                yield Secret(Kind.PASSWORD, start, start + len(value), "It gives a password: a word that opens something.")


def _values(text: str) -> Iterator[re.Match[str]]:
    """Yield what may open something, found by a sign in it."""
    yield from _AS_A_WORD.finditer(text)
    done = 0
    for sign in _SIGN.finditer(text):
        if (at := sign.start()) < done:
            continue
        begin = max(max(done, at - 64) - 1, *(text.rfind(space, max(done, at - 64), at) for space in ' \n"(')) + 1
        if match := _VALUE.match(text, begin) or _VALUE.match(text, at):
            yield match
            done = match.end()


_CLAUSE_END = re.compile(r"[\n;!?]|\.\s")


def _opens(before: str, folded: str, start: int, stop: int) -> bool:
    """Say whether digits open something, by what stands before and after them."""
    behind = folded[stop : stop + _BEHIND]
    digits = "".join(filter(str.isdigit, folded[start:stop]))
    if values.counts_something(behind) or not values.stands_alone(folded, stop) or digits in _EMERGENCY:
        return False
    if any(way.search(before) for way in (_OPENED, _OPENS_IT, _NETWORK)) or (_PUT_IN.search(before) and _PURPOSE.match(behind)):
        return True
    if _TIME.match(digits):
        return False
    plain = _CODE.match(folded[start:stop]) and values.bare_code(folded, start, stop)
    return bool(_SET.search(before) or (plain and (_GATE.search(before) or _LOCKED.search(before) or _UNLOCKS.match(behind))))
