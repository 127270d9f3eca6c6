"""Secrets beside their names: "my wifi password is …", "PIN: …", `"password":"…"`, "the code for the alarm is …".

A name alone is nothing: there has to be a value, and secret_judges says whether it is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.learn import secret_values as values
from ricordo.learn.secret import Kind, Reading, Secret
from ricordo.learn.secret_clauses import in_clause
from ricordo.learn.secret_coded import code_beside
from ricordo.learn.secret_judges import judge
from ricordo.learn.secret_names import Link, Name, names
from ricordo.learn.secret_sentences import ADVERBS, IS, IT_IS, OF, OWN, PARTICLES, TO
from ricordo.learn.secret_worded import worded
from ricordo.learn.secret_words import OPENS, Label

_WINDOW = 160  # signs after a name that are looked at

_LINK = re.compile(
    rf"[\"'\])}}]*(?:"
    rf"(?P<where>(?:\s*\([^()\n]{{0,40}}\)|\s+(?:{OWN}))?(?:,?\s+(?:{OF})\b(?:[^\n:=;!?.\"]|\.(?=\w)"
    rf"|(?<=\d):(?=\d)){{0,60}}?)?)"
    rf"(?:(?P<verb>\s{{0,3}}[,(-]?\s+(?:{IS})\s+|'s\s+|\s*(?:{PARTICLES})\s*)"
    rf"|(?P<mark>\s*(?::=|=>|->|→|[:=>|])\s*|\s--?\s)|(?P<to>\s+(?:{TO})\s+))"
    rf"|(?P<loose>(?:\s+[^\s:=;!?.,\"']{{1,20}}){{1,3}}?)\s*[:=]\s+)"
    rf"(?:(?:{ADVERBS}|:|-)\s+|[:=]\s*)*"
)
_LINK_IS = re.compile(
    rf"(?P<where>,?\s+(?:{OF})\b(?:(?!\s(?:and|but|he|she|it|they|i|we|who|which|that|because|so|if|when|und|e|et"
    rf"|y)\s)[^\n:=;!?.\"])"
    rf"{{0,60}}?)\s+(?:{IS})\s+(?:(?:{ADVERBS})\s+)*"
)
_NEXT = re.compile(
    rf"[^\n:=;!?.\"]{{0,60}}?(?:\s(?:{IS})\s+|[:=]\s*|[.;,!]\s+(?:now\s+|so\s+)?(?:{IT_IS})\s+)(?:(?:{ADVERBS})\s+)*"
)
_LATER = {Label.PIN: Link.VERB, Label.CODE: Link.VERB, Label.PASSWORD: Link.TO}
# "My PIN is the year he was born, 1998": what is told of it comes before.
_TOLD = re.compile(
    rf"[^\n.;!?,]{{0,40}}?(?:\s(?:{IS})|'s)\s[^\n.;!?,]{{3,60}},\s+(?:(?:so|namely|i\.e\.)\s+)?(?:(?:{IT_IS})\s+)?"
)
_LIKE = re.compile(r"\b(?:name|birthday|birth|street|anniversary|wedding|date|year|word|plus|followed)\b")
_SETS = re.compile(
    r"\b(?:set|change|changed|reset|switched|updated|made|geandert|gesetzt|cambiato|cambie|change)\s+(?:\w+\s+){0,4}$"
)
_ASKED = re.compile(r"\?\s+")
_BARE = re.compile(r"[\"'\])}]*\s*(?:no\.?|nr\.?|number|#)?\s+\(?")
_WHAT_IT_OPENS = re.compile(r"(?:[^\W\d_][\w']{0,20}\s+){1,4}(?=[\d#*])")


def labelled(reading: Reading) -> Iterator[Secret]:
    """Yield what stands beside the name of a secret."""
    for name in names(reading):
        if found := _after(reading, name) or _before(reading, name) or worded(reading, name) or code_beside(reading, name):
            yield found


def _after(reading: Reading, name: Name) -> Secret | None:
    for at, link, where in _places(reading, name):
        if found := judge(reading, name, at, link, where):
            return found
    return in_clause(reading, name)


def _places(reading: Reading, name: Name) -> Iterator[tuple[int, Link, str]]:
    """Yield where a value may begin after a name, what links it, and what stands between; the likeliest first."""
    folded, end = reading.folded, min(len(reading.folded), name.stop + _WINDOW)
    at, label = name.stop, name.label
    if link := _LINK.match(folded, at, end):
        at = link.end()
        kind = Link.VERB if link["verb"] or _is_set(reading, name, link) else Link.TO if link["to"] else Link.MARK
        yield at, kind, link["loose"] or link["where"]
        # "The word for picking up the kids from school is …"
        if kind is Link.TO and label is Label.PASSWORD and (said := _LINK_IS.match(folded, name.stop, end)):
            yield said.end(), Link.VERB, said["where"]
    if label is Label.PASSWORD and (asked := _ASKED.match(folded, at, end)):
        yield asked.end(), Link.TO, ""
    if label in (Label.PASSWORD, Label.PIN) and (told := _TOLD.match(folded, name.stop, end)):
        yield told.end(), Link.VERB if label is Label.PIN or _LIKE.search(told[0]) else Link.TO, ""
    # "The code for the alarm, which is new, is 4711": the value may come with the next link; mere words would be any by then.
    if (sure := _LATER.get(label)) and (later := _NEXT.match(folded, at, end)):
        yield later.end(), sure, folded[name.stop : later.end()]
    if bare := _BARE.match(folded, name.stop, end):
        yield bare.end(), Link.NONE, ""
        # "код домофона 38", "PIN for the card 4821"
        opened = _WHAT_IT_OPENS.match(folded, bare.end(), end)
        if opened and label in (Label.PIN, Label.CODE) and OPENS.search(opened[0]):
            yield opened.end(), Link.NONE, opened[0]


def _is_set(reading: Reading, name: Name, link: re.Match[str]) -> bool:
    """Say whether a word is what a password was set to: "I changed it to Lindenweg", not "I gave it to Tom"."""
    to = link["to"] is not None and link["to"].strip() in ("to", "auf", "in", "a", "en", "naar", "на")
    before = reading.folded[max(0, name.start - 40) : name.start]
    return to and reading.text[link.end() : link.end() + 1].isupper() and _SETS.search(before) is not None


_REVERSED = re.compile(
    r"(?<!\S)(?:\"(?P<quoted>[^\"\n]{3,64})\"|[\"'(]*(?P<value>[^\s\"'(]\S{2,63}))\s+(?:(?:that|this|it|das|dies)\s+)?"
    r"(?:is|was|ist|war|est|es|era|e|as|als|como|comme|come|→|->|=)\s+(?P<whose>(?:[\w'-]{1,20}\s+){0,3})$"
)
_CHOSEN = re.compile(
    r"\b(?:chose|chosen|picked|took|takes|uses?|using|nahm|nimmt|gewählt|scelto|choisi|elegido|elegí)$", re.IGNORECASE
)
_MINE = re.compile(r"(?:my|our|mein|unser|mon|notre|mi|mio|la mia|minha)\b")
_KINDS = {
    Label.PASSWORD: Kind.PASSWORD,
    Label.PIN: Kind.CODE,
    Label.CODE: Kind.CODE,
    Label.KEY: Kind.KEY,
    Label.PHRASE: Kind.PHRASE,
}


def _before(reading: Reading, name: Name) -> Secret | None:
    """Look for "… is my password", "use … as the PIN"."""
    begin = max(0, name.start - 100)
    match = _REVERSED.search(reading.text[begin : name.start])
    if match is None or name.label not in _KINDS:
        return None
    value = match["quoted"] or values.trimmed(match["value"])
    start = begin + match.start("quoted" if match["quoted"] else "value")
    around = reading.folded[begin : name.stop + 60]
    digits = value.isdigit() and 3 <= len(value) <= 12
    match name.label:
        case Label.PASSWORD:
            shaped = values.made_up(value) or (values.number_only(value) and not values.year(value))
            fits = shaped or _says_so(reading, name, match, value)
        case Label.KEY:
            fits = values.keyish(value)
        case Label.PHRASE:
            fits = match["quoted"] is not None and name.word != "seed"
        case Label.PIN:
            fits = digits
        case _:
            fits = digits and bool(OPENS.search(around))
    kind = _KINDS[name.label]
    return Secret(kind, start, start + len(value), f"It gives a {kind}: its name follows.") if fits else None


def _says_so(reading: Reading, name: Name, match: re.Match[str], value: str) -> bool:
    """Say whether a mere word is said to be one's password: in quotes, or "Swordfish is my password." and no more."""
    if values.ordinary(value):
        return False
    if match["quoted"]:
        return True
    ahead = match.string[: match.start()].rstrip()
    if _CHOSEN.search(ahead):
        return not values.predicate(value)
    whole = (not ahead or ahead[-1] in ".!?:;") and not re.match(r"\s+\w", reading.text[name.stop : name.stop + 20])
    return whole and bool(_MINE.match(match["whose"])) and value.isalpha() and not values.predicate(value)
