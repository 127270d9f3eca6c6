"""Holds a file of reported failures against the code: `python -m tests.cases FILE [--area A] [--json]`.

Exit code 1 when a gated case fails. What needs a live model or embedder is scored, not gated; what has no adapter is unsupported.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pathlib
import pkgutil
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import yaml

Verdict = tuple[bool | None, str]
Adapter = Callable[[dict[str, Any]], Verdict]
SCORED = ("live_model", "live_embed")
_WORD = {True: "pass", False: "fail", None: "unsupported"}
_LETTER = re.compile(r"<U\+([0-9A-Fa-f]{4,6})>")


def cases(path: pathlib.Path) -> list[dict[str, Any]]:
    """Read a file of cases, with the marks taken out that keep secret scanners off it."""
    return [_plain(case) for case in yaml.safe_load(path.read_text(encoding="utf-8"))]


def _plain(value: Any, name: str = "") -> Any:
    match value:
        case dict():
            return {key: _plain(part, str(key)) for key, part in value.items()}
        case list():
            return [_plain(part, name) for part in value]
        case str():
            text = value.replace("~+~", "")
            return _LETTER.sub(lambda match: chr(int(match[1], 16)), text) if name.endswith("_u") else text
        case _:
            return value


def adapters() -> dict[str, Adapter]:
    """Return the function that judges the cases of each area: `run` of the module beside this one that names it in AREAS."""
    found: dict[str, Adapter] = {}
    for module in pkgutil.iter_modules([str(pathlib.Path(__file__).parent)]):
        if not module.name.startswith(("_", "test_")):
            loaded = importlib.import_module(f"tests.cases.{module.name}")
            found |= dict.fromkeys(getattr(loaded, "AREAS", ()), getattr(loaded, "run", None))
    return found


def judge(case: dict[str, Any], adapter: Adapter | None) -> dict[str, str]:
    """Return id, area, check, result and why of one case; what its adapter raises is a failure of the code."""
    if adapter is None:
        verdict: Verdict = (None, "no adapter for this area yet")
    elif case["check"] in SCORED:
        verdict = (None, "needs a live model or embedder")
    else:
        try:
            verdict = adapter(case)
        except Exception as error:  # noqa: BLE001 - a case must not end the run
            verdict = (False, f"{type(error).__name__}: {error}")
    return {"id": case["id"], "area": case["area"], "check": case["check"], "result": _WORD[verdict[0]], "why": verdict[1]}


def main(arguments: list[str]) -> int:
    """Judge the cases of a file and print what came of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.cases", description="Hold reported failures against the code.")
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--area", action="append", help="only this area; may be given several times")
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    options = parser.parse_args(arguments)
    by_area = adapters()
    chosen = [case for case in cases(options.file) if not options.area or case["area"] in options.area]
    results = [judge(case, by_area.get(case["area"])) for case in chosen]
    sys.stdout.write(json.dumps(results, ensure_ascii=False, indent=1) if options.json else _listed(results))
    sys.stdout.write("\n")
    return int(any(one["result"] == "fail" and one["check"] not in SCORED for one in results))


def _listed(results: list[dict[str, str]]) -> str:
    """Return a line a case, then a count an area."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in results:
        counts[one["area"]][one["result"]] += 1
    lines = [f"{one['result']:<12}{one['id']:<14}{one['check']:<12}{one['why']}" for one in results]
    sums = [f"{area:<12}" + ", ".join(f"{count[word]} {word}" for word in _WORD.values() if count[word])
            for area, count in sorted(counts.items())]  # fmt: skip
    return "\n".join([*lines, "", *sums])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
