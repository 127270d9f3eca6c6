"""All that is remembered, by kind, sifted and in stretches, newest first (F4): facts, summaries, excerpts as their messages.

The one rule: nothing here reads a whole table into memory; a list may have a million rows.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, assert_never

import apsw

from ricordo.conversation import Message, Moment, Summary
from ricordo.fact import Fact, Global, Home, InConversation, InSpace
from ricordo.memory import FACTS, Kind, Sieve
from ricordo.store import facts, messages, words

_NOTE = "origin = 'model' and home_kind = 'conversation'"
_KINDS = {
    Kind.PINNED: "pinned = 1",
    Kind.FACT: f"(pinned = 0 and not ({_NOTE}))",
    Kind.NOTE: f"(pinned = 0 and {_NOTE})",
}
_KIND = f"case when pinned = 1 then 'pinned' when {_NOTE} then 'note' else 'fact' end"
Condition = tuple[str, dict[str, Any]]


def count(connection: apsw.Connection, kinds: Collection[Kind], sieve: Sieve) -> dict[Kind, int]:
    """Return how many rows each of some kinds has."""
    counts = dict.fromkeys(kinds, 0)
    if FACTS & counts.keys():
        where, values = _of_facts(kinds, sieve)
        for kind, number in connection.execute(f"select {_KIND}, count(*) from facts where {where} group by 1", values):
            counts[Kind(str(kind))] = int(number)
    if Kind.SUMMARY in counts:
        where, values = _of_summaries(connection, sieve)
        counts[Kind.SUMMARY] = int(connection.execute(f"select count(*) from summaries where {where}", values).get)
    if Kind.EXCERPT in counts:
        counts[Kind.EXCERPT] = _count_excerpts(connection, sieve)
    return counts


def _count_excerpts(connection: apsw.Connection, sieve: Sieve) -> int:
    if sieve.home is None and not sieve.text.strip():
        # All of them, as the screen opens: of a million 35 ms along the index, in place of 230 message by message.
        return int(connection.execute("select count(distinct message) from excerpts").get)
    where, values = _of_excerpts(sieve)
    return int(connection.execute(f"select count(*) from messages where {where}", values).get)


def facts_of(connection: apsw.Connection, kinds: Collection[Kind], sieve: Sieve, offset: int, limit: int) -> list[Fact]:
    """Return a stretch of the facts of some kinds, newest first."""
    where, values = _of_facts(kinds, sieve)
    values |= {"offset": offset, "limit": limit}
    rows = connection.execute(
        f"select id from facts where {where} order by created desc, id desc limit :limit offset :offset", values
    )
    return facts.some(connection, [int(row[0]) for row in rows])


def all_ids(connection: apsw.Connection, kinds: Collection[Kind], sieve: Sieve) -> list[int]:
    """Return the ids of all facts of some kinds."""
    where, values = _of_facts(kinds, sieve)
    return [int(row[0]) for row in connection.execute(f"select id from facts where {where}", values)]


def sources(connection: apsw.Connection, found: Collection[Fact]) -> dict[int, int]:
    """Return the conversation that each of some facts was learned from, where it is still there."""
    rows = connection.execute(
        "select fact, conversation from fact_sources join messages on messages.id = message"
        " where fact in (select value from json_each(?)) order by message desc",
        (json.dumps([fact.id for fact in found]),),
    )
    learned: dict[int, int] = {int(fact): int(conversation) for fact, conversation in rows}
    return learned | {fact.id: fact.home.conversation for fact in found if isinstance(fact.home, InConversation)}


def summaries(connection: apsw.Connection, sieve: Sieve, offset: int, limit: int) -> list[Summary]:
    """Return a stretch of the summaries, the one written last first."""
    where, values = _of_summaries(connection, sieve)
    rows = connection.execute(
        "select conversation, text, upto, at, at_offset from summaries"
        f" where {where} order by at desc, conversation desc limit :limit offset :offset",
        values | {"offset": offset, "limit": limit},
    )
    return [Summary(int(talk), str(text), int(upto), Moment(int(at), int(at_offset))) for talk, text, upto, at, at_offset in rows]


def excerpts(connection: apsw.Connection, sieve: Sieve, offset: int, limit: int) -> list[Message]:
    """Return a stretch of the messages that have excerpts, newest first; one on a branch that is not shown is found, too."""
    where, values = _of_excerpts(sieve)
    rows = connection.execute(
        f"select id from messages where {where} order by at desc, id desc limit :limit offset :offset",
        values | {"offset": offset, "limit": limit},
    )
    keys = [int(row[0]) for row in rows]
    found = messages.of_ids(connection, keys)
    return [found[key] for key in keys]


def _of_facts(kinds: Collection[Kind], sieve: Sieve) -> Condition:
    where = [f"({' or '.join(_KINDS[kind] for kind in sorted(FACTS.intersection(kinds)))})"]
    values: dict[str, Any] = {}
    match sieve.home:
        case None:
            pass
        case Global():
            where.append("home_kind = 'global'")
        case InSpace(space):
            inside = " or (home_kind = 'conversation' and home_id in (select id from conversations where space = :home))"
            where.append(f"((home_kind = 'space' and home_id = :home){inside if sieve.within else ''})")
            values["home"] = space
        case InConversation(conversation):
            where.append("home_kind = 'conversation' and home_id = :home")
            values["home"] = conversation
        case _:
            assert_never(sieve.home)
    for number, word in enumerate(words.fold(sieve.text).split()):
        where.append(f"instr(words, :word{number})")
        values[f"word{number}"] = word
    return " and ".join(where), values


def _of_summaries(connection: apsw.Connection, sieve: Sieve) -> Condition:
    where, values = _of_conversations(sieve.home)
    wanted = words.fold(sieve.text).split()
    if not wanted:
        return where, values
    # They have no folded copy; there is one a conversation at the most.
    rows = connection.execute(f"select conversation, text from summaries where {where}", values)
    held = [int(talk) for talk, text in rows if all(word in words.fold(str(text)) for word in wanted)]
    return "conversation in (select value from json_each(:held))", {"held": json.dumps(held)}


def _of_excerpts(sieve: Sieve) -> Condition:
    where, values = _of_conversations(sieve.home)
    wanted = [word.replace('"', "") for word in words.fold(sieve.text).split() if any(map(str.isalnum, word))]
    if wanted:
        held = "".join(f" and instr(words, :word{number})" for number in range(len(wanted)))
        found = "select rowid from excerpt_words where excerpt_words match :query"
        where += f" and id in (select message from excerpts where id in ({found}){held})"
        values |= {f"word{number}": word for number, word in enumerate(wanted)}
        values["query"] = "words : (" + " AND ".join(map(_begun, wanted)) + ")"
    else:
        where += " and exists (select 1 from excerpts where message = messages.id)"
    return where, values


def _begun(word: str) -> str:
    """Return a query for rows that may hold a word that begins so: as its stem is indexed, a letter or two less are asked for."""
    return (
        "(" + " OR ".join(f'"{word[:length]}"*' for length in range(max(len(word) - 2, min(2, len(word))), len(word) + 1)) + ")"
    )


def _of_conversations(home: Home | None) -> Condition:
    match home:
        case None:
            return "1", {}
        case Global():
            return "0", {}
        case InSpace(space):
            return "conversation in (select id from conversations where space = :home)", {"home": space}
        case InConversation(conversation):
            return "conversation = :home", {"home": conversation}
        case _:
            assert_never(home)
