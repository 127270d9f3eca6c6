"""Searching by words over messages and facts, for a person who looks for something."""

from __future__ import annotations

import re

from apsw import Connection

from ricordo.conversation import Reach, Scope
from ricordo.hit import FactHit, Hit, MessageHit
from ricordo.recall import names
from ricordo.store import excerpts, facts, messages, reach, words
from ricordo.store.name_reading import folded

_TELLING = 5  # facts that are looked at for the person's own name


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


def _with_user(connection: Connection, text: str, tokens: tuple[str, ...]) -> str:
    """Return the text with "user" added where it names the person: facts about them say "the user"."""
    told = words.search(connection, "fact_words", "user name called named", tokens, _TELLING)
    named = names.own_names(facts.get(connection, key).text for key, _ in told)
    asked = {word.removesuffix("'s") for word in re.findall(r"[\w'-]+", folded(text))}
    return f"{text} user" if asked & named else text
