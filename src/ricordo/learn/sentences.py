"""Sentence by sentence: the way to ask a small model, by yes/no questions of which the probability of "yes" is read (E18).

What a rule can tell is never asked: questions, tasks, secrets, very short sentences, and what is to be forgotten. What comes
out are proposals like those of the one call, each with the person's sentence as its quote; code decides on them all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ricordo.conversation import Turn
from ricordo.fact import Fact
from ricordo.learn import asking, endings, questions, signs
from ricordo.learn.duplicates import nearest
from ricordo.learn.extractor import Unread
from ricordo.learn.grounding import NAME, Grounded, living, reported
from ricordo.learn.own_words import Clause, Kind, clauses
from ricordo.learn.passing import IMAGINED, IRONY, passing
from ricordo.learn.proposals import Proposal, Remove, Rewrite, Save
from ricordo.learn.replacing import ground_removal
from ricordo.learn.secrets import secret_in
from ricordo.learn.single import one_of_a_kind, replaces
from ricordo.learn.telling import heard, telling, tokens
from ricordo.models.base import ChatModel, Finish

# Probabilities of "yes", chosen on the tuned half of benchmarks/learning_turns.jsonl with the embedded model.
LASTING, KEPT, OUTDATED = 0.6, 0.65, 0.5
# The more is told, the more of it gets through by chance: of a long entry only what is surer.
LONG, KEPT_OF_LONG = 6, 0.8
OUTDATED_IF_SAID = 0.3  # where the person's own words say that it is over
_MOST_ASKED = 24  # sentences of one batch: about ten seconds on a small machine
_MOST_KEPT = 6
_NEAR = 4  # known facts that a new one is held against


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that a rule found worth asking about: `text` is what is asked, `clause` what the person said."""

    text: str
    clause: Clause


def worth_asking(turns: Sequence[Turn]) -> list[Statement]:
    """Return what the person stated, as far as a rule can tell; of very much the sentences that speak of themselves."""
    found = [statement for turn in turns for statement in _stated(turn)]
    if len(found) <= _MOST_ASKED:
        return found
    of_self = sorted(range(len(found)), key=lambda at: (not _of_self(found[at].clause.text), at))[:_MOST_ASKED]
    return [found[at] for at in sorted(of_self)]


async def propose(
    model: ChatModel, turns: Sequence[Turn], known: Sequence[Fact], patience: float
) -> tuple[Proposal, ...] | Unread:
    """Ask the model about each sentence of the turns; `known` are the facts by their place.

    `patience` is seconds without a sign of life. Raises ModelError. Unread where it gives no probabilities.
    """
    asked = worth_asking(turns)
    chances = [await questions.lasting(model, statement.text, patience) for statement in asked]
    if None in chances:
        return Unread("The server gave no probabilities with the model's answer.")
    lasting = [statement for statement, value in zip(asked, chances, strict=True) if value is not None and value >= LASTING]
    restated: list[tuple[str, Statement]] = []
    sure = KEPT if len(asked) <= LONG else KEPT_OF_LONG
    for statement in lasting[:_MOST_KEPT]:
        text = await _restated(model, statement, patience)
        if text is not None and (await questions.kept(model, text, patience) or 0.0) >= sure:
            restated.append((text, statement))
    # What ends something is held against the known facts too, whether or not it is worth keeping by itself.
    kept = [statement for _, statement in restated]
    over = [(each.text, each) for each in asked if each not in kept and endings.ENDED.search(each.clause.text)]
    found: list[Proposal] = [*forgotten(turns, known)]
    for text, statement in (*restated, *over):
        gone = await _out_of_date(model, text, statement.clause, known, turns, patience)
        proposals = [*settled(text, statement.clause, gone, known, turns, lasting=statement in kept)]
        if statement not in kept and proposals and not _only_ends(text, gone, known):
            # Whoever says what it is instead wants that to take its place.
            new = await _restated(model, statement, patience)
            proposals = [*settled(new, statement.clause, gone, known, turns, lasting=True)] if new is not None else []
        found += proposals
    return tuple(dict.fromkeys(found))


def forgotten(turns: Sequence[Turn], known: Sequence[Fact]) -> Iterator[Remove]:
    """Yield the removals that the person asks for in so many words ("forget …"): no model is needed for that."""
    for turn in turns:
        for clause in clauses(turn):
            if clause.kind is Kind.FORGET:
                yield from (
                    Remove(place, clause.text)
                    for place, fact in enumerate(known, 1)
                    if isinstance(ground_removal(fact.text, clause.text, [turn]), Grounded)
                )


def settled(
    text: str, clause: Clause, gone: Sequence[int], known: Sequence[Fact], turns: Sequence[Turn], *, lasting: bool
) -> Iterator[Proposal]:
    """Yield what a statement proposes, given the places of the facts that it makes out of date.

    One that only ends a fact removes it; one that says something new takes the place of the first and removes the others.
    """
    ended = [place for place in gone if isinstance(ground_removal(known[place - 1].text, clause.text, turns), Grounded)]
    only_ends = _only_ends(text, ended, known)
    if only_ends or not lasting:
        yield from (Remove(place, clause.text) for place in only_ends or ended)
        return
    # A small model finds much out of date that is not: what goes has to be over by the person's own words, or by its kind.
    over = [place for place in gone if place in ended or replaces(known[place - 1].text, text)]
    if not over:
        yield Save(text, clause.text)
        return
    yield Rewrite(over[0], text, clause.text)
    yield from (Remove(place, clause.text) for place in ended if place != over[0])


