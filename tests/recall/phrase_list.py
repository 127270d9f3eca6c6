"""The labelled phrases of phrases.jsonl and what the code makes of them: shared by the test and the benchmark.

A phrase is right when just its days and positions are found. A wrong day is one that no label names: worse than none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from ricordo.conversation import Moment
from ricordo.recall.dates.positions import Place, Spot
from ricordo.recall.references import Days, Position, Stamp, find

_LISTS = ("phrases.jsonl",)

# A position ("first", "last:3", "nth:-2") or the first and last day of a span.
Meaning = str | tuple[str, str]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A message, when and where it is written, and what it may mean: each of `means` is right, most have one."""

    kind: str
    split: str
    text: str
    now: datetime
    zone: ZoneInfo
    means: tuple[tuple[Meaning, ...], ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found for a phrase, whether that is right, and the days among it that no label names."""

    phrase: Phrase
    found: tuple[Meaning, ...]
    right: bool
    wrong_days: tuple[Meaning, ...]


def phrases(*splits: str) -> list[Phrase]:
    """Return the labelled phrases, of some splits only if any are named."""
    folder = Path(__file__).parent
    lines = [json.loads(line) for name in _LISTS for line in (folder / name).read_text(encoding="utf-8").splitlines()]
    return [
        Phrase(
            line["kind"],
            line["split"],
            line["phrase"],
            datetime.fromisoformat(line["now"]),
            ZoneInfo(line["zone"]),
            tuple(_meanings(each) for each in [line["means"], *line.get("or", [])]),
        )
        for line in lines
        if not splits or line["split"] in splits
    ]


def _meanings(label: Sequence[str | list[str]]) -> tuple[Meaning, ...]:
    return tuple(each if isinstance(each, str) else (each[0], each[1]) for each in label)


def judged(phrase: Phrase) -> Verdict:
    """Read one phrase and hold what is found against its labels."""
    found = tuple(_found(phrase))
    named = {meaning for means in phrase.means for meaning in means}
    wrong = tuple(each for each in found if isinstance(each, tuple) and each not in named)
    return Verdict(phrase, found, found in phrase.means, wrong)


def _found(phrase: Phrase) -> Iterable[Meaning]:
    for reference in find(phrase.text, Moment.of(phrase.now), phrase.zone):
        match reference:
            case Position(spot, days=within):
                yield _place(spot)
                if within:
                    yield within.first.isoformat(), within.last.isoformat()
            case Days(first, last):
                yield first.isoformat(), last.isoformat()
            case Stamp(at):
                yield at.isoformat()


def _place(spot: Spot) -> str:
    match spot:
        case Spot(Place.FIRST, number, 1) if number > 1:
            return f"nth:{number}"
        case Spot(Place.LAST, number, 1) if number > 1:
            return f"nth:-{number}"
        case Spot(place, _, count):
            word = {Place.PREVIOUS: "before", Place.NEXT: "after"}.get(place, str(place))
            return word if count == 1 else f"{word}:{count}"


def rates(verdicts: Sequence[Verdict]) -> tuple[float, int]:
    """Return the share of phrases that are right, and how many gave a wrong day."""
    return sum(verdict.right for verdict in verdicts) / len(verdicts), sum(bool(verdict.wrong_days) for verdict in verdicts)
