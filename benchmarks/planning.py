"""What does the model add to finding memories? python -m benchmarks.planning [--only plan|check|list] [--half H] [--tell]

Labelled talk (planning_talk.jsonl): messages in short conversations with the words that a good search for them holds, or none,
and messages with notes of which some are about the same thing. The tuned half was looked at in choosing the wording, the unseen
half was not; docs/decisions/0015-planning.md says what was fitted on both. Counted: searches that hold what is meant, without
and with the model; verdicts that are right; seconds and tokens evaluated (prompt minus cached, as the server reports them).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pathlib
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.tables import bar, console, show
from ricordo.errors import ModelMissing
from ricordo.models.base import ChatModel, Completion, Finished, Piece, Request
from ricordo.models.embedded import EmbeddedModel
from ricordo.models.files import model_file
from ricordo.prompt import ChatMessage, Usage
from ricordo.recall.parts import RULES
from ricordo.recall.planner import own_searches, plan
from ricordo.recall.relevance import YES, Bounds, Candidate, check
from ricordo.recall.wording import names_all

TALK = pathlib.Path(__file__).with_name("planning_talk.jsonl")
PATIENCE = 60.0
_UNDECIDED = Bounds(low=-1.0, alone=0.5, high=2.0)


class Counting:
    """A model that keeps what its server reports of each call."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self.usages: list[Usage] = []

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.model.name

    async def window(self) -> int:
        """Return its window."""
        return await self.model.window()

    async def stream(self, request: Request) -> AsyncGenerator[Piece]:
        """Yield its pieces."""
        async for piece in self.model.stream(request):
            if isinstance(piece, Finished):
                self.usages.append(piece.usage)
            yield piece

    async def complete(self, request: Request) -> Completion:
        """Return its reply."""
        completion = await self.model.complete(request)
        self.usages.append(completion.usage)
        return completion

    async def aclose(self) -> None:
        """End it."""
        await self.model.aclose()

    def evaluated(self) -> int:
        """Return the tokens evaluated since the last time."""
        usages, self.usages = self.usages, []
        return sum((usage.prompt or 0) - (usage.cached or 0) for usage in usages)


@dataclass(slots=True)
class Talk:
    """The labelled talk: scenes by name, cases of planning and of checking."""

    scenes: dict[str, tuple[ChatMessage, ...]] = field(default_factory=dict)
    plans: list[dict[str, Any]] = field(default_factory=list)
    checks: list[dict[str, Any]] = field(default_factory=list)


def talk() -> Talk:
    """Return the labelled talk."""
    read = Talk()
    for line in map(json.loads, TALK.read_text("utf-8").splitlines()):
        if "scene" in line:
            read.scenes[line["scene"]] = prompt_of(line["turns"])
        elif "plan" in line:
            read.plans.append(line["plan"])
        else:
            read.checks.append(line["check"])
    return read


def prompt_of(turns: Sequence[Sequence[str]]) -> tuple[ChatMessage, ...]:
    """Return a conversation as it stands in a prompt, without its newest message."""
    said = (
        ChatMessage("user", f"[2026-05-{day:02} 18:30] {text}") if who == "u" else ChatMessage("assistant", text)
        for day, (who, text) in enumerate(turns, 11)
    )
    return (ChatMessage("system", RULES), *said)


def holds(searches: Sequence[str], words: Sequence[Sequence[str]]) -> bool:
    """Tell whether the searches together hold one word of each list."""
    text = " ".join(searches).casefold()
    return all(any(word in text for word in either) for either in words)


async def plans(model: Counting, cases: Sequence[dict[str, Any]], scenes: dict[str, Any], *, tell: bool) -> dict[str, list[Any]]:
    """Plan each message and return rows of figures by half and kind."""
    rows: dict[str, list[Any]] = {}
    for case in cases:
        messages = scenes[case["scene"]]
        pointing = case["kind"] == "words" and len(messages) > 1
        row = rows.setdefault(f"{case['kind']}{' in a talk' if pointing else ''}, {case['half']}", [0, 0, 0, 0, 0.0, 0])
        own, begun = own_searches(case["said"]), time.perf_counter()
        model.evaluated()
        made = await plan(model, messages, case["said"], PATIENCE)
        seconds, evaluated = time.perf_counter() - begun, model.evaluated()
        right = not made.searches if case["kind"] == "nothing" else holds(made.searches, case["words"])
        before = not own if case["kind"] == "nothing" else holds(own, case["words"])
        for at, value in enumerate((1, before, right, made.asked, seconds, evaluated)):
            row[at] += value
        if tell:
            console.print(f"{'+' if right else '-'} {case['said']!r} {made.searches[len(own) :]} {made.reason}", markup=False)
    return rows


