"""How much does the model read again each turn? python -m benchmarks.prompt_cache [--model FILE.gguf] [--turns 30] [--aside]

A conversation of 30 turns in a window of 8,192 tokens that overflows, with the embedded model's server. Counted as the server
reports it: prompt tokens less those it had in its cache, before the first token of the reply, each turn. Beside it (a) what is
new in the turn: the newest message with its memory part, and (b) the naive layout with the same texts: everything in the
system message, the newest message last, the oldest turn dropped one by one. It is counted, and sent in every fifth turn, to see
that both agree. With --aside the hidden calls before each reply (planning, checking, shortening) are made and counted too, in
both layouts.
"""

from __future__ import annotations

import argparse
import asyncio
import pathlib
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from benchmarks import texts
from benchmarks.tables import bar, console, percentile, show
from ricordo.conversation import Message, Role
from ricordo.events import ReplyDone, ReplyFailed, TextDelta
from ricordo.fact import Global
from ricordo.models.base import Completion, Finished, Piece, Request
from ricordo.models.embedded import EmbeddedModel
from ricordo.models.files import model_file
from ricordo.prompt import ChatMessage, Prompt, Usage
from ricordo.store.keys import KdfCost
from ricordo.vault import AsyncVault

WINDOW = 8192
ASIDE = 120  # seconds for the hidden calls: so many that none is left out because the machine is slow
MADE = 5  # of so many naive turns one is really sent: all of them would take an hour
REPLY = 96  # tokens: enough to fill a window in 30 turns, few enough to wait for
FACTS = ("Lives in Axe Yard", "Has a brother called Tom", "Plays the lute and the flageolet", "Is trying to drink less wine")


@dataclass(frozen=True)
class Call:
    """One call of the model: what stood last in it, and its tokens in all and evaluated; None where it was cut off."""

    asked: str
    prompt: int | None
    evaluated: int | None


class Counting:
    """A model that notes each of its calls."""

    def __init__(self, model: EmbeddedModel) -> None:
        self.model = model
        self.calls: list[Call] = []

    @property
    def name(self) -> str:
        """Its name."""
        return self.model.name

    async def window(self) -> int:
        """Its window."""
        return await self.model.window()

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Stream, and note the call when it has ended, or was cut off."""
        usage: Usage | None = None
        try:
            async with aclosing(self.model.stream(request)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Finished):
                        usage = piece.usage
                    yield piece
        finally:
            self._note(request, usage)

    async def complete(self, request: Request) -> Completion:
        """Complete, and note the call."""
        usage: Usage | None = None
        try:
            completion = await self.model.complete(request)
            usage = completion.usage
            return completion
        finally:
            self._note(request, usage)

    def _note(self, request: Request, usage: Usage | None) -> None:
        told = usage is not None and usage.prompt is not None
        evaluated = (usage.prompt or 0) - (usage.cached or 0) if usage and told else None
        self.calls.append(Call(request.messages[-1].content, usage.prompt if usage else None, evaluated))

    async def aclose(self) -> None:
        """End it."""
        await self.model.aclose()


@dataclass(frozen=True)
class Turn:
    """One turn: tokens in the reply's prompt, evaluated in all its calls, new ones; seconds to the first token of the reply.

    `aside` are the hidden calls before the reply.
    """

    prompt: int
    evaluated: int
    new: int
    first: float
    epoch: bool = False
    aside: tuple[Call, ...] = ()


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


async def ours(vault: AsyncVault, counting: Counting, turns: int) -> tuple[list[Turn], list[Message]]:
    """Hold the conversation as the product does."""
    talk = (await vault.conversations.create()).id
    measured: list[Turn] = []
    for text in said(turns):
        counting.calls.clear()
        start, first = time.perf_counter(), 0.0
        async for event in vault.reply(talk, text):
            match event:
                case TextDelta() if not first:
                    first = time.perf_counter() - start
                case ReplyFailed(_, _, reason):
                    raise SystemExit(reason)
                case ReplyDone(_, usage):
                    epoch = (await vault._in_use.desk()).epochs[talk]
                    newest = epoch.sent[max(epoch.sent)]
                    new = await counted_by(counting.model, newest)
                    evaluated = sum(call.evaluated or 0 for call in counting.calls)
                    aside = tuple(counting.calls[:-1])
                    measured.append(Turn(usage.prompt or 0, evaluated, new, first, len(epoch.sent) == 1, aside))
        told = measured[-1]
        console.print(
            f"turn {len(measured)}: evaluated {told.evaluated}, new {told.new}, aside {len(told.aside)}, {told.first:.1f} s"
        )
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


def shared(one: str, other: str) -> int:
    """Return how many letters two texts begin with in common."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


async def counted_by(model: EmbeddedModel, text: str) -> int:
    """Return the tokens of a text by the model's own tokenizer; a server too busy to say is asked again, never taken for 0."""
    for _ in range(10):
        if (count := await model.count(text)) is not None:
            return count
        await asyncio.sleep(1)
    raise SystemExit("The model's server does not count tokens, so the naive layout cannot be measured.")


