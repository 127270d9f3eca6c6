"""Yes/no questions to a model, and the reading of the answer: the probability of "yes" where the server tells it, else words.

A small model that fails when it is asked for a list tells relevant from irrelevant when it is asked one thing at a time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ricordo.models.answers import said
from ricordo.models.base import Alternative, ChatModel, Request
from ricordo.prompt import ChatMessage, Usage

_ANSWERED = 0.3  # of all probability that has to fall on yes and no for the answer to count
_ALTERNATIVES = 20  # as many as every server gives
_ONE_TOKEN, _A_FEW = 1, 8

# A model answers in the language of the conversation, whatever language the question is in.
_YES = frozenset("yes y yeah yep true relevant ja sì si sí oui sim da да evet tak 是 是的 はい 네".split())
_NO = frozenset("no n nope none false irrelevant nein non não nee нет nie hayır 不 不是 否 いいえ 아니".split())
_DENIED = re.compile(r"(?:not|isn['’]?t|is not|hardly|doesn['’]?t|does not|nicht|non|pas|не|不)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_LEADING = re.compile(
    r"^\W*(?:relevan(?:t|ce)\W{0,3}[:=]\W*|(?:the\s+)?(?:answer|verdict|final answer|result|it)\W+(?:is\W+)?)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said to a yes/no question.

    `chance` is the probability of yes, None when too little of it falls on yes and no or the server tells none, which
    `probabilities` tells apart; `word` is what the text says, None when it says neither.
    """

    chance: float | None
    word: bool | None
    probabilities: bool
    usage: Usage


async def ask(
    model: ChatModel, messages: Sequence[ChatMessage], patience: float, *, words: bool = False, turns_dropped: bool = False
) -> Answer:
    """Ask a question that ends with "yes or no"; `patience` is seconds without a sign of life. Raises ModelError.

    With `words` there is room for an answer that takes more than one token, for servers without probabilities.
    `turns_dropped` as in `Request`.
    """
    room = _A_FEW if words else _ONE_TOKEN
    request = Request(tuple(messages), room, logprobs=_ALTERNATIVES, timeout=patience, turns_dropped=turns_dropped)
    completion = await model.complete(request)
    chance = share_of_yes(completion.logprobs[0]) if completion.logprobs else None
    return Answer(chance, verdict(completion.text), bool(completion.logprobs), completion.usage)


def share_of_yes(alternatives: Sequence[Alternative]) -> float | None:
    """Return the share of "yes" in what falls on yes and no; None if that is too little to count as an answer."""
    yes = no = 0.0
    for each in alternatives:
        word = each.token.strip().strip("\"'.*").casefold()
        chance = math.exp(min(0.0, each.logprob))
        yes += chance if word in _YES else 0.0
        no += chance if word in _NO else 0.0
    return yes / (yes + no) if yes + no >= _ANSWERED else None


def verdict(text: str) -> bool | None:
    """Return what a written answer says, in whatever form small models give it; None when it says neither."""
    answer = _LEADING.sub("", said(text), count=1)
    if _DENIED.match(answer):
        return False
    first = _WORD.search(answer)
    word = first.group().casefold() if first and not answer[: first.start()].strip(" *_`\"'“(") else ""
    return True if word in _YES else False if word in _NO else None
