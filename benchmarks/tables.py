"""Printing what was measured: tables, percentiles, bars. Each is noted, too, for docs/benchmarks.md (benchmarks/figures.py)."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

from benchmarks.figures import note, note_table

BARS = "Bars"
console = Console(width=140)


def percentile(values: Iterable[float], part: float) -> float:
    """Return the value below which `part` (0 to 1) of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def machine() -> str:
    """Name what the figures were taken on."""
    return f"{platform.machine()}, Python {platform.python_version()}, {platform.system()}"


def figure(value: object) -> str:
    """Return a value as a table shows it: three digits that say something."""
    match value:
        case float() if abs(value) >= 100:
            return f"{value:,.0f}"
        case float():
            return f"{value:.3g}"
        case int():
            return f"{value:,}"
        case _:
            return str(value)


def show(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print one table; figures right, the first column left."""
    table = Table(title=f"{title} ({machine()})", title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    rows = [tuple(row) for row in rows]
    for row in rows:
        table.add_row(*map(figure, row))
    note_table(title, columns, [[each if isinstance(each, str | int | float) else str(each) for each in row] for row in rows])
    console.print(table)


def bar(what: str, value: float, limit: float, *, at_least: bool = False) -> bool:
    """Print whether a figure keeps its bar, and return it."""
    kept = value >= limit if at_least else value <= limit
    side = "at least" if at_least else "at most"
    value = float(value)  # numpy's are none to JSON
    note(BARS, what, value, f"{side} {figure(float(limit))}", kept=bool(kept))
    console.print(f"{'keeps' if kept else 'MISSES'}: {what}: {figure(value)} ({side} {figure(float(limit))})")
    return kept
