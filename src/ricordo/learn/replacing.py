"""Whether the person said that a known fact is over, or what it has become: the ground of removals and rewrites (E9, E15).

Speaking of it again, or asking about it, ends nothing; where in doubt the old fact stays and the new one stands beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ricordo.conversation import Turn
from ricordo.learn import endings, signs
from ricordo.learn.fact_words import WEEKDAYS
from ricordo.learn.forgetting import forgets
from ricordo.learn.grounding import MOST_QUOTE, NAME, Grounded, Ungrounded, about_another, ground_save, living, reported
from ricordo.learn.own_words import Clause, Kind, clauses
from ricordo.learn.single import number, one_of_a_kind
from ricordo.learn.telling import heard, telling, tokens


@dataclass(frozen=True, slots=True)
class Beside:
    """The person said it, but it does not take the place of the old fact: it is one of its own."""

    ground: Grounded
    reason: str


def ground_removal(fact: str, quote: str, turns: Sequence[Turn]) -> Grounded | Ungrounded:
    """Find words of the person that say a fact no longer holds, or that it be forgotten."""
    said_again = False
    for turn in turns:
        before = ""
        for clause in clauses(turn):
            if endings.THAT_IS_WRONG.match(clause.text) and any(heard(word, tokens(before)) for word in telling(fact)):
                return Grounded((quote or clause.whole)[:MOST_QUOTE], clause.message)
            before = clause.whole
            if forgets(clause, fact) or _ends(clause, fact):
                return Grounded((quote or clause.whole)[:MOST_QUOTE], clause.message)
            said_again = said_again or any(heard(word, tokens(clause.text)) for word in telling(fact))
    if said_again:
        return Ungrounded("The person speaks of it, but does not say that it no longer holds.")
    return Ungrounded("The person did not say that it no longer holds.")


def ground_replaced(fact: str, by: str, turns: Sequence[Turn]) -> bool:
    """Tell whether a grounded new fact is the new value of something a person has but one of, so that the old one is over."""
    if not one_of_a_kind(fact, by) or living(fact) != living(by):
        return False
    return _now(list(telling(by)), [clause for turn in turns for clause in clauses(turn)])


def ground_rewrite(fact: str, text: str, quote: str, turns: Sequence[Turn]) -> Grounded | Beside | Ungrounded:
    """Find the new words of a fact in what the person said, and whether they take the place of the old ones."""
    old, new = telling(fact), telling(text)
    added = [word for word in new if not heard(word, old)]
    gone = [word for word in old if not heard(word, new)]
    if not added:
        return _reworded(fact, text, gone, quote, turns)
    ground = ground_save(text, quote, turns, known=fact)
    if isinstance(ground, Ungrounded):
        return ground
    own = [clause for turn in turns for clause in clauses(turn)]
    single = one_of_a_kind(fact, text) or ("prefers" in tokens(fact) and "prefers" in tokens(text) and _now(added, own))
    if single and _for_now(added, own):
        return Ungrounded("It is so for a while only.")
    ended = isinstance(ground_removal(fact, "", turns), Grounded)
    if not ended and (living(fact) != living(text) or not (single or len(gone) < len(old))):
        return Beside(ground, "It is about something else than the fact it was to replace.")
    numbers = all(number(word) for word in (*added, *gone))
    if gone and not (ended or single or numbers or _gave_way(added, gone, own)):
        return Beside(ground, "The person did not say that the old fact is over.")
    if len(gone) > len(added) + 2:
        return Beside(ground, "It would lose what the old fact says besides.")
    return ground


def _reworded(fact: str, text: str, gone: list[str], quote: str, turns: Sequence[Turn]) -> Grounded | Ungrounded:
    """Judge a rewrite without new words: it denies the fact, drops a part of it, turns it round, or says the same."""
    if signs.opposite(fact, text):
        over = ground_removal(fact, quote, turns)
        if isinstance(over, Grounded) or not gone:
            return over
    if gone:
        dropped = " ".join(part for part in fact.split() if any(word in gone for word in telling(part)))
        return ground_removal(dropped, quote, turns)
    letters = [word for word in tokens(text) if len(word) == 1 and word not in (*tokens(fact), "a", "i")]
    if telling(fact) != telling(text) or letters:
        return ground_save(text, quote, turns)
    return Ungrounded("It says what the fact says already.")


def _gave_way(added: list[str], gone: list[str], own: list[Clause]) -> bool:
    """Tell whether the person speaks of what goes, or of what comes as of a change."""
    for clause in own:
        words = tokens(clause.text)
        if any(heard(word, words) for word in gone):
            return True
        if any(heard(word, words) for word in added) and (
            endings.CHANGED.search(clause.whole) or endings.ENDED.search(clause.whole)
        ):
            return True
    return False


def _for_now(added: list[str], own: list[Clause]) -> bool:
    """Tell whether new words were said of a while only, as one is away for a week."""
    return any(
        signs.PASSING.search(clause.whole) and not endings.TURNED.search(clause.whole)
        for clause in own
        if any(heard(word, tokens(clause.text)) for word in added)
    )


def _now(added: list[str], own: list[Clause]) -> bool:
    """Tell whether new words were said as what is so by now."""
    return any(
        endings.CHANGED.search(clause.text) and any(heard(word, tokens(clause.text)) for word in added)
        for clause in own
        if clause.kind is Kind.SAID
    )


def _ends(clause: Clause, fact: str) -> bool:
    """Tell whether a statement says that a fact is over, or never was so."""
    words = tokens(clause.text)
    shared = [word for word in telling(fact) if heard(word, words)]
    if all(word.removesuffix("s") in WEEKDAYS for word in shared):
        return False  # a day of the week alone tells nothing of what is done on it
    if clause.kind is not Kind.SAID or not shared or endings.NOT_ENDED.search(clause.text) or reported(clause):
        return False
    over = endings.ENDED.search(clause.text)
    until = replace(clause, text=clause.text[: over.end()]) if over else clause
    if about_another(clause, tokens(fact)) or about_another(until, tokens(fact)) or endings.STILL.search(clause.whole):
        return False
    if living(fact) and not living(fact) & living(clause.text) and not _named(fact, words):
        return False
    if all(word in signs.LIVING for word in shared) and not endings.PARTED.search(clause.text):
        return False  # whose daughter is no longer a vegetarian still has a daughter
    if _of_theirs(clause.text, shared) or _liked_less(clause.text, fact):
        return False
    if (deed := endings.DEED.search(clause.text)) is not None:
        shared = [word for word in shared if heard(word, tokens(clause.text[deed.end() :]))]
        if not shared:
            return False
    opposite = signs.opposite(clause.text, fact, shared)
    if endings.ENDED.search(clause.text):
        return opposite or not signs.negated(fact)
    if not opposite:
        return False
    if signs.negated(fact):  # "I eat meat again"
        return endings.CHANGED.search(clause.text) is not None
    # A bare "not" denies only a fact that the clause says otherwise whole: who did not feed the dog still has one.
    besides = [word for word in telling(clause.text) if not heard(word, telling(fact))]
    feels = [word for word in words if word in _FEELS and not heard(word, tokens(fact))]
    return not besides and not feels and len(shared) >= 0.6 * len(telling(fact))


def _of_theirs(said: str, shared: list[str]) -> bool:
    """Tell whether what a clause and a fact share is somebody else's in the clause: "the trumpet of the neighbour"."""
    words = list(tokens(said))
    for at, word in enumerate(words):
        if heard(word, tuple(shared)) and word not in signs.LIVING:
            after = words[at + 1 : at + 4]
            if after[:1] == ["of"] and any(other in signs.LIVING for other in after):
                return True
    return False


def _liked_less(said: str, fact: str) -> bool:
    """Tell whether what one used to feel is the opposite of a fact: who used to hate olives may well love them."""
    _, used_to, after = said.lower().partition("used to ")
    return bool(used_to) and signs.negated(after) != signs.negated(fact)


_FEELS = frozenset("like love enjoy want need feel see get understand".split())


def _named(fact: str, words: tuple[str, ...]) -> bool:
    return any(heard(part, words) for name in NAME.findall(fact) for part in telling(name))
