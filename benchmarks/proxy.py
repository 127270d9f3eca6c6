"""What does the proxy cost? python -m benchmarks.proxy [--rounds 200] [--streams 64] [--seconds 60]

The same call by turns straight to a model server and through the proxy, seconds to the first byte; then many streams at once,
each with its own words: errors, words that went to another, the server's memory. Three processes, no call of a model aside.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx2

from benchmarks import texts
from benchmarks.tables import bar, console, percentile, show
from ricordo.fact import Global
from ricordo.models.openai_api import OpenAIModel
from ricordo.server.app import VaultServer, listen
from ricordo.server.sessions import Door
from ricordo.store.keys import KdfCost
from ricordo.vault import AsyncVault

PASSPHRASE = "only for measuring"
CHEAP = KdfCost(19456, 2, 1)
BAR = 5.0  # milliseconds to the first byte at the 95th percentile
TURNS = 20  # of a conversation, before another begins
FACTS = 60


@dataclass
class Load:
    """What many streams at once came to."""

    replies: int = 0
    errors: list[str] = field(default_factory=list)
    crossed: int = 0
    first: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


async def serve(folder: pathlib.Path, upstream: str) -> None:
    """Serve a vault with facts and a diary, its model at `upstream`; print the port and a token."""
    model = OpenAIModel(upstream, "measured", window=32_768)
    door = Door(
        folder / "diary.ricordo",
        partial(AsyncVault.create, owner="benchmark", model=model, cost=CHEAP),
        partial(AsyncVault.open, owner="benchmark", model=model),
    )
    await door.create(PASSPHRASE)
    vault = door.vault
    await vault.set(foreground_seconds=0, embedder="off", global_memories=True, remember=False, auto_lock_minutes=0)
    for number in range(FACTS):
        await vault.facts.add(f"The user wrote down number {number} of what is worth knowing in a month.", Global())
    diary = (await vault.conversations.create()).id
    for text in texts.messages(500):
        await vault.write(diary, text)
    _, token = await vault.tokens.create("benchmark")
    listening = listen(0)
    print(json.dumps({"port": listening.getsockname()[1], "token": token}), flush=True)
    await VaultServer(door).serve(sockets=[listening])


@contextmanager
def process(*command: str) -> Generator[tuple[str, int]]:
    """Run a module in a process of its own; yields the first line it prints, and its id."""
    started = subprocess.Popen([sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    try:
        yield started.stdout.readline().strip(), started.pid
    finally:
        started.terminate()
        started.wait(20)
        started.stdout.close()


async def first_byte(
    client: httpx2.AsyncClient, address: str, body: dict[str, Any], headers: dict[str, str]
) -> tuple[float, str]:
    """Return the milliseconds to the first byte of an answer's body, and its text."""
    text, first = "", 0.0
    started = time.perf_counter()
    async with client.stream("POST", f"{address}/chat/completions", json=body, headers=headers) as answer:
        async for piece in answer.aiter_raw():
            first = first or time.perf_counter() - started
            text += piece.decode()
    if answer.status_code != 200 or "[DONE]" not in text:
        raise RuntimeError(f"status {answer.status_code}: {text[:200]}")
    return first * 1000, text


def said(text: str) -> str:
    """Return what a stream said."""
    events = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
    return "".join(event["choices"][0]["delta"].get("content", "") for event in events)


