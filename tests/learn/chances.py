"""A model server that answers yes/no questions with probabilities, and rewrites by a table: over real HTTP."""

import math
from collections.abc import Mapping

from tests.fake_server import Asked, Reply


def chances(yes: float) -> Reply:
    """An answer of one token that falls on "yes" with this probability."""
    alternatives = {" Yes": math.log(max(yes * 0.98, 1e-9)), "no": math.log(max((1 - yes) * 0.98, 1e-9)), "maybe": math.log(0.02)}
    return Reply("Yes" if yes >= 0.5 else "no", alternatives=alternatives)


def question(asked: Asked) -> str:
    """The sentence that is asked about."""
    return str(asked.messages[-1]["content"])


def rule(
    asked: Asked, lasting: Mapping[str, float], restated: Mapping[str, str], outdated: Mapping[str, str], sure: float = 0.9
) -> Reply:
    """Answer one question.

    `lasting` gives the probability of a sentence by words in it, `restated` its third person, `outdated` words of the known
    fact by words of the statement that ends it, which is said with the probability `sure`.
    """
    text = question(asked)
    if asked.body["max_tokens"] != 1:
        return Reply(next((new for words, new in restated.items() if words in text), "I cannot."))
    if text.startswith("Known fact: "):
        known, _, new = text.partition("\n")
        return chances(sure if any(words in new and old in known for words, old in outdated.items()) else 0.1)
    return chances(next((value for words, value in lasting.items() if words in text), 0.05))
