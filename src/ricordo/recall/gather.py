"""Finding what may answer: words and meaning together, in one ranking of messages and facts (DESIGN §6). Reads only.

The one rule: scope first. Nothing out of reach is looked at, and what the window shows or the prompt sends anyway is left out.
"""

from __future__ import annotations

import functools
import heapq
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import NamedTuple

from apsw import Connection

from ricordo.conversation import Message, Moment, Scope
from ricordo.fact import Fact
from ricordo.recall import features, question
from ricordo.recall.features import Candidate
from ricordo.recall.question import Question
from ricordo.recall.references import Days
from ricordo.store import facts, messages, reach, surroundings, words
from ricordo.store.loaded_vectors import LoadedVectors
from ricordo.store.stems import Stems, stemmer
from ricordo.store.surroundings import Piece, Placed
from ricordo.store.vectors import Kind, Vector

_BY_WORDS, _MOST_BY_WORDS = 200, 60  # pieces, and the messages they may be of
_BY_MEANING, _MOST_BY_MEANING = 100, 40
_WITH_NEIGHBOURS = 20  # of the best by words: what stands beside a good one is looked at too
_FACTS = 30
_COPY = 0.9  # of all stems of two texts that they share, from which one is a copy of the other
_DENIALS = frozenset("not no never without t kein nicht nie ohn non mai senza pas jamai sin nunca".split())  # stems
_COPIED = 5  # stems: shorter texts are alike by chance


@dataclass(frozen=True, slots=True)
class Search:
    """A text to search for, its vector if there is one, and the days it names where they were read already."""

    text: str
    vector: Vector | None = None
    days: tuple[Days, ...] | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """What a search may find: within `scope`, without the messages and facts that the prompt shows anyway.

    `global_facts` says whether facts that are at home everywhere are sent at all (W3); `now` and `zone` are what "last week"
    in a search counts from. `model` names the vectors to search, None for none.
    """

    scope: Scope
    now: Moment
    zone: tzinfo
    model: str | None = None
    without_messages: Set[int] = frozenset()
    without_facts: Set[int] = frozenset()
    global_facts: bool = False


