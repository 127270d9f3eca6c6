"""Does the app stay quick with 50 tabs and 8 programs? python -m benchmarks.crowd [--tabs 50] [--programs 8] [--seconds 300]

Each tab follows what is announced and reads anew what changed, as the page does; each program has a token of its own and, with
short pauses, reads, searches, writes, and talks through the proxy to a model server. The real server in a process of its own,
and one more for the model. At the end each program's entries must be there, and all tabs must have been told the same.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import pathlib
import random
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2

from benchmarks import texts
from benchmarks.health import Health, trend, watched
from benchmarks.proxy import process
from benchmarks.serving import PASSPHRASE, Served, running
from benchmarks.tables import bar, console, percentile, show
from benchmarks.wire import Wire
from tests.transfer import files

READS = ("a tab reads", "a program reads", "a program searches")
_PAUSE = (0.25, 0.75)  # seconds between two things that a program does: more than any person's script, less than a tight loop
_AGAIN, _AWAY = 0.25, 1.0  # seconds, as in the page's state.js
_TALKS = 20
_LISTS = {"messages": "conversations", "facts": "facts/count"}  # what a tab reads when it hears of these


@dataclass
class Crowd:
    """What came of it: milliseconds by what was done, errors, entries written by conversation, announcements by tab.

    It lasts until a time, and until each program has done at least so many things.
    """

    until: float = 0.0
    least: int = 0
    spent: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    written: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    heard: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))

    async def call(self, wire: Wire, what: str, method: str, path: str, body: Any = None) -> Any:
        """Make a request and take down how long it took, or what went wrong."""
        started = time.perf_counter()
        try:
            status, text = await wire.call(method, path, body)
        except (OSError, asyncio.IncompleteReadError) as error:
            self.errors.append(f"{what}: {type(error).__name__} {error}")
            return None
        self.spent[what].append((time.perf_counter() - started) * 1000)
        if status >= 300:
            self.errors.append(f"{what}: {status} {text[:200]}")
            return None
        return json.loads(text) if text.startswith(("{", "[")) else text


async def tab(crowd: Crowd, served: Served, cookie: str, number: int, talk: int) -> None:
    """Show a conversation and follow as the page does: the first tab, where the person is, reads anew at once, others soon."""
    hearing, reading = (Wire(served.address, {"cookie": cookie}) for _ in range(2))
    await crowd.call(reading, READS[0], "GET", "/api/start")
    await crowd.call(reading, READS[0], "GET", f"/api/conversations/{talk}/messages")
    stale, chance = set[str](), random.Random(number)
    news = asyncio.Event()

    async def read() -> None:
        while True:
            await news.wait()
            await asyncio.sleep(_AWAY * chance.random() if number else 0)
            news.clear()
            for path in [*stale]:
                stale.discard(path)
                await crowd.call(reading, READS[0], "GET", f"/api/{path}")
            await asyncio.sleep(0 if number else _AGAIN)

    anew = asyncio.create_task(read())
    try:
        async for name, data in hearing.events("/api/events"):
            if name != "changed":
                continue
            crowd.heard[number] += 1
            changed = json.loads(data)
            stale |= {path for what, path in _LISTS.items() if what == changed["what"]}
            if changed["conversation"] == talk:
                stale.add(f"conversations/{talk}/messages")
            news.set()
    finally:
        anew.cancel()
        hearing.close()
        reading.close()


async def program(crowd: Crowd, wire: Wire, number: int, talks: list[int]) -> None:
    """Do one thing after the other, with pauses."""
    chance = random.Random(number)
    await asyncio.sleep(chance.uniform(0, _PAUSE[1]))
    own = (await crowd.call(wire, "a program writes", "POST", "/api/conversations", {"title": f"Program {number}"}))["id"]
    said: Iterator[str] = texts.messages(1 << 40, 20 + number)
    sought = texts.queries(50)
    history: list[dict[str, str]] = []
    done = itertools.count()
    while next(done) < crowd.least or time.perf_counter() < crowd.until:
        doing = chance.random()
        if doing < 0.4:
            path = chance.choice(["conversations", f"conversations/{chance.choice(talks)}/messages", "diary", "facts", "spaces"])
            await crowd.call(wire, READS[1], "GET", f"/api/{path}")
        elif doing < 0.65:
            await crowd.call(wire, READS[2], "POST", "/api/search", {"text": chance.choice(sought)})
        elif doing < 0.85:
            text = f"{next(said)} {number}-{len(crowd.written[own])}"
            if await crowd.call(wire, "a program writes", "POST", f"/api/conversations/{own}/entries", {"text": text}):
                crowd.written[own].append(text)
        else:
            history = [*history[-6:], {"role": "user", "content": next(said)}]
            body = {"model": "measured", "messages": history, "stream": True}
            told = await crowd.call(wire, "a program talks through the proxy", "POST", "/v1/chat/completions", body)
            if told is not None and "[DONE]" not in told:
                crowd.errors.append(f"a proxied reply ended without its end: {told[-100:]}")
            history.append({"role": "assistant", "content": "It was so."})
        await asyncio.sleep(chance.uniform(*_PAUSE))
    wire.close()


async def settle_in(client: httpx2.AsyncClient, programs: int) -> tuple[list[int], list[str]]:
    """Make the vault with some conversations; return their ids, and tokens for programs."""
    await client.post("/api/vault/create", json={"passphrase": PASSPHRASE})
    # What the model's server says is no answer to the hidden calls, so none are made.
    quiet = {"remember": False, "foreground_seconds": 0, "auto_lock_minutes": 0, "whole_diary": True}
    await client.patch("/api/settings", json=quiet)
    said = texts.messages(_TALKS * 25)
    export = json.dumps([files.simple(f"Talk {n}", *(next(said) for _ in range(25))) for n in range(_TALKS)]).encode()
    content = json.dumps({"name": "conversations.json", "size": len(export)}).encode() + b"\n" + export
    await client.post("/api/data/import", content=content, headers={"content-type": "application/octet-stream"})
    talks = [each["id"] for each in (await client.get("/api/conversations")).json()]
    tokens = [(await client.post("/api/tokens", json={"name": f"program {n}"})).json()["token"] for n in range(programs)]
    return talks, tokens


async def gather(served: Served, tabs: int, programs: int, seconds: float, least: int = 0) -> tuple[Crowd, Health]:
    """Let them all in at once; return what came of it."""
    crowd = Crowd(least=least)
    async with httpx2.AsyncClient(base_url=served.address, trust_env=False, timeout=30) as browser:
        talks, tokens = await settle_in(browser, programs)
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        following = [asyncio.create_task(tab(crowd, served, cookie, n, talks[n % len(talks)])) for n in range(tabs)]
        await asyncio.sleep(2.0)
        async with watched(served, max(0.5, seconds / 300)) as health:
            crowd.until = time.perf_counter() + seconds
            wires = [Wire(served.address, {"authorization": f"Bearer {token}"}) for token in tokens]
            await asyncio.gather(*(program(crowd, wire, n, talks) for n, wire in enumerate(wires)))
        for _ in range(100):  # what was announced last is on its way
            if len(set(crowd.heard.values())) == 1:
                break
            await asyncio.sleep(0.1)
        for each in following:
            each.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        for talk, written in crowd.written.items():
            shown = (await browser.get(f"/api/conversations/{talk}/messages?limit=1000")).json()["messages"]
            if [each["text"] for each in shown] != written[-1000:]:
                crowd.errors.append(f"{len(written)} entries were written in {talk}, {len(shown)} are there")
    return crowd, health


def report(crowd: Crowd, health: Health, complaints: list[str], seconds: float) -> bool:
    """Print the table and the bars; return whether all are kept."""
    tabs, programs = len(crowd.heard), len(crowd.written)
    rows = [
        (what, len(took), len(took) / seconds, statistics.median(took), percentile(took, 0.95), percentile(took, 0.99), max(took))
        for what, took in crowd.spent.items()
    ]
    show(
        f"{tabs} tabs and {programs} programs, {seconds:.0f} s",
        ("what", "times", "a second", "ms p50", "p95", "p99", "most"),
        rows,
    )
    ram, files = trend(health.at, health.megabytes), trend(health.at, health.files)
    asked = sum(map(len, crowd.spent.values()))
    busy = (health.processor[-1] - health.processor[0]) / (health.at[-1] - health.at[0])
    console.print(f"the server's processor: {100 * busy:.0f} % of one core, {1000 * busy * seconds / asked:.2f} ms a request")
    rows = [("RAM, MB", ram.start, ram.rise, max(health.megabytes)), ("open files", files.start, files.rise, max(health.files))]
    show("The server", ("what", "after a tenth of the time", "rise since, by its slope", "most"), rows)
    for each in [*sorted(set(crowd.errors))[:10], *complaints[:10]]:
        console.print(f"WRONG: {each}")
    reads = [each for what in READS for each in crowd.spent[what]]
    kept = [
        bar("reads with 50 tabs and 8 programs, ms p95", percentile(reads, 0.95), 100),
        bar("errors, and entries lost", len(crowd.errors), 0),
        bar(
            "tabs that were told something else than most",
            tabs - max(Counter(crowd.heard.values()).values(), default=0),
            0,
        ),
        bar("lines of the server's terminal", len(complaints), 0),
    ]
    return all(kept)


def main() -> None:
    """Run, print, and exit with 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description="Let many tabs and programs use the app at once.")
    parser.add_argument("--tabs", type=int, default=50)
    parser.add_argument("--programs", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, process("benchmarks.proxy_upstream") as (upstream, _):
        with running(pathlib.Path(name), f"{upstream}/v1") as served:
            crowd, health = asyncio.run(gather(served, options.tabs, options.programs, options.seconds))
        complaints = served.complaints()
    sys.exit(not report(crowd, health, complaints, options.seconds))


if __name__ == "__main__":
    main()
