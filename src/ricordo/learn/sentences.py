"""Sentence by sentence: the way to ask a small model, by yes/no questions of which the probability of "yes" is read (E18).

What a rule can tell is never asked: questions, tasks, secrets, very short sentences, and what is to be forgotten. What comes
out are proposals like those of the one call, each with the person's sentence as its quote; code decides on them all the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ricordo.conversation import Turn
from ricordo.fact import Fact
from ricordo.learn import asking, endings, signs
from ricordo.learn.duplicates import nearest
from ricordo.learn.extractor import Unread
from ricordo.learn.grounding import NAME, Grounded, reported
from ricordo.learn.own_words import Clause, Kind, clauses
from ricordo.learn.proposals import Proposal, Remove, Rewrite, Save
from ricordo.learn.replacing import ground_removal, one_of_a_kind
from ricordo.learn.secrets import secret_in
from ricordo.learn.telling import heard, telling, tokens
from ricordo.models.base import Alternative, ChatModel, Finish, Request
from ricordo.prompt import ChatMessage

Shot = tuple[str, str]

# Probabilities of "yes", chosen on the tuned half of benchmarks/learning_turns.jsonl with the embedded model.
LASTING, OUTDATED = 0.6, 0.5
_ANSWERS = 0.3  # of all probability that has to fall on yes and no for the answer to count
_MOST_ASKED = 24  # sentences of one batch: about ten seconds on a small machine
_MOST_KEPT = 6
_NEAR = 4  # known facts that a new one is held against
_RESTATED = 80  # tokens
_ALTERNATIVES = 20  # as many as every server gives

# The examples hold no name, date, place or number: a small model copies what it has just read. Each kind of question has a
# beginning of its own, and all of a kind are asked in a row, so that a server's cache holds all but the sentence.
_LASTING = (
    "Does the sentence tell lasting facts about the speaker or their family: job, home, health, diet, tastes, relatives, pets, "
    "skills, habits? Plans for the day, errands, what happened today, moods of the moment, opinions about the world and secret "
    "codes are not lasting. Reply yes or no."
)
_LASTING_SHOTS: tuple[Shot, ...] = (
    ("I bake bread for a living", "yes"),
    ("The meeting went on for hours", "no"),
    ("Our son has asthma", "yes"),
    ("I have to call the bank later", "no"),
    ("I am tired today", "no"),
    ("We moved to the coast in spring", "yes"),
    ("The key is under the mat", "no"),
    ("I hate swimming and I gave up meat", "yes"),
    ("I had soup for lunch", "no"),
    ("We went to the fair and bought some jam", "no"),
    ("My aunt collects clocks", "yes"),
    ("That film was better than I thought", "no"),
)
_RESTATE = (
    'Rewrite the sentence in the third person about "the user". Keep every name and number, and the language. Leave out what '
    "only holds today. Reply with one short sentence."
)
_RESTATE_SHOTS: tuple[Shot, ...] = (
    ("I bake bread for a living, so I am up before dawn", "The user bakes bread for a living."),
    ("We finally sold our old boat", "The user sold their old boat."),
    ("As I said, my son has asthma", "The user's son has asthma."),
    ("I don't eat meat any more", "The user does not eat meat any more."),
    ("Ich fahre gern Rad", "Der Nutzer fährt gern Rad."),
    ("Ho una casa con un grande giardino", "L'utente ha una casa con un grande giardino."),
)
_OUTDATED = "Does the new statement make the known fact out of date? Reply yes or no."
_OUTDATED_SHOTS: tuple[Shot, ...] = (
    ("Known fact: The user drives a van.\nNew statement: The user sold the van.", "yes"),
    ("Known fact: The user drives a van.\nNew statement: The user's son has asthma.", "no"),
    ("Known fact: The user lives by the sea.\nNew statement: The user moved to the mountains.", "yes"),
    ("Known fact: The user keeps bees.\nNew statement: The user moved to the mountains.", "no"),
    ("Known fact: The user is a baker.\nNew statement: The user likes dark bread.", "no"),
)


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
    chances = [await chance(model, _LASTING, _LASTING_SHOTS, statement.text, patience) for statement in asked]
    if None in chances:
        return Unread("The server gave no probabilities with the model's answer.")
    lasting = [statement for statement, value in zip(asked, chances, strict=True) if value is not None and value >= LASTING]
    restated: list[tuple[str, Clause]] = []
    for statement in lasting[:_MOST_KEPT]:
        if (text := await _restated(model, statement, patience)) is not None:
            restated.append((text, statement.clause))
    # What ends something is held against the known facts too, whether or not it is worth keeping by itself.
    kept = {id(statement.clause) for statement in lasting}
    over = [s for s in asked if id(s.clause) not in kept and endings.ENDED.search(s.clause.text)]
    found: list[Proposal] = [*forgotten(turns, known)]
    for text, clause in (*restated, *((s.text, s.clause) for s in over)):
        gone = await _out_of_date(model, text, clause, known, patience)
        found += settled(text, clause, gone, known, turns, lasting=id(clause) in kept)
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
    ending = [word for word in telling(text) if not endings.ENDED.search(word)]
    only_ends = [place for place in ended if all(heard(word, tokens(known[place - 1].text)) for word in ending)]
    if only_ends or not lasting:
        yield from (Remove(place, clause.text) for place in only_ends or ended)
        return
    if not gone:
        yield Save(text, clause.text)
        return
    yield Rewrite(gone[0], text, clause.text)
    yield from (Remove(place, clause.text) for place in ended if place != gone[0])


async def chance(model: ChatModel, system: str, shots: Sequence[Shot], question: str, patience: float) -> float | None:
    """Return the probability of "yes", None where the server gives no probabilities."""
    request = Request(_prompt(system, shots, question), 1, logprobs=_ALTERNATIVES, timeout=patience)
    completion = await model.complete(request)
    return yes(completion.logprobs[0]) if completion.logprobs else None


def yes(alternatives: Sequence[Alternative]) -> float:
    """Return the share of "yes" in what falls on yes and no; 0 if that is too little to count as an answer."""
    chances = {"yes": 0.0, "no": 0.0}
    for each in alternatives:
        if (word := each.token.strip().strip("\"'.*").lower()) in chances:
            chances[word] += math.exp(min(0.0, each.logprob))
    both = chances["yes"] + chances["no"]
    return chances["yes"] / both if both >= _ANSWERS else 0.0


async def gives_chances(model: ChatModel, patience: float) -> bool:
    """Ask one question to see whether a server gives probabilities and the model answers with yes or no."""
    return (await chance(model, _LASTING, _LASTING_SHOTS, "I play the violin", patience) or 0.0) > 0.0


def faithful(said: str, text: str) -> bool:
    """Tell whether a sentence put into the third person kept the names, numbers and denials of what was said."""
    words = tokens(text)
    exact = [word for name in NAME.findall(said) for word in telling(name)]
    exact += [word for word in tokens(said) if any(char.isdigit() for char in word)]
    invented = [word for word in words if any(char.isdigit() for char in word) and not heard(word, tokens(said))]
    return (
        bool(telling(text))
        and not invented
        and all(heard(word, words) for word in exact)
        and signs.negated(said) == signs.negated(text)
    )


async def _restated(model: ChatModel, statement: Statement, patience: float) -> str | None:
    """Return a statement in the third person, None where what came back says something else."""
    completion = await model.complete(Request(_prompt(_RESTATE, _RESTATE_SHOTS, statement.text), _RESTATED, timeout=patience))
    lines = completion.text.strip().splitlines()
    if completion.finish is not Finish.STOP or len(lines) != 1:
        return None
    text = lines[0].strip().strip('"')
    return text if faithful(statement.clause.text, text) else None


async def _out_of_date(model: ChatModel, text: str, clause: Clause, known: Sequence[Fact], patience: float) -> list[int]:
    """Return the places, from 1, of the known facts that a statement makes out of date, the surest first.

    Asked of the nearest by words, and before them of those in the same place: a home has no word in common with another.
    """
    chances = []
    near = [at for at, fact in enumerate(known) if one_of_a_kind(fact.text, text)]
    near += nearest(f"{text} {clause.text}", [fact.text for fact in known], _NEAR)
    for at in list(dict.fromkeys(near))[:_NEAR]:
        question = f"Known fact: {known[at].text}\nNew statement: {text}"
        value = await chance(model, _OUTDATED, _OUTDATED_SHOTS, question, patience)
        if value is not None and value >= OUTDATED:
            chances.append((-value, at + 1))
    return [place for _, place in sorted(chances)]


def _stated(turn: Turn) -> Iterator[Statement]:
    before = ""
    for clause in clauses(turn):
        if clause.kind is not Kind.SAID or not _may_tell(clause):
            before = ""
            continue
        pronoun = (other := signs.OTHER.match(clause.text)) is not None and other["pronoun"]
        yield Statement(f"{before}; {clause.text}" if before and pronoun else clause.text, clause)
        before = clause.text


def _may_tell(clause: Clause) -> bool:
    """Tell whether a clause may say something of the person: what code would refuse anyway need not be asked about."""
    text = clause.text
    if asking.REQUEST.match(text) or signs.FICTION.search(text) or signs.HEARSAY.search(text) or reported(clause):
        return False
    if signs.AT_LARGE.search(text) and not _of_self(text) and not signs.OTHER.match(text):
        return False  # of the world, not of the person
    # Fewer than three words say too little, or four signs where words have no blanks.
    enough = len(tokens(text)) >= 3 or sum(char >= "\u3040" for char in text) >= 4
    return enough and secret_in(text) is None


def _of_self(text: str) -> bool:
    return signs.FIRST.search(text) is not None or signs.MINE.search(text) is not None


def _prompt(system: str, shots: Sequence[Shot], question: str) -> tuple[ChatMessage, ...]:
    prompt = [ChatMessage("system", system)]
    for asked, answer in shots:
        prompt += [ChatMessage("user", asked), ChatMessage("assistant", answer)]
    return (*prompt, ChatMessage("user", question))
