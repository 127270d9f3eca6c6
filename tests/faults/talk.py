"""A model that learns barrels: what it answers to each kind of call, made of nothing but what it was asked."""

import json
import re

from ricordo.learn import extractor, summarizer
from ricordo.models.scripted import ScriptedModel
from ricordo.prompt import ChatMessage


def have(number: int) -> str:
    """Say that a barrel is there."""
    return f"I have barrel {number} in the cellar."


def sold(number: int) -> str:
    """Say that it is gone."""
    return f"I sold barrel {number}."


def answer(messages: list[tuple[str, str]]) -> str:
    """Return what the model says to messages of (role, text)."""
    system, last = messages[0][1], messages[-1][1]
    if system.startswith(extractor.SYSTEM[:80]):
        return proposals(last)
    if system.startswith(summarizer.SYSTEM[:80]):
        barrels = sorted(set(re.findall(r"barrel \d+", last)))[:8]
        return json.dumps(
            {"decisions": [], "facts": [f"The user spoke of {each} in the cellar." for each in barrels], "open_threads": [],
             "current_state": ["The user counts the barrels in the cellar."]}
        )  # fmt: skip
    return "Well noted, that barrel is in the book of the cellar now."


def proposals(shown: str) -> str:
    """Return what the model proposes of turns: each barrel that is there, is gone, or stands elsewhere now."""
    known, _, talk = shown.partition("The person wrote:")
    places = {int(number): int(place) for place, number in re.findall(r"^(\d+)\. .*barrel (\d+)", known, re.MULTILINE)}
    add = [
        {"text": f"The user has barrel {number} in the cellar.", "quote": f"I have barrel {number} in the cellar"}
        for number in re.findall(r"I have barrel (\d+)", talk)
    ]
    gone = [int(number) for number in re.findall(r"I sold barrel (\d+)", talk)]
    remove = [{"id": places[number], "quote": f"I sold barrel {number}"} for number in gone if number in places]
    moved = [(int(number), where) for number, where in re.findall(r"My barrel (\d+) is in the (\w+) now", talk)]
    rewrite = [
        {
            "id": places[number],
            "text": f"The user has barrel {number} in the {where}.",
            "quote": f"My barrel {number} is in the {where} now",
        }
        for number, where in moved
        if number in places
    ]
    return json.dumps({"add": add, "rewrite": rewrite, "remove": remove})


def scripted() -> ScriptedModel:
    """Return that model."""

    def script(messages: tuple[ChatMessage, ...]) -> str:
        return answer([(message.role, str(message.content)) for message in messages])

    return ScriptedModel(script, name="barrels")
