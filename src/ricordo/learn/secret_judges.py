"""What each name asks of the value beside it. How sure that must look depends on the name and on what links them."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import assert_never

from ricordo.learn import secret_values as values
from ricordo.learn.secret import Kind, Reading, Secret
from ricordo.learn.secret_names import NO_BLANKS, Name
from ricordo.learn.secret_sentences import DIGIT_WORDS, GOES_ON, ORDINARY
from ricordo.learn.secret_tokens import placeholder
from ricordo.learn.secret_words import LOOSE_NAMES, OPENS, PUBLIC_CODES, WHOSE, Label


class Link(Enum):
    """What stands between a name and a value."""

    MARK = auto()  # a colon, an equals sign, an arrow
    VERB = auto()  # "is"
    TO = auto()  # "changed to", "mit"
    NONE = auto()


def judge(reading: Reading, name: Name, at: int, link: Link, where: str) -> Secret | None:
    """Return the secret at a place if it is what the name asks for; `where` is what stood between ("for the alarm")."""
    match name.label:
        case Label.PASSWORD | Label.PHRASE:
            return _password(reading, name, at, link)
        case Label.PIN:
            return _digits(reading, at, link)
        case Label.CODE:
            near = reading.folded[max(0, name.start - 30) : name.stop]
            ahead = reading.folded[at : at + 40]  # "code 2231 at the door"
            opens = OPENS.search(f"{near} {where} {ahead}") or (link is not Link.NONE and WHOSE.search(near[: -len(name.word)]))
            return _digits(reading, at, link) if opens and not PUBLIC_CODES.search(near) else None
        case Label.KEY:
            return _key(reading, name, at, link)
        case Label.CARD | Label.ACCOUNT:
            return _number(reading, name, at)
        case Label.LOGIN:
            return None if link is Link.TO else _login(reading, at) or _key(reading, name, at, link)
        case _:
            assert_never(name.label)


_VALUE = re.compile(
    r"\"(?P<double>[^\"\n]{1,100})\"|'(?P<single>[^'\n]{1,100})'(?!\w)|(?P<token>[^\s\"<>。、]{1,200}|<[^<>\s]{1,60}>?)"
)
_NO_BLANKS = re.compile(f"[{NO_BLANKS}]")
_OTHER_SCRIPT = re.compile(f"(?<=[!-~])[{NO_BLANKS}].*", re.DOTALL)
# A word, words joined by dashes, or capitalised ones by points: `settings.password` is code.
_WORDS = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*$|[A-ZÀ-Þ][^\W\d_]*(?:[._][A-ZÀ-Þ][^\W\d_]*)+$")


def _value(text: str, at: int) -> tuple[str, int, bool]:
    """Return the value that begins at a place, where it begins, and whether it is quoted."""
    match = _VALUE.match(text, at, at + 220)
    if match is None:
        return "", at, False
    kind = match.lastgroup or "token"
    value = match[kind] if kind != "token" else _OTHER_SCRIPT.sub("", match[kind])
    return value, match.start(kind), kind != "token"


def _password(reading: Reading, name: Name, at: int, link: Link) -> Secret | None:
    text = reading.text
    value, start, quoted = _value(text, at)
    bare = value if quoted else values.trimmed(value)
    stop = start + len(bare)
    if len(bare) < 3 or placeholder(value) or (values.ordinary(value) and not (quoted and " " in value)):
        return None
    secret = Secret(Kind.PASSWORD, start, stop, "It gives a password: a value stands beside the name of one.")
    if values.made_up(value):
        return secret
    loose = name.word in LOOSE_NAMES and name.label is Label.PASSWORD
    if loose and link is not Link.MARK:
        return None
    if quoted:
        return secret if link in (Link.MARK, Link.VERB) or (link is Link.NONE and bare.isalpha() and len(bare) > 3) else None
    if values.counts_something(text[stop : stop + 20]):
        return None
    if values.number_only(value):
        return None if values.year(bare) and link in (Link.NONE, Link.TO) else secret
    if link is Link.MARK and any(map(str.isdigit, bare)) and len(bare) >= 4 and "(" not in value and not values.place(bare):
        return secret
    if link in (Link.NONE, Link.TO) or not _WORDS.match(bare):
        return None
    return _plain_words(reading, name, start, stop, link)


_WORD = re.compile(r"[\s,]*(?:\d{1,2}[.)]\s*)?(?P<word>[^\W\d_]+(?:[-'][^\W\d_]+)*)")


def _plain_words(reading: Reading, name: Name, start: int, stop: int, link: Link) -> Secret | None:
    """Take words for a secret only when they are no sentence: one that ends the clause, or three and more side by side."""
    of_phrase = name.label is Label.PHRASE
    first = reading.text[start:stop]
    # Where words are not parted by blanks, a value that is no word of the sentence is quoted, or in other letters.
    if link is Link.VERB and (_NO_BLANKS.search(first) or (not of_phrase and values.predicate(first))):
        return None
    words, at, following = 1, stop, ""
    while words < 26 and (match := _WORD.match(reading.text, at)):
        if "," in match[0] and not of_phrase:
            break
        if (word := reading.folded[match.start("word") : match.end("word")]) in ORDINARY and not (of_phrase and words > 5):
            following = word
            break
        words, at = words + 1, match.end()
    ends = not following or following in GOES_ON
    lone = words == 1 and ends and not of_phrase
    several = words >= (10 if name.word in LOOSE_NAMES else 3) and (ends or words >= 10)
    pair = words == 2 and ends and link is Link.MARK and not of_phrase
    if not (lone or several or pair):
        return None
    kind = Kind.PHRASE if of_phrase else Kind.PASSWORD
    return Secret(kind, start, at, f"It gives a {kind}: words stand beside the name of one that are no sentence.")


_DIGITS = re.compile(
    rf"[#*]?\d(?:[ \-./]{{0,3}}\d){{2,11}}#?(?![a-zа-я0-9_%€$£]|[:.,]\d)|(?:(?:{DIGIT_WORDS})\b[ ,-]*){{4,12}}"
    r"|(?=[a-zа-я-]{0,9}\d[a-zа-я-]{0,9}\d)[a-zа-я0-9-]{4,12}(?![a-zа-я0-9_:])"
)
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?$|\d{1,2}[./]\d{1,2}[./]\d{2,4}$")


def _digits(reading: Reading, at: int, link: Link) -> Secret | None:
    at += reading.text[at : at + 1] in ("'", '"', "(")
    match = _DIGITS.match(reading.folded, at, at + 80)
    if match is None:
        return None
    found = match[0].rstrip(" ,-")
    stop = match.start() + len(found)
    if _DATE.match(found) or values.counts_something(reading.text[stop : stop + 20]):
        return None
    if link in (Link.NONE, Link.TO) and (values.year(found) or not (found[0].isdigit() or found[0] in "#*")):
        return None
    return Secret(
        Kind.CODE,
        match.start(),
        stop,
        "It gives a code: digits stand beside the name of a PIN or of a code that opens something.",
    )


# Bytes one by one (more than the six of a network address), or a key in groups as it is printed.
_GROUPED = re.compile(r"(?:[0-9A-Fa-f]{2}[ :-]){7,40}[0-9A-Fa-f]{2}\b|(?=[A-Z ]{0,30}\d)(?:[A-Z0-9]{4,6} ){3,12}[A-Z0-9]{4,6}\b")


def _key(reading: Reading, name: Name, at: int, link: Link) -> Secret | None:
    value, start, _ = _value(reading.text, at)
    bare = values.trimmed(value)
    named = reading.folded[max(0, name.start - 9) : name.stop]
    if "public" in named or "csrf" in named or placeholder(bare, of_key=True):
        return None
    digits = sum(map(str.isdigit, bare))
    of_recovery = "code" in name.word and digits >= 6 and bare.replace("-", "").isdigit() and not _DATE.match(bare)
    if groups := _GROUPED.match(reading.text, start, start + 120):
        return Secret(Kind.KEY, *groups.span(), "It gives a key: groups of letters and digits stand beside the name of one.")
    if not (of_recovery or values.keyish(value) or (link is Link.MARK and digits and len(bare) >= 16 and values.made_up(value))):
        return None
    return Secret(Kind.KEY, start, start + len(bare), "It gives a key: letters and digits stand beside the name of one.")


_NUMBER = re.compile(r"(?P<head>[a-z]{0,4}[ -]?)[a-z]{0,2}\d[a-z\d]{0,20}(?:[ .\-/]{1,2}[a-z]{0,4}\d[a-z\d]{0,20}){0,8}(?!\w)")


def _number(reading: Reading, name: Name, at: int) -> Secret | None:
    match = _NUMBER.match(reading.folded, at, at + 60)
    if match is None or (match["head"].endswith(" ") and not reading.text[at].isupper()):
        return None
    number, digits = match[0][len(match["head"]) :], sum(map(str.isdigit, match[0]))
    if name.label is Label.CARD:
        return Secret(Kind.CARD, *match.span(), "It gives the number of a card.") if 12 <= digits <= 19 else None
    if digits < 5 or _DATE.match(number) or values.counts_something(reading.text[match.end() : match.end() + 20]):
        return None
    return Secret(Kind.IDENTITY, *match.span(), "It gives the number of an account or of a document.")


_LOGIN = re.compile(r"[\"']?(?P<who>[^\s/:|\"']{2,64})[\"']?\s*[/:|]\s*[\"']?(?P<what>[^\s\"']{4,100})")


def _login(reading: Reading, at: int) -> Secret | None:
    match = _LOGIN.match(reading.text, at, at + 170)
    if match is None or match["what"].startswith("//") or match["who"].isdigit() or not values.made_up(match["what"]):
        return None
    return Secret(Kind.PASSWORD, *match.span("what"), "It gives a login: a name and a made-up word stand together.")
