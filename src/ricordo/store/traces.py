"""Traces: how each reply came about (B8). Kept with the reply, gone with it.

The one rule: a trace names messages and facts by id. Its searches and reasons are the only words, and they go when a message that
they may come from is deleted (V8).
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict
from typing import Any

import apsw

from ricordo.prompt import Budget, Shown, Trace, Usage

_OF_MESSAGES = ("window", "references", "recalled")  # what of `Shown` names messages
_OF_FACTS = ("facts", "recalled_facts")
_WORDS = ("searches", "reason", "why")  # what of a step is words


def put(connection: apsw.Connection, message: int, trace: Trace) -> None:
    """Keep how a reply came about; without words when something that it shows was deleted while the reply was made."""
    value = asdict(trace)
    if not _all_there(connection, value["shown"]):
        value["steps"] = [_wordless(step) for step in trace.steps]
    connection.execute(
        "insert into traces (message, value) values (?, ?) on conflict (message) do update set value = excluded.value",
        (message, json.dumps(value, ensure_ascii=False)),
    )


def get(connection: apsw.Connection, message: int) -> Trace | None:
    """Return how a reply came about, None where that was not kept."""
    row = connection.execute("select value from traces where message = ?", (message,)).fetchone()
    return _trace(json.loads(row[0])) if row else None


def forget_words(connection: apsw.Connection, *, messages: Collection[int] = (), facts: Collection[int] = ()) -> None:
    """Take the words out of all traces that some messages or facts may be quoted in; to be called before they go.

    Those are the traces of the conversations that the messages stand in, and of all that one of them was shown in: what was
    shown once stays before the model's eyes there, and it words the searches.
    """
    if not messages and not facts:
        return
    going = {part: frozenset(keys) for parts, keys in ((_OF_MESSAGES, messages), (_OF_FACTS, facts)) for part in parts}
    talks = {row[0] for row in connection.execute(
        "select distinct conversation from messages where id in (select value from json_each(?))", (json.dumps([*messages]),)
    )}  # fmt: skip
    for talk, shown in connection.execute(
        "select conversation, json_extract(value, '$.shown') from traces join messages on messages.id = traces.message"
    ):
        if talk not in talks and _names_any(json.loads(str(shown)), going):
            talks.add(talk)
    rows = connection.execute(
        "select message, value from traces where message in"
        " (select id from messages where conversation in (select value from json_each(?)))",
        (json.dumps([*talks]),),
    ).fetchall()
    for message, value in rows:
        kept = json.loads(str(value))
        steps = [_wordless(step) for step in kept["steps"]]
        if steps != kept["steps"]:
            wordless = json.dumps(kept | {"steps": steps}, ensure_ascii=False)
            connection.execute("update traces set value = ? where message = ?", (wordless, message))


def _all_there(connection: apsw.Connection, shown: dict[str, tuple[int, ...]]) -> bool:
    for table, parts in (("messages", _OF_MESSAGES), ("facts", _OF_FACTS)):
        keys = {key for part in parts for key in shown[part]}
        counted = f"select count(*) from {table} where id in (select value from json_each(?))"
        if connection.execute(counted, (json.dumps([*keys]),)).get != len(keys):
            return False
    return True


def _names_any(shown: dict[str, list[int]], going: dict[str, frozenset[int]]) -> bool:
    return any(not keys.isdisjoint(shown[part]) for part, keys in going.items())


def _wordless(step: dict[str, Any]) -> dict[str, Any]:
    """Return a step without the searches, and without reasons: these may hold what a server answered."""
    step = {name: value for name, value in step.items() if name not in _WORDS}
    if "candidates" in step:
        step["candidates"] = [{name: value for name, value in each.items() if name != "search"} for each in step["candidates"]]
    return step


def _trace(value: dict[str, Any]) -> Trace:
    return Trace(
        tuple((name, tokens) for name, tokens in value["layers"]),
        Budget(**value["budget"]),
        Shown(**{name: tuple(ids) for name, ids in value["shown"].items()}),
        Usage(**value["usage"]),
        value["timings"],
        tuple(value["steps"]),
    )