async def naive(
    model: EmbeddedModel, prompts: Sequence[Sequence[ChatMessage]], asides: Sequence[Sequence[Call]], blocks: Sequence[str]
) -> list[Turn]:
    """Count the naive layout's calls of each turn, and make those of every fifth, one token of reply each.

    `blocks` is what was recalled in a turn: hidden calls come before it is known, so that it is not in their system message.
    What is evaluated is what differs from the call before: counted by the model's own tokenizer, as its server does.
    """
    counted: list[Turn] = []
    made: list[tuple[int, int]] = []
    before = ""
    for number, (prompt, aside, block) in enumerate(zip(prompts, asides, blocks, strict=True)):
        system = prompt[0].content.replace(block, "", 1) if block else prompt[0].content
        calls = [(ChatMessage("system", system), ChatMessage("user", call.asked)) for call in aside]
        calls.append((prompt[0], prompt[1]))
        evaluated = 0
        for call in calls:
            text = "\n".join(message.content for message in call)
            evaluated += await counted_by(model, text[shared(before, text) :])
            before = text
        first = 0.0
        if number % MADE == MADE - 1 or number == len(prompts) - 1:
            start, read = time.perf_counter(), 0
            for call in calls:
                usage = (await model.complete(Request(call, 1))).usage
                read += (usage.prompt or 0) - (usage.cached or 0)
            first = time.perf_counter() - start
            made.append((evaluated, read))
        counted.append(Turn(await counted_by(model, before), evaluated, 0, first))
        console.print(
            f"naive turn {number + 1}: evaluated {evaluated}{f', made: {made[-1][1]} in {first:.1f} s' if first else ''}"
        )
    told = sum(read for _, read in made) / max(1, sum(count for count, _ in made))
    console.print(f"naive, as the server told against as counted, every fifth turn: {told:.3f} times")
    return counted


async def run(file: pathlib.Path, turns: int, aside: bool) -> None:
    """Hold the conversation in both layouts and print what was read."""
    model = EmbeddedModel(file, window=WINDOW)
    counting = Counting(model)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "diary.ricordo"
        vault = await AsyncVault.create(path, "only for measuring", cost=KdfCost(19456, 2, 1), model=counting)
        await vault.imports.bring(texts.DATA / "pepys" / "pepys_diary.jsonl.xz")
        await vault.set(whole_diary=True, global_memories=True, reply_room=REPLY, foreground_seconds=ASIDE if aside else 0)
        for fact in FACTS:
            await vault.facts.add(fact, Global())
        await model.ready()
        measured, messages = await ours(vault, counting, turns)
        counts = [await counted_by(model, message.text) + 6 for message in messages]
        asked = [message for message in messages if message.role is Role.USER]
        found = [remembered(await vault.prompt(message.text)) for message in asked]
        blocks = [
            f"{text}\nThe time now: {message.at.local:%Y-%m-%d %H:%M:%S}" for text, message in zip(found, asked, strict=True)
        ]
        prompts = naive_prompts(messages, FACTS, blocks, counts, WINDOW - REPLY - 200)
        plain = await naive(model, prompts, [turn.aside for turn in measured], found)
        await vault.close()
    report(measured, plain, aside)


def remembered(prompt: Prompt) -> str:
    """Return what was looked up and recalled in a prompt."""
    return "\n".join(layer.text for layer in prompt.layers if layer.name in ("references", "recalled"))


def report(measured: Sequence[Turn], plain: Sequence[Turn], aside: bool) -> None:
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
            other.first or "",
        )
        for number, (our, other) in enumerate(zip(measured, plain, strict=True))
    ]
    columns = ("turn", "prompt", "evaluated", "new", "first token s", "", "naive prompt", "naive evaluated", "first token s")
    show("Prompt tokens evaluated before the first token of the reply", columns, rows)
    new, evaluated, others = (
        sum(values) for values in ([t.new for t in measured], [t.evaluated for t in measured], [t.evaluated for t in plain])
    )
    ours_first, naive_first = ([turn.first for turn in turns if turn.first] for turns in (measured, plain))
    console.print(
        f"evaluated {evaluated:,}, new {new:,}, naive {others:,}; epochs after the first: {sum(t.epoch for t in measured[1:])}"
    )
    console.print(
        f"median seconds to the first token: {percentile(ours_first, 0.5):.2f}, naive {percentile(naive_first, 0.5):.2f}"
    )
    calls = [call for turn in measured for call in turn.aside]
    cut = sum(call.evaluated is None for call in calls)
    console.print(f"hidden calls before replies: {len(calls)}, of them cut off and not counted: {cut}")
    if aside:
        bar("evaluated against the naive layout with the same hidden calls, times", evaluated / others, 0.45)
    else:
        bar("evaluated against what is new, times", evaluated / new, 1.5)
        bar("evaluated against the naive layout, times", evaluated / others, 0.35)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=pathlib.Path, default=None, help="a GGUF file; the embedded model's if not given")
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--aside", action="store_true", help="with the hidden calls of planning, checking and shortening")
    told = parser.parse_args()
    file = told.model or model_file()
    if file is None:
        raise SystemExit("There is no model file. Run `ricordo model fetch` first.")
    asyncio.run(run(file, told.turns, told.aside))


if __name__ == "__main__":
    main()
