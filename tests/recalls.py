"""Turns in which something is recalled, over real HTTP: a server that plans, checks and replies, a talk beyond its window."""

import asyncio
import pathlib
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from ricordo.conversation import Message, Moment, Role
from ricordo.events import ReplyDone
from ricordo.models.openai_api import OpenAIModel
from ricordo.prompt import Trace
from ricordo.recall import planner, relevance, shorten
from ricordo.store import messages, traces
from ricordo.vault import AsyncVault
from tests.fake_server import Asked, FakeServer, Reply
from tests.vaults import events, with_vault

T = TypeVar("T")
Said = Reply | str

WINDOW = 2048
NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)
HARP = "Ysolde sold the old harpsichord to a dealer from Ghent."
FILLER = "We had soup again and the rain went on until the evening, nothing else happened at all."
YES = Reply("yes", alternatives={"yes": -0.05, "no": -3.2})
NO = Reply("no", alternatives={"yes": -3.2, "no": -0.05})


def answering(
    server: FakeServer, *, plan: Said = "", check: Said | None = None, short: Said = "", reply: Said = "So it was."
) -> None:
    """Have a server answer each kind of call in its way; unless told otherwise it checks well, and fillers help with nothing."""

    def rule(asked: Asked) -> Said:
        last = str(asked.messages[-1]["content"])
        for question, answer in ((planner.QUESTION, plan), (shorten.QUESTION, short)):
            if question in last:
                return answer if isinstance(answer, Reply) else Reply(answer)
        if relevance.QUESTION in last:
            return check if check is not None else NO if FILLER in last else YES
        return check or "NONE" if relevance.QUESTION_LIST in last else reply

    server.on(rule)


def asides(server: FakeServer) -> list[Asked]:
    """Return the calls that asked something beside the reply."""
    questions = (planner.QUESTION, shorten.QUESTION, relevance.QUESTION_LIST, relevance.QUESTION)
    return [asked for asked in server.chats() if any(question in str(asked.messages[-1]["content"]) for question in questions)]


def last_prompt(server: FakeServer) -> str:
    """Return what the newest message was sent with."""
    return str(server.chats()[-1].messages[-1]["content"])


async def written(vault: AsyncVault, *texts: str, lines: int = 100, days_ago: int = 60, space: int | None = None) -> int:
    """Make a conversation of entries, these the oldest, whose window no longer shows them; return its id."""
    talk = (await vault.conversations.create(space=space)).id
    start = Moment.of(NOW - timedelta(days=days_ago)).utc
    lined = [*texts, *(f"{FILLER} {number}" for number in range(lines))]
    new = [messages.NewMessage(Role.USER, text, Moment(start + at * 60_000_000, 0)) for at, text in enumerate(lined)]
    await vault._database.write(lambda c: messages.insert(c, talk, new))
    return talk


async def turn(vault: AsyncVault, conversation: int, text: str) -> tuple[Message, Trace]:
    """Write a message and return the reply with its trace; a reply that does not come fails the test."""
    async with asyncio.timeout(20):
        done = (await events(vault.reply(conversation, text)))[-1]
    assert isinstance(done, ReplyDone), done
    trace = await vault._database.read(lambda c: traces.get(c, done.message.id))
    assert trace is not None
    return done.message, trace


def steps(trace: Trace, name: str) -> list[dict[str, Any]]:
    """Return the steps of that name."""
    return [step for step in trace.steps if step["step"] == name]


def step(trace: Trace, name: str) -> dict[str, Any]:
    """Return the one step of that name."""
    (found,) = steps(trace, name)
    return found


def with_server(folder: pathlib.Path, server: FakeServer, work: Callable[[AsyncVault], Awaitable[T]], **settings: Any) -> T:
    """Run some work on a new vault whose model is that server, words alone searched unless the settings say otherwise."""

    async def run(vault: AsyncVault) -> T:
        await vault.set(**{"window": WINDOW, "embedder": "off", "server": server.url, **settings})
        return await work(vault)

    return with_vault(folder, run, OpenAIModel(server.url, "fake-chat"), lambda: NOW)
