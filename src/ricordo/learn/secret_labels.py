"""Secrets beside their names: "my wifi password is …", "PIN: …", `"password":"…"`, "the code for the alarm is …".

A name alone is nothing: there has to be a value, and secret_judges says whether it is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.learn import secret_values as values
from ricordo.learn.secret import Kind, Reading, Secret
from ricordo.learn.secret_judges import Link, judge
from ricordo.learn.secret_names import Name, names
from ricordo.learn.secret_sentences import ADVERBS, IS, IT_IS, OF, OWN, PARTICLES, TO
from ricordo.learn.secret_words import OPENS, Label

_WINDOW = 160  # signs after a name that are looked at

_LINK = re.compile(
    rf"[\"'\])}}]*(?:"
    rf"(?P<where>(?:\s*\([^()\n]{{0,40}}\)|\s+(?:{OWN}))?(?:,?\s+(?:{OF})\b(?:[^\n:=;!?.\"]|\.(?=\w)|(?<=\d):(?=\d)){{0,60}}?)?)"
    rf"(?:(?P<verb>\s{{0,3}}[,(-]?\s+(?:{IS})\s+|'s\s+|\s*(?:{PARTICLES})\s*)"
    rf"|(?P<mark>\s*(?::=|=>|->|→|[:=>|])\s*|\s--?\s)|(?P<to>\s+(?:{TO})\s+))"
    rf"|(?P<loose>(?:\s+[^\s:=;!?.,\"']{{1,20}}){{1,3}}?)\s*[:=]\s+)"
    rf"(?:(?:{ADVERBS}|:|-)\s+|[:=]\s*)*"
)
_NEXT = re.compile(
    rf"[^\n:=;!?.\"]{{0,60}}?(?:\s(?:{IS})\s+|[:=]\s*|[.;,!]\s+(?:now\s+|so\s+)?(?:{IT_IS})\s+)(?:(?:{ADVERBS})\s+)*"
)
_LATER = {Label.PIN: Link.VERB, Label.CODE: Link.VERB, Label.PASSWORD: Link.TO}
_BARE = re.compile(r"[\"'\])}]*\s*(?:no\.?|nr\.?|number|#)?\s+\(?")
_WHAT_IT_OPENS = re.compile(r"(?:[^\W\d_]{1,20}\s+){1,4}(?=[\d#*])")


def labelled(reading: Reading) -> Iterator[Secret]:
    """Yield what stands beside the name of a secret."""
    for name in names(reading):
        if found := _after(reading, name) or _before(reading, name):
            yield found


def _after(reading: Reading, name: Name) -> Secret | None:
    folded, end = reading.folded, min(len(reading.folded), name.stop + _WINDOW)
    at = name.stop
    if link := _LINK.match(folded, at, end):
        at = link.end()
        kind = Link.VERB if link["verb"] else Link.TO if link["to"] else Link.MARK
        if found := judge(reading, name, at, kind, link["loose"] or link["where"]):
            return found
    # "The code for the alarm, which is new, is 4711": the value may come with the next link; mere words would be any by then.
    sure = _LATER.get(name.label)
    later = _NEXT.match(folded, at, end) if sure else None
    if sure and later and (found := judge(reading, name, later.end(), sure, folded[name.stop : later.end()])):
        return found
    if bare := _BARE.match(folded, name.stop, end):
        if found := judge(reading, name, bare.end(), Link.NONE, ""):
            return found
        # "код домофона 38", "PIN for the card 4821"
        opened = _WHAT_IT_OPENS.match(folded, bare.end(), end)
        if opened and name.label in (Label.PIN, Label.CODE) and OPENS.search(opened[0]):
            return judge(reading, name, opened.end(), Link.NONE, opened[0])
    return _in_clause(reading, name) if name.label is Label.PASSWORD else None


_CLAUSE = re.compile(r"[^\n?!;]{0,80}")
_SPAN = re.compile(r"(?<!\S)(?=[^\s\d]{0,60}\d)[!-~\u00a1-\u024f\u0370-\u04ff]{7,}")


def _in_clause(reading: Reading, name: Name) -> Secret | None:
    """Look further into the clause for what can be nothing but a password."""
    clause = _CLAUSE.match(reading.text, name.stop)
    for word in _SPAN.finditer(reading.text, name.stop, clause.end() if clause else name.stop):
        if '="' not in word[0] and values.strongly_made_up(word[0]):
            return Secret(Kind.PASSWORD, *word.span(), "It gives a password: a made-up word stands near the name of one.")
    return None


_REVERSED = re.compile(
    r"(?<!\S)(?:\"(?P<quoted>[^\"\n]{3,64})\"|[\"'(]*(?P<value>[^\s\"'(]\S{2,63}))\s+(?:(?:that|this|it|das|dies)\s+)?"
    r"(?:is|was|ist|war|est|es|era|e|as|als|como|comme|come|→|->|=)\s+(?P<whose>(?:[\w'-]{1,20}\s+){0,3})$"
)
_MINE = re.compile(r"(?:my|our|mein|unser|mon|notre|mi|mio|la mia|minha)\b")
_KINDS = {Label.PASSWORD: Kind.PASSWORD, Label.PIN: Kind.CODE, Label.CODE: Kind.CODE, Label.KEY: Kind.KEY}


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
    whole = (not ahead or ahead[-1] in ".!?:;") and not re.match(r"\s+\w", reading.text[name.stop : name.stop + 20])
    return whole and bool(_MINE.match(match["whose"])) and value.isalpha() and not values.predicate(value)
