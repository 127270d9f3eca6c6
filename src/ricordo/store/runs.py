"""The last runs of learning (E12): what was proposed and refused, with the reasons. Derived: nothing else depends on them.

The one rule: a run goes with any message that it read, and a refusal with any fact whose words it holds (V8).
"""

from __future__ import annotations

import json

import apsw

from ricordo.conversation import Moment
from ricordo.fact import Fact
from ricordo.run import Refusal, Run

KEPT = 200  # runs


def record(connection: apsw.Connection, run: Run) -> None:
    """Keep a run under a new id, and drop the oldest beyond those that are kept.

    Nothing is kept of one that read a message which was deleted meanwhile.
    """
    told = json.dumps(run.messages)
    there = connection.execute("select count(*) from messages where id in (select value from json_each(?))", (told,)).get
    if there != len(set(run.messages)):
        return
    connection.execute(
        "insert into runs (at, at_offset, model, conversation, way, seconds, failure) values (?, ?, ?, ?, ?, ?, ?)",
        (run.at.utc, run.at.offset, run.model, run.conversation, run.way, run.seconds, run.failure),
    )
    key = connection.last_insert_rowid()
    connection.executemany(
        "insert or ignore into run_messages (run, message) values (?, ?)", [(key, one) for one in run.messages]
    )
    connection.executemany("insert into run_changes (run, change) values (?, ?)", [(key, change) for change in run.changes])
    connection.executemany(
        "insert into refusals (run, kind, text, quote, reason) values (?, ?, ?, ?, ?)",
        [(key, one.kind, one.text, one.quote, one.reason) for one in run.refused],
    )
    connection.execute("delete from runs where id <= (select id from runs order by id desc limit 1 offset ?)", (KEPT,))


def listed(connection: apsw.Connection, limit: int = KEPT) -> list[Run]:
    """Return the latest runs, newest first."""
    rows = connection.execute(
        "select id, at, at_offset, model, conversation, way, seconds, failure,"
        " (select json_group_array(message) from (select message from run_messages where run = runs.id order by message)),"
        " (select json_group_array(change) from (select change from run_changes where run = runs.id order by change)),"
        " (select json_group_array(json_array(kind, text, quote, reason)) from"
        "  (select kind, text, quote, reason from refusals where run = runs.id order by id))"
        " from runs order by id desc limit ?",
        (limit,),
    )
    return [
        Run(key, Moment(at, offset), model, talk, tuple(json.loads(messages)), way, seconds, tuple(json.loads(changes)),
            tuple(Refusal(*each) for each in json.loads(refused)), failure)
        for key, at, offset, model, talk, way, seconds, failure, messages, changes, refused in rows
    ]  # fmt: skip


def forget(connection: apsw.Connection, fact: Fact) -> None:
    """Drop the refusals that hold a fact's words, and those of the runs that it was learned in: they tell of the same."""
    connection.execute(
        "delete from refusals where instr(text, :words) or instr(quote, :words) or instr(reason, :words)"
        " or run in (select run from run_messages where message in (select value from json_each(:sources)))",
        {"words": fact.text, "sources": json.dumps(fact.sources)},
    )
