"""The real server in a process of its own, with a scripted model, for what loads it: `async with running(folder) as served`.

Run as `python -m benchmarks.serving VAULT [--upstream URL]` it serves; its address is its first line. What it says besides is an
error: a server under load should have nothing to say.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pathlib
import re
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from ricordo.learn import extractor, summarizer
from ricordo.models.base import ChatModel, Piece, Request
from ricordo.models.openai_api import OpenAIModel
from ricordo.models.scripted import ScriptedModel
from ricordo.prompt import ChatMessage
from ricordo.recall import planner, relevance, shorten
from ricordo.server.app import serve
from ricordo.store.keys import KdfCost

PASSPHRASE = "only for measuring"
CHEAP = KdfCost(19456, 2, 1)
REPLY = "I read it, and I will **keep** it in mind:\n\n- that it was a long day;\n- that it went well.\n\nWhat came of it? " * 2
# A thing that the model learns, and where it stands: in the person's own words alone, as the rules want it.
LASTING = re.compile(r"I keep a (\w+) called (\w+)")


class Forgetful(ScriptedModel):
    """A scripted model that does not keep what it was asked: that would grow with every call."""

    async def stream(self, request: Request) -> AsyncGenerator[Piece]:
        """Reply, and forget it."""
        self.requests.clear()
        async for piece in super().stream(request):
            yield piece


def learned_from(kind: str, name: str) -> str:
    """Return the fact that the model makes of a thing that the person keeps."""
    return f"The user keeps a {kind} called {name}."


def answer(messages: tuple[ChatMessage, ...]) -> str:
    """Answer as a model of the sort would that does what it is asked: learn, sum up, plan, check, reply."""
    asked = messages[-1].content
    if messages[0].content == extractor.SYSTEM:
        said = LASTING.finditer(asked.partition("\n\n")[2])
        known = set(LASTING.findall(asked.partition("\n\n")[0].replace("The user keeps", "I keep")))
        add = [{"text": learned_from(*each.groups()), "quote": each[0]} for each in said if each.groups() not in known]
        return json.dumps({"add": add[:5], "rewrite": [], "remove": []})
    if messages[0].content == summarizer.SYSTEM:
        facts = [learned_from(*each.groups()) for each in LASTING.finditer(asked)]
        return json.dumps({"decisions": [], "facts": facts[-4:], "open_threads": [], "current_state": []})
    if planner.QUESTION in asked:
        return " ".join(re.findall(r"[a-z]{6,}", asked.lower())[:4]) or "nothing"
    if relevance.QUESTION in asked:
        return "yes"
    if relevance.QUESTION_LIST in asked:
        return "1, 2"
    return "" if shorten.QUESTION in asked else REPLY


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs: where, which process, the vault's file, and the file of what it says on the terminal."""

    address: str
    pid: int
    vault: pathlib.Path
    said: pathlib.Path

    def complaints(self) -> list[str]:
        """Return the lines it wrote to its terminal: errors, since it has nothing else to say."""
        return [line for line in self.said.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]


@contextmanager
def running(folder: pathlib.Path, upstream: str = "", vault: pathlib.Path | None = None) -> Generator[Served]:
    """Run a server until the block is left: over a vault, or the one named `diary.ricordo` of a folder, made or not."""
    said, path = folder / "server.txt", vault or folder / "diary.ricordo"
    command = [sys.executable, "-m", "benchmarks.serving", str(path), *(["--upstream", upstream] if upstream else [])]
    with said.open("w") as terminal, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, text=True) as process:
        assert process.stdout is not None
        try:
            yield Served(process.stdout.readline().strip().rstrip("/"), process.pid, path, said)
        finally:
            process.terminate()
            process.wait(30)


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(description="Serve a vault with a scripted model, or one at an address.")
    parser.add_argument("vault", type=pathlib.Path)
    parser.add_argument("--upstream", default="")
    options = parser.parse_args()
    model: ChatModel = Forgetful(answer, delay=0.0005, name="scripted")
    if options.upstream:
        model = OpenAIModel(options.upstream, "measured", window=32_768)
    told = lambda text: print(text.split()[3], flush=True)  # noqa: E731
    asyncio.run(serve(options.vault, 0, open_browser=False, announce=told, owner="a benchmark", model=model, cost=CHEAP))


if __name__ == "__main__":
    main()
