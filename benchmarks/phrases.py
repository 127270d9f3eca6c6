"""How many date and position phrases are understood, and whether any gives a wrong day: `python -m benchmarks.phrases`."""

from __future__ import annotations

import sys
import time

from benchmarks.tables import bar, show
from tests.recall.phrase_list import Verdict, judged, phrases, rates


def main() -> int:
    """Print the figures by kind and by part of the list; exit code 1 where a bar is missed."""
    held = phrases()
    begun = time.perf_counter()
    verdicts = [judged(phrase) for phrase in held]
    spent = (time.perf_counter() - begun) / len(held) * 1000
    _by("kind", verdicts)
    _by("split", verdicts)
    right, wrong = rates(verdicts)
    kept = [
        bar("phrases that mean what their labels say", right, 0.97, at_least=True),
        bar("phrases that give a wrong day", wrong, 0),
        bar("milliseconds a phrase", spent, 1.0),
    ]
    return 0 if all(kept) else 1


def _by(what: str, verdicts: list[Verdict]) -> None:
    rows = []
    for name in dict.fromkeys(getattr(verdict.phrase, what) for verdict in verdicts):
        ours = [verdict for verdict in verdicts if getattr(verdict.phrase, what) == name]
        right, wrong = rates(ours)
        rows.append((name, len(ours), sum(verdict.right for verdict in ours), right, wrong))
    show(f"Phrases by {what}", (what, "phrases", "right", "share", "wrong days"), rows)


if __name__ == "__main__":
    sys.exit(main())
