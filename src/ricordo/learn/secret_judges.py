"""What each name asks of the value beside it. How sure that must look depends on the name and on what links them."""

from __future__ import annotations

import re
from typing import assert_never

from ricordo.learn import secret_values as values
from ricordo.learn.secret import Kind, Reading, Secret
from ricordo.learn.secret_names import Link, Name
from ricordo.learn.secret_passwords import password, value_at
from ricordo.learn.secret_sentences import DIGIT_WORDS, TENS, TURNS
from ricordo.learn.secret_tokens import placeholder
from ricordo.learn.secret_words import OPENS, PUBLIC_CODES, WHOSE, Label


def judge(reading: Reading, name: Name, at: int, link: Link, where: str) -> Secret | None:
    """Return the secret at a place if it is what the name asks for; `where` is what stood between ("for the alarm")."""
    match name.label:
        case Label.PASSWORD | Label.PHRASE:
            of_plants = name.word == "seed" and where.strip() and not _WALLET.search(where)
            return None if of_plants or IN_A_STORY.search(where) else password(reading, name, at, link)
        case Label.PIN:
            return _digits(reading, at, link)
        case Label.CODE:
            near = reading.folded[max(0, name.start - 30) : name.stop]
            ahead = reading.folded[at : at + 40]  # "code 2231 at the door"
            clause = re.split(r"[\n.;!?]", reading.folded[max(0, name.start - 60) : name.stop])[-1]
            opens = OPENS.search(f"{clause} {near} {where} {ahead}") or (
                link is not Link.NONE and WHOSE.search(near[: -len(name.word)])
            )
            if PUBLIC_CODES.search(near):
                return None
            return (_digits(reading, at, link, named=bool(OPENS.search(near))) if opens else None) or _word(reading, at)
        case Label.KEY:
            return _key(reading, name, at, link)
        case Label.CARD | Label.ACCOUNT:
            return _number(reading, name, at)
        case Label.LOGIN:
            return None if link is Link.TO else _login(reading, name, at) or _key(reading, name, at, link)
        case _:
            assert_never(name.label)


# Where what is spoken of is no secret: "the password in the film", "the password to happiness".
_WALLET = re.compile(r"wallet|ledger|trezor|account|phone|crypto|coin")
IN_A_STORY = re.compile(
    r"\bin (?:the|that|this|a|my) (?:\w+ )?(?:novel|film|movie|book|story|series|play|show|episode)\b|\b(?:to|zum|zu|della"
    r"|del|du|de la|de)"
    r" (?:(?:my|her|his|a|the|his|mein\w*|mio|mon|mi) )?(?:happiness|success|life|love|heart|soul|peace|joy|wisdom|gluck"
    r"|erfolg|leben"
    r"|herz\w*|felicita|successo|cuore|bonheur|succes|coeur|felicidad|exito|corazon)\b"
)
_DIGITS = re.compile(
    rf"[#*]?\d(?:[ \-./]{{0,3}}\d){{2,11}}#?(?![a-zа-я0-9_%€$£]|[:.,]\d)|(?P<spelled>(?:(?:{DIGIT_WORDS})\b[ ,-]*){{4,12}}"
    rf"|(?=[\w ,-]{{0,20}}\b(?:double|triple|doppel)\b)(?:(?:(?:double|triple|doppel)[ -])?(?:{DIGIT_WORDS})\b[ ,-]*){{2,12}}"
    rf"|(?:(?:{TENS})\b[ -](?:(?:{DIGIT_WORDS})\b)?[ ,-]*){{2,6}}|[零〇一二三四五六七八九]{{4,12}})"
    rf"|\d{{1,2}} ?(?:{TURNS})(?:,? (?:then |and |dann )?\d{{1,2}} ?(?:{TURNS})){{1,4}}"
    rf"|(?:{TURNS}) \d{{1,2}}(?:,? (?:then |and |dann )?(?:{TURNS}) \d{{1,2}}){{1,4}}"
    r"|(?=[a-zа-я-]{0,9}\d[a-zа-я-]{0,9}\d)[a-zа-я0-9-]{4,12}(?![a-zа-я0-9_:])"
)
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?$|\d{1,2}[./]\d{1,2}[./]\d{2,4}$")


def _word(reading: Reading, at: int) -> Secret | None:
    """Return a made-up word that stands where a code was looked for."""
    value, start, _ = value_at(reading.text, at)
    if not values.invented(value):
        return None
    return Secret(
        Kind.PASSWORD, start, start + len(values.trimmed(value)), "It gives a code: a made-up word stands beside its name."
    )


def _digits(reading: Reading, at: int, link: Link, *, named: bool = False) -> Secret | None:
    """Return the digits at a place; `named` says that what they open is part of their name ("gate code 1973")."""
    at += reading.text[at : at + 1] in ("'", '"', "(")
    match = _DIGITS.match(reading.folded, at, at + 80)
    if match is None:
        return None
    found = match[0].rstrip(" ,-")
    stop = match.start() + len(found)
    if link is Link.NONE and re.match(r"\s+of\b", reading.folded[stop : stop + 8]):
        return None  # "Code 7302 of the building regulations"
    if _DATE.match(found) or values.counts_something(reading.text[stop : stop + 20]):
        return None
    if link in (Link.NONE, Link.TO) and (
        (values.year(found) and not named) or not (found[0].isdigit() or found[0] in "#*" or match["spelled"])
    ):
        return None
    return Secret(
        Kind.CODE,
        match.start(),
        stop,
        "It gives a code: digits stand beside the name of a PIN or of a code that opens something.",
    )


