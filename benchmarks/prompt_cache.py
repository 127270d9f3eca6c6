"""How much does the model read again each turn? python -m benchmarks.prompt_cache [--model FILE.gguf] [--turns 30]

A conversation of 30 turns in a window of 8,192 tokens that overflows, with the embedded model's server. Counted as the server
reports it: prompt tokens less those it had in its cache, before the first token of the reply, each turn. Beside it (a) what is
new in the turn: the newest message with its memory part, and (b) the naive layout with the same texts: everything in the
system message, the newest message last, the oldest turn dropped one by one.
"""

from __future__ import annotations

import argparse
import asyncio
import pathlib
import tempfile
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from benchmarks import texts
from benchmarks.tables import bar, console, percentile, show
from ricordo.conversation import Message, Role
from ricordo.events import ReplyDone, ReplyFailed, TextDelta
from ricordo.fact import Global
from ricordo.models.base import Finished, Request, Text
from ricordo.models.embedded import EmbeddedModel
from ricordo.models.files import model_file
from ricordo.prompt import ChatMessage, Prompt
from ricordo.store.keys import KdfCost
from ricordo.vault import AsyncVault

WINDOW = 8192
REPLY = 96  # tokens: enough to fill a window in 30 turns, few enough to wait for
FACTS = ("Lives in Axe Yard", "Has a brother called Tom", "Plays the lute and the flageolet", "Is trying to drink less wine")


@dataclass(frozen=True)
class Turn:
    """One turn as it was measured: tokens in the prompt, of them evaluated, new ones, and seconds to the first token."""

    prompt: int
    evaluated: int
    new: int
    first: float
    epoch: bool = False


def said(turns: int) -> list[str]:
    """Return what a person writes: diary entries, every fifth turn a question about a day of the diary."""
    entries = list(texts.messages(turns, 150))
    asked = ("1660-03-05", "1662-07-11", "1663-04-02", "1664-05-09", "1665-08-12", "1666-09-02", "1667-01-15")
    return [
        f"What did I write on {asked[number // 5 % len(asked)]}?"
        if number % 5 == 4
        else f"{entries[number]}\nWhat do you make of it?"
        for number in range(turns)
    ]


async def ours(vault: AsyncVault, model: EmbeddedModel, turns: int) -> tuple[list[Turn], list[Message]]:
    """Hold the conversation as the product does."""
    talk = (await vault.conversations.create()).id
    measured: list[Turn] = []
    for text in said(turns):
        start, first = time.perf_counter(), 0.0
        async for event in vault.reply(talk, text):
            match event:
                case TextDelta() if not first:
                    first = time.perf_counter() - start
                case ReplyFailed(_, _, reason):
                    raise SystemExit(reason)
                case ReplyDone(_, usage):
                    assert vault._desk is not None
                    epoch = vault._desk.epochs[talk]
                    newest = epoch.sent[max(epoch.sent)]
                    new = await model.count(newest) or 0
                    evaluated = (usage.prompt or 0) - (usage.cached or 0)
                    measured.append(Turn(usage.prompt or 0, evaluated, new, first, len(epoch.sent) == 1))
        console.print(f"turn {len(measured)}: {measured[-1]}")
    return measured, await vault.conversations.messages(talk)


def naive_prompts(
    messages: Sequence[Message], facts: Sequence[str], blocks: Sequence[str], counts: Sequence[int], room: int
) -> list[list[ChatMessage]]:
    """Return the naive layout's prompt of each turn, with the same texts.

    `blocks` is what memory and clock add in a turn, `counts` the tokens of each message.
    """
    prompts = []
    asked = [index for index, message in enumerate(messages) if message.role is Role.USER]
    for number, index in enumerate(asked):
        head = "\n".join(["You are a companion. Use these memories.", *facts, blocks[number]])
        first, used = index, counts[index] + len(head) // 3
        while first > 0 and used + counts[first - 1] <= room:
            first -= 1
            used += counts[first]
        story = "\n".join(f"{message.role}: {message.text}" for message in messages[first:index])
        prompts.append([ChatMessage("system", f"{head}\n{story}"), ChatMessage("user", messages[index].text)])
    return prompts