def _only_ends(text: str, places: Sequence[int], known: Sequence[Fact]) -> list[int]:
    """Return the places of the facts of which a text says nothing but that they are over."""
    said = [word for word in telling(text) if not endings.ENDED.search(word)]
    return [place for place in places if all(heard(word, tokens(known[place - 1].text)) for word in said)]


def faithful(said: str, text: str) -> bool:
    """Tell whether a sentence put into the third person kept names, numbers and denials, and says of whom it speaks."""
    words = tokens(text)
    exact = [word for name in NAME.findall(said) for word in telling(name)]
    exact += [word for word in tokens(said) if any(char.isdigit() for char in word)]
    invented = [word for word in words if any(char.isdigit() for char in word) and not heard(word, tokens(said))]
    return (
        bool(telling(text))
        and not invented
        and _of_whom(said, text)
        and not _of_nobody(text)
        and all(heard(word, words) for word in exact)
        and signs.negated(said) == signs.negated(text)
    )


def _of_whom(said: str, text: str) -> bool:
    """Tell whether a text speaks of the person, or of the one a sentence without "I" is about: by name, or as whose they are."""
    if _USER.search(text):
        return True
    return not signs.FIRST.search(said) and (NAME.match(text) is not None or bool(living(text.split(",")[0])))


_USER = re.compile(r"\buser|nutzer|utente|utilisat|usuari|usuári|gebruiker|пользовател|用户|ユーザー", re.IGNORECASE)


def _of_nobody(text: str) -> bool:
    """Tell whether a "she" or "him" stands in a text with nobody before it that it could mean (E13)."""
    pronoun = _PRONOUN.search(text)
    before = text[: pronoun.start()] if pronoun else ""
    return pronoun is not None and not living(before) and not NAME.search(before)


_PRONOUN = re.compile(
    r"\b(?:she|he|him|her(?=\W*$|\s+(?:every|each|on|in|at|with|often|daily|weekly|when|because|and|to|for|a|the)\b))\b",
    re.IGNORECASE,
)


_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Þ])")


async def _restated(model: ChatModel, statement: Statement, patience: float) -> str | None:
    """Return a statement in the third person, None where what came back says something else."""
    completion = await model.complete(questions.restating(statement.text, patience))
    lines = completion.text.strip().splitlines()
    if completion.finish is not Finish.STOP or len(lines) != 1:
        return None
    # What a second sentence says without the person in it stands for nothing ("Half of them are shorter than it").
    first, *others = _SENTENCES.split(lines[0].strip().strip('"'))
    text = " ".join([first, *(other for other in others if _USER.search(other))])
    return text if faithful(statement.clause.text, text) else None


async def _out_of_date(
    model: ChatModel, text: str, clause: Clause, known: Sequence[Fact], turns: Sequence[Turn], patience: float
) -> list[int]:
    """Return the places, from 1, of the known facts that a statement makes out of date, the surest first.

    Asked of the nearest by words, and before them of those in the same place: a home has no word in common with another.
    """
    chances = []
    near = [at for at, fact in enumerate(known) if one_of_a_kind(fact.text, text)]
    near += nearest(f"{text} {clause.text}", [fact.text for fact in known], _NEAR)
    for at in list(dict.fromkeys(near))[:_NEAR]:
        value = await questions.outdated(model, known[at].text, text, patience)
        said_over = isinstance(ground_removal(known[at].text, clause.text, turns), Grounded)
        if value is not None and value >= (OUTDATED_IF_SAID if said_over else OUTDATED):
            chances.append((-value, at + 1))
    return [place for _, place in sorted(chances)]


def _stated(turn: Turn) -> Iterator[Statement]:
    before = ""
    if IRONY.search(turn.asked.text):
        return
    for clause in clauses(turn):
        if IMAGINED.search(clause.whole):
            return  # what follows is so only there
        if clause.kind is not Kind.SAID or not _may_tell(clause):
            before = ""
            continue
        pronoun = (other := signs.OTHER.match(clause.text)) is not None and other["pronoun"]
        yield Statement(f"{before}; {clause.text}" if before and pronoun else clause.text, clause)
        before = clause.text


def _may_tell(clause: Clause) -> bool:
    """Tell whether a clause may say something of the person: what code would refuse anyway need not be asked about."""
    text = clause.text
    if (
        passing(text)
        or asking.REQUEST.match(text)
        or signs.FICTION.search(text)
        or signs.HEARSAY.search(text)
        or reported(clause)
    ):
        return False
    if signs.AT_LARGE.search(text) and not _of_self(text) and not signs.OTHER.match(text):
        return False  # of the world, not of the person
    # Fewer than three words say too little, or four signs where words have no blanks.
    enough = len(tokens(text)) >= 3 or sum(char >= "\u3040" for char in text) >= 4
    return enough and secret_in(text) is None


def _of_self(text: str) -> bool:
    return signs.FIRST.search(text) is not None or signs.MINE.search(text) is not None
