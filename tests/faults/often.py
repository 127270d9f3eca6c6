"""How often something is tried: seldom with every change, far more often where RICORDO_SOAK is set. Figures are noted.

RICORDO_SOAK=1 python -m pytest tests/faults tests/fuzz -s
"""

import os
import random
import sys
from collections.abc import Sequence
from typing import TypeVar

from benchmarks import figures

T = TypeVar("T")

SOAK = bool(os.environ.get("RICORDO_SOAK"))
TABLE = "Faults"


def often(seldom: int, soak: int) -> int:
    """Return how often to try."""
    return soak if SOAK else seldom


def some(all_of_them: Sequence[T], most: int, seed: int = 7) -> list[T]:
    """Return all where RICORDO_SOAK is set; else a few, the same ones each time."""
    if SOAK or len(all_of_them) <= most:
        return list(all_of_them)
    return [all_of_them[place] for place in sorted(random.Random(seed).sample(range(len(all_of_them)), most))]


def told(what: str, count: int, bar: str = "nothing lost, nothing half made") -> None:
    """Print how often it was tried, and note it for the page of benchmarks."""
    sys.stdout.write(f"\n{what}: {count}\n")
    figures.note(TABLE, what, count, bar, kept=True)
