"""Whether a day stands in a sentence about what has yet to come, or about any such day: then it is no reference.

Asked only of days that the words leave open ("on Friday", "on May 12"), never of one that is written out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from itertools import pairwise

from ricordo.recall import days
from ricordo.recall.dates import tenses
from ricordo.recall.dates.meanings import Span
from ricordo.recall.dates.phrases import Token

_SENTENCE_END = frozenset(".!?;\n")
_CLAUSE_END = _SENTENCE_END | frozenset(",:()")
_REACH = 40  # words looked at either side: what keeps the work linear in a text without full stops
_SOON = 31  # days: so near, a date without a year is as likely the one to come
_FEW = 3  # words: "on August 6" has no room for a verb
# "I enrolled in a November 15 workshop" tells of the past too, so only the plainest words of telling count here.
_TOLD = frozenset("did was were wrote written said happened went had told".split())
_AHEAD = frozenset(
    "will shall should gonna won't tomorrow upcoming due deadline starting scheduled rescheduled "
    "let's meet book reschedule free available plan plans arrange invite".split()
)
_GENERAL = 5  # words: "how many days are there in February" is about any February
_IS = frozenset("is are does".split())
_OURS = frozenset("i i'm i've my me we we've our us entry entries note notes diary journal".split())
_WE = frozenset({"i", "we"})
_HAVE_TO = frozenset("have need must can want start leave fly see go".split())  # "I have an exam on Friday"
_BE = frozenset("am is are be i'm we're they're you're he's she's it's".split())
_NO_VERB = frozenset("thing something anything nothing everything morning evening wedding meeting spring building king".split())


def ahead(tokens: Sequence[Token], begin: int, end: int, span: Span, today: date) -> bool:
    """Say whether a day that only today tells stands in a sentence about the future."""
    if not span.leaning or span.first == today == span.last:
        return False
    if _soon(span, today):
        clause = _around(tokens, begin, end, _CLAUSE_END)
        return len(clause) > end - begin + _FEW and _TOLD.isdisjoint(clause)
    words = _around(tokens, begin, end, _SENTENCE_END)
    if any(map(tenses.is_past, words)):
        return False
    if len(words) > _GENERAL and not _IS.isdisjoint(words) and _OURS.isdisjoint(words):
        return True
    if any(word in _AHEAD or word.endswith("'ll") for word in words):
        return True
    if any(we in _WE and have in _HAVE_TO for we, have in pairwise(words)):
        return True
    if any(be in _BE and doing.endswith("ing") for be, doing in pairwise(words)):
        return True
    # With who goes between them: "is Andrew going".
    apart = zip(words, words[2:], strict=False)
    return any(be in _BE and doing.endswith("ing") and doing not in _NO_VERB for be, doing in apart)


def _soon(span: Span, today: date) -> bool:
    """Say whether what lacks a year, and was taken for last year's, is near again."""
    again = [days.months_on(day, 12) for day in (span.first, span.last)]
    return span.any_year and any(day is not None and 0 < (day - today).days <= _SOON for day in again)


def _around(tokens: Sequence[Token], begin: int, end: int, ends: Collection[str]) -> list[str]:
    first, last = begin, end
    while first > max(0, begin - _REACH) and tokens[first - 1].word not in ends:
        first -= 1
    while last < min(len(tokens), end + _REACH) and tokens[last].word not in ends:
        last += 1
    return [token.word for token in tokens[first:last]]