async def naive(model: EmbeddedModel, prompts: Sequence[Sequence[ChatMessage]]) -> list[Turn]:
    """Send the naive prompts, one token of reply each."""
    measured = []
    for prompt in prompts:
        start, first = time.perf_counter(), 0.0
        async with aclosing(model.stream(Request(tuple(prompt), 1))) as pieces:
            async for piece in pieces:
                match piece:
                    case Text() if not first:
                        first = time.perf_counter() - start
                    case Finished(_, usage):
                        measured.append(Turn(usage.prompt or 0, (usage.prompt or 0) - (usage.cached or 0), 0, first))
        console.print(f"naive turn {len(measured)}: {measured[-1]}")
    return measured


async def run(file: pathlib.Path, turns: int) -> None:
    """Hold the conversation in both layouts and print what was read."""
    model = EmbeddedModel(file, window=WINDOW)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "diary.ricordo"
        vault = await AsyncVault.create(path, "only for measuring", cost=KdfCost(19456, 2, 1), model=model)
        await vault.import_diary(texts.DATA / "pepys" / "pepys_diary.jsonl.xz")
        await vault.set(whole_diary=True, global_memories=True, reply_room=REPLY)
        for fact in FACTS:
            await vault.facts.add(fact, Global())
        await model.ready()
        measured, messages = await ours(vault, model, turns)
        counts = [(await model.count(message.text) or 0) + 6 for message in messages]
        asked = [message for message in messages if message.role is Role.USER]
        blocks = [
            references(await vault.prompt(message.text)) + f"\nThe time now: {message.at.local:%Y-%m-%d %H:%M:%S}"
            for message in asked
        ]
        plain = await naive(model, naive_prompts(messages, FACTS, blocks, counts, WINDOW - REPLY - 200))
        await vault.close()
    report(measured, plain)


def references(prompt: Prompt) -> str:
    """Return the references layer of a prompt."""
    return next((layer.text for layer in prompt.layers if layer.name == "references"), "")


def report(measured: Sequence[Turn], plain: Sequence[Turn]) -> None:
    """Print both layouts and the bars; the first turn, where nothing can be cached, counts like all others."""
    rows = [
        (
            number + 1,
            our.prompt,
            our.evaluated,
            our.new,
            our.first,
            "new epoch" if our.epoch else "",
            other.prompt,
            other.evaluated,
            other.first,
        )
        for number, (our, other) in enumerate(zip(measured, plain, strict=True))
    ]
    columns = ("turn", "prompt", "evaluated", "new", "first token s", "", "naive prompt", "naive evaluated", "first token s")
    show("Prompt tokens evaluated before the first token of the reply", columns, rows)
    new, evaluated, others = (
        sum(values) for values in ([t.new for t in measured], [t.evaluated for t in measured], [t.evaluated for t in plain])
    )
    ours_first, naive_first = ([turn.first for turn in turns] for turns in (measured, plain))
    console.print(
        f"evaluated {evaluated:,}, new {new:,}, naive {others:,}; epochs after the first: {sum(t.epoch for t in measured[1:])}"
    )
    console.print(
        f"median seconds to the first token: {percentile(ours_first, 0.5):.2f}, naive {percentile(naive_first, 0.5):.2f}"
    )
    bar("evaluated against what is new, times", evaluated / new, 1.5)
    bar("evaluated against the naive layout, times", evaluated / others, 0.35)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=pathlib.Path, default=None, help="a GGUF file; the embedded model's if not given")
    parser.add_argument("--turns", type=int, default=30)
    told = parser.parse_args()
    file = told.model or model_file()
    if file is None:
        raise SystemExit("There is no model file. Run `ricordo model fetch` first.")
    asyncio.run(run(file, told.turns))


if __name__ == "__main__":
    main()
