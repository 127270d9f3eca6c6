"""Facts: one durable statement each, with home, origin, pin and share. Deleting one leaves a tombstone, never its text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, assert_never

import apsw

from ricordo.conversation import Moment, Scope
from ricordo.errors import InvalidInput, NotFound
from ricordo.fact import Fact, Global, Home, InConversation, InSpace, Origin, fitting
from ricordo.store import homes, reach, runs, tombstones, traces, words

_COLUMNS = (
    "id, text, origin, home_kind, home_id, pinned, shared, created, created_offset, updated, updated_offset,"
    " (select group_concat(message) from (select message from fact_sources where fact = facts.id order by message))"
)


def _fact(row: tuple[Any, ...]) -> Fact:
    key, text, origin, kind, home_id, pinned, shared, created, created_offset, updated, updated_offset, sources = row
    return Fact(
        key,
        text,
        Origin(origin),
        homes.home(kind, home_id),
        bool(pinned),
        bool(shared),
        Moment(created, created_offset),
        Moment(updated, updated_offset),
        tuple(int(part) for part in sources.split(",")) if sources else (),
    )


def _select(connection: apsw.Connection, where: str, values: Any = ()) -> list[Fact]:
    rows = connection.execute(f"select {_COLUMNS} from facts where {where}", values)
    return [_fact(row) for row in rows]


def reach_tokens(home: Home, shared: bool) -> str:
    """Return the tokens that say where a fact may be used, as the index holds them."""
    match home:
        case Global():
            place = "g"
        case InSpace(space):
            place = f"s{space}"
        case InConversation(conversation):
            place = f"c{conversation}"
        case _:
            assert_never(home)
    return f"{place} all" if shared else place


def _index(connection: apsw.Connection, key: int) -> tuple[int, str, str]:
    row = connection.execute("select id, words, reach from facts where id = ?", (key,)).fetchone()
    if row is None:
        raise NotFound(f"There is no memory {key}. `ricordo memories` lists them.")
    return int(row[0]), str(row[1]), str(row[2])


def clean(text: str) -> str:
    """Return a fact's text as it is kept; raises InvalidInput when there is nothing in it."""
    text = text.strip()
    if not text:
        raise InvalidInput("Write what should be remembered, for example: /remember I am allergic to nuts.")
    return text


def insert(
    connection: apsw.Connection,
    text: str,
    origin: Origin,
    home: Home,
    now: Moment,
    *,
    pinned: bool = False,
    shared: bool = False,
    sources: Iterable[int] = (),
) -> Fact:
    """Add a fact."""
    return put(connection, Fact(0, text, origin, home, pinned, shared, now, now, tuple(sorted(set(sources)))))


def put(connection: apsw.Connection, fact: Fact) -> Fact:
    """Store a fact just as the value says, in place of the one at its id if there is one; the id 0 gets a new one."""
    if fact.id and connection.execute("select 1 from facts where id = ?", (fact.id,)).fetchone():
        take_out(connection, fact.id)
    kind, home_id = homes.columns(fact.home)
    folded, tokens = words.fold(fact.text), reach_tokens(fact.home, fact.shared)
    connection.execute(
        "insert into facts (id, text, origin, home_kind, home_id, pinned, shared, created, created_offset, updated,"
        " updated_offset, words, reach) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (fact.id or None, fact.text, fact.origin, kind, home_id, fact.pinned, fact.shared, fact.created.utc,
         fact.created.offset, fact.updated.utc, fact.updated.offset, folded, tokens),
    )  # fmt: skip
    key = connection.last_insert_rowid()
    words.add(connection, "fact_words", [(key, folded, tokens)])
    connection.executemany("insert into fact_sources (fact, message) values (?, ?)", [(key, each) for each in fact.sources])
    return replace(fact, id=key)


def get(connection: apsw.Connection, key: int) -> Fact:
    """Return one fact; raises NotFound."""
    found = _select(connection, "id = ?", (key,))
    if not found:
        raise NotFound(f"There is no memory {key}. `ricordo memories` lists them.")
    return found[0]


def changed(connection: apsw.Connection) -> int:
    """Return how often any fact changed: with the same number they are all the same."""
    return int(connection.execute("select times from facts_changed").get)


def same(connection: apsw.Connection, text: str, home: Home) -> Fact | None:
    """Return the fact of that home that says just this, whatever its capitals, accents and spaces."""
    wanted = words.fold(text).split()
    return next((fact for fact in of_home(connection, home) if words.fold(fact.text).split() == wanted), None)


def of_home(connection: apsw.Connection, home: Home) -> list[Fact]:
    """Return all facts at home there, newest first."""
    return _select(connection, "home_kind = ? and home_id is ? order by created desc, id desc", homes.columns(home))


def listed(connection: apsw.Connection) -> list[Fact]:
    """Return every fact of the vault, newest first."""
    return _select(connection, "1 order by created desc, id desc")


def count(connection: apsw.Connection) -> dict[Home, int]:
    """Return how many facts each home has that has any."""
    rows = connection.execute("select home_kind, home_id, count(*) from facts group by home_kind, home_id")
    return {homes.home(str(kind), key): int(number) for kind, key, number in rows}


