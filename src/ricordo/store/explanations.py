"""From a reply's trace to its explanation: every id that the trace names is looked up as it is now.

The one rule: whatever a trace lacks, be it older or wordless since a deletion, an explanation still comes of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import apsw

from ricordo.conversation import Message, Moment, Role
from ricordo.errors import NotFound
from ricordo.explanation import Candidate, Explanation, Fate, Kind, Mention, Step
from ricordo.prompt import Trace
from ricordo.store import messages, traces

_LETTERS = 160  # of a text: enough to know it again
_LARGEST = 3  # features of a candidate
_MESSAGES = "select id, text, at, at_offset, role, conversation from messages where id in (select value from json_each(?))"
_FACTS = "select id, text, created, created_offset, updated from facts where id in (select value from json_each(?))"

Place = tuple[Literal["message", "fact"], int]


def explain(connection: apsw.Connection, key: int) -> Explanation:
    """Return how a reply came about. Raises NotFound, also for a message that no trace is kept of."""
    reply = messages.get(connection, key)
    if reply.role is Role.USER:
        raise NotFound(f"Message {key} is your own. Ask about the reply to it: that is what the model made.")
    trace = traces.get(connection, key)
    if trace is None:
        raise NotFound(f"How message {key} came about was not kept: it was not written here, or by an older version.")
    return _Explaining(connection, reply, trace).explanation()


class _Explaining:
    """One trace while its texts are looked up."""

    def __init__(self, connection: apsw.Connection, reply: Message, trace: Trace) -> None:
        self.reply, self.trace = reply, trace
        self.steps: dict[str, Mapping[str, Any]] = {str(step["step"]): step for step in trace.steps if step["step"] != "shorten"}
        self.found: list[dict[str, Any]] = self.steps.get("gather", {}).get("candidates", [])
        named = trace.shown
        self.starts = {_place(each): int(each.get("start", 0)) for each in self.found}
        keys = {key for kind, key in self.starts if kind == "message"}
        self.messages = _texts(connection, _MESSAGES, {*keys, *named.window, *named.references, *named.recalled})
        keys = {key for kind, key in self.starts if kind == "fact"}
        self.facts = _texts(connection, _FACTS, {*keys, *named.facts, *named.recalled_facts})

    def explanation(self) -> Explanation:
        reply, trace, shown = self.reply, self.trace, self.trace.shown
        planned = self.steps.get("plan", {})
        return Explanation(
            message=reply.id,
            asked=reply.parent,
            conversation=reply.conversation,
            model=reply.model,
            at=reply.at,
            layers=trace.layers,
            budget=trace.budget,
            usage=trace.usage,
            timings=tuple(trace.timings.items()),
            window=self.mentions("message", shown.window),
            facts=self.mentions("fact", shown.facts),
            references=self.mentions("message", shown.references),
            recalled=self.mentions("message", shown.recalled) + self.mentions("fact", shown.recalled_facts),
            searches=tuple(planned.get("searches", ())) if "searches" in planned or not planned else None,
            by_meaning=bool(self.steps.get("gather", {}).get("by_meaning")),
            candidates=tuple(self.candidates()),
            steps=tuple(_step(each) for each in trace.steps),
        )

    def mentions(self, kind: Kind, keys: Iterable[int]) -> tuple[Mention, ...]:
        return tuple(self.mention(kind, key) for key in keys)

    def mention(self, kind: Kind, key: int) -> Mention:
        """Return something by its id; of what was found the text begins where its best piece does."""
        row = (self.messages if kind == "message" else self.facts).get(key)
        if row is None:
            return Mention(kind, key, "deleted")
        text, at, offset, *more = row
        moment = Moment(at, offset)
        if kind == "fact":
            return Mention(kind, key, "changed" if more[0] > self.reply.at.utc else "there", _short(text), moment)
        role, conversation = more
        return Mention(kind, key, "there", _short(text, self.starts.get((kind, key), 0)), moment, Role(role), conversation)

    def candidates(self) -> Iterable[Candidate]:
        verdicts = self.steps.get("check", {}).get("verdicts", [])
        shortened = {_place(step): step for step in self.trace.steps if step["step"] == "shorten"}
        shown = self.trace.shown
        sent: set[Place] = {("message", key) for key in shown.recalled} | {("fact", key) for key in shown.recalled_facts}
        for at, each in enumerate(self.found):
            kind, key = place = _place(each)
            verdict = verdicts[at] if at < len(verdicts) else {}
            short = shortened.get(place, {})
            fate: Fate = "sent" if place in sent else "no room" if verdict.get("kept") else "dropped"
            yield Candidate(
                found=self.mention(kind, key),
                search=each.get("search", ""),
                score=each["score"],
                fit=each["fit"],
                speaks=_largest(each["speaks"]),
                fate=fate,
                by=verdict.get("by", ""),
                probability=verdict.get("probability"),
                shortened=short.get("by", "whole"),
                share=short.get("share"),
                why=short.get("reason", ""),
            )


def _place(named: Mapping[str, Any]) -> Place:
    return ("message", int(named["message"])) if "message" in named else ("fact", int(named["fact"]))


def _step(step: Mapping[str, Any]) -> Step:
    reason = step.get("reason") or step.get("why") or ""
    asked = bool(step.get("asked")) or step.get("by") == "model"
    return Step(step["step"], step["seconds"], asked, reason)


def _largest(speaks: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Return the features that gave the most points; those that gave none, or took some, speak for nothing."""
    return tuple(sorted(((name, points) for name, points in speaks.items() if points > 0), key=lambda each: -each[1])[:_LARGEST])


def _texts(connection: apsw.Connection, sql: str, keys: Iterable[int]) -> dict[int, tuple[Any, ...]]:
    return {row[0]: row[1:] for row in connection.execute(sql, (json.dumps(sorted(keys)),))}


def _short(text: str, start: int = 0) -> str:
    """Return a text's beginning, or that of a piece of it, on one line."""
    line = " ".join(text[start : start + 2 * _LETTERS].split())
    more = len(line) > _LETTERS or start + 2 * _LETTERS < len(text)
    return f"{'… ' if start else ''}{line[:_LETTERS].rstrip()}{' …' if more else ''}"
