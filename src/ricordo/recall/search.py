"""Searching over messages and facts, for a person who looks for something: by words, and by meaning where vectors are loaded.

The one rule: what holds the words is found whatever its meaning is; by meaning alone only what is near.
"""

from __future__ import annotations

import asyncio
import math
import re
from dataclasses import dataclass, replace
from datetime import tzinfo

from apsw import Connection

from ricordo.conversation import Moment, Reach, Scope
from ricordo.errors import ModelError
from ricordo.fact import Fact, Home, InConversation, InSpace
from ricordo.hit import FactHit, Hit, MessageHit
from ricordo.models.base import Embedder
from ricordo.recall import names
from ricordo.recall.gather import Search, Where, gather
from ricordo.store import excerpts, facts, messages, reach, words
from ricordo.store.connection import Database
from ricordo.store.loaded_vectors import LoadedVectors
from ricordo.store.name_reading import folded
from ricordo.store.vectors import Vector

# What is found though it holds none of the words is nearer than what is usual, by this part of the way to the same: models
# differ in what unrelated texts have in common. With the embedded model that is a cosine of about 0.4.
_NEARER = 0.33
_SAMPLE, _TOO_FEW, _USUAL = 200, 20, 0.1  # vectors that show what is usual, and what is taken where there are too few
_MOST = 60  # that are ranked together
_PATIENCE = 1.0  # seconds for the embedding model; then words must do
_TELLING = 5  # facts that are looked at for the person's own name


@dataclass(frozen=True, slots=True)
class Looking:
    """Where a person looks: in the whole vault, in a conversation, or in a Space; and what time it is for them."""

    conversation: int | None
    space: int | None
    now: Moment
    zone: tzinfo

    @property
    def scope(self) -> Scope:
        """What the search may read."""
        if self.conversation is not None:
            return Scope(Reach.CONVERSATION, self.conversation, self.space)
        return Scope(Reach.VAULT if self.space is None else Reach.SPACE, None, self.space)

    @property
    def home(self) -> Home | None:
        """Where facts must be at home to be found; None for anywhere."""
        if self.conversation is not None:
            return InConversation(self.conversation)
        return None if self.space is None else InSpace(self.space)


async def find(database: Database, embedder: Embedder | None, text: str, looking: Looking, limit: int) -> list[Hit]:
    """Return what is found, best first. Never raises for what the embedding model does: words alone will do."""
    if embedder is not None and text.strip() and database.vectors.ready:
        try:
            async with asyncio.timeout(_PATIENCE):
                (vector,) = await embedder.embed([text])
            asked, where = Search(text, vector), Where(looking.scope, looking.now, looking.zone, embedder.name, global_facts=True)
            return await database.read(lambda c: _by_meaning_too(c, database.vectors, asked, where, limit, looking.home))
        except (TimeoutError, ModelError):
            pass
    return await database.read(lambda c: by_words(c, text, looking.conversation, looking.space, limit))


def by_words(connection: Connection, text: str, conversation: int | None, space: int | None, limit: int) -> list[Hit]:
    """Return messages and facts that hold any of the words of `text`, best first; a message once, by its best piece.

    Scores of the two kinds are each divided by their best before they are put in one order: BM25 of different tables
    cannot be compared.
    """
    tokens: tuple[str, ...] = ()
    if conversation is not None:
        tokens = reach.tokens(Scope(Reach.CONVERSATION, conversation, space))
    elif space is not None:
        tokens = reach.tokens(Scope(Reach.SPACE, None, space))
    pieces = words.search(connection, "excerpt_words", text, tokens, limit * 4)
    best: dict[int, tuple[int, int, float]] = {}
    for excerpt, score in pieces:
        message, start, stop = excerpts.piece(connection, excerpt)
        best.setdefault(message, (start, stop, score))
    hits: list[Hit] = [
        MessageHit(messages.get(connection, key), start, stop, score) for key, (start, stop, score) in list(best.items())[:limit]
    ]
    found = words.search(connection, "fact_words", _with_user(connection, text, tokens), tokens, limit)
    hits += [FactHit(facts.get(connection, key), score) for key, score in found]
    tops = {MessageHit: pieces[0][1] if pieces else 1.0, FactHit: found[0][1] if found else 1.0}
    return sorted(hits, key=lambda hit: -hit.score / (tops[type(hit)] or 1.0))[:limit]


def _by_meaning_too(
    connection: Connection, loaded: LoadedVectors, asked: Search, where: Where, limit: int, home: Home | None
) -> list[Hit]:
    """Return what `by_words` does and what is near in meaning, in the ranking of recall, best first; facts of `home` alone.

    While the vectors are not loaded that is just what `by_words` returns. Raises ModelGarbled for a vector of another model.
    """
    scope = where.scope
    worded = by_words(connection, asked.text, scope.conversation, scope.space, limit)
    if where.model is None or asked.vector is None or not loaded.serves(where.model):
        return worded
    usual = _usual(connection, loaded, where.model, asked.vector)
    near = usual + _NEARER * (1 - usual)
    ranked = {(type(hit), _key(hit)): hit for hit in worded}
    first: list[Hit] = []
    for each in gather(connection, loaded, [asked], where, _MOST):
        found = each.found
        known = ranked.pop((FactHit if isinstance(found, Fact) else MessageHit, found.id), None)
        if known is None and not each.speaks["words"] and not (each.by_meaning and each.fit >= near):
            continue
        score = math.exp(each.score / 10)  # positive, and in the same order
        if isinstance(found, Fact):
            if home is None or found.home == home:
                first.append(FactHit(found, score))
        elif isinstance(known, MessageHit):  # where its words stand is what a person looks for
            first.append(replace(known, score=score))
        else:
            first.append(MessageHit(found, each.start, each.stop, score))
    last = min((hit.score for hit in first), default=1.0)
    # Copies of what is found already, and what was too far down to be ranked.
    rest = [replace(hit, score=last / (at + 2)) for at, hit in enumerate(ranked.values())]
    return [*first, *rest][:limit]


def _usual(connection: Connection, loaded: LoadedVectors, model: str, vector: Vector) -> float:
    """Return the cosine that excerpts usually have with a vector, by some of them from first to last."""
    last = int(connection.execute("select coalesce(max(id), 0) from excerpts").get)
    cosines = loaded.scores(connection, "excerpt", model, vector, range(1, last + 1, last // _SAMPLE + 1)).values()
    return sum(cosines) / len(cosines) if len(cosines) >= _TOO_FEW else _USUAL


def _key(hit: Hit) -> int:
    return hit.message.id if isinstance(hit, MessageHit) else hit.fact.id


def _with_user(connection: Connection, text: str, tokens: tuple[str, ...]) -> str:
    """Return the text with "user" added where it names the person: facts about them say "the user"."""
    told = words.search(connection, "fact_words", "user name called named", tokens, _TELLING)
    named = names.own_names(facts.get(connection, key).text for key, _ in told)
    asked = {word.removesuffix("'s") for word in re.findall(r"[\w'-]+", folded(text))}
    return f"{text} user" if asked & named else text