async def meant(model: Counting, messages: tuple[ChatMessage, ...], said: str) -> tuple[str, ...]:
    """Return what the plan names beside a message that only points to it."""
    if names_all(said) or len(messages) == 1:
        return ()
    own = own_searches(said)
    return tuple(search for search in (await plan(model, messages, said, PATIENCE)).searches if search not in own)


async def checks(
    model: Counting, cases: Sequence[dict[str, Any]], scenes: dict[str, Any], *, one_by_one: bool, tell: bool
) -> dict[str, list[tuple[float, bool, float, int]]]:
    """Check each message's notes and return (probability or verdict, wanted, seconds, tokens) for each, by half."""
    rows: dict[str, list[tuple[float, bool, float, int]]] = {}
    for case in cases:
        notes = [Candidate(text, "2025-10-04", 0.5) for text in case["notes"]]
        about = await meant(model, scenes[case["scene"]], case["said"])
        begun = time.perf_counter()
        model.evaluated()
        made = await check(
            model, scenes[case["scene"]], case["said"], notes, PATIENCE * 4, bounds=_UNDECIDED, one_by_one=one_by_one, about=about
        )
        each, tokens = (time.perf_counter() - begun) / len(notes), model.evaluated() // len(notes)
        for number, (verdict, note) in enumerate(zip(made.verdicts, notes, strict=True), 1):
            value = float(verdict.kept) if verdict.probability is None else verdict.probability
            rows.setdefault(case["half"], []).append((value, number in case["want"], each, tokens))
            if tell:
                mark = "+" if (value >= YES) == (number in case["want"]) else "-"
                console.print(f"{mark} {value:.2f} {case['said']!r} | {note.text!r}", markup=False)
    return rows


def auc(rows: Sequence[tuple[float, bool, float, int]]) -> float:
    """Return how often a note that is wanted has the higher probability of two."""
    yes, no = [row[0] for row in rows if row[1]], [row[0] for row in rows if not row[1]]
    return sum((one > other) + 0.5 * (one == other) for one in yes for other in no) / max(1, len(yes) * len(no))


async def run(file: pathlib.Path, only: str, half: str, *, tell: bool) -> None:
    """Measure and print."""
    read, model = talk(), Counting(EmbeddedModel(file))
    chosen = [[case for case in cases if half in ("", case["half"])] for cases in (read.plans, read.checks)]
    try:
        await model.complete(Request((ChatMessage("user", "Hello"),), 1))
        if only in ("", "plan"):
            rows = await plans(model, chosen[0], read.scenes, tell=tell)
            columns = ("messages", "cases", "right by rule", "right with the model", "asked", "s each asked", "tokens each asked")
            show("Planning", columns, [[name, *r[:4], r[4] / max(1, r[3]), r[5] / max(1, r[3])] for name, r in rows.items()])
            unseen = [row for name, row in rows.items() if name.endswith("unseen")]
            if unseen:
                bar("plans that are right, unseen", sum(r[2] for r in unseen) / sum(r[0] for r in unseen), 0.85, at_least=True)
        for way in ("check", "list"):
            if only not in ("", way):
                continue
            found = await checks(model, chosen[1], read.scenes, one_by_one=way == "check", tell=tell)
            show(
                "One by one" if way == "check" else "All in one call",
                ("half", "notes", "right", "kept", "of them right", "wanted", "AUC", "s each", "tokens each"),
                [_checked(name, rows) for name, rows in found.items()],
            )
            if way == "check" and "unseen" in found:
                right = sum((row[0] >= YES) == row[1] for row in found["unseen"]) / len(found["unseen"])
                bar("verdicts that are right, unseen", right, 0.9, at_least=True)
    finally:
        await model.aclose()


def _checked(name: str, rows: Sequence[tuple[float, bool, float, int]]) -> list[object]:
    kept = [row for row in rows if row[0] >= YES]
    right = sum((row[0] >= YES) == row[1] for row in rows)
    seconds, tokens = sum(row[2] for row in rows) / len(rows), sum(row[3] for row in rows) / len(rows)
    return [
        name,
        len(rows),
        right,
        len(kept),
        sum(row[1] for row in kept),
        sum(row[1] for row in rows),
        auc(rows),
        seconds,
        tokens,
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=pathlib.Path, default=model_file())
    parser.add_argument("--only", choices=["plan", "check", "list"], default="")
    parser.add_argument("--half", choices=["tuned", "unseen"], default="")
    parser.add_argument("--tell", action="store_true", help="print what came of each case")
    told = parser.parse_args()
    if told.model is None:
        raise SystemExit("There is no model file. Run `ricordo model fetch`.")
    try:
        asyncio.run(run(told.model, told.only, told.half, tell=told.tell))
    except ModelMissing as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
