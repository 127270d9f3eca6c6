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
    """Keep how a reply came about."""
    connection.execute(
        "insert into traces (message, value) values (?, ?) on conflict (message) do update set value = excluded.value",
        (message, json.dumps(asdict(trace), ensure_ascii=False)),
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
    going = {part: frozenset(keys) for parts, keys in ((_OF_MESSAGES, messages), (_OF_FACTS, facts)) for part in parts}
    talks = {row[0] for row in connection.execute(
        "select distinct conversation from messages where id in (select value from json_each(?))", (json.dumps([*messages]),)
    )}  # fmt: skip
    rows = connection.execute(
        "select message, conversation, value from traces join messages on messages.id = traces.message"
    ).fetchall()
    kept = [(message, talk, json.loads(str(value))) for message, talk, value in rows]
    talks |= {talk for _, talk, value in kept if any(not keys.isdisjoint(value["shown"][part]) for part, keys in going.items())}
    for message, talk, value in kept:
        if talk in talks:
            value["steps"] = [_wordless(step) for step in value["steps"]]
            connection.execute("update traces set value = ? where message = ?", (json.dumps(value, ensure_ascii=False), message))


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
