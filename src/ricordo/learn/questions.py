"""The questions that are asked sentence by sentence, with their examples; models/yes_no.py reads what comes back.

The examples hold no name, date, place or number: a small model copies what it has just read. Each kind of question has a
beginning of its own, so that a server's cache holds all but the sentence while they are asked in a row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ricordo.learn.foreign_words import LANGUAGES, language
from ricordo.models import yes_no
from ricordo.models.base import ChatModel, Request
from ricordo.prompt import ChatMessage

Shot = tuple[str, str]

_RESTATED = 80  # tokens

_LASTING = (
    "Does the sentence tell lasting facts about the speaker or their family: job, home, health, diet, tastes, relatives, pets, "
    "skills, habits? Plans for the day, errands, what happened today, moods of the moment, opinions about the world and secret "
    "codes are not lasting. Reply yes or no."
)
LASTING_SHOTS: tuple[Shot, ...] = (
    ("I bake bread for a living", "yes"),
    ("The meeting went on for hours", "no"),
    ("Our son has asthma", "yes"),
    ("I have to call the bank later", "no"),
    ("I am tired today", "no"),
    ("We moved to the coast in spring", "yes"),
    ("The key is under the mat", "no"),
    ("I hate swimming and I gave up meat", "yes"),
    ("I had soup for lunch", "no"),
    ("My aunt collects clocks", "yes"),
    ("That film was better than I thought", "no"),
)
# Asked once more of what came of it, seen from outside: an event told in the third person no longer sounds like a habit.
_KEPT = (
    "A list holds what stays true of a person for years: job, home, family, health, diet, tastes, skills, habits, pets. Does the "
    "line belong on the list? What happened once, a day, a feeling, a plan, something supposed and what strangers do does not "
    "belong. Reply yes or no."
)
KEPT_SHOTS: tuple[Shot, ...] = (
    ("The user bakes bread for a living.", "yes"),
    ("The user found a coin under the sofa.", "no"),
    ("The user's son has asthma.", "yes"),
    ("The user talked about films with a neighbour.", "no"),
    ("The user gave up meat.", "yes"),
    ("The user had a good evening.", "no"),
    ("The user moved to the coast in spring.", "yes"),
    ("The user would sail round the world with more money.", "no"),
    ("The user's aunt collects clocks.", "yes"),
    ("The bus driver sang all the way.", "no"),
)
_RESTATE = (
    'Rewrite the sentence in the third person about "the user". Keep every name and number, and the language. Leave out what '
    "only holds today. Reply with one short sentence."
)
RESTATE_SHOTS: tuple[Shot, ...] = (
    ("I bake bread for a living, so I am up before dawn", "The user bakes bread for a living."),
    ("We finally sold our old boat", "The user sold their old boat."),
    ("As I said, my son has asthma", "The user's son has asthma."),
    ("I don't eat meat any more", "The user does not eat meat any more."),
)
# A small model answers in the language of the example it read last, whatever the sentence is in; so each has its own.
RESTATE_ELSEWHERE: Mapping[str, tuple[Shot, ...]] = {
    "de": (
        ("Ich fahre gern Rad", "Der Nutzer fährt gern Rad."),
        ("Unser Sohn hat Asthma, und wir wohnen am Meer", "Der Sohn des Nutzers hat Asthma, und sie wohnen am Meer."),
    ),
    "it": (
        ("Mi piace andare in bicicletta", "L'utente ama andare in bicicletta."),
        ("Ho un gatto e abito al mare", "L'utente ha un gatto e abita al mare."),
    ),
    "fr": (
        ("J'aime faire du vélo", "L'utilisateur aime faire du vélo."),
        ("Je suis boulanger et j'ai un chat", "L'utilisateur est boulanger et a un chat."),
    ),
    "es": (
        ("Me gusta andar en bicicleta", "Al usuario le gusta andar en bicicleta."),
        ("Soy panadero y tengo un gato", "El usuario es panadero y tiene un gato."),
    ),
    "zh": (("我喜欢骑自行车", "用户喜欢骑自行车。"), ("我儿子有哮喘", "用户的儿子有哮喘。")),
}
_ENGLISH = re.compile(r"\b(?:I|I['’]\w+|my|My|we|We|our|Our)\b")
_OUTDATED = "Does the new statement make the known fact out of date? Reply yes or no."
OUTDATED_SHOTS: tuple[Shot, ...] = (
    ("Known fact: The user drives a van.\nNew statement: The user sold the van.", "yes"),
    ("Known fact: The user drives a van.\nNew statement: The user's son has asthma.", "no"),
    ("Known fact: The user lives by the sea.\nNew statement: The user moved to the mountains.", "yes"),
    ("Known fact: The user keeps bees.\nNew statement: The user moved to the mountains.", "no"),
    ("Known fact: The user is a baker.\nNew statement: The user likes dark bread.", "no"),
)


async def lasting(model: ChatModel, sentence: str, patience: float) -> float | None:
    """Return the probability that a sentence tells something lasting of the person; None without probabilities."""
    return await _chance(model, _LASTING, LASTING_SHOTS, sentence, patience)


async def kept(model: ChatModel, fact: str, patience: float) -> float | None:
    """Return the probability that a fact is one of those that last; None without probabilities."""
    return await _chance(model, _KEPT, KEPT_SHOTS, fact, patience)


async def outdated(model: ChatModel, known: str, new: str, patience: float) -> float | None:
    """Return the probability that a statement makes a known fact out of date; None without probabilities."""
    question = f"Known fact: {known}\nNew statement: {new}"
    return await _chance(model, _OUTDATED, OUTDATED_SHOTS, question, patience)


def restating(sentence: str, patience: float) -> Request:
    """Return the call that puts a sentence into the third person."""
    shots = RESTATE_ELSEWHERE.get(_language(sentence), RESTATE_SHOTS)
    return Request(_prompt(_RESTATE, shots, sentence), _RESTATED, timeout=patience)


async def gives_chances(model: ChatModel, patience: float) -> bool:
    """Ask one question to see whether a server gives probabilities and the model answers with yes or no."""
    return (await lasting(model, "I play the violin", patience) or 0.0) > 0.0


async def _chance(model: ChatModel, system: str, shots: Sequence[Shot], question: str, patience: float) -> float | None:
    """Return the probability of "yes", 0 for what is no answer; None where the server gives no probabilities."""
    answer = await yes_no.ask(model, _prompt(system, shots, question), patience)
    return (answer.chance or 0.0) if answer.probabilities else None


def _language(text: str) -> str:
    """Return the language of a sentence where it is one that there are examples in, else nothing."""
    if re.search("[\u4e00-\u9fff]", text):
        return "zh"
    table = None if _ENGLISH.search(text) else language([word.lower() for word in re.findall(r"[^\W\d_]+", text)])
    return next((name for name, words in LANGUAGES.items() if words is table), "")


def _prompt(system: str, shots: Sequence[Shot], question: str) -> tuple[ChatMessage, ...]:
    prompt = [ChatMessage("system", system)]
    for asked, answer in shots:
        prompt += [ChatMessage("user", asked), ChatMessage("assistant", answer)]
    return (*prompt, ChatMessage("user", question))
