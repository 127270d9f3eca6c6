"""Ways of saying the same with other words, as templates; what stands left becomes what stands right, in this order.

`{a}` is one or more words, `{e}` all that follow, `{w}` one word, `{n}` a number, `a|b` either word, `{1}` and `{2}` which it
was. Words are written plainly and compared by their stems, as FORMS has left them: `be` is any form of to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.learn.stems import ING, stem

_TEMPLATES = """
USER be able to {a} -> USER can {a}
be not able to {a} -> can not {a}
have got {a} -> have {a}
would like|love to {a} -> want to {a}
be planning to {a} -> plan to {a}
be go~ to {a} -> will {a}
get+ed married -> marry+ed
get married -> marry
be getting married -> marry~
prefer to be called {a} -> want to be called {a}
would rather have|drink|eat|be {a} than {b} -> prefer {a} over {b}
would rather {a} than {b} -> prefer {a} over {b}
like {a} more|better than {b} -> prefer {a} over {b}
prefer to {a} -> prefer {a}
prefer {a} to|than|above {b} -> prefer {a} over {b}
prefer {a} instead of {b} -> prefer {a} over {b}
prefer {a} rather than {b} -> prefer {a} over {b}
be fond|enamored of {a} -> like {a}
be fan|lover of {a} -> like {a}
be big|great fan|lover of {a} -> like {a}
be keen on {a} -> like {a}
be into {a} -> like {a}
be passionate about {a} -> like {a}
can not stand|bear|abide {a} -> hate {a}
like|hate|start|begin to {a} -> {1} {a}
learn to play {a} -> learn {a}
be employed|hired by|at|with|for {a} -> work for {a}
have job at|with {a} -> work for {a}
USERS employer be {a} -> USER work for {a}
employer of USER be {a} -> USER work for {a}
have job as {a} -> be {a}
work at {a} -> work for {a}
work as {a} -> be {a}
USERS profession|occupation be {a} -> USER be {a}
earn living as {a} -> be {a}
be based|located in {a} -> live in {a}
USERS home be in {a} -> USER live in {a}
be+ed raised in {a} -> grew up in {a}
be+ed brought up in {a} -> grew up in {a}
come from {a} -> be from {a}
hail from {a} -> be from {a}
be originally from {a} -> be from {a}
USERS birthplace be {a} -> USER be+ed born in {a}
be native of {a} -> be from {a}
USERS birthday be on {a} -> USER be+ed born on {a}
USERS birthday be {a} -> USER be+ed born on {a}
USERS birthday fall on {a} -> USER be+ed born on {a}
USERS date of birth be {a} -> USER be+ed born on {a}
have birthday on {a} -> be+ed born on {a}
be {n} year old -> be {n} old
be aged {n} -> be {n} old
USERS age be {n} -> USER be {n} old
have {a} allergy -> be allergic to {a}
have allergy to {a} -> be allergic to {a}
follow|eat|keep|have vegan|vegetarian|pescatarian|keto|kosher|halal diet -> be {2}
keep|stick to vegan|vegetarian|pescatarian|keto|kosher|halal diet -> be {2}
be on vegan|vegetarian|pescatarian|keto|kosher|halal diet -> be {1}
have {w} intolerant -> be {w} intolerant
suffer from {a} -> have {a}
have be diagnosed with {a} -> have {a}
be+ed diagnosed with {a} -> have {a}
be diagnosed with {a} -> have {a}
can speak {a} -> speak {a}
have command of {a} -> speak {a}
be fluently in {a} -> speak {a} fluently
be law|medicine|physics|chemistry|biology|history|art|music|economics|engineering|philosophy|psychology student -> learn {1}
be student of {w} -> learn {w}
be owner of {a} -> have {a}
USERS height be {a} -> USER be {a} tall
be interested in {a} -> have interest in {a}
USER have brother|sister|son|daughter|wife|husband|partner , {e} -> USERS {1} be {e}
be father|mother|parent of {n} -> have {n} child
be father|mother|parent of {a} -> have {a}
USER be {n} -> USER be {n} old
be scared|frightened|terrified of {a} -> be afraid of {a}
have fear of {a} -> be afraid of {a}
fear {a} -> be afraid of {a}
go to sleep -> go to bed
get up -> wake up
get+ed up -> woke up
software engineer -> software developer
email address -> email
do volunteer work -> volunteer
do volunteering -> volunteer
do {w~} -> {w}
go {w~} -> {w}
went {w~} -> {w}+ed
take coffee|tea -> drink {1}
take {a} for -> use {a} for
USER retired -> USER be retired
be married to {a} -> USERS spouse be {a}
USER have {a} who|which|that {b} -> USERS {a} {b}
USER have {a} whose name be {b} -> USERS {a} be {b}
USERS name be {a} -> USER be called {a}
USERS {a} POSS name be {b} -> USERS {a} be {b}
USERS {a} go by {b} -> USERS {a} be {b}
USERS {a} be called {b} -> USERS {a} be {b}
USER have {a} called {b} -> USERS {a} be {b}
USERS hobby|job be {w~} {a} -> USER {w} {a}
"""
_WORDS = r"\S+(?: \S+)*?"
_SLOT = {"a": f"(?P<a>{_WORDS})", "b": f"(?P<b>{_WORDS})", "w": r"(?P<w>\S+?)~?", "w~": r"(?P<w>\S+)~", "n": r"(?P<n>\d\S*)"}
_SLOT["e"] = r"(?P<e>[^\s,]+(?: (?!AND|OR|BUT)[^\s,]+)*)$"
# Kept as they are written, by the words themselves or by an ending.
_RAW = re.compile(r"[A-Z-]+|\S+[+~]\S*|be|\{\S+")


def _compiled() -> Iterator[tuple[re.Pattern[str], str, frozenset[str]]]:
    for line in filter(None, _TEMPLATES.split("\n")):
        left, right = line.split(" -> ")
        parts, anchors, slots = [], set(), 0
        for number, part in enumerate(left.split()):
            if part.startswith("{"):
                parts.append(_SLOT[part[1:-1]])
                continue
            choices = [one if _RAW.fullmatch(one) else stem(one) for one in part.split("|")]
            if len(choices) > 1:
                slots += 1
                parts.append(f"(?P<one{slots}>{'|'.join(map(re.escape, choices))})~?")
            else:
                anchors.add(choices[0])
                parts.append(re.escape(choices[0]) + ("~?" if number == 0 and choices[0].islower() else ""))
        last = r"(?= AND| OR| BUT| ,|$)" if left.endswith(("{a}", "{b}", "{n}")) else r"(?!\S)"
        pattern = re.compile(r"(?<!\S)" + " ".join(parts) + last)
        filled = " ".join(map(_filled, right.split()))
        yield pattern, filled, frozenset(anchor.replace(ING, "") for anchor in anchors)


def _filled(part: str) -> str:
    if part in ("{1}", "{2}"):
        return rf"\g<one{part[1]}>"
    if part.startswith("{"):
        return re.sub(r"\{(\w)\}", r"\\g<\1>", part)
    return part if _RAW.fullmatch(part) else stem(part)


# Every word that a template may take away or add.
WORDS = frozenset(word for word in re.split(r"[^a-z]+", _TEMPLATES) if len(word) > 1)
_REPHRASINGS = tuple(_compiled())


def rephrased(line: str) -> str:
    """Return a line of stems in the words that stand for all ways of saying it."""
    words = set(line.replace("~", "").split())
    for pattern, becomes, anchors in _REPHRASINGS:
        if anchors <= words:
            changed = pattern.sub(becomes, line, count=1)
            if changed != line:
                line, words = changed, set(changed.replace("~", "").split())
    return line