def sent(connection: apsw.Connection, home: Home) -> frozenset[int]:
    """Return the ids of the facts that the model is sent where they are at home, without looking for them (B2, F3).

    Of a conversation those are the pinned ones, of the global list and of a Space's what fits into it.
    """
    rows = connection.execute(
        "select id, text from facts where home_kind = ? and home_id is ? and (pinned = 1 or home_kind <> 'conversation')"
        " order by pinned desc, created desc, id desc",
        homes.columns(home),
    )
    texts = ((int(key), str(text)) for key, text in rows)
    return frozenset(key for key, _ in texts) if isinstance(home, InConversation) else frozenset(fitting(texts))


def some(connection: apsw.Connection, keys: Sequence[int]) -> list[Fact]:
    """Return some facts in the order of their ids as given, without those that are gone."""
    found = {fact.id: fact for fact in _select(connection, "id in (select value from json_each(?))", (json.dumps([*keys]),))}
    return [found[key] for key in keys if key in found]


def in_reach(connection: apsw.Connection, scope: Scope, keys: Iterable[int], *, global_ones: bool) -> list[Fact]:
    """Return those of some facts that a scope may use; with `global_ones` off, none that is at home everywhere (W3)."""
    condition, values = reach.fact_condition(scope)
    listed = "id in (select value from json_each(:keys))" + ("" if global_ones else " and home_kind <> 'global'")
    return _select(connection, f"{listed} and {condition}", {**values, "keys": json.dumps(sorted(keys))})


def pinned_for(connection: apsw.Connection, conversation: int | None) -> list[Fact]:
    """Return the pinned facts that go into every reply of a conversation beside the two lists: its own, and shared ones.

    Facts of the global list and of Spaces that are not shared come with their lists. Oldest first.
    """
    return _select(
        connection,
        "pinned = 1 and home_kind <> 'global' and ((home_kind = 'conversation' and home_id = ?) or shared = 1)"
        " order by created, id",
        (conversation or 0,),
    )


def rewrite(connection: apsw.Connection, key: int, text: str, now: Moment) -> Fact:
    """Give a fact other words."""
    _reindex(connection, key, text=text)
    connection.execute("update facts set updated = ?, updated_offset = ? where id = ?", (now.utc, now.offset, key))
    return get(connection, key)


def set_origin(connection: apsw.Connection, key: int, origin: Origin) -> None:
    """Make a fact the person's own, or the model's."""
    connection.execute("update facts set origin = ? where id = ?", (origin, key))


def set_pinned(connection: apsw.Connection, key: int, pinned: bool) -> Fact:
    """Pin or unpin a fact."""
    connection.execute("update facts set pinned = ? where id = ?", (pinned, key))
    return get(connection, key)


def set_shared(connection: apsw.Connection, key: int, shared: bool) -> Fact:
    """Let all conversations use a fact, or only those of its home."""
    connection.execute("update facts set shared = ? where id = ?", (shared, key))
    _reindex(connection, key)
    return get(connection, key)


def _reindex(connection: apsw.Connection, key: int, text: str | None = None) -> None:
    words.remove(connection, "fact_words", [_index(connection, key)])
    fact = get(connection, key)
    text = fact.text if text is None else text
    folded, tokens = words.fold(text), reach_tokens(fact.home, fact.shared)
    connection.execute("update facts set text = ?, words = ?, reach = ? where id = ?", (text, folded, tokens, key))
    words.add(connection, "fact_words", [(key, folded, tokens)])


def take_out(connection: apsw.Connection, key: int) -> Fact:
    """Take a fact out with its words and vectors. Its log stays, so that it can be put back. Raises NotFound."""
    fact = get(connection, key)
    words.remove(connection, "fact_words", [_index(connection, key)])
    connection.execute("delete from facts where id = ?", (key,))
    return fact


def delete(connection: apsw.Connection, key: int, now: Moment | None) -> Fact:
    """Delete a fact with its words, vectors and log; leave a tombstone when `now` is given (the person's wish, E17)."""
    fact = get(connection, key)
    _delete(connection, [fact])
    if now is not None:
        tombstones.add(connection, fact.text, fact.home, fact.sources, now)
    return fact


def delete_some(connection: apsw.Connection, keys: Sequence[int], now: Moment) -> list[Fact]:
    """Delete some facts as `delete` does one, with a tombstone each; return what they were. Those that are gone are no error."""
    going = some(connection, keys)
    _delete(connection, going)
    for fact in going:
        tombstones.add(connection, fact.text, fact.home, fact.sources, now)
    return going


def delete_home(connection: apsw.Connection, home: Home) -> None:
    """Delete all facts at home there, when their Space or conversation goes."""
    _delete(connection, of_home(connection, home))


def _delete(connection: apsw.Connection, going: Sequence[Fact]) -> None:
    traces.forget_words(connection, facts=[fact.id for fact in going])
    for fact in going:
        take_out(connection, fact.id)
        connection.execute("delete from changes where fact = ?", (fact.id,))
        connection.execute("delete from fact_keys where fact = ?", (fact.id,))
        runs.forget(connection, fact)
