"""What does learning keep of what was said? python -m benchmarks.learning [--turns N] [--way call|sentences] [--model FILE]

Scripted turns (learning_turns.jsonl: facts, tasks, secrets, changes, "forget …", moods, nothing), each with the facts known
before it and what a careful person would make of it, read by the embedded model three ways: one call without any check, one
call with the checks, sentence by sentence with the checks. The tuned half was looked at in choosing thresholds, the unseen
half was not. Counted: facts found, junk among what is saved, changes and removals that were right and wrong, secrets kept.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pathlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from benchmarks.tables import bar, console, show
from ricordo.conversation import Message, Moment, Role, Status, Turn
from ricordo.errors import ModelMissing
from ricordo.fact import Fact, Global, Origin
from ricordo.learn import ways
from ricordo.learn.extractor import Unread
from ricordo.learn.proposals import Proposal, Remove, Rewrite, Save
from ricordo.learn.selftest import edits
from ricordo.learn.telling import heard, tokens
from ricordo.learn.ways import Way
from ricordo.models.base import ChatModel
from ricordo.models.embedded import EmbeddedModel
from ricordo.models.files import model_file

TURNS = pathlib.Path(__file__).with_suffix("").with_name("learning_turns.jsonl")
ROWS = {Way.CALL: ("raw", "call"), Way.SENTENCES: ("sentences",)}
NAMES = {"raw": "one call, no checks", "call": "one call, checked", "sentences": "sentence by sentence, checked"}
PATIENCE = 600.0
_NOON = Moment(1_780_000_000_000_000, 0)


@dataclass(slots=True)
class Case:
    """One scripted turn. `facts`, `also` and `change` name words that have to stand in a text; `also` may be kept or not."""

    half: str
    kind: str
    said: str
    known: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    also: list[str] = field(default_factory=list)
    change: dict[str, str] = field(default_factory=dict)
    gone: list[int] = field(default_factory=list)
    secret: str = ""
    reply: str = "I see."

    @property
    def turn(self) -> Turn:
        """The turn as it would be stored."""
        asked = Message(1, 1, None, Role.USER, self.said, _NOON, Status.COMPLETE)
        return Turn(asked, Message(2, 1, 1, Role.MODEL, self.reply, _NOON, Status.COMPLETE))

    @property
    def facts_known(self) -> tuple[Fact, ...]:
        """What the model wrote before."""
        return tuple(
            Fact(place, text, Origin.MODEL, Global(), False, False, _NOON, _NOON) for place, text in enumerate(self.known, 1)
        )


@dataclass(slots=True)
class Count:
    """What came of turns."""

    turns: int = 0
    unread: int = 0
    wanted: int = 0
    found: int = 0
    saved: int = 0
    junk: int = 0
    to_change: int = 0
    changed: int = 0
    wrong: int = 0
    secrets: int = 0
    seconds: float = 0.0

    def add(self, other: Count) -> None:
        """Add what came of another turn."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    def row(self) -> list[object]:
        """What the table shows."""
        return [
            self.turns,
            f"{self.found}/{self.wanted}",
            f"{self.junk}/{self.saved}",
            f"{self.changed}/{self.to_change}",
            self.wrong,
            self.secrets,
            self.unread,
            self.seconds / max(1, self.turns),
        ]


def cases() -> list[Case]:
    """Return the scripted turns."""
    return [Case(**json.loads(line)) for line in TURNS.read_text("utf-8").splitlines() if line.strip()]


def holds(text: str, words: str) -> bool:
    """Tell whether all of the words stand in a text, in whatever form."""
    return all(heard(word, tokens(text)) for word in tokens(words))


