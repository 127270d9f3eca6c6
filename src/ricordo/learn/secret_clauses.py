"""Secrets further on in the clause of their name: "the password I thought up for the iPad, nonnaPina44".

The one rule: the further off, the less like a word of the sentence a value has to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.learn import secret_values as values
from ricordo.learn.secret import Kind, Reading, Secret, fold
from ricordo.learn.secret_names import Name
from ricordo.learn.secret_sentences import IS, ORDINARY
from ricordo.learn.secret_words import LOOSE_NAMES, OPENS, PUBLIC_CODES, Label

_CLAUSE = re.compile(r"(?:[^\n?!;]|[?!;](?=\w)){0,80}")
_SPAN = re.compile(r"(?<![^\s\"'(])(?=[^\s\d_]{0,60}[\d_])[!-~\u00a1-\u024f\u0370-\u04ff]{7,}")
_QUOTED = re.compile(r"(?<![\w\[({=])[\"'](?P<words>[^\W\d_][^\n\"]{2,60}?)[\"'](?!\w)")
_NOW = fold(
    r"from (?:today|now on|tomorrow|monday)|since \w{3,12}|as of \w{3,12}|now|new one|ab heute|ab jetzt|ab sofort"
    r"|seit \w{3,12}|jetzt|neu"
    r"|da oggi|da ora|adesso|ora|a partir d'aujourd'hui|desormais|maintenant|desde hoy|ahora|a partir de hoje|agora"
    r"|vanaf \w{3,12}|nu"
    r"|с сегодняшнего дня|теперь"
)
_NEW_CODE = re.compile(
    rf"[^\n.;!?\d]{{0,60}}?[,:]\s+(?:it's\s+"
    rf"|it is\s+)?(?:{_NOW})[:,]?\s+(?:(?:{IS})\s+)?(?P<code>[#*]?\d{{4,8}}[#*]?)(?![\w:.,]\d|\w)"
)
_PRINTED = re.compile(r"(?<![\w-])(?=[A-Z-]{0,30}\d)(?=[0-9-]{0,30}[A-Z])[A-Z0-9]{3,8}(?:-[A-Z0-9]{3,8}){2,6}(?![\w-])")
_ONE_CODE = r"(?=[a-z-]{0,10}\d)(?=[0-9-]{0,10}[a-z])[a-z0-9]{4,6}-[a-z0-9]{4,6}"
_LAST_RESORT = re.compile(r"(?:backup|recovery|herstel|emergency|notfall|wiederherstellungs)\W?codes?$")
_CODES = re.compile(rf"(?<![\w-]){_ONE_CODE}(?:(?:,? and |, ?|\s){_ONE_CODE}){{1,20}}(?![\w-])", re.IGNORECASE)
_SINGLE = re.compile(
    r"[^\n]{0,50}?\s(?P<one>(?=[a-z]{0,14}\d)(?=\d{0,14}[a-z])[a-z0-9]{7,16}|\d{4,6}[ -]\d{4,6})(?=\s*(?:$"
    r"|[.,;!)\n]))"
)
_DATE = re.compile(r"(?:\d{1,2}[ ./-]\d{1,2}[ ./-](?:19|20)\d\d|(?:19|20)\d\d[ ./-]\d{1,2}[ ./-]\d{1,2})$")
_LONG_NUMBER = re.compile(r"[^\n;!?\d]{0,60}?[:,\w]\s+(?P<number>(?:[A-Z]{1,3} ?)?\d(?:[ ./-]?\d){7,14}(?: ?[A-Z])?)(?![\w-])")


def in_clause(reading: Reading, name: Name) -> Secret | None:
    """Return what, further into the clause, can only be the secret that a name is of."""
    return next(_found(reading, name), None)


def _found(reading: Reading, name: Name) -> Iterator[Secret]:
    clause = _CLAUSE.match(reading.text, name.stop)
    stop = clause.end() if clause else name.stop
    match name.label:
        case Label.PASSWORD | Label.PHRASE:
            yield from _made_up(reading, name.stop, stop)
            if name.word not in LOOSE_NAMES:
                yield from _in_quotes(reading, name.stop, stop)
        case Label.CODE | Label.PIN:
            yield from _new_code(reading, name, stop)
            yield from _some_code(reading, name, stop)
        case Label.KEY:
            for printed in (*_PRINTED.finditer(reading.text, name.stop, stop), *_CODES.finditer(reading.text, name.stop, stop)):
                yield Secret(
                    Kind.KEY, *printed.span(), "It gives a key: groups of letters and digits stand near the name of one."
                )
            single = _SINGLE.match(reading.folded, name.stop, name.stop + 80) if _LAST_RESORT.match(name.word) else None
            if single and (values.keyish(single["one"]) or not single["one"].isalnum()):
                yield Secret(
                    Kind.KEY, *single.span("one"), "It gives a recovery code: a made-up word stands near the name of one."
                )
        case Label.ACCOUNT:
            number = _LONG_NUMBER.match(reading.text, name.stop, stop)
            if number and not _DATE.match(number["number"]):
                yield Secret(Kind.IDENTITY, *number.span("number"), "It gives the number of an account or of a document.")
        case _:
            pass


def _made_up(reading: Reading, start: int, stop: int) -> Iterator[Secret]:
    for word in _SPAN.finditer(reading.text, start, stop):
        if '="' not in word[0] and (values.strongly_made_up(word[0]) or values.invented(word[0], near=True)):
            yield Secret(Kind.PASSWORD, *word.span(), "It gives a password: a made-up word stands near the name of one.")


def _in_quotes(reading: Reading, start: int, stop: int) -> Iterator[Secret]:
    """Yield quoted words none of which belongs to a sentence about passwords ("too short", "wrong password")."""
    for quoted in _QUOTED.finditer(reading.text, start, stop):
        words = reading.folded[slice(*quoted.span("words"))].split()
        if not any(word in ORDINARY or values.predicate(word) for word in words):
            yield Secret(Kind.PASSWORD, *quoted.span("words"), "It gives a password: quoted words stand near the name of one.")


def _some_code(reading: Reading, name: Name, stop: int) -> Iterator[Secret]:
    """Yield four digits and more anywhere in the clause that count nothing and are no year."""
    folded = reading.folded
    start = max(folded.rfind(mark, 0, name.start) for mark in ".;!?\n") + 1
    start = max(start, name.start - 60)
    clause = re.match(r"[^\n.;!?]*", folded[name.stop : stop])
    stop = name.stop + (clause.end() if clause else 0)
    fits = name.label is Label.PIN or OPENS.search(folded[start:stop])
    if name.word in _LOOSE_CODES or not fits or PUBLIC_CODES.search(folded[start:stop]):
        return
    for digits in _SOME_DIGITS.finditer(folded, start, stop):
        if values.bare_code(folded, *digits.span()):
            yield Secret(Kind.CODE, *digits.span(), "It gives a code: digits stand near the name of one.")


# Names that digits beside them seldom belong to.
_LOOSE_CODES = frozenset("pins digits combination combinations combo nip security number".split())
_SOME_DIGITS = re.compile(r"(?<![\w.,:/+-])[#*]?\d{4,8}[#*]?(?![\w%€$£]|[:.,/-]\d)")


def _new_code(reading: Reading, name: Name, stop: int) -> Iterator[Secret]:
    new = _NEW_CODE.match(reading.folded, name.stop, stop)
    around = reading.folded[max(0, name.start - 30) : stop]
    if new and (name.label is Label.PIN or OPENS.search(around)) and not PUBLIC_CODES.search(around):
        yield Secret(Kind.CODE, *new.span("code"), "It gives a code: digits are said to be the new one.")
