"""What may be a secret beside the name of one: whether a value was made up, or is an ordinary part of the sentence."""

from __future__ import annotations

import re

from ricordo.learn.secret import fold
from ricordo.learn.secret_sentences import ORDINARY, PREDICATE
from ricordo.learn.secret_tokens import placeholder

# Things with letters, digits and signs that people write every day.
_EVERYDAY = re.compile(
    # addresses and paths
    r"(?:https?://|www\.)\S*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w./\\ -]*"
    # dates and times
    r"|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:T[\d:.Z+-]+)?|\d{1,2}(?:[:h.]\d\d)+(?:\s?[ap]m)?|\d{1,2}\s?[ap]\.?m"
    # versions, ordinals, decades
    r"|v?\d+(?:\.\d+)+(?:-\w+)?|\d+(?:st|nd|rd|th|er|e|o|º|ª|\.)|(?:19|20)\d\ds"
    # amounts
    r"|[$€£¥]?\d[\d.,]*\s?(?:%|[$€£¥]|[kmcµ]?[mgl]|[kmgt]b|k|s|ms|min|h|hrs?|x|bit|px|k?w|kwh|v|°[cf]?|c)?|[$€£¥]\d[\d.,]*-[$€£¥]?\d[\d.,]*"
    # names, code
    r"|[23]fa|mfa|wpa[23]?|sha-?\d+|md5|mp[34]|utf-?8|base64|1password|ipv[46]|covid-?19|h2o"
    r"|[a-z]+(?:\.[a-z_]+)+(?:\(\))?|[\w.]*\(.*",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"[@#$%^&!+=?~|\\_*]")
_CHANGES = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_VERSION = re.compile(r"[-_.]v?\d+(?:\.\d+)+$")
_POINTED = re.compile(r"(?=.*\d)(?=.*[A-Z])\w+(?:[._]\w+){2,}$")  # Lemon.Drop.3
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d$")
_TRAILING = ".,;:!?)]}'\"»…"
_UNIT = re.compile(
    r"[\s-]*(?:%|€|\$|£|(?:characters?|chars?|letters?|digits?|lines?|pages?|words?|bits?|years?|months?|weeks?|days?|hours?"
    r"|minutes?|times|attempts|of them|people|percent|euros?|eur|dollars?|usd|pounds|km|zeichen|stellen|buchstaben|ziffern"
    r"|jahre|tage|monate|wochen|mal|caract\w+|lettres?|chiffres?|fois|ans|jours|letras|d[ií]gitos|a[nñ]os|d[ií]as|veces"
    r"|letter[ae]|cifre|anni|giorni|volte|tekens|letters|cijfers|jaar|dagen|keer|символ\w*|букв\w*|цифр\w*)\b)",
    re.IGNORECASE,
)


def trimmed(value: str) -> str:
    """Return a value without what closes the sentence behind it."""
    return value.rstrip(_TRAILING)


def ordinary(value: str) -> bool:
    """Say whether a value is a word of the sentence, or only stands in for a secret."""
    bare = trimmed(value)
    return (
        len(bare) < 3 or placeholder(value) or placeholder(bare) or fold(bare) in ORDINARY or fold(bare).split("'")[0] in ORDINARY
    )


def made_up(value: str) -> bool:
    """Say whether a value mixes letters, digits and signs as passwords do: `hunter2`, `Garden!23`, `k9x2m4qp`."""
    bare = trimmed(value)
    if not 4 <= len(bare) <= 120 or ordinary(value) or _EVERYDAY.fullmatch(bare):
        return False
    letters, digits = any(map(str.isalpha, bare)), sum(map(str.isdigit, bare))
    return (
        (letters and digits > 0)
        or (bool(_SIGNS.search(bare.rstrip("=_*"))) and (letters or digits > 0) and len(bare) >= 5)
        or _odd_case(bare)
    )


def strongly_made_up(value: str) -> bool:
    """Say whether a value can be nothing but a password, even at some distance from the name of one."""
    bare = trimmed(value)
    if len(bare) < 7 or not made_up(value) or "/" in bare:
        return False
    digits = any(map(str.isdigit, bare))
    if _POINTED.match(bare):
        return True
    return digits and (len(_CHANGES.findall(bare)) >= 2 or bool(_SIGNS.search(bare)))


def place(bare: str) -> bool:
    """Say whether a value is a path or an address."""
    return bare.startswith(("/", "~/", "./", "www.")) or "://" in bare or bare[1:3] == ":\\"


def keyish(value: str) -> bool:
    """Say whether a value may be a key: eight signs or more, letters and digits mixed, in one piece."""
    bare = trimmed(value)
    if len(bare) < 8 or ordinary(value) or _EVERYDAY.fullmatch(bare) or place(bare):
        return False
    core = _VERSION.sub("", bare)
    digits, changes = sum(map(str.isdigit, core)), len(_CHANGES.findall(core))
    return digits >= 2 and any(map(str.isalpha, core)) and (changes >= 3 or (changes >= 2 and len(bare) >= 12))


def number_only(value: str) -> bool:
    """Say whether a value is four digits or more and nothing else."""
    bare = trimmed(value)
    return bare.isdigit() and len(bare) >= 4 and not placeholder(bare)


def year(value: str) -> bool:
    """Say whether digits look like a year."""
    return bool(_YEAR.match(value))


def counts_something(after: str) -> bool:
    """Say whether a unit follows a number: "12 characters", "90 days"."""
    return bool(_UNIT.match(after))


def predicate(word: str) -> bool:
    """Say whether a small word says how something is: "reused", "unreadable"."""
    return word.islower() and bool(PREDICATE.match(fold(word)))


def _odd_case(bare: str) -> bool:
    """Say whether capitals stand where no name has them: `tRoUbAdOr`, not `McKay`, `LastPass` or `WiFi`."""
    return bare.isalpha() and bare.isascii() and len(bare) >= 7 and len(re.findall(r"[a-z][A-Z]", bare)) >= 3
