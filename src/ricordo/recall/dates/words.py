"""The words of dates, in seven languages, without accents and in lower case. A language's words meet only its own patterns.

A class without a suffix is English or common to all; `MONTH:de` is German. To add a language, add its words here and
its patterns in tongues.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_ONES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}

_MONTHS = {
    "": "january february march april may june july august september october november december",
    ":de": "januar|janner februar marz april mai juni juli august september oktober november dezember",
    ":it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    ":fr": "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    ":es": "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre",
    ":nl": "januari februari maart april mei juni juli augustus september oktober november december",
    ":pt": "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
}
_MONTHS_SHORT = "jan feb mar apr may jun jul aug sep oct nov dec"

_WEEKDAYS = {
    "": "monday tuesday wednesday thursday friday saturday sunday",
    ":de": "montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag",
    ":it": "lunedi martedi mercoledi giovedi venerdi sabato domenica",
    ":fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    ":es": "lunes martes miercoles jueves viernes sabado domingo",
    ":nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    ":pt": "segunda-feira terca-feira quarta-feira quinta-feira sexta-feira sabado domingo",
}
_WEEKDAYS_SHORT = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}

# Each unit's forms for one of it, then those for several.
_UNITS = {
    "": {"day": "day|days", "week": "week|weeks wk wks", "month": "month|months mths", "year": "year|years yr yrs"},
    ":de": {
        "day": "tag|tage tagen",
        "week": "woche|wochen",
        "month": "monat monats|monate monaten",
        "year": "jahr jahres|jahre jahren",
    },
    ":it": {
        "day": "giorno|giorni",
        "week": "settimana|settimane",
        "month": "mese|mesi",
        "year": "anno l'anno dell'anno nell'anno|anni",
    },
    ":fr": {"day": "jour|jours", "week": "semaine|semaines", "month": "mois|", "year": "an l'an annee l'annee|ans annees"},
    ":es": {"day": "dia|dias", "week": "semana|semanas", "month": "mes|meses", "year": "ano|anos"},
    ":nl": {"day": "dag|dagen", "week": "week|weken", "month": "maand|maanden", "year": "jaar|jaren"},
    ":pt": {"day": "dia|dias", "week": "semana|semanas", "month": "mes|meses", "year": "ano|anos"},
}
_NUMBERS = {
    ":de": "eine|einem|einer|einen zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    ":it": "un|una|uno due tre quattro cinque sei sette otto nove dieci undici dodici",
    ":fr": "un|une deux trois quatre cinq six sept huit neuf dix onze douze",
    ":es": "un|una|uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    ":nl": "een twee drie vier vijf zes zeven acht negen tien elf twaalf",
    ":pt": "um|uma dois|duas tres quatro cinco seis sete oito nove dez onze doze",
}
_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
# Feasts as (month, day): only those that fall on one day of the year wherever they are kept.
FEASTS: Mapping[str, tuple[int, int]] = {
    "christmas day": (12, 25),
    "christmas eve": (12, 24),
    "boxing day": (12, 26),
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "valentine's day": (2, 14),
    "valentines day": (2, 14),
    "xmas day": (12, 25),
    "xmas eve": (12, 24),
    "new years eve": (12, 31),
    "new years day": (1, 1),
    "st|saint . patrick's day": (3, 17),
    "st|saint patrick's day": (3, 17),
    "st|saint nicholas day": (12, 6),
    "april fools|fool's|fools' day": (4, 1),
    "bastille day": (7, 14),
    "all saints|saints' day": (11, 1),
    "all souls|souls' day": (11, 2),
    "heiligabend": (12, 24),
    "an|zu silvester": (12, 31),
    "ferragosto": (8, 15),
    "capodanno": (1, 1),
    "santo stefano": (12, 26),
    "neujahr": (1, 1),
    "nochebuena": (12, 24),
    "nochevieja": (12, 31),
    "oudejaarsavond": (12, 31),
    "nieuwjaarsdag": (1, 1),
}

# What is counted rather than dated: "in 2000 words", "3 August lilies", "May 5 people come".
COUNTED = frozenset(
    "people men women children words characters steps pieces hours minutes seconds days weeks months years km miles "
    "metres meters euros dollars pounds lines tokens calories percent degrees am pm m kg g cm mm feet euro eur usd".split()
)
NOT_PLURAL = frozenset("this was his has does its yes always perhaps besides across towards unless less thus".split())

# Words that need their context: verbs and names as often as months.
DOUBTFUL = frozenset({"may", "march", "mar"})
# Abbreviations that are words of their own in small letters.
CAPITAL_ONLY = frozenset({"mon", "wed", "sat", "sun", "mar", "jan", "dec"})


def _numbered(words: str, first: int = 1) -> Iterable[tuple[str, int]]:
    for number, alternatives in enumerate(words.split(), first):
        for word in alternatives.split("|"):
            yield word, number


def _english() -> Iterable[tuple[str, str, Any]]:
    for word, number in _numbered(_ONES):
        yield word, "NUM", number
    for word in ("a", "an"):
        yield word, "ONE", 1
    for word, number in _numbered(_ORDINALS):
        yield word, "ORDINAL", number
    for tens, value in _TENS.items():
        yield tens, "NUM", value
        yield tens.removesuffix("y") + "ieth", "ORDINAL", value
        for word, number in list(_numbered(_ONES))[:9]:
            yield f"{tens}-{word}", "NUM", value + number
        for word, number in list(_numbered(_ORDINALS))[:9]:
            yield f"{tens}-{word}", "ORDINAL", value + number
    for word, number in [*_numbered(_MONTHS_SHORT), ("sept", 9)]:
        yield word, "MONTH", number
    yield "sept", "MONTHNAME", 9
    for word, weekday in _WEEKDAYS_SHORT.items():
        yield word, "WEEKDAY", weekday
    for word, weekday in _numbered(_WEEKDAYS[""], 0):
        yield word + "s", "WEEKDAYS", weekday
    yield "hundredth", "ORDINAL", 100
    for quarter in range(1, 5):
        yield f"q{quarter}", "QUARTER", quarter
    for word, season in _SEASONS.items():
        yield word, "SEASON", season
    yield from (("last", "REL", -1), ("previous", "REL", -1), ("this", "REL", 0))


def _lexicon() -> dict[str, dict[str, Any]]:
    entries = list(_english())
    for suffix, words in _MONTHS.items():
        for name in ("MONTH", "MONTHNAME") if not suffix else ("MONTH",):
            entries += [(word, name + suffix, number) for word, number in _numbered(words)]
    for suffix, words in _WEEKDAYS.items():
        for name in ("WEEKDAY", "WEEKDAYNAME") if not suffix else ("WEEKDAY",):
            entries += [(word, name + suffix, number) for word, number in _numbered(words, 0)]
    for suffix, units in _UNITS.items():
        for unit, words in units.items():
            single, _, several = words.partition("|")
            entries += [(word, "UNIT" + suffix, unit) for word in (single + " " + several).split()]
            entries += [(word, "SINGLE" + suffix, unit) for word in single.split()]
    for suffix, words in _NUMBERS.items():
        entries += [(word, "NUM" + suffix, number) for word, number in _numbered(words)]
    lexicon: dict[str, dict[str, Any]] = {}
    for word, name, value in entries:
        lexicon.setdefault(word, {})[name] = value
    return lexicon


# word → the classes it may stand for in a pattern → its value there.
LEXICON: Mapping[str, Mapping[str, Any]] = _lexicon()


def _slips(word: str) -> Iterable[str]:
    """Yield how a long word is mistyped: a letter left out, doubled or in the place of its neighbour."""
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]
        yield word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
        yield from (word[:at] + vowel + word[at + 1 :] for vowel in "aeiou" if word[at] in "aeiou")
    yield word[:-2] + word[-1] + word[-2]


def _misspelt() -> dict[str, str]:
    months = [month for month in _MONTHS[""].split() if len(month) > 5]
    words = ["yesterday", "weekend", *_WEEKDAYS[""].split(), *months]
    kept = set(words) | set(LEXICON) | {"mondy", "munday", "manday", "sundy"}
    return {slip: word for word in words for slip in _slips(word) if slip not in kept}


# A word mistyped → the word meant. Long words only: of a short one every slip is another word.
MISSPELT: Mapping[str, str] = _misspelt()
