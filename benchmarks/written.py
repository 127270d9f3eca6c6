"""Writes docs/benchmarks.md and its drawing from what the benchmarks and the tests noted."""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version

from benchmarks import figures, growth
from benchmarks.figures import Cell, Figure, Sheet
from benchmarks.tables import BARS, figure

GROWTH = "Growth"  # the table that is drawn: excerpts first, then a column a figure
LOAD = "Load"
_BUSY = 0.5  # of a core each, from which on times say little
# What each measures, in the order of the page.
ABOUT = {
    "latency": "What a person waits for, and what encryption costs: beside each vault the same database in plain SQLite.",
    "scale": "Finding in up to a million excerpts, and the whole app over such a vault.",
    "recall": "Does it find what was written? Public questions with the messages that answer them; no language model.",
    "peers": "Beside tools that people take instead, over the same texts and vectors in one run. Bare libraries are there for "
    "reference: they do one step of it. Ricordo alone has weights, and those were fitted on a part of such public talk.",
    "prompt_cache": "Prompt tokens that a local model reads before the first word of a reply.",
    "proxy": "What the proxy adds to a call.",
    "page": "The page in a real browser.",
    "crowd": "Fifty tabs and eight programs at once.",
    "soak": "A scripted person over the real app: nothing lost, nothing growing, nothing slower.",
    "imports": "A large export of ChatGPT.",
    "embedding": "The embedded embedding model.",
    "learning": "What the embedded chat model learns, and what it should not.",
    "duplicates": "Copies of known facts.",
    "planning": "Whether, and for what, is searched.",
    "phrases": "Dates in words.",
    "secrets": "Secrets that are never saved.",
    "tests": "What tests count as they run.",
}
_PACKAGES = ("apsw-sqlite3mc", "numpy", "onnxruntime", "xllamacpp", "fastapi", "uvicorn")
# Of the growth's columns, those with a bar at a million excerpts.
_LIMITS = {"unlock, s": 3.0, "prompt ready, ms p95": 80.0, "RAM, MB": 1229.0, "Memory screen, ms": 500.0, "search, ms p95": 60.0}


def begun(file: pathlib.Path) -> None:
    """Note in a file how busy the machine is as a benchmark begins: what is measured beside other work says so."""
    load = os.getloadavg()[0]
    with file.open("a") as lines:
        lines.write(json.dumps({"table": LOAD, "what": "load average", "value": round(load, 1), "bar": "", "kept": None}) + "\n")


def page(files: Mapping[str, pathlib.Path], docs: pathlib.Path) -> None:
    """Write the page from files of figures, by the benchmark's name; what was not run is named as such."""
    noted = {name: list(figures.read(file)) for name, file in files.items()}
    bars = [replace(each, table=name) for name, all_noted in noted.items() for each in all_noted if isinstance(each, Figure)]
    held = [each for each in bars if each.kept is not None]
    lines = ["# Benchmarks", "", *_beginning(files, held), ""]
    lines += ["## Bars", "", *_table(("", "what", "figure", "bar"), [_bar(each) for each in _missed_first(held)]), ""]
    drawn = _drawn(noted.get("scale", []), docs)
    for name, all_noted in noted.items():
        if not all_noted:
            continue
        lines += [f"## {name.replace('_', ' ').capitalize()}", "", f"{ABOUT[name]}{_while(all_noted)}", ""]
        if name == "scale" and drawn:
            lines += [f"![{drawn}](drawings/growth.svg)", ""]
        for each in all_noted:
            if isinstance(each, Sheet):
                lines += [f"**{each.title}**", "", *_table(each.columns, each.rows), ""]
        told = [each for each in all_noted if isinstance(each, Figure) and each.table not in (BARS, LOAD)]
        lines += [*_table(("", "what", "figure", "asked for"), [_bar(each) for each in told]), ""] if told else []
    missing = [name for name, all_noted in noted.items() if not all_noted]
    if missing:
        lines += [f"Not run for this page: {', '.join(missing)}.", ""]
    (docs / "benchmarks.md").write_text("\n".join(lines), encoding="utf-8")


def _beginning(files: Mapping[str, pathlib.Path], held: Sequence[Figure]) -> list[str]:
    taken = sorted({_day(file) for file in files.values() if file.exists()})
    kept = sum(bool(each.kept) for each in held)
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return [
        "Written by `make bench`; nothing here is typed by hand. Times depend on the machine and on what else it does, ratios "
        "taken in one run hardly: read these first.",
        "",
        f"- **Machine**: {figures.processor()}, {os.cpu_count()} cores, {_memory()} GB of RAM, {platform.system()} "
        f"{platform.release()}, no graphics card used.",
        f"- **Versions**: Ricordo {version('ricordo')}, Python {platform.python_version()}, {packages}.",
        f"- **Taken**: {taken[0] if taken else '-'}{f' to {taken[-1]}' if len(taken) > 1 else ''}.",
        f"- **Bars**: {kept} of {len(held)} kept.",
    ]


def _while(all_noted: Sequence[Figure | Sheet]) -> str:
    """Say so where other work ran when this was measured."""
    load = next((float(str(each.value)) for each in all_noted if isinstance(each, Figure) and each.table == LOAD), 0.0)
    if load <= _BUSY * (os.cpu_count() or 1):
        return ""
    return f" **Measured while other work ran (load {load:g} as it began): the times are too long, the ratios hold better.**"


def _missed_first(held: Sequence[Figure]) -> list[Figure]:
    return sorted(held, key=lambda each: bool(each.kept))


def _bar(each: Figure) -> tuple[Cell, ...]:
    sign = {True: "kept", False: "**missed**", None: ""}[each.kept]
    return sign, f"{each.what} ({each.table.replace('_', ' ')})" if each.kept is not None else each.what, each.value, each.bar


def _table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[str]:
    numeric = [all(isinstance(row[at], int | float) or row[at] in ("", "-", None) for row in rows) for at in range(len(columns))]
    return [
        f"| {' | '.join(columns)} |",
        f"|{'|'.join('---:' if right else '---' for right in numeric)}|",
        *(f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows),
    ]


def _cell(value: Cell) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case _:
            return figure(value).replace("|", "\\|").replace("\n", " ")


def _drawn(noted: Sequence[Figure | Sheet], docs: pathlib.Path) -> str:
    """Draw the growth, if it was measured; return the drawing in words."""
    sheet = next((each for each in noted if isinstance(each, Sheet) and each.title == GROWTH), None)
    if sheet is None or len(sheet.rows) < 2:
        return ""
    panels = []
    for at, column in enumerate(sheet.columns[1:], start=1):
        points = {int(str(row[0])): float(str(row[at])) for row in sheet.rows if isinstance(row[at], int | float)}
        name, _, unit = column.partition(", ")
        if len(points) > 1:
            panels.append(growth.Panel(name, unit, points, _LIMITS.get(column)))
    first, last = sheet.rows[0], sheet.rows[-1]
    told = "; ".join(
        f"{panel.name} from {figure(next(iter(panel.points.values())))} to {figure([*panel.points.values()][-1])} {panel.unit}"
        for panel in panels
    )
    words = f"From {figure(first[0])} to {figure(last[0])} excerpts: {told}"
    (docs / "drawings" / "growth.svg").write_text(growth.drawing(panels, words), encoding="utf-8")
    return words


def _day(file: pathlib.Path) -> str:
    return datetime.datetime.fromtimestamp(file.stat().st_mtime, datetime.UTC).date().isoformat()


def _memory() -> int:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)
