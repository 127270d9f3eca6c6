"""The keys by which other programs know facts. A fact that no program gave one has its id for a key.

The one rule: a key stays while its fact can come back by *Undo*, and is gone with it for good (V8).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from ricordo.fact import Fact, Home
from ricordo.store import facts


def find(connection: apsw.Connection, home: Home, key: str) -> Fact | None:
    """Return the fact at home there that a program knows by a key, None if there is none."""
    rows = connection.execute("select fact from fact_keys where key = ? order by fact desc", (key,))
    named = [fact for fact in facts.some(connection, [int(row[0]) for row in rows]) if fact.home == home]
    if named:
        return named[0]
    own = facts.some(connection, [int(key)]) if key.isascii() and key.isdigit() and key == str(int(key[:18])) else []
    return own[0] if own and own[0].home == home and not given(connection, own) else None


def given(connection: apsw.Connection, known: Iterable[Fact]) -> dict[int, str]:
    """Return, of each of some facts that a program gave a key, that key."""
    keys = json.dumps([fact.id for fact in known])
    rows = connection.execute("select fact, key from fact_keys where fact in (select value from json_each(?))", (keys,))
    return {int(fact): str(key) for fact, key in rows}


def put(connection: apsw.Connection, fact: Fact, key: str) -> None:
    """Let a fact be known by a key; what was known by it there and is gone gives it up."""
    connection.execute("delete from fact_keys where key = ? and fact not in (select id from facts)", (key,))
    connection.execute(
        "insert into fact_keys (fact, key) values (?, ?) on conflict (fact) do update set key = excluded.key", (fact.id, key)
    )
