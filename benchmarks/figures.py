"""Figures for docs/benchmarks.md, noted where they are found out: one line of JSON each, in the file that RICORDO_FIGURES names.

Benchmarks note their tables and bars through benchmarks/tables.py. A test notes what only it can tell, and stays a test:
`note("Kills", "killed while writing, then opened", 5000, kept=True)`. Without the variable nothing is written.
"""

from __future__ import annotations

import json
import os
import pathlib
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

VARIABLE = "RICORDO_FIGURES"

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing found out: in which table it stands, its words, its value, the bar in words, and whether that is kept."""

    table: str
    what: str
    value: Cell
    bar: str = ""
    kept: bool | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole table of a benchmark."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def note(table: str, what: str, value: Cell, bar: str = "", kept: bool | None = None) -> None:
    """Append a figure to the file that RICORDO_FIGURES names, if it names one; several processes may, at once.

    `table` is the heading it will stand under, `bar` what was asked for in words ("none lost"), `kept` whether it was so.
    Noted again under the same table and words, the last one counts.
    """
    _append({"table": table, "what": what, "value": value, "bar": bar, "kept": kept})


def note_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """Append a whole table, as `note` does one figure."""
    _append({"title": title, "columns": list(columns), "rows": [list(row) for row in rows]})


def _append(line: Mapping[str, Any]) -> None:
    named = os.environ.get(VARIABLE)
    if not named:
        return
    path = pathlib.Path(named)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab", buffering=0) as file:  # one write at the end of the file: lines of others are not torn
        file.write((json.dumps(line, ensure_ascii=False) + "\n").encode())


def read(path: pathlib.Path) -> Iterator[Figure | Sheet]:
    """Yield what a file of figures holds, the last of the same name only, in the order they were first noted."""
    last: dict[tuple[str, ...], Figure | Sheet] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        told = json.loads(line)
        if "rows" in told:
            sheet = Sheet(told["title"], tuple(told["columns"]), tuple(tuple(row) for row in told["rows"]))
            last[(sheet.title,)] = sheet
        else:
            figure = Figure(told["table"], told["what"], told["value"], told["bar"], told["kept"])
            last[(figure.table, figure.what)] = figure
    yield from last.values()


def processor() -> str:
    """Name the processor, as the machine does."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
