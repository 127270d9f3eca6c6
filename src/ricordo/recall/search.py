"""Searching by words over messages and facts, for a person who looks for something."""

from __future__ import annotations

from apsw import Connection

from ricordo.conversation import Reach, Scope
from ricordo.hit import FactHit, Hit, MessageHit
from ricordo.store import excerpts, facts, messages, reach, words


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
    found = words.search(connection, "fact_words", text, tokens, limit)
    hits += [FactHit(facts.get(connection, key), score) for key, score in found]
    tops = {MessageHit: pieces[0][1] if pieces else 1.0, FactHit: found[0][1] if found else 1.0}
    return sorted(hits, key=lambda hit: -hit.score / (tops[type(hit)] or 1.0))[:limit]