@dataclass(frozen=True, slots=True)
class Gathered:
    """Something that was found: a message with the letters of its best piece, or a fact.

    `score` orders; `fit`, 0 to 1, says how near it is by itself: its cosine, else how much of the search's words it holds,
    which `by_meaning` tells apart. `speaks` are the points of each feature that the score is the sum of, for the trace.
    """

    found: Message | Fact
    start: int
    stop: int
    score: float
    fit: float
    by_meaning: bool
    search: str
    speaks: Mapping[str, float] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Its best piece."""
        return self.found.text[self.start : self.stop]


def gather(connection: Connection, loaded: LoadedVectors, searches: Sequence[Search], where: Where, limit: int) -> list[Gathered]:
    """Return what fits any of the searches, best first, each once, near copies left out."""
    stems = stemmer(connection)
    found = [_Gathering(connection, loaded, search, where, stems).hits() for search in searches]
    kept = _without_copies(_each_once(heapq.merge(*found, key=_order)), stems, limit)
    there = messages.of_ids(connection, [hit.key for hit in kept if hit.fact is None])
    points = features.points([hit.speaks for hit in kept])
    return [hit.gathered(hit.fact or there[hit.key], each) for hit, each in zip(kept, points, strict=True)]


class _Hit(NamedTuple):
    """Something that was found, before it is known to be among the best: a message that is not read yet, or a fact."""

    key: int
    fact: Fact | None
    piece: Piece
    score: float
    fit: float
    by_meaning: bool
    search: str
    speaks: features.Row

    def gathered(self, found: Message | Fact, points: Sequence[float]) -> Gathered:
        speaks = dict(zip(features.NAMES, points, strict=True))
        return Gathered(found, self.piece.start, self.piece.stop, self.score, self.fit, self.by_meaning, self.search, speaks)


@dataclass(slots=True)
class _Gathering:
    """One search while it goes on."""

    connection: Connection
    loaded: LoadedVectors
    search: Search
    where: Where
    stems: Stems
    by_words: dict[int, float] = field(default_factory=dict)  # BM25 of excerpts
    cosines: dict[int, float] = field(default_factory=dict)  # of excerpts
    pieces: dict[int, list[Piece]] = field(default_factory=dict)  # of messages

    def hits(self) -> Iterator[_Hit]:
        """Yield what was found, best first; what nobody comes to is not made."""
        asked = question.read(self.connection, self.search.text, self.stems, self.where.now, self.where.zone, self.search.days)
        messages_found = self._messages(asked)
        told = self._facts(asked)
        candidates = [*messages_found, *(candidate for candidate, _ in told)]
        by_key = {fact.id: fact for _, fact in told}
        without = self.where.without_messages
        # The message that asks is stored too: its own words are no sign that anything else holds them.
        here = [at for at, each in enumerate(candidates) if not each.placed or each.key not in without]
        there = functools.reduce(operator.or_, (candidates[at].held for at in here), 0)
        table = features.table(asked, candidates, self.stems)
        scores = features.scores(table).tolist()
        # Only now: what stands beside those that are left out may be good because of them.
        for at in sorted(here, key=lambda at: (-scores[at], -candidates[at].key)):
            each = candidates[at]
            fact = None if each.placed else by_key[each.key]
            piece = Piece(0, 0, len(fact.text), each.pieces[0]) if fact else self._best_piece(each.key)
            fit = max(0.0, each.cosine if each.cosine is not None else asked.fit(each.held, there))
            yield _Hit(each.key, fact, piece, scores[at], fit, each.cosine is not None, self.search.text, table[at])

    def _messages(self, asked: Question) -> list[Candidate]:
        scope = self.where.scope
        within = reach.tokens(scope)
        self.by_words = dict(words.ranked(self.connection, "excerpt_words", asked.searched, within, _BY_WORDS))
        near = self._near("excerpt", _BY_MEANING)
        placed, by_words = self._placed_of(list(self.by_words), _MOST_BY_WORDS)
        placed |= self._placed_of(list(near), _MOST_BY_MEANING)[0]
        first = [placed[key] for key in by_words[:_WITH_NEIGHBOURS]]
        beside = {key for each in first for key in (each.previous, each.following) if key is not None}
        placed |= surroundings.placed(self.connection, beside - placed.keys())
        self.pieces = {key: each.pieces for key, each in placed.items()}
        unmeasured = (piece.excerpt for pieces in self.pieces.values() for piece in pieces if piece.excerpt not in near)
        self.cosines = near | self._scores("excerpt", list(unmeasured))
        times = [each.at for each in placed.values()]
        oldest, newest = min(times, default=0), max(times, default=0)
        age = max(1, newest - oldest)
        holds = self._holds(asked, words.held(self.connection, asked.searched, within))
        candidates = []
        for key, pieces in self.pieces.items():
            held, best, nearest = 0, 0.0, None
            for piece in pieces:
                held |= holds[piece.excerpt]
                best = max(best, self.by_words.get(piece.excerpt, 0.0))
                if (cosine := self.cosines.get(piece.excerpt)) is not None and (nearest is None or cosine > nearest):
                    nearest = cosine
            words_of = [piece.words for piece in pieces]
            candidates.append(Candidate(key, words_of, held, placed[key], (placed[key].at - oldest) / age, best, nearest))
        return candidates

    def _holds(self, asked: Question, held: words.Held) -> dict[int, int]:
        """Return which of the question's terms each piece holds: as the index has it, and by its stems what was not looked up."""
        pieces = [piece for of_message in self.pieces.values() for piece in of_message]
        if held.known == asked.all_bits:
            return dict(zip([piece.excerpt for piece in pieces], held.of([piece.excerpt for piece in pieces]), strict=True))
        return {piece.excerpt: asked.held(self.stems(piece.words)) for piece in pieces}

    def _placed_of(self, excerpts: Sequence[int], limit: int) -> tuple[dict[int, Placed], list[int]]:
        """Return the messages of the first excerpts, and their ids in that order; no more are read than it takes."""
        placed: dict[int, Placed] = {}
        order: dict[int, None] = {}
        read_upto = 0
        while read_upto < len(excerpts) and len(order) < limit:
            part = excerpts[read_upto : read_upto + limit - len(order)]
            read_upto += len(part)
            read = surroundings.placed_of(self.connection, part)
            of = {piece.excerpt: key for key, each in read.items() for piece in each.pieces}
            order |= dict.fromkeys(of[excerpt] for excerpt in part if excerpt in of)
            placed |= read
        return placed, list(order)

    def _near(self, kind: Kind, limit: int) -> dict[int, float]:
        """Return the cosines of what is nearest; empty while there are no vectors to search."""
        vector, model = self.search.vector, self.where.model
        if vector is None or model is None:
            return {}
        return dict(self.loaded.search(self.connection, kind, model, vector, self.where.scope, limit) or ())

    def _scores(self, kind: Kind, keys: Iterable[int]) -> dict[int, float]:
        vector, model = self.search.vector, self.where.model
        return self.loaded.scores(self.connection, kind, model, vector, keys) if vector is not None and model is not None else {}

    def _facts(self, asked: Question) -> list[tuple[Candidate, Fact]]:
        scope, connection = self.where.scope, self.connection
        global_ones = self.where.global_facts
        if not surroundings.any_fact(connection, scope, self.where.without_facts, global_ones=global_ones):
            return []  # as in most vaults: all of them are sent anyway
        rows = dict(words.ranked(connection, "fact_words", asked.searched, reach.fact_tokens(connection, scope), _FACTS))
        near = self._near("fact", _FACTS)
        keys = {*rows, *near} - self.where.without_facts
        told = facts.in_reach(connection, scope, keys, global_ones=global_ones) if keys else []
        near |= self._scores("fact", [fact.id for fact in told if fact.id not in near])
        best = max(rows.values(), default=0.0) or 1.0
        found = []
        for fact in told:
            folded = words.fold(fact.text)
            part = rows.get(fact.id, 0.0) / best
            found.append((Candidate(fact.id, [folded], asked.held(self.stems(folded)), None, 1.0, part, near.get(fact.id)), fact))
        return found

    def _best_piece(self, message: int) -> Piece:
        """Return a message's best piece: by meaning where it has vectors, else by words."""
        pieces = self.pieces[message]
        if len(pieces) == 1:
            return pieces[0]
        return max(pieces, key=lambda piece: self.by_words.get(piece.excerpt, 0.0) / 10 + self.cosines.get(piece.excerpt, 0.0))


def _order(hit: _Hit) -> tuple[float, int]:
    return -hit.score, -hit.key


def _each_once(ordered: Iterable[_Hit]) -> Iterator[_Hit]:
    """Yield each message and fact where it stands first: several searches may have found it."""
    seen: set[tuple[bool, int]] = set()
    for hit in ordered:
        key = (hit.fact is not None, hit.key)
        if key not in seen:
            seen.add(key)
            yield hit


def _without_copies(ordered: Iterable[_Hit], stems: Stems, limit: int) -> list[_Hit]:
    kept: list[_Hit] = []
    seen: list[frozenset[str]] = []
    for each in ordered:
        held = frozenset(stems(each.piece.words))
        if any(_copies(held, other) for other in seen):
            continue
        kept.append(each)
        seen.append(held)
        if len(kept) >= limit:
            break
    return kept


def _copies(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell copies by their stems; what differs in a number or a denial is none, however long it is."""
    fewer, more = sorted((len(one), len(other)))
    if fewer < max(_COPIED, _COPY * more) or len(one & other) < _COPY * len(one | other):
        return False
    return not any(stem in _DENIALS or any(map(str.isdigit, stem)) for stem in one ^ other)
