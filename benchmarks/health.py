"""How a process fares while it works: its RAM, its open files, its vault's journal, looked at now and then; and trends."""

from __future__ import annotations

import asyncio
import os
import pathlib
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import numpy as np

from benchmarks.serving import Served


@dataclass
class Health:
    """What was seen, look by look: seconds since the beginning, megabytes of RAM, open files, megabytes of the journal,
    seconds of the processor, megabytes of the vault's file."""

    at: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    journal: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    vault: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Trend:
    """A straight line through looks: where it is at the beginning, and how much it rises over all of them."""

    start: float
    rise: float


def resident(pid: int) -> float:
    """Return the megabytes that a process holds in RAM, mapped files left out."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) / 1024
    return 0.0


def open_files(pid: int) -> int:
    """Return how many files and sockets a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def processor(pid: int) -> float:
    """Return the seconds that a process has worked, all its threads together."""
    told = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def journal(vault: pathlib.Path) -> float:
    """Return the megabytes of a vault's write-ahead log."""
    path = vault.with_name(f"{vault.name}-wal")
    try:
        return path.stat().st_size / 1e6
    except FileNotFoundError:
        return 0.0


@asynccontextmanager
async def watched(served: Served, every: float = 1.0, when: Callable[[], bool] = lambda: True) -> AsyncGenerator[Health]:
    """Look at a server every so many seconds for as long as the block lasts; only `when` that says so."""
    health, begun = Health(), time.perf_counter()

    async def look() -> None:
        while True:
            health.journal.append(journal(served.vault))
            if when():
                health.at.append(time.perf_counter() - begun)
                health.megabytes.append(resident(served.pid))
                health.files.append(open_files(served.pid))
                health.processor.append(processor(served.pid))
                health.vault.append(served.vault.stat().st_size / 1e6)
            await asyncio.sleep(every)

    looking = asyncio.create_task(look())
    try:
        yield health
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking


def trend(at: Sequence[float], values: Sequence[float], leave_out: float = 0.1) -> Trend:
    """Return the line through values, the first tenth of the time left out: things are only being put in place then."""
    times, seen = np.asarray(at, float), np.asarray(values, float)
    late = times >= times[0] + leave_out * (times[-1] - times[0])
    times, seen = times[late], seen[late]
    if len(times) < 2 or times[-1] == times[0]:
        return Trend(float(seen[-1]), 0.0)
    slope, level = np.polyfit(times - times[0], seen, 1)
    return Trend(float(level), float(slope * (times[-1] - times[0])))
