"""A child process that talks and learns until it is killed: each line it prints is something the vault has acknowledged.

python -m tests.journeys.learner PATH PASSPHRASE URL FIRST [TURNS]; of each four turns the last tells that what the first told
is over. With TURNS it ends by itself once so many were said and nothing waits.
"""

import asyncio
import itertools
import sys

from ricordo.events import ReplyDone
from ricordo.models.openai_api import OpenAIModel
from ricordo.vault import AsyncVault
from tests.store.box import report


def said(number: int) -> str:
    """What is written in a turn."""
    return f"I sold barrel {number - 3}." if number % 4 == 3 else f"I have barrel {number} in the cellar."


async def talk_for_ever(path: str, passphrase: str, url: str, first: int, turns: int | None) -> None:
    """Talk in a conversation of its own; after every other turn wait until all is learned."""
    async with await AsyncVault.open(path, passphrase, model=OpenAIModel(url, "fake")) as vault:
        vault.work_in_background()
        report("open")
        talk = await vault.conversations.create()
        for number in itertools.islice(itertools.count(first), turns):
            async for event in vault.reply(talk.id, said(number)):
                if isinstance(event, ReplyDone):
                    report("said", number)
            if number % 2:
                await learned(vault)
        await learned(vault)
        report("end")


async def learned(vault: AsyncVault) -> None:
    """Wait until nothing waits."""
    for _ in itertools.count():
        if not await vault.changes.waiting():
            return
        await asyncio.sleep(0.005)


if __name__ == "__main__":
    place, words, server, start = sys.argv[1:5]
    asyncio.run(talk_for_ever(place, words, server, int(start), int(sys.argv[5]) if sys.argv[5:] else None))
