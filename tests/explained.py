"""A talk whose reply was made with something from elsewhere, and a model that answers the questions asked aside."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta

from ricordo.conversation import Message
from ricordo.events import ReplyDone
from ricordo.models.scripted import ScriptedModel
from ricordo.prompt import ChatMessage
from ricordo.recall import planner, relevance, shorten
from ricordo.vault import AsyncVault
from tests.vaults import NOON, events

HARP = "Ysolde sold the old harpsichord to a dealer from Ghent."
TUNER = "The harpsichord tuner came at noon and drank tea with my aunt."
FACT = "The user owns a harpsichord by Ruckers"
QUESTION = "Who bought the harpsichord of Ysolde?"
SEARCH = "harpsichord dealer"


def answer(messages: tuple[ChatMessage, ...]) -> str:
    """Plan a search, keep what is not about the tuner, and reply."""
    asked = messages[-1].content
    if planner.QUESTION in asked:
        return SEARCH
    if relevance.QUESTION in asked:
        return "no" if "tuner" in asked.rpartition("Note:")[2] else "yes"
    if relevance.QUESTION_LIST in asked:
        notes = asked.rpartition(relevance.QUESTION_LIST)[2].splitlines()
        return ", ".join(note.partition(".")[0] for note in notes if note[:1].isdigit() and "tuner" not in note) or "NONE"
    if shorten.QUESTION in asked:
        return "Ysolde sold the harpsichord."
    return "A dealer from Ghent did." if "Ghent" in json.dumps([each.content for each in messages]) else "I do not know."


def model() -> ScriptedModel:
    """The model that does so."""
    return ScriptedModel(answer)


def clock() -> Callable[[], datetime]:
    """A clock that goes on by a minute each time it is looked at."""
    now = NOON

    def tick() -> datetime:
        nonlocal now
        now += timedelta(minutes=1)
        return now

    return tick


async def talked(vault: AsyncVault) -> Message:
    """Write two entries in one conversation and ask about one in another; return the reply. The first entry has the id 1."""
    await vault.set(whole_diary=True, global_memories=True, embedder="off")
    elsewhere = (await vault.conversations.create("Music")).id
    await vault.write(elsewhere, HARP)
    await vault.write(elsewhere, TUNER)
    await vault.facts.remember(FACT)
    return await replied(vault, (await vault.conversations.create("Questions")).id, QUESTION)


async def replied(vault: AsyncVault, conversation: int, text: str) -> Message:
    """Ask something and return the reply."""
    done = (await events(vault.reply(conversation, text)))[-1]
    assert isinstance(done, ReplyDone)
    return done.message
