"""Run the benchmarks one after another and write docs/benchmarks.md: python -m benchmarks (`make bench`).

Some of them: `make bench ONLY="proxy crowd"`; none, only the page: `python -m benchmarks --only`.

What each prints is noted in build/figures, a file a benchmark, and stays there: those that are not run again keep their figures.
Figures that only tests can tell come from build/figures/tests.jsonl: `RICORDO_FIGURES=build/figures/tests.jsonl make test`.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys

from benchmarks import figures, written

FIGURES = pathlib.Path("build") / "figures"
# Where benchmarks/peers.txt is installed, apart from the project's own environment (`make bench` makes it).
PEERS = pathlib.Path("build") / "peers" / "bin" / "python"
# Public sets of questions in the neutral format of benchmarks/recall.py, a folder each; without them quality is left out.
NEUTRAL = pathlib.Path(os.environ.get("RICORDO_NEUTRAL", "build/neutral"))
# Each with what it is told; the vaults of a million excerpts are kept, because making one takes half an hour.
ALL: dict[str, tuple[str, ...]] = {
    "latency": (),
    "scale": ("--keep", "build/scale", "--sizes", "1000", "10000", "100000", "1000000"),
    "recall": (),
    "peers": ("--keep", "build/scale", "--cache", "build/vectors.npz"),
    "prompt_cache": (),
    "proxy": (),
    "page": (),
    "crowd": (),
    "soak": (),
    "imports": (),
    "embedding": (),
    "learning": (),
    "duplicates": (),
    "planning": (),
    "phrases": (),
    "secrets": (),
}


def run(name: str) -> bool:
    """Run one in a process of its own, so that none warms another's caches; return whether it ended well."""
    file = FIGURES / f"{name}.jsonl"
    file.unlink(missing_ok=True)
    written.begun(file)
    told = [*ALL[name]]
    if name in ("recall", "peers"):
        folders = sorted(each.parent for each in NEUTRAL.glob("*/questions.jsonl"))
        told += [word for folder in folders for word in ("--data", str(folder))]
        if name == "recall" and not folders:
            sys.stderr.write(f"recall is left out: there are no sets in {NEUTRAL}\n")
            return True
    beside = name in ("peers", "scale") and PEERS.exists()
    command = [str(PEERS) if beside else sys.executable, "-m", f"benchmarks.{name}", *told]
    ended = subprocess.run(command, check=False, env={**os.environ, figures.VARIABLE: str(file.absolute())}).returncode
    return ended == 0


def main() -> None:
    """Run, write the page, and exit with 1 where one failed or missed a bar."""
    parser = argparse.ArgumentParser(description="Run the benchmarks and write docs/benchmarks.md.")
    parser.add_argument(
        "--only", nargs="*", choices=ALL, metavar="NAME", help=f"some of them: {', '.join(ALL)}; none only writes"
    )
    asked = parser.parse_args().only
    failed = [name for name in (ALL if asked is None else asked) if not run(name)]
    written.page({name: FIGURES / f"{name}.jsonl" for name in (*ALL, "tests")}, pathlib.Path("docs"))
    if failed:
        sys.exit(f"failed, or missed a bar: {', '.join(failed)}")


if __name__ == "__main__":
    main()
