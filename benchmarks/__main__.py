"""Run all benchmarks, one after another: python -m benchmarks (`make bench`)."""

from __future__ import annotations

import subprocess
import sys

ALL = (
    "latency",
    "secrets",
    "phrases",
    "embedding",
    "duplicates",
    "planning",
    "learning",
    "prompt_cache",
    "proxy",
    "imports",
)  # recall and scale take options


def main() -> None:
    """Run each in a process of its own, so that none warms another's caches; exit with 1 where one failed."""
    failed = [name for name in ALL if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode]
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
