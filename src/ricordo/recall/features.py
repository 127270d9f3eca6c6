"""What speaks for a message as the answer to a question: few numbers, each with a reason, and one set of rounded weights.

The one rule: the same weights for every kind of talk. docs/decisions/0018-ranking.md says where they come from.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ricordo.conversation import Moment
from ricordo.recall.question import Question
from ricordo.recall.references import Days
from ricordo.store.stems import Stems
from ricordo.store.surroundings import SITTING, Placed

# BM25 and the sitting's score count as parts of the best one; covering as a part of all the question's words, by rarity.
WEIGHTS: Mapping[str, float] = {
    "words": 3.6,  # BM25 of its best piece
    "meaning": 0.8,  # ten times the cosine's distance from the best: a tenth of a cosine is much
    "meaning beside": 0.2,  # ten times the cosines of the messages before and after
    "covers": 1.6,  # how much of the question it holds together with its neighbours: an answer rarely repeats the question
    "pairs": 1.2,  # words that stand together in the question and here
    "sitting": 1.6,  # the three best scores of the sitting it was written in
    "sitting covers": 1.4,  # how much of the question that sitting holds
    "before": 0.6,  # BM25 of the message before it: what it answers
    "after": 0.8,  # BM25 of the message after it: what it was asked
    "speaker": 2.4,  # it is said by the one person whom the question names
    "person": 3.0,  # written by the person, not by the model: what they lived, not what was advised
    "asks": -0.9,  # it ends with a question, and answers none
    "opens": 0.6,  # one of the first two of its sitting, where people say what they came to say
    "time": 0.9,  # it tells a time, and the question asks when
    "day": 2.0,  # it was written on a day that the question names
    "newer": 0.1,  # a slight edge, that of two alike the newer one wins (R2)
}

# By how many days are meant: what is longer than a quarter says little about one message.
_FITS = ((8, 2.0), (93, 1.5), (1 << 30, 0.5))

_QUESTION_MARKS = ("?", "？", "؟")
_WORD = re.compile(r"\w+")
_SPEAKER = re.compile(r"\s*([^\W\d_][\w .'’-]{0,39}?)\s*:\s")
_NAMED_WITHIN = 48  # letters: a name of forty, and the spaces around it
_TIMES = re.compile(
    r"\b(?:yesterday|last|next|ago|weeks?|weekend|months?|years?|today|tonight|tomorrow|since"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|(?:19|20)\d\d|gestern|heute|morgen|letzte\w*|nachste\w*|vor|woche\w*|monat\w*|jahr\w*|seit"
    r"|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|marz|mai|juni|juli|oktober|dezember"
    r"|ieri|oggi|domani|scors\w|prossim\w|settiman\w|mes[ei]|ann[oi]|hier|aujourd.hui|demain|dernier\w*|prochain\w*"
    r"|semaines?|mois|ans|ayer|hoy|manana|pasad\w|proxim\w|semanas?|anos?|gisteren|vandaag|vorige|volgende|ontem|hoje|amanha)\b"
)


NAMES = tuple(WEIGHTS)
_WEIGHED = np.array(list(WEIGHTS.values()))
Row = NDArray[np.float64]


@dataclass(slots=True)
class Candidate:
    """Something that may answer, with what is known of it: a message where it stands, or a fact, which has no place.

    `pieces` are its folded words, `held` the question's terms in them. `words` is a message's BM25, or a fact's as a part of the
    best fact's; `cosine` its best piece's, None where it has no vector. `newer` is 0 for the oldest to 1 for the newest.
    """

    key: int
    pieces: Sequence[str]
    held: int
    placed: Placed | None
    newer: float
    words: float = 0.0
    cosine: float | None = None
    speaker: str = field(init=False)  # the name that its text begins with, as in "Anna: hello"; empty for none

    def __post_init__(self) -> None:
        begins = self.pieces[0]
        match = _SPEAKER.match(begins) if ":" in begins[:_NAMED_WITHIN] else None
        self.speaker = match.group(1) if match else ""


def table(question: Question, candidates: Sequence[Candidate], stems: Stems) -> Row:
    """Return the features of candidates, a row for each and a column for each of NAMES.

    Keys of candidates that are messages must differ.
    """
    return _Ranking(question, candidates, stems).table()


def scores(features: Row) -> Row:
    """Return the sum of all that speaks for each candidate."""
    return np.asarray(features @ _WEIGHED)


def points(features: Sequence[Row]) -> list[list[float]]:
    """Return what each feature of candidates adds to their scores, to three digits."""
    rounded: list[list[float]] = np.round(np.reshape(features, (-1, len(NAMES))) * _WEIGHED, 3).tolist()
    return rounded


class _Ranking:
    def __init__(self, question: Question, candidates: Sequence[Candidate], stems: Stems) -> None:
        self.question = question
        self.stems = stems
        self.candidates = candidates
        self.by_key = {each.key: each for each in candidates if each.placed}
        self.best = max((each.words for each in self.by_key.values()), default=0.0) or 1.0
        cosines = [each.cosine for each in candidates if each.cosine is not None]
        self.nearest = max(cosines, default=0.0)
        self.usual = sum(cosines) / len(cosines) if cosines else 0.0
        self.named = self._named()
        self.rarities = self._rarities()
        self.parts: dict[int, float] = {}
        self.sittings = _sittings(self.by_key)
        self.sitting_scores, self.sitting_held = self._sitting_scores()

    def table(self) -> Row:
        rows = [self._of_message(each, each.placed) if each.placed else self._of_fact(each) for each in self.candidates]
        return np.array(rows).reshape(len(rows), len(NAMES))

    def _of_fact(self, fact: Candidate) -> list[float]:
        covered = self._part(fact.held)
        told = {"covers": covered, "words": fact.words * covered, "person": 1.0, "newer": fact.newer}
        told |= {"meaning": self._meaning(fact), "pairs": self._pairs(fact)}
        return [told.get(name, 0.0) for name in NAMES]

    def _of_message(self, each: Candidate, placed: Placed) -> list[float]:
        """Return the features in the order of NAMES."""
        question, sitting = self.question, self.sittings[each.key]
        before, after = self.by_key.get(placed.previous or 0), self.by_key.get(placed.following or 0)
        around = each.held | (before.held if before else 0) | (after.held if after else 0)
        return [
            each.words / self.best,
            self._meaning(each),
            self._meaning_beside(before, after),
            self._part(around),
            self._pairs(each),
            self.sitting_scores[sitting],
            self._part(self.sitting_held[sitting]),
            before.words / self.best if before else 0.0,
            after.words / self.best if after else 0.0,
            float(bool(self.named) and each.speaker == self.named),
            float(placed.by_person),
            float(each.pieces[-1].rstrip().endswith(_QUESTION_MARKS)),
            float(placed.opens),
            float(question.asks_when and any(map(_TIMES.search, each.pieces))),
            _on_day(question.days, placed) if question.days else 0.0,
            each.newer,
        ]

    def _meaning(self, each: Candidate) -> float:
        return 10 * ((each.cosine if each.cosine is not None else self.usual) - self.nearest)

    def _meaning_beside(self, *beside: Candidate | None) -> float:
        """Return ten times the neighbours' cosines; one that was not looked at has what is usual: it speaks for nothing."""
        return 10 * sum(each.cosine if each and each.cosine is not None else self.usual for each in beside)

    def _named(self) -> str:
        """Return the one speaker whom the question names; empty for none or several."""
        asked = f" {' '.join(_WORD.findall(self.question.folded))} "
        named = {each.speaker for each in self.candidates if each.speaker and f" {each.speaker} " in asked}
        return named.pop() if len(named) == 1 else ""

    def _rarities(self) -> tuple[float, ...]:
        """Return what each term counts; a speaker's name, which stands in each of their messages, counts nothing."""
        speakers = {word for speaker in {each.speaker for each in self.candidates} for word in speaker.split()}
        counted = tuple(0.0 if speakers.intersection(term.stems) else term.rarity for term in self.question.terms)
        return counted if any(counted) else tuple(term.rarity for term in self.question.terms)

    def _part(self, held: int) -> float:
        if held not in self.parts:
            self.parts[held] = self.question.part(held, self.rarities)
        return self.parts[held]

    def _pairs(self, each: Candidate) -> float:
        """Return the logarithm of how rare the pairs are that stand together in the question and, at most one apart, here."""
        both = each.held & each.held >> 1
        if not both:
            return 0.0
        pieces = [self.stems(piece) for piece in each.pieces]
        total = 0.0
        for at, (one, other) in enumerate(pairwise(self.question.terms)):
            if both >> at & 1 and any(_together(piece, one.stems[-1], other.stems[0]) for piece in pieces):
                total += min(one.rarity, other.rarity)
        return math.log1p(total)

    def _sitting_scores(self) -> tuple[dict[int, float], dict[int, int]]:
        scores: defaultdict[int, list[float]] = defaultdict(list)
        held: defaultdict[int, int] = defaultdict(int)
        for key, sitting in self.sittings.items():
            scores[sitting].append(self.by_key[key].words)
            held[sitting] |= self.by_key[key].held
        sums = {sitting: sum(sorted(each)[-3:]) for sitting, each in scores.items()}
        best = max(sums.values(), default=0.0) or 1.0
        return {sitting: each / best for sitting, each in sums.items()}, dict(held)


