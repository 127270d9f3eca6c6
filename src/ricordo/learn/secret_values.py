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
    r"|[$€£¥]?\d[\d.,]*\s?(?:%|[$€£¥]|[kmcµ]?[mgl]|[kmgt]b|k|s|ms|min|h|hrs?|x|bit|px|k?w|kwh|v|°[cf]?|c|[kmg]?hz|[kmgt]?bps"
    r"|[kmg]?bits?|mp|dpi)?|802\.11\w{0,3}|[$€£¥]\d[\d.,]*-[$€£¥]?\d[\d.,]*"
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


def password_like(value: str) -> bool:
    """Say whether a value that stands beside a login's name may be its password: `tulip44`, `tulip$Spring`, not `Room12B`."""
    bare = trimmed(value)
    return made_up(value) and len(bare) >= 6 and (bare[0].islower() or bool(_SIGNS.search(bare)) or strongly_made_up(value))


# Names that end in a number without being made up.
_PRODUCTS = re.compile(
    r"(?:iphone|ipad|ipod|galaxy|pixel|windows|office|android|macos|ubuntu|debian|fedora|python|java|covid|formula|version"
    r"|room|page|team"
    r"|gate|level|chapter|photoshop|playstation|xbox|thinkpad|canon|nikon|raspberry|figure|table|issue|ticket|order|class"
    r"|grade|episode"
    r"|season|file|image|photo|html|http|node|bluetooth|category|route|channel|section|article|step|part|zone|area|unit|type"
    r"|model|mark"
    r"|area|web|version|euro|olympia|expo|sars)\W?\d",
    re.IGNORECASE,
)
_NEAR_A_NAME = re.compile(
    r"[A-ZÀ-Þ][a-zß-ÿ]{3,}\d{2,6}$|(?!.*(?:file|config|path|name|field|token|user|hash|key|env"
    r"|pass))[a-zß-ÿ]{3,}(?:_[a-zß-ÿ]{2,}){2,}$"
)
_INVENTED = re.compile(
    r"[a-zß-ÿа-я]{5,}\d{2,6}[!?$#]?$|[A-ZÀ-Þ]?[a-zß-ÿ]{5,}_\d{2,6}$"  # lighthouse1987
    r"|[^\W\d_]{3,}\d[a-zß-ÿ]{3,}\d{0,4}$"  # sourdough4ever
    r"|[a-zß-ÿ]{2,}[A-ZÀ-Þ][a-zß-ÿ]{2,}\W?\d{1,6}$"  # nonnaPina44
    r"|[^\W\d_]{3,}[!?$#_]\d{2,6}$|[^\W\d_]{3,}\d{1,6}[!?$#_]\w*$|[^\W\d_]{3,}[!?$#][^\W\d_]{3,}\d*$"  # Hirondelle_2290
)


def invented(value: str, *, near: bool = False) -> bool:
    """Say whether a value looks like what people think up for a password: a word with digits or signs that is no product's name.

    `near` says that the name of a password stands near: then it may begin like a name ("Marigold88").
    """
    bare = trimmed(value) if not value.endswith("!") else trimmed(value[:-1]) + "!"
    shaped = _INVENTED.match(bare) or (near and _NEAR_A_NAME.match(bare))
    return made_up(value) and len(bare) >= 7 and bool(shaped) and not _PRODUCTS.match(bare)


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


# What may follow a code; before anything else a number counts something ("with 1200 paintings").
_GOES_ON = fold(
    r"and|then|to|at|for|on|in|within|or|but|if|when|followed|star|hash|enter|ok|plus|btw|now|again|please|so|because|since"
    r"|though|just|must|this|like|star|and"
    r"|which|you|i|we|he|she|it|same|till|until|by|before|after|as|und|dann|auf|ein|am|im|aus\w{0,14}|ab\w{0,14}|ent\w{1,14}"
    r"|geöffnet|jetzt"
    r"|wieder|bitte|weil|e|poi|per|adesso|ora|y|luego|para|ahora|et|puis|pour|sur|en|maintenant|dan|nu|open|i|и|затем"
)
_ALONE = re.compile(rf"\s{{0,3}}(?:$|[.,;:!?)\]\"'\n-])|\s+(?:{_GOES_ON})\b")
_COUNTED = re.compile(
    r"(?:[$€£¥#+]|\b(?:at|in|from|since|around|about|over|under|nearly|almost|only|for|cost|costs|paid|pay|spent|of|by|until"
    r"|till|year|um|alle"
    r"|alle ore|a las|las|um die|circa|etwa|fast|rund|seit|kostet|vor|dal|nel|del|en|desde|depuis|page|room|no|nr|number"
    r"|level|route))\s?$"
)


def stands_alone(folded: str, stop: int) -> bool:
    """Say whether digits that end at a place count nothing that follows."""
    return _ALONE.match(folded, stop, stop + 20) is not None


def bare_code(folded: str, start: int, stop: int) -> bool:
    """Say whether digits are, by what stands around them, neither a year nor a count, a price, a time."""
    digits = folded[start:stop].strip("#*")
    counts = counts_something(folded[stop : stop + 20]) or _COUNTED.search(folded[max(0, start - 12) : start])
    return not (year(digits) or counts) and stands_alone(folded, stop)


def predicate(word: str) -> bool:
    """Say whether a small word says how something is: "reused", "unreadable"."""
    return word.islower() and bool(PREDICATE.match(fold(word)))


def _odd_case(bare: str) -> bool:
    """Say whether capitals stand where no name has them: `tRoUbAdOr`, not `McKay`, `LastPass` or `WiFi`."""
    return bare.isalpha() and bare.isascii() and len(bare) >= 7 and len(re.findall(r"[a-z][A-Z]", bare)) >= 3
