"""Whether the person said it: a proposal stands only on their own words in the turns being read (E5, E14, E15).

Saying the same in other words is not enough, and an answer, a page, a question or somebody else's opinion grounds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ricordo.conversation import Moment, Turn
from ricordo.learn import asking, endings, signs
from ricordo.learn.own_words import Clause, Kind, clauses
from ricordo.learn.telling import COUNTS, edits, flat, heard, telling, tokens


@dataclass(frozen=True, slots=True)
class Grounded:
    """The person said it in `message`; `quote` is how. `asked` tells that it stands in a question or a request."""

    quote: str
    message: int
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Ungrounded:
    """The person did not say it, or not like this."""

    reason: str


# How much of what a fact tells has to be among the person's words: less where the model shows the place, more in a question.
_WITH_QUOTE, _WITHOUT, _GRANTED = 0.34, 0.5, 0.6
MOST_QUOTE = 200
_LONG = 1_000  # letters of a clause in which slips of the finger are looked for
NAME = re.compile(r"(?<![.!?:]\s)(?<!^)(?<![\w'’])[A-ZÀ-ÞĀ-Ž][\w'’-]+")
# Capitals that name no one.
_TIME = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|user|i|english|dutch|german|french|italian|spanish)s?\b", re.IGNORECASE,
)  # fmt: skip
_RELATIVE = re.compile(
    r"\b(?:today|yesterday|tomorrow|tonight|ago|last|next|this|since"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|month|year|in \w+"
    r"|heute|gestern|morgen|vor|letzt\w*|nächst\w*|seit|oggi|ieri|domani|scors\w+|prossim\w+|hier|demain|dernier\w*|depuis"
    r"|hoy|ayer|mañana"
    r"|pasado|hace|hoje|ontem|amanhã)\b|今|昨|明|去年|上个|下个", re.IGNORECASE,
)  # fmt: skip
_DATE = re.compile(
    r"\b(?:19|20)\d\d(?:-\d\d?(?:-\d\d?)?)?\b|\b\d{1,2}(?:st|nd|rd|th)?\.?(?= (?:of )?(?:[A-Z]\w+ )?(?:19|20)\d\d\b)"
)


def ground_save(text: str, quote: str, turns: Sequence[Turn], known: str = "") -> Grounded | Ungrounded:
    """Find a fact in the person's words; `known` are words that need not be said again, those of a fact being rewritten."""
    own = [clause for turn in turns for clause in clauses(turn)]
    chosen = _quoted(quote, text, own)
    if not chosen:
        return Ungrounded("Its quote is not in the person's own words.")
    reasons = [(clause, _unfit(clause, text, known)) for clause in chosen]
    fit = [clause for clause, reason in reasons if reason is None]
    if not fit:
        return Ungrounded(next((reason for _, reason in reasons if reason), "The person did not say so."))
    allowed = frozenset(telling(known))
    wanted = [word for word in telling(text) if not heard(word, allowed)]
    words = frozenset(word for clause in fit for word in tokens(signs.CONTRAST.sub("", clause.text)))
    said = [word for word in wanted if heard(word, words)]
    dated = _date_words(text, fit, [turn.asked.at for turn in turns])
    missing = [word for word in _exact(text) if word not in dated and not heard(word, words | allowed)]
    if missing:
        return Ungrounded(f"The person did not say “{missing[0]}”.")
    best = max(fit, key=lambda clause: sum(heard(word, tokens(clause.text)) for word in telling(text)))
    counted = [word for word in wanted if word not in dated]
    least = _GRANTED if best.kind is Kind.ASKED else _WITH_QUOTE if quote else _WITHOUT
    if (counted and len(said) < least * len(counted)) or not _any_said(text, best):
        return Ungrounded("The person's own words do not say it.")
    return Grounded((quote or best.whole)[:MOST_QUOTE], best.message, best.kind is Kind.ASKED)


def living(text: str) -> frozenset[str]:
    """Return the people and animals a text speaks of, by what they are to the person; what somebody is or works as is none."""
    words = tokens(text)
    return frozenset(
        word.removesuffix("s") for at, word in enumerate(words) if word in signs.LIVING and not _AS.search(" ".join(words[:at]))
    )


_AS = re.compile(r"\b(?:as|is|was|am|be|become|became) an?(?: \w+){0,2}$")


