"""When the words of a phrase about days do mean days: what stands around them tells (see phrases.Rule)."""

from __future__ import annotations

from collections.abc import Sequence

from ricordo.recall.dates import tenses
from ricordo.recall.dates.phrases import Token
from ricordo.recall.dates.words import COUNTED, DOUBTFUL, NOT_PLURAL

_INTRODUCE = frozenset("on the in since between from to and until till after before by of – — - last".split())
_PARTS = frozenset("whole all end start beginning rest middle half most entry entries days months".split())
_PERSONS = frozenset("april may june august march".split())  # names, and words, as often as months
_STREETS = frozenset("road street avenue lane square st ave rd place boulevard drive".split())  # "12 March Road"
_CLAUSE_END = frozenset(".,;:!?)]\n–—-")


def _counted(token: Token) -> bool:
    word = token.word
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("'s") and word not in NOT_PLURAL
    return word in COUNTED or plural


def not_counted(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Tell a year from a count: "in 2000 words"."""
    return end == len(tokens) or tokens[end].word not in COUNTED


def whole(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """ "The last year of school" is no year of the calendar's."""
    return end == len(tokens) or tokens[end].word not in ("of", "before", "after")


def part_of(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """ "The end of 2021" is about that year; "the Act of 1978" is not."""
    return begin > 0 and tokens[begin - 1].word in _PARTS


def clause_ends(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """ "On the 3rd" is a day, "on the 3rd floor" is none."""
    return end == len(tokens) or tokens[end].word in _CLAUSE_END


def day_meant(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Tell a day ("3 August") from a count ("3 August lilies") or a verb ("may 5 people come")."""
    inside = tokens[begin:end]
    if end < len(tokens) and tokens[end].word in _STREETS:
        return False
    if "YEAR" in inside[-1].classes and not not_counted(tokens, begin, end):
        return False
    if inside[0].word in _INTRODUCE or (begin and tokens[begin - 1].word in _INTRODUCE):
        return True
    if any("YEAR" in token.classes or "NTHDAY" in token.classes or "ORDINAL" in token.classes for token in inside):
        return True
    if any(token.word in DOUBTFUL and (token.text.islower() or token is inside[0]) for token in inside):
        return clause_ends(tokens, begin, end)
    return end == len(tokens) or not _counted(tokens[end])


def month_meant(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Tell a month from a verb: "we may this year go"."""
    if tokens[begin].word in _INTRODUCE:
        return True
    return all(token.word not in DOUBTFUL or token.text[0].isupper() for token in tokens[begin:end])


def named(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Tell a name ("Good Friday") from a wish ("have a good Friday")."""
    return all(token.text[:1].isupper() or token.text[:1].isdigit() for token in tokens[begin:end])


def no_name(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Tell a weekday alone from a name: "like Wednesday Addams"."""
    if not begin or not tokens[begin - 1].text[0].isalpha() or end == len(tokens):
        return True
    after = tokens[end]
    return bool(after.classes) or after.word == "i" or not after.text[0].isupper()


def month_alone(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Tell a month ("show me September") from a person ("tell me about June")."""
    return tokens[end - 1].word not in _PERSONS and clause_ends(tokens, begin, end)


def short_weekday(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """ "What did I eat mon?": a weekday cut short ends a question about what was."""
    return clause_ends(tokens, begin, end) and tenses.english_past(tokens, begin, end) and tokens[begin].word != "sat"


def feast_alone(tokens: Sequence[Token], begin: int, end: int) -> bool:
    """Tell a day that was ("what did I wear, Halloween?") from all that is named after it ("Halloween Nights")."""
    return clause_ends(tokens, begin, end) and tenses.english_past(tokens, begin, end)