# Bytes one by one (more than the six of a network address), or a key in groups as it is printed.
_GROUPED = re.compile(
    r"(?:[0-9A-Fa-f]{2}[ :-]){7,40}[0-9A-Fa-f]{2}\b|(?=[A-Z ]{0,30}\d)(?:[A-Z0-9]{4,6} ){3,12}[A-Z0-9]{4,6}\b"
    r"|(?=[a-z]{0,3}\d|[a-z ]{0,30}[a-z]\d)(?:[a-z2-7]{4} ){3,12}[a-z2-7]{4}\b|\d{4,6}(?:-\d{4,6}){3,12}\b"
    r"|\d{3,6}[ -]\d{3,6}(?=,|\sand\s)"
)


_OF_RECOVERY = re.compile(r"recover|recuper|back-?up|emergency|herstel|notfall|secours|respaldo|wiederherst")
_RECOVERY = re.compile(r"\d{2,8}(?:[ -]\d{2,8}){1,7}(?!\w)")
_NETWORK = re.compile(r"wi-?fi|wlan|network|router|hotspot|wpa|wep|fritz")


def _key(reading: Reading, name: Name, at: int, link: Link) -> Secret | None:
    value, start, _ = value_at(reading.text, at)
    bare = values.trimmed(value)
    named = reading.folded[max(0, name.start - 9) : name.stop]
    if _OF_RECOVERY.search(name.word) and (several := _RECOVERY.match(reading.text, start, start + 60)):
        return Secret(Kind.KEY, *several.span(), "It gives a recovery code: digits stand beside the name of one.")
    if "public" in named or "csrf" in named or placeholder(bare, of_key=True):
        return None
    digits = sum(map(str.isdigit, bare))
    of_recovery = "code" in name.word and digits >= 6 and bare.replace("-", "").isdigit() and not _DATE.match(bare)
    if groups := _GROUPED.match(reading.text, start, start + 120):
        return Secret(Kind.KEY, *groups.span(), "It gives a key: groups of letters and digits stand beside the name of one.")
    of_network = values.invented(value) and _NETWORK.search(reading.folded[max(0, name.start - 80) : name.stop])
    if not (
        of_recovery
        or of_network
        or values.keyish(value)
        or (link is Link.MARK and digits and len(bare) >= 16 and values.made_up(value))
    ):
        return None
    return Secret(Kind.KEY, start, start + len(bare), "It gives a key: letters and digits stand beside the name of one.")


_NUMBER = re.compile(r"(?P<head>[a-z]{0,4}[ -]?)[a-z]{0,2}\d[a-z\d]{0,20}(?:[ .\-/]{1,2}[a-z]{0,4}\d[a-z\d]{0,20}){0,8}(?!\w)")


_SPELLED_CARD = re.compile(rf"(?:(?:{DIGIT_WORDS})\b[ ,-]*){{12,19}}")


def _number(reading: Reading, name: Name, at: int) -> Secret | None:
    if name.label is Label.CARD and (spelled := _SPELLED_CARD.match(reading.folded, at, at + 160)):
        return Secret(Kind.CARD, *spelled.span(), "It gives the number of a card.")
    match = _NUMBER.match(reading.folded, at, at + 60)
    if match is None or (match["head"].endswith(" ") and not reading.text[at].isupper()):
        return None
    number, digits = match[0][len(match["head"]) :], sum(map(str.isdigit, match[0]))
    if name.label is Label.CARD:
        return Secret(Kind.CARD, *match.span(), "It gives the number of a card.") if 12 <= digits <= 19 else None
    if digits < 5 or _DATE.match(number) or values.counts_something(reading.text[match.end() : match.end() + 20]):
        return None
    return Secret(Kind.IDENTITY, *match.span(), "It gives the number of an account or of a document.")


_LOGIN = re.compile(
    r"(?:as |with |is |als )?[\"']?(?P<who>[^\s/:|,\"']{2,64})[\"']?"
    r"(?:\s*[/:|]\s*|(?P<loose>,? (?:and |with |mit |und |using |then )?))[\"']?(?P<what>[^\s\"']{4,100})"
)


def _login(reading: Reading, name: Name, at: int) -> Secret | None:
    match = _LOGIN.match(reading.text, at, at + 170)
    if match is None or match["what"].startswith("//") or match["who"].isdigit() or not values.made_up(match["what"]):
        return None
    of_the_user = reading.folded[max(0, name.start - 4) : name.start].endswith("the ")  # as a fact begins
    if match["loose"] and (of_the_user or values.ordinary(match["who"]) or not values.password_like(match["what"])):
        return None
    return Secret(Kind.PASSWORD, *match.span("what"), "It gives a login: a name and a made-up word stand together.")
