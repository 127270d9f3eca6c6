"""Does the app hold for hours? `make soak` (ten minutes), `make soak MINUTES=60`: python -m benchmarks.soak [--minutes 10]

A scripted person talks, edits, undoes, imports, deletes, searches, changes settings, locks and unlocks, without a pause, over the
real server in a process of its own, its vault and HTTP; only the language model is scripted. After each unlock and at the end
what the server shows is held against a plain model of what must be there. Exits with 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import pathlib
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import httpx2

from benchmarks.acts import act
from benchmarks.compare import differences, missing
from benchmarks.health import Health, processor, trend, watched
from benchmarks.person import Person, Timed, Wrong
from benchmarks.serving import Served, running
from benchmarks.tables import bar, console, percentile, show

_LOCK_EVERY = 20.0  # seconds
_SETTLED = 3.0  # seconds after an unlock until RAM is looked at: what is loaded lazily is there then
NOTHING = "a request that does nothing"
_LATE = 20  # of a kind, below which its first and last fifth say nothing


@dataclass
class Told:
    """What came of it."""

    acts: Counter[str] = field(default_factory=Counter)
    worked: list[float] = field(default_factory=list)  # seconds of the server's processor at each act
    wrong: list[str] = field(default_factory=list)
    locks: int = 0
    announced: int = 0
    unlearned: set[str] = field(default_factory=set)


async def follow(person: Person, told: Told) -> None:
    """Follow what is announced, as each open tab does, from unlock to lock."""
    while True:
        if person.inside:
            with suppress(httpx2.HTTPError):
                async with person.client.stream("GET", "/api/events", timeout=None) as answer:
                    async for line in answer.aiter_lines():
                        told.announced += line.startswith("event:")
        await asyncio.sleep(0.05)


async def live(person: Person, told: Told, served: Served, seconds: float, lock_every: float) -> None:
    """Do one thing after the other for so long."""
    for name in ("Garden", "Work"):
        person.kept.spaces[(await person.call("POST", "/spaces", {"name": name}))["id"]] = name
    person.kept.settings |= {"global_memories": True, "auto_lock_minutes": 0}
    await person.call("PATCH", "/settings", person.kept.settings)
    until = person.begun + seconds
    unlocked = time.perf_counter()
    while time.perf_counter() < until and len(told.wrong) < 20:
        try:
            told.acts[await act(person)] += 1
            told.worked.append(processor(served.pid))
            await person.call("GET", "/vault", what=NOTHING)
            if time.perf_counter() - unlocked > lock_every:
                await person.lock()
                await person.come_in()
                told.locks += 1
                told.wrong += [f"after unlock {told.locks}: {each}" for each in await differences(person)]
                unlocked = time.perf_counter()
        except (Wrong, httpx2.HTTPError, KeyError) as error:
            told.wrong.append(f"{type(error).__name__}: {error}")


async def soak(folder: pathlib.Path, seconds: float, lock_every: float) -> tuple[Person, Told, Health, list[str]]:
    """Run it all; return the person, what came of it, the server's health and what the server complained of."""
    told = Told()
    with running(folder) as served:
        person = Person(served.address)
        since = [time.perf_counter()]

        def settled() -> bool:
            if not person.inside:
                since[0] = time.perf_counter()
            return person.inside and time.perf_counter() - since[0] > min(_SETTLED, lock_every / 4)

        await person.come_in(new=True)
        following = asyncio.create_task(follow(person, told))
        async with watched(served, min(1.0, seconds / 60), settled) as health:
            await live(person, told, served, seconds, lock_every)
        with suppress(Wrong, httpx2.HTTPError):
            told.unlearned = await missing(person)
        told.wrong += [f"at the end: {each}" for each in await differences(person)]
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following
        await person.client.aclose()
    return person, told, health, served.complaints()


def drift(spent: Timed, part: float = 0.2) -> float | None:
    """Return the median of the last fifth of the time over that of the first; None where there is too little of it."""
    if len(spent) < _LATE:
        return None
    begun, ended = spent[0][0], spent[-1][0]
    first = [each for at, each in spent if at <= begun + part * (ended - begun)]
    last = [each for at, each in spent if at >= ended - part * (ended - begun)]
    if min(len(first), len(last)) < _LATE / 5:
        return None
    return statistics.median(last) / statistics.median(first)


def harder(worked: Sequence[float], part: float = 0.2) -> float:
    """Return how much more of the processor an act takes in the last fifth of all acts than in the second: the first warms up."""
    fifth = int(part * len(worked))
    return (worked[-1] - worked[-1 - fifth]) / (worked[2 * fifth] - worked[fifth])


def report(person: Person, told: Told, health: Health, complaints: list[str], minutes: float) -> bool:
    """Print the tables and the bars; return whether all are kept."""
    rows = []
    drifts = []
    for what, spent in sorted(person.spent.items()):
        took = [each for _, each in spent]
        moved = drift(spent)
        if moved is not None and what != NOTHING:
            drifts.append(moved)
        rows.append(
            (what, len(took), statistics.median(took), percentile(took, 0.95), max(took), "-" if moved is None else moved)
        )
    columns = ("what, over HTTP", "times", "ms p50", "p95", "most", "last fifth / first")
    show(f"A scripted person, {minutes:g} minutes", columns, rows)
    show("What was done", ("act", "times"), [*told.acts.most_common(), ("lock and unlock", told.locks)])
    ram, files, vault = (trend(health.at, each) for each in (health.megabytes, health.files, health.vault))
    rows = [
        ("RAM, MB", ram.start, ram.rise, max(health.megabytes)),
        ("the vault's file, MB", vault.start, vault.rise, max(health.vault)),
        ("open files", files.start, files.rise, max(health.files)),
        ("journal, MB", health.journal[0], health.journal[-1] - health.journal[0], max(health.journal)),
    ]
    show("The server", ("what", "after a tenth of the time", "rise since, by its slope", "most"), rows)
    for each in [*told.wrong[:10], *sorted(told.unlearned)[:5], *complaints[:10]]:
        console.print(f"WRONG: {each}")
    console.print(f"announcements followed: {told.announced:,}")
    idle = drift(person.spent[NOTHING]) or 1.0
    kept = [
        bar("what was lost, wrong or refused", len(told.wrong), 0),
        bar("facts said and not learned", len(told.unlearned), 0),
        bar("lines of the server's terminal", len(complaints), 0),
        bar("journal at its largest, MB", max(health.journal), 32),
        bar("open files, rise", files.rise, 5),
    ]
    if minutes >= 2:  # below, what is still being put in place is all there is to see
        kept += [
            # A vault that fills takes room in the caches of its three connections, up to 96 MB: that is no leak.
            bar(
                "RAM, rise beside that of the vault, in parts of itself", (ram.rise - 3 * max(0.0, vault.rise)) / ram.start, 0.05
            ),
            # What else the machine does strikes a request that does nothing just as much.
            bar("latency, last fifth against first, the machine's own taken off", statistics.median(drifts) / idle, 1.25),
            bar("processor of an act, last fifth against the second", harder(told.worked), 1.25),
        ]
    return all(kept)


def main() -> None:
    """Run, print, and exit with 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description="Let a scripted person use the app for long.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--lock-every", type=float, default=_LOCK_EVERY, help="seconds between two locks")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(soak(pathlib.Path(folder), options.minutes * 60, options.lock_every))
    sys.exit(not report(*found, options.minutes))


if __name__ == "__main__":
    main()
