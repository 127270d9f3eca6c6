"""Whether the person asks that a known fact be forgotten.

The one rule: only a command forgets. What is taken out of a letter or a dish, and what one means by "never mind", stays known.
"""

from __future__ import annotations

import re

from ricordo.learn import asking, signs
from ricordo.learn.own_words import Clause, Kind
from ricordo.learn.single import SLOTS, slots
from ricordo.learn.telling import heard, telling, tokens

# Words of "forget that thing about …" that no fact has.
_FILLING = re.compile(
    r"\b(?:ever|once|things?|stuff|anything|something|parts?|bits?|facts?|story|matter|business|topic|remember\w*|memor\w+"
    r"|notes?)\b",
    re.IGNORECASE,
)
# What is taken out of a text, a dish, a list is not to be forgotten.
_OF_A_TEXT = re.compile(
    r"^\W*(?:\w+\W+){0,3}?(?:remove|drop|delete|erase)\b(?!.*\b(?:about|what|that|everything|anything|all|my|our|memor\w+"
    r"|facts?|notes?)\b)"
    r"|\b(?:remove|drop|delete|erase)\b.*\b(?:from|in|of) (?:the|my|this|that|your) (?:\w+ )?(?:letter|text|cv|bio|draft"
    r"|list|e-?mail|message"
    r"|paragraph|sentence|story|poem|code|file|document|essay|post|recipe|dish|answer|reply|table|menu|plan)\b",
    re.IGNORECASE,
)


def forgets(clause: Clause, fact: str) -> bool:
    """Tell whether a clause asks to forget a fact, by what it names of it."""
    if clause.kind is not Kind.FORGET or (match := asking.FORGET.match(clause.text)) is None:
        return False
    what = match["what"].strip()
    if asking.FORGET_ALL.match(what):
        wanted = telling(re.sub(r"\b(?:you|know|knew|about|me|told|said|remember)\b", " ", what)[len(what.split()[0]) :])
        if not wanted:
            return True
    if _OF_A_TEXT.search(clause.text) or asking.NEVER_MIND.search(clause.text):
        return False
    what = _FILLING.sub(" ", what)
    wanted = telling(re.split(r"[,;(]|\b(?:because|since|that's|it's)\b", what)[0]) or tuple(
        word for word in tokens(what) if word in SLOTS or word in signs.LIVING
    )
    among = tokens(fact)
    hits = [word for word in wanted if heard(word, among) or (word in SLOTS and SLOTS[word] in slots(fact))]
    return bool(wanted) and len(hits) >= 0.6 * len(wanted)
