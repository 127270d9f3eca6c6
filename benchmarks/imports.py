"""Imports of a large ChatGPT export: messages a second, memory, what a kill costs: python -m benchmarks.imports.

The bar: 2,000 messages a second for 5,000 conversations; killed again and again, it ends complete and without doubles.
"""

from __future__ import annotations

import argparse
import asyncio
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

from benchmarks import exports
from benchmarks.tables import show
from ricordo.store.keys import KdfCost
from ricordo.vault import AsyncVault

CHEAP = KdfCost(19456, 2, 1)
PASSPHRASE = "a passphrase for measuring"
BAR = 2000  # messages a second
KILLS = 5


async def bring(vault: pathlib.Path, source: pathlib.Path, *, aloud: bool = False) -> tuple[float, float, int, int]:
    """Import into a vault that is there; return seconds, those of the processor, messages that came and that were there."""

    def tell(done: int, total: int) -> None:
        if aloud:
            print(done, total, flush=True)

    async with await AsyncVault.open(vault, PASSPHRASE) as opened:
        began, worked = time.perf_counter(), time.process_time()
        done = await opened.imports.bring(source, progress=tell)
        return time.perf_counter() - began, time.process_time() - worked, done.messages, done.already_there


async def make(vault: pathlib.Path) -> None:
    """Make a vault."""
    async with await AsyncVault.create(vault, PASSPHRASE, cost=CHEAP):
        pass


async def counted(vault: pathlib.Path) -> tuple[int, int]:
    """Return how many messages and how many imports there are."""
    async with await AsyncVault.open(vault, PASSPHRASE) as opened:
        said = await opened._database.read(lambda c: int(c.execute("select count(*) from messages").get))
        return said, len(await opened.imports.all())


async def undone(vault: pathlib.Path) -> tuple[float, int]:
    """Take all imports back; return the seconds and what is left."""
    async with await AsyncVault.open(vault, PASSPHRASE) as opened:
        began = time.perf_counter()
        for each in await opened.imports.all():
            await opened.imports.undo(each.id)
        spent = time.perf_counter() - began
    return spent, (await counted(vault))[0]


def killed(vault: pathlib.Path, source: pathlib.Path) -> list[int]:
    """Import in children, each killed some way further at a moment of chance; return how much was there after each."""
    chance = random.Random(20)
    left = []
    for number in range(1, KILLS + 1):
        command = [sys.executable, "-m", "benchmarks.imports", "--child", str(vault), str(source)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            for line in child.stdout:
                done, total = map(int, line.split())
                if done >= total * number / (KILLS + 1):
                    break
            time.sleep(chance.uniform(0, 0.05))
            child.kill()
        left.append(asyncio.run(counted(vault))[0])
    return left


def main() -> int:
    """Measure and print; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.imports")
    parser.add_argument("--conversations", type=int, default=5000)
    parser.add_argument("--child", nargs=2, type=pathlib.Path)
    options = parser.parse_args()
    if options.child:
        asyncio.run(bring(*options.child, aloud=True))
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source, vault, other = folder / "conversations.json", folder / "a.ricordo", folder / "b.ricordo"
        expected = exports.write(source, options.conversations)
        size = source.stat().st_size / 1e6
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        asyncio.run(make(vault))
        spent, worked, came, _ = asyncio.run(bring(vault, source))
        again, _, none, there = asyncio.run(bring(vault, source))
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        taking_back, remain = asyncio.run(undone(vault))
        asyncio.run(make(other))
        left = killed(other, source)
        _, _, rest, kept = asyncio.run(bring(other, source))
        total, listed = asyncio.run(counted(other))
    rows = [
        ("file, MB", size, ""),
        ("messages", expected, came == expected),
        ("messages a second", came / spent, came / spent >= BAR),
        ("messages a second of the processor", came / worked, ""),
        ("again, seconds", again, (none, there) == (0, expected)),
        ("memory grown by, MB", grown / 1024, ""),
        ("undo, seconds", taking_back, remain == 0),
        (f"after {KILLS} kills", ", ".join(map(str, left)), left == sorted(left) and 0 < left[0] < left[-1] < expected),
        ("then complete, no doubles, one import", total, (total, rest + kept, listed) == (expected, expected, 1)),
    ]
    show(f"Import of {options.conversations:,} conversations", ("what", "figure", "holds"), rows)
    return int(any(holds is False for _, _, holds in rows))


if __name__ == "__main__":
    sys.exit(main())