async def compare(direct: str, proxied: str, token: str, rounds: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds to the first byte, straight and through the proxy, by turns and in pairs."""
    straight, through = [], []
    history: list[dict[str, str]] = []
    headers = {"authorization": f"Bearer {token}"}
    entries = texts.messages(rounds + 20)
    async with httpx2.AsyncClient(trust_env=False, timeout=30) as client:
        for number, text in enumerate(entries):
            history = [] if len(history) >= 2 * TURNS else history
            history.append({"role": "user", "content": text})
            body = {"model": "measured", "messages": history, "stream": True}
            one, _ = await first_byte(client, direct, body, {})
            other, reply = await first_byte(client, proxied, body, headers)
            history.append({"role": "assistant", "content": said(reply)})
            if number >= 20:  # warm by then
                straight.append(one)
                through.append(other)
    return straight, through


async def load(proxied: str, token: str, pid: int, streams: int, seconds: float) -> Load:
    """Keep many streams going at once."""
    done, until = Load(), time.perf_counter() + seconds
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=streams)

    async def one(client: httpx2.AsyncClient, number: int) -> None:
        headers = {"authorization": f"Bearer {token}", "x-ricordo-conversation": f"stream {number}"}
        history: list[dict[str, str]] = []
        while time.perf_counter() < until:
            word = f"w{number}x{len(history)}"
            history = [*history[-2 * TURNS :], {"role": "user", "content": f"Say it once more, please: {word}"}]
            body = {"model": "measured", "messages": history, "stream": True, "seed": 1}
            try:
                first, text = await first_byte(client, proxied, body, headers)
            except (RuntimeError, httpx2.HTTPError) as error:
                done.errors.append(f"{type(error).__name__} {error}")
                continue
            reply = said(text)
            done.crossed += set(reply.split()) != {word}
            done.first.append(first)
            done.replies += 1
            history.append({"role": "assistant", "content": reply})

    async def watch() -> None:
        while True:
            done.memory.append(resident(pid))
            await asyncio.sleep(max(0.5, seconds / 30))

    async with httpx2.AsyncClient(trust_env=False, timeout=60, limits=limits) as client:
        watching = asyncio.create_task(watch())
        await asyncio.gather(*(one(client, number) for number in range(streams)))
        watching.cancel()
    return done


def percentile_at(values: list[float], part: float) -> float:
    """Return the value at a part of the way through."""
    return values[min(len(values) - 1, int(part * len(values)))]


def resident(pid: int) -> float:
    """Return the megabytes that a process holds in memory."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) / 1024


async def measure(options: argparse.Namespace, direct: str, port: int, token: str, pid: int) -> bool:
    """Print both tables; return whether the bars are held."""
    proxied = f"http://127.0.0.1:{port}/v1"
    straight, through = await compare(f"{direct}/v1", proxied, token, options.rounds)
    more = [two - one for one, two in zip(straight, through, strict=True)]
    rows = [
        (name, *(percentile(values, part) for part in (0.5, 0.95, 0.99)))
        for name, values in (("straight", straight), ("through the proxy", through), ("the pair's difference", more))
    ]
    show("Milliseconds to the first byte", ("", "p50", "p95", "p99"), rows)
    done = await load(proxied, token, pid, options.streams, options.seconds)
    show(
        f"{options.streams} streams at once for {options.seconds:.0f} s",
        ("replies", "errors", "crossed", "first byte p50", "p95", "MB at a quarter", "at half", "at the end"),
        [(done.replies, len(done.errors), done.crossed, percentile(done.first, 0.5), percentile(done.first, 0.95),
          *(percentile_at(done.memory, part) for part in (0.25, 0.5, 1)))],
    )  # fmt: skip
    for error in sorted(set(done.errors))[:5]:
        console.print(error)
    kept = [
        bar("milliseconds more to the first byte, p95", percentile(more, 0.95), BAR),
        bar("errors", len(done.errors), 0),
        bar("words that went to another", done.crossed, 0),
    ]
    return all(kept)


def main() -> None:
    """Measure, and exit with 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description="Measure the proxy against the same server directly.")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--streams", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--serve", nargs=2, metavar=("FOLDER", "UPSTREAM"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        asyncio.run(serve(pathlib.Path(options.serve[0]), options.serve[1]))
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        process("benchmarks.proxy_upstream") as (direct, _),
        process("benchmarks.proxy", "--serve", folder, direct) as (told, pid),
    ):
        where = json.loads(told)
        held = asyncio.run(measure(options, direct, where["port"], where["token"], pid))
    sys.exit(not held)


if __name__ == "__main__":
    main()