def reported(clause: Clause, said: tuple[str, ...] = ()) -> bool:
    """Tell whether a clause gives somebody else's words, other than those a text, given as its words, is about."""
    if (report := signs.REPORTED.search(clause.text)) is None:
        return False
    who = (report["who"] or report["source"]).casefold()
    return who not in signs.WE_ASK and who not in signs.EXPERTS and not heard(who, said)


def _quoted(quote: str, text: str, own: list[Clause]) -> list[Clause]:
    """Return the clauses that a quote touches; all of them when there is none, or when it is the fact itself."""
    looked_for = flat(quote)
    if not looked_for or looked_for == flat(text):
        return own
    pieces = [(clause, flat(clause.text)) for clause in own]
    whole = [
        clause for clause, words in pieces if looked_for in words or (words and words in looked_for and len(words.split()) > 1)
    ]
    if whole:
        return whole
    slips = max(1, len(looked_for) // 8)
    near = [clause for clause, words in pieces if len(words) < _LONG and _near(looked_for, words, slips)]
    if near:
        return near
    wanted = telling(quote)
    return [clause for clause in own if wanted and all(heard(word, tokens(clause.text)) for word in wanted)]


def _near(quote: str, words: str, slips: int) -> bool:
    """Tell whether a quote is in there but for a few letters."""
    size = len(quote.split())
    parts = words.split()
    return any(edits(quote, " ".join(parts[i : i + size]), slips) <= slips for i in range(max(1, len(parts) - size + 1)))


def _unfit(clause: Clause, text: str, known: str) -> str | None:
    """Return why a clause cannot ground a text, None when it can."""
    if clause.kind is Kind.SUPPOSED:
        return "The person only supposes it."
    if clause.kind is Kind.FORGET:
        return "The person asks to forget, not to remember."
    if not clause.text:
        return "The person only asks."
    said = tokens(text)
    if reported(clause, said) or (signs.HEARSAY.search(clause.text) and not signs.HEARD.search(text)):
        return "Somebody else says so."
    if signs.FICTION.search(clause.text) and not signs.FICTION.search(text):
        return "It happens in a story."
    if about_another(clause, said):
        return "It is said about somebody else."
    if (reason := _unlike(clause, text)) is not None:
        return reason
    if clause.kind is Kind.SAID and (_opposite(clause, text) or _swapped(clause.text, text)):
        return "The person says the opposite."
    for sign, reason in ((signs.UNSURE, "The person is not sure."), (signs.WISHED, "The person wishes it; it is not so yet.")):
        if sign.search(clause.text) and not (signs.UNSURE.search(text) or signs.WISHED.search(text)):
            return reason
    return None


def _opposite(clause: Clause, text: str) -> bool:
    """Tell whether a clause and a text deny each other; of a clause only the deeds that the text speaks of count."""
    deeds = signs.ANOTHER_DEED.split(signs.CONTRAST.sub("", clause.text))
    words = telling(text) or tokens(text)[2:]
    told = [(deed, sum(heard(word, tokens(deed)) for word in words)) for deed in deeds]
    most = max(count for _, count in told)
    return most > 0 and all(signs.negated(deed) != signs.negated(text) for deed, count in told if count == most)


def _swapped(clause: str, text: str) -> bool:
    """Tell whether a comparison stands the other way round."""
    mine, theirs = _COMPARES.match(text), _COMPARES.match(clause)
    if mine is None or theirs is None or telling(mine[1])[-1:] == () or mine[2].lower() != theirs[2].lower():
        return False
    if mine[2].lower() == "than" and tokens(mine[1])[-1:] != tokens(theirs[1])[-1:]:
        return False  # older than, younger than: the order says nothing
    return any(heard(word, tokens(theirs[3])) for word in telling(mine[1])) and any(
        heard(word, tokens(theirs[1])) for word in telling(mine[3])
    )


_COMPARES = re.compile(r"(.*)\b(over|than|to|instead of|before|after|als|di|que|da)\b(.*)", re.IGNORECASE | re.DOTALL)


def _unlike(clause: Clause, text: str) -> str | None:
    """Return how a clause falls short of what a text says of the person themselves."""
    heard_in = tokens(clause.text)
    at_large = signs.AT_LARGE.search(clause.text) and not signs.FIRST.search(clause.text) and not signs.MINE.search(clause.text)
    if (
        (at_large or signs.SOMEONE.match(clause.text))
        and _OF_THE_USER.match(text)
        and not any(heard(word, heard_in) for word in living(text))
    ):
        return "It is said of the world, not of the person."
    if _LIKES.search(text) and not signs.LIKING.search(clause.text) and not asking.FOR_GOOD.search(clause.text):
        return "The person does not say that they like it."
    if _FROM.search(text) and not _ORIGIN.search(clause.text):
        return "The person does not say that they are from there."
    if _LIVES.search(text) and not signs.HOME.search(clause.text):
        return "The person does not say that it is their home."
    if _LIVES.search(text) and signs.PASSING.search(clause.text) and not endings.TURNED.search(clause.text):
        return "It is so for a while only."
    return None


_OF_THE_USER = re.compile(r"\W*(?:the )?user\s+\w", re.IGNORECASE)
_LIKES = re.compile(
    r"\buser\s+(?:\w+ly\s+|also\s+)?(?:likes?|loves?|enjoys?|prefers?|is\s+(?:a fan|fond|interested))\b", re.IGNORECASE
)
_FROM = re.compile(r"\buser (?:is|comes|was) (?:originally )?from\b", re.IGNORECASE)
_ORIGIN = re.compile(r"\b(?:from|born|raised|grew|native|hail|origin\w*|roots)\b", re.IGNORECASE)
_LIVES = re.compile(
    r"\b(?:lives?|living|resides?|wohnt|lebt|vive|abita|habite|vit|mora|живёт|живет)\s+(?:in|at|near|im|a|à|en|em|в)\b|住在",
    re.IGNORECASE,
)


def about_another(clause: Clause, said: tuple[str, ...]) -> bool:
    """Tell whether a clause speaks of somebody else of whom a text, given as its words, does not."""
    if (kin := signs.OTHER_JOINED.match(clause.text)) is not None:
        return not any(kin["who"][-2:] in word for word in said)
    subject = signs.OTHER.match(clause.text)
    if subject is None or signs.FIRST.search(clause.text):
        return False
    if (subject["pronoun"] or "").casefold() == "it" and signs.MINE.search(clause.text):
        return False  # "it is my birthday"
    if subject["pronoun"]:
        itself = (
            said[:2] == ("the", "user")
            and said[2:3] not in (("has",), ("had",))
            and said[2:3] != ()
            and said[2] not in signs.LIVING
        )
        return itself or not living(" ".join(said))
    if subject["name"]:
        return not heard(subject["name"].casefold(), said)
    row = _ROW.match(clause.text, subject.start("noun"))
    theirs = [word for word in (*tokens(subject["noun"]), *tokens(row.group() if row else "")) if word in signs.LIVING]
    return bool(theirs) and not any(heard(word, said) for word in theirs)


# "my cat, dog and bird"
_ROW = re.compile(r"\w+(?:\s*,\s*(?:my\s+)?\w+)*(?:\s*,?\s+(?:and|und|e|et|y)\s+(?:my\s+)?\w+)?", re.IGNORECASE)


def _exact(text: str) -> list[str]:
    """Return the names and numbers of a text, which have to have been said just so."""
    names = [] if re.match(r"\W*(?:der|die|das)\b", text, re.IGNORECASE) else NAME.findall(text)
    said = [word for name in names if not _TIME.fullmatch(name) for word in telling(name)]
    return [*said, *(word for word in tokens(text) if any(char.isdigit() for char in word) or word in COUNTS)]


def _date_words(text: str, fit: list[Clause], moments: list[Moment]) -> frozenset[str]:
    """Return the words of dates that a model may have worked out from "last May", near the day it was said."""
    if not any(_RELATIVE.search(clause.text) for clause in fit):
        return frozenset()
    years = {moment.local.year for moment in moments}
    found = [date.group() for date in _DATE.finditer(text)]
    named = {int(year) for date in found for year in re.findall(r"\b(?:19|20)\d\d\b", date)}
    if not named or not all(abs(year - near) <= 1 for year in named for near in years):
        return frozenset()
    months = [word for word in tokens(text) if _TIME.fullmatch(word)]
    return frozenset([*months, *(word for date in found for word in tokens(date))])


def _any_said(text: str, clause: Clause) -> bool:
    """Tell whether anything at all of a text was said; one without telling words ("lives alone") by any of its words."""
    words = tokens(clause.text)
    wanted = telling(text) or [word for word in tokens(text) if word not in ("the", "user", "a", "is")]
    return any(heard(word, words) for word in wanted)
