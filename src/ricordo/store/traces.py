"""Traces: how each reply came about (B8). Kept with the reply, gone with it.

The one rule: a trace names messages and facts by id. The searches in it are the only words, and they go when a message that they
may come from is deleted (V8).
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict
from typing import Any

import apsw

from ricordo.prompt import Budget, Shown, Trace, Usage


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


def forget_searches(connection: apsw.Connection, keys: Collection[int]) -> None:
    """Take the searches out of all traces of the conversations that some messages stand in; to be called before they go."""
    rows = connection.execute(
        "select message, value from traces where message in (select id from messages where conversation in"
        " (select conversation from messages where id in (select value from json_each(?))))",
        (json.dumps(list(keys)),),
    ).fetchall()
    for message, value in rows:
        kept = json.loads(str(value))
        kept["steps"] = [_wordless(step) for step in kept["steps"]]
        connection.execute("update traces set value = ? where message = ?", (json.dumps(kept, ensure_ascii=False), message))


def _wordless(step: dict[str, Any]) -> dict[str, Any]:
    step = {name: value for name, value in step.items() if name != "searches"}
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
