"""Codes and keys by the sentences they are told in: "4471 is what you type at the gate", "Gate code. 4471.", "serial …".

The one rule: beside what they open, or the name that follows them, digits count unless they are a time, a year, a price.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.learn import secret_values as values
from ricordo.learn.secret import Kind, Reading, Secret, fold, near_digits
from ricordo.learn.secret_names import Name
from ricordo.learn.secret_things import LOCKS
from ricordo.learn.secret_words import OPENS, PUBLIC_CODES, Label

_DIGITS = r"(?P<digits>[#*]?\d(?:[ -]?\d){2,9}[#*]?)"
_ENTRANCES = fold(
    r"(?:front |back |side |main |garden |cellar |street |car park |parking |office |shed )?(?:door|gate|entrance|garage|barrier)"
    r"|building|suitcase|briefcase|locker|intercom|haustür|hauseingang|garage|garagentor|hoftor|koffer|porte|portail|portone"
    r"|cancello|portal|garaje|deur|voordeur|poort|schuur|spind"
)
_PLACE = rf"(?:{LOCKS}|{_ENTRANCES})"
_AT = r"(?:at|by|on|in|of|to|for|bei|im|am|von|chez|de|del|di|da|van|bij)"
# The thing and its digits are all of a line or of an item: "front door 4471", "garage: 4-4-7-1".
_ITEM = re.compile(
    rf"(?:^|[\n,;(]|\.\s)\s*(?:[-*]\s)?(?:[\w'-]{{1,15}} ){{0,3}}?\b{_PLACE}"
    rf"(?: {_AT}(?: [\w']{{1,15}}){{1,3}}?)?"
    r"(?: (?:downstairs|upstairs|outside|unten|oben))?(?P<mark>'s\s|\s*[:=→]\s*|\s->\s|\s--?\s|,?\s|\s?\()"
    rf"{_DIGITS}(?=\s*(?:$|[\n,;)]|\.(?:\s|$))|,? (?:and )?then\b)"
)
_SAID = re.compile(
    rf"(?<![\w.,:/+-]){_DIGITS}\s+(?:is|was|ist|est|es|e)\s+(?:what|how|the (?:one|number|four|digits)|was man|was ich"
    rf"|ce que|lo que"
    r"|quello che)\b[^\n.;!?]{0,50}?\b(?:types?|enters?|press(?:es)?|dials?|punch|tap|key in|unlocks?|opens?|get in|gets|disarms?"
    r"|let|lets|cash machine|atm|door|gate|tippt|eingibt)\b"
)
_GETS_IN = re.compile(
    r"\b(?:gets?|got|lets?|comes?|goes|go|logs?|disarms?|unlocks?|opens?|entsperr\w{1,2}|kommt? man rein|rein)(?: (?:you|me"
    r"|us|him|her|them|it|himself"
    r"|herself))?(?: (?:in|inside|through|into it))?(?: there)?\s(?:with|using|by (?:typing|pressing|entering)"
    r"|mit)\s(?:the (?:code|pin|number)s? )?"
    rf"{_DIGITS}(?![\w%€$£]|[:.,]\d)"
)
_NEEDED = re.compile(
    rf"\b(?:need|needs|needed|want|wants|braucht|brauchst)\s{_DIGITS}\s(?:for|to|at|fur|am|um)\b[^\n.;!?]{{0,25}}?"
    rf"\b(?:{LOCKS}|{_ENTRANCES}|get in|get through|open|unlock|disarm)\b"
)
_INTO = re.compile(
    r"\b(?:punch|type|enter|key|tap|put|press)(?:ed|es|s)?(?: in)?\s"
    + _DIGITS
    + rf"\s(?:in|into|on|at)\b[^\n.;!?]{{0,20}}?\b(?:{_PLACE})\b"
)
_UNLOCK = re.compile(
    rf"\b(?:phone|iphone|ipad|tablet|laptop|screen|handy|telefono|movil|telefoon)\b[^\n.;!?\d]{{0,25}}?{_DIGITS}\s(?:to|zum"
    rf"|pour|per|para|om te)\s(?:unlock|open"
    r"|get in|entsperren|deverrouiller|sbloccar|desbloquear)"
)
_CHANGED = re.compile(
    rf"\b{_PLACE}\b[^\n.;!?\d]{{0,30}}?\b(?:chang\w{{1,3}}|set|reset|switched|updated)\b[^\n.;!?\d]{{0,20}}?\bto\s{_DIGITS}"
)
_CAMBIATO = re.compile(
    fold(rf"\b{_PLACE}\b[^\n.;!?\d]{{0,30}}?\b(?:geändert|veranderd|gewijzigd|cambiado|cambiato|change|mudou|cambio)\b")
    + rf"[^\n.;!?\d]{{0,20}}?\b(?:in|auf|a|en|zu|para|naar|par)\s{_DIGITS}"
)
_TYPED_IN = re.compile(
    rf"\b(?:{LOCKS})\b[^\n.;!?\d]{{0,60}}?\b(?:typed|entered|put in|pressed|punched in|tapped in)\s{_DIGITS}"
    rf"|\b(?:put|type|punch|key|tap|enter)(?: in)? (?P<ahead>\d{{3,8}}[#*]?)\s(?:or|before)\b[^\n.;!?\d]{{0,20}}?\b(?:{LOCKS})\b"
)
_SET_TO = re.compile(
    rf"\b(?:chang\w{{1,3}}|set|reset|switched|updated)\b[^\n.;!?\d]{{0,25}}?\b{_PLACE}\b[^\n.;!?\d]{{0,15}}?\bto\s{_DIGITS}"
)
# In the sentence after the one that names it: "… a lock for the bike. The number for it is 3618."
_THEN = (
    r"(?:(?:the|its|my|our|new) (?:new )?(?:number|code|combination|combo|digits|pin)(?: (?:for|of|on|to) (?:it|that|this"
    r"|the \w{1,12}))?(?: (?:is|are|was)|:)"
    r"|(?:it's|it is|it was|that's)(?: now)?|(?:you|i|we|one)(?: now| just| have to| must)? (?:press|enter|type|dial"
    r"|punch(?: in)?|tap)(?: \w,?(?: then)?)?"
    r"|it (?:unlocks|opens|works) with|it (?:takes|wants)|(?:and )?(?:i|we|she|he|they|mum|dad) (?:made it|chose|picked"
    r"|went with|set it to|changed it to)"
    r"|e o|e il|es el|c'est(?: le)?|es ist(?: die)?|sie ist|er ist|het is(?: nu)?|le code est|der code ist|el codigo es"
    r"|il codice e|o codigo e"
    r"|(?:si fa|si preme|si digita|man tippt|man drückt|on tape|je toetst|se marca|se pulsa))"
)
_AFTERWARDS = re.compile(
    rf"\b(?:{LOCKS}|pin|pin number|pin code|passcode|keypad|(?:door|gate|entry|access|phone|unlock|garage|barrier) codes?"
    rf"|codigo|codice|bancomat"
    rf"|multibanco|digicode|barrier|antifurto)\b[^\n]{{0,90}}?(?:[.;!?,:]\s+|\s(?=and\s)|\s(?=si\s))(?:so |now "
    rf"|and )?{_THEN}\s(?:(?:now|just|still|the|in) )?{_DIGITS}"
)
_TURNS = re.compile(
    rf"\b(?:{LOCKS}|combination|combo|locker)\b[^\n.!?\d]{{0,40}}?(?P<digits>\d{{1,2}}(?:(?:,? (?:and|then|und|dann|e|et|y)"
    rf"|,|-|/| -) ?\d{{1,2}}){{2,4}}|\d\d \d\d \d\d)"
    r"(?![\w%€$£/]|[:.,]\d|-\d)"
)
_CLOCK = re.compile(r"(?:[01]?\d|2[0-3])[0-5][05]$")
_ROUND = re.compile(r"\d+00$")
_DATE = re.compile(r"(?:[0-3]?\d[/ -][01]?\d|[01]?\d[/ -][0-3]?\d)[/ -](?:19|20)?\d\d$")
_ANY_THING = re.compile(
    rf"\b(?:{LOCKS}|{_ENTRANCES}|phone|iphone|ipad|tablet|laptop|screen|handy|telefono|movil|telefoon|combination|combo"
    rf"|pins?|passcode|codes?|codigo|codice|bancomat|multibanco|barrier|gets?|lets?|rein|type|enter|disarm\w?|use|uses"
    rf"|turns|unlocks?|opens?)\b"
)
_BEFORE, _BEHIND = 160, 120  # signs that are looked at
_SERIAL = re.compile(
    r"\b(?:serials?|licen[cs]e|licen[cs]es|lizenz\w{0,12}|activation|product|registration|seriennummer|licence|licencia"
    r"|licenza)\b"
    r"[^\n]{0,60}?(?<![\w-])(?P<key>(?:[a-z0-9]{4,6}-){3,8}[a-z0-9]{4,6})(?![\w-])"
)
_DOES = re.compile(
    rf"(?<![\w.,:/+-]){_DIGITS}\s(?:turns?|switches|shuts|arms|disarms|sets|opens|unlocks|gets"
    rf"|lets)\b[^\n.;!?]{{0,25}}?\b(?:{LOCKS}"
    rf"|{_ENTRANCES}|phone|tablet|off|in)\b"
)
_FOR_ALL = re.compile(
    rf"\b(?:use|uses|have|nehme|uso)\s{_DIGITS}\s(?:for|as|fur|per|para)\s(?:every|all|both|my|the|each)\b[^\n.;!?]{{0,20}}?"
    r"\b(?:cards?|pins?|phones?|locks?|doors?|safes?|alarms?|codes?)\b"
)
_PASSCODES = frozenset(["passcode", "pass code"])
_AHEAD = re.compile(
    rf"(?<![\w.,:/+-]){_DIGITS}(?:\s*\(|\s*[,;]\s|\s--?\s|\s*[=:]\s*|\s(?:is|was|ist|est|es|e)\s|,? (?:that's|that is"
    rf"|das ist|c'est|es)\s"
    r"|\s(?:for|fur|pour|para|per)\s)(?:(?:my|the|our|his|her|a|new|old|mein\w*|die|der|mon|le|mi|il)\s)?(?:[\w'-]{1,15} ){0,3}$"
)
_ASIDE = re.compile(rf",\s[^\n.;!?:\d]{{3,50}}:\s+{_DIGITS}(?![\w%€$£]|[:.,]\d)")
_WAYS = (_ITEM, _SAID, _GETS_IN, _NEEDED, _INTO, _UNLOCK, _CHANGED, _CAMBIATO, _TYPED_IN, _SET_TO, _AFTERWARDS, _DOES, _FOR_ALL)
_STOPPED = re.compile(rf"(?:\s[^\n.;!?\d]{{1,25}})?\s?\.\s+{_DIGITS}(?=[.!]?\s*(?:$|\n|[A-Z]))")


def coded(reading: Reading) -> Iterator[Secret]:
    """Yield codes that are told beside what they open, and printed keys beside the word for them."""
    folded = reading.folded
    for begin, end in near_digits(folded, _BEFORE, _BEHIND):
        for match in _SERIAL.finditer(folded, begin, end):
            if any(map(str.isdigit, match["key"])):
                yield Secret(
                    Kind.KEY, *match.span("key"), "It gives a key: groups of letters and digits stand near the name of one."
                )
        if _ANY_THING.search(folded, begin, end):
            yield from _codes(folded, begin, end)


def _codes(folded: str, begin: int, end: int) -> Iterator[Secret]:
    for way in _WAYS:
        for match in way.finditer(folded, begin, end):
            start, stop = match.span("digits" if match["digits"] else "ahead")
            if way is _ITEM and not match["mark"].strip(" ,") and match[0][0] in ",;(":
                continue
            if _may_open(folded, start, stop):
                yield Secret(Kind.CODE, start, stop, "It gives a code: digits that are said to open something.")
    for match in _TURNS.finditer(folded, begin, end):
        if not _DATE.match(match["digits"]) and values.stands_alone(folded, match.end("digits")) and "alarm" not in match[0]:
            yield Secret(Kind.CODE, *match.span("digits"), "It gives the turns of a combination lock.")


def code_beside(reading: Reading, name: Name) -> Secret | None:
    """Return the digits before a name ("4471 (card PIN)"), or in the sentence after it ("Gate code. 4471.")."""
    if (name.label not in (Label.PIN, Label.CODE) and name.word not in _PASSCODES) or name.word in (
        "pins",
        "digits",
        "security number",
    ):
        return None
    begin = max(0, name.start - 70)
    around = reading.folded[max(0, name.start - 40) : name.stop + 20]
    if PUBLIC_CODES.search(around) or (name.label is not Label.PIN and not OPENS.search(around)):
        return None
    before = _AHEAD.search(reading.folded[begin : name.start])
    aside = _ASIDE.match(reading.folded, name.stop, name.stop + 80)
    after = _STOPPED.match(reading.folded, name.stop, name.stop + 30)
    for match, offset in ((before, begin), (aside, 0), (after, 0)):
        if match and not values.year(match["digits"]):
            start, stop = (offset + at for at in match.span("digits"))
            return Secret(Kind.CODE, start, stop, "It gives a code: digits stand beside the name of one.")
    return None


def _may_open(folded: str, start: int, stop: int) -> bool:
    digits = folded[start:stop].strip("#*")
    together = digits.replace(" ", "").replace("-", "")
    if _CLOCK.match(together) or _ROUND.match(together) or values.year(together) or len(together) > 8:
        return False
    return not values.counts_something(folded[stop : stop + 20]) and (
        values.stands_alone(folded, stop) or folded[stop : stop + 1] == " "
    )