def _together(stems: Sequence[str], one: str, other: str) -> bool:
    """Say whether one stem stands right before another, or with one word between them."""
    after = 0
    for _ in range(stems.count(one)):
        after = stems.index(one, after) + 1
        if other in stems[after : after + 2]:
            return True
    return False


def _sittings(candidates: Mapping[int, Candidate]) -> dict[int, int]:
    """Return the sitting of each message: those of one conversation that no long pause parts, as far as they are candidates."""
    placed = sorted((each.placed.conversation, each.placed.at, key) for key, each in candidates.items() if each.placed)
    found: dict[int, int] = {}
    number, last_talk, last_at = 0, 0, 0
    for talk, at, key in placed:
        if talk != last_talk or at - last_at > SITTING:
            number += 1
        last_talk, last_at = talk, at
        found[key] = number
    return found


def _on_day(days: Sequence[Days], placed: Placed) -> float:
    """Return how well a message's day fits those that are meant: 2 within a few days, less the longer the time is."""
    day = Moment(placed.at, placed.offset).local.date()
    best = 0.0
    for meant in days:
        if meant.first <= day <= meant.last:
            length = (meant.last - meant.first).days
            best = max(best, next(fit for most, fit in _FITS if length < most))
        elif meant.any_year and (meant.first.month, meant.first.day) <= (day.month, day.day) <= (
            meant.last.month,
            meant.last.day,
        ):
            best = max(best, 1.0)  # of that month in another year
    return best