def judge(case: Case, proposals: Sequence[Proposal]) -> Count:
    """Count what proposals, taken as edits, would do against what should be done."""
    saved = [one.text for one in proposals if isinstance(one, Save)]
    rewritten = {str(one.id): one.text for one in proposals if isinstance(one, Rewrite)}
    removed = {str(one.id) for one in proposals if isinstance(one, Remove)}
    count = Count(turns=1, wanted=len(case.facts), to_change=len({*case.change, *map(str, case.gone)}))
    texts = [*saved, *rewritten.values()]
    count.found = sum(any(holds(text, words) for text in texts) for words in case.facts)
    fitting = (*case.facts, *case.also, *case.change.values())
    count.saved = len(saved)
    count.junk = sum(not any(holds(text, words) for words in fitting) for text in saved)
    for place in {*case.change, *map(str, case.gone)}:
        new = case.change.get(place)
        over = int(place) in case.gone or (new is not None and any(holds(text, new) for text in saved))
        right = (place in removed and over) or (place in rewritten and new is not None and holds(rewritten[place], new))
        count.changed += right
        count.wrong += (place in removed or place in rewritten) and not right
    count.wrong += len(({*removed, *rewritten}) - {*case.change, *map(str, case.gone)})
    count.secrets = sum(bool(case.secret) and case.secret.casefold() in text.casefold() for text in texts)
    return count


async def measure(model: ChatModel, way: Way, case: Case) -> dict[str, tuple[Count, list[Proposal]]]:
    """Read one turn one way; the one call is judged without and with checks."""
    start = time.perf_counter()
    proposals = await ways.propose(way, model, (case.turn,), case.facts_known, PATIENCE)
    seconds = time.perf_counter() - start
    if isinstance(proposals, Unread):
        lost = replace(judge(case, ()), unread=1, seconds=seconds)
        return {row: (lost, []) for row in ROWS[way]}
    checked = list(edits(proposals, (case.turn,), case.facts_known, Global(), _NOON))
    found = {row: list(proposals) if row == "raw" else checked for row in ROWS[way]}
    return {row: (replace(judge(case, made), seconds=seconds), made) for row, made in found.items()}


async def run(file: pathlib.Path, chosen: Sequence[Way], turns: Iterable[Case], *, tell: bool) -> dict[tuple[str, str], Count]:
    """Read the turns each way and return what came of them, by way and half."""
    totals: dict[tuple[str, str], Count] = {}
    model = EmbeddedModel(file)
    try:
        await model.ready()
        for way in chosen:
            for case in turns:
                for row, (count, made) in (await measure(model, way, case)).items():
                    totals.setdefault((row, case.half), Count()).add(count)
                    if tell:
                        console.print(f"{row:9} {case.kind:7} {case.said[:60]!r}: {_said(made)}", markup=False)
    finally:
        await model.aclose()
    return totals


def _said(made: Sequence[Proposal]) -> Any:
    return [(type(one).__name__, getattr(one, "id", ""), getattr(one, "text", "")) for one in made]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=pathlib.Path, default=model_file())
    parser.add_argument("--turns", type=int, default=None, help="only so many of each half, spread over the kinds")
    parser.add_argument("--way", type=Way, choices=[*Way], default=None)
    parser.add_argument("--half", choices=["tuned", "unseen"], default=None)
    parser.add_argument("--tell", action="store_true", help="print what came of each turn")
    told = parser.parse_args()
    if told.model is None:
        raise SystemExit("There is no model file. Run `ricordo model fetch`.")
    chosen: list[Case] = []
    for half in ("tuned", "unseen"):
        of_half = [case for case in cases() if case.half == half and told.half in (None, half)]
        step = max(1, len(of_half) // told.turns) if told.turns else 1
        chosen += of_half[::step][: told.turns]
    ways_asked = [told.way] if told.way else [*Way]
    try:
        totals = asyncio.run(run(told.model, ways_asked, chosen, tell=told.tell))
    except ModelMissing as error:
        raise SystemExit(str(error)) from error
    columns = ("way, half", "turns", "found", "junk/saved", "changed", "wrong", "secrets", "unread", "s a turn")
    show("Learning", columns, [[f"{NAMES[way]}, {half}", *count.row()] for (way, half), count in totals.items()])
    for (row, half), count in totals.items():
        if row != "raw":
            bar(f"secrets kept, {NAMES[row]}, {half}", count.secrets, 0)
            bar(f"wrong changes, {NAMES[row]}, {half}", count.wrong, 0)
    if (unseen := totals.get(("sentences", "unseen"))) is not None and not told.turns:
        bar("facts found sentence by sentence, unseen", unseen.found / unseen.wanted, 0.6, at_least=True)
        bar("junk among what was saved, sentence by sentence, unseen", unseen.junk / max(1, unseen.saved), 0.05)


if __name__ == "__main__":
    main()
