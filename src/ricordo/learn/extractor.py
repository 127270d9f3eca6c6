"""The hidden call: what a model is shown of finished turns, and the proposals read out of its answer (E1, E12).

It is shown what the person typed, the replies, and the known facts by short id, nothing else. What it says is a proposal.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ricordo.conversation import Turn
from ricordo.fact import Fact
from ricordo.learn.proposals import Proposal, read_proposals
from ricordo.letters import visible
from ricordo.models.answers import Nothing, Read, Unreadable, read_json
from ricordo.models.base import ChatModel, Finish, Request
from ricordo.prompt import ChatMessage

_ANSWER = 500  # tokens of an answer: five facts with their quotes
_SAID = 6_000  # letters of a message that are read; a longer one is read at its two ends
_REPLIED = 600  # of a reply: it is there to understand the person by, not to be learned from

# The examples hold no name, date, place or number: a small model copies what it has just read.
SYSTEM = (
    "You keep a short list of lasting facts about a person. You read what they wrote to their companion, and say what should "
    "change in the list. A lasting fact is still true and worth knowing in a month, in a talk about something else: their "
    "work, home, family, health, diet, tastes, skills, plans for life. Most messages hold none.\n"
    "Leave out: questions, requests and tasks; moods of the moment; what the companion said; what is known already; passwords, "
    "codes, keys and numbers of cards or accounts.\n"
    'Answer with one JSON object: {"add": [{"text", "quote"}], "rewrite": [{"id", "text", "quote"}], "remove": [{"id", '
    '"quote"}]}.\n'
    'add: a new fact, one sentence about "the user", in the person\'s language. rewrite: a known fact, by its number, that the '
    "person says has changed. remove: a known fact, by its number, that the person says is over, or asks to forget. quote: the "
    "person's own words that say so, copied exactly. Empty lists when there is nothing."
)
_EXAMPLES: tuple[tuple[Sequence[str], str, str, dict[str, Any]], ...] = (
    (
        (),
        "I bake bread for a living, so I am up before dawn. How do I get flour out of a coat?",
        "Brush it off while it is dry.",
        {
            "add": [{"text": "The user bakes bread for a living.", "quote": "I bake bread for a living"}],
            "rewrite": [],
            "remove": [],
        },
    ),
    (("The user drives a van.",), "What is the tallest tree there is?", "A redwood.", {"add": [], "rewrite": [], "remove": []}),
    (
        ("The user drives a van.", "The user keeps bees."),
        "I sold the van and ride a bicycle now. And please forget about the bees.",
        "Done.",
        {
            "add": [],
            "rewrite": [{"id": 1, "text": "The user rides a bicycle.", "quote": "I sold the van and ride a bicycle now"}],
            "remove": [{"id": 2, "quote": "please forget about the bees"}],
        },
    ),
    ((), "So tired today. Write a note to the plumber for me.", "Here it is.", {"add": [], "rewrite": [], "remove": []}),
)


def _listed(*required: str) -> dict[str, Any]:
    kinds = {"id": {"type": "integer"}, "text": {"type": "string"}, "quote": {"type": "string"}}
    item = {
        "type": "object",
        "properties": {name: kinds[name] for name in required},
        "required": list(required),
        "additionalProperties": False,
    }
    return {"type": "array", "items": item, "maxItems": 5}


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"add": _listed("text", "quote"), "rewrite": _listed("id", "text", "quote"), "remove": _listed("id", "quote")},
    "required": ["add", "rewrite", "remove"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Unread:
    """The answer could not be used; `reason` is a sentence. Another try may go better."""

    reason: str


def messages_for(turns: Sequence[Turn], known: Sequence[Fact]) -> tuple[ChatMessage, ...]:
    """Return the prompt of the hidden call: the same input gives the same text."""
    prompt = [ChatMessage("system", SYSTEM)]
    for facts, said, replied, answer in _EXAMPLES:
        prompt.append(ChatMessage("user", _asked(facts, [(said, replied)])))
        prompt.append(ChatMessage("assistant", json.dumps(answer)))
    texts = [(turn.asked.text, turn.reply.text if turn.reply else "") for turn in turns]
    prompt.append(ChatMessage("user", _asked([fact.text for fact in known], texts)))
    return tuple(prompt)


async def propose(
    model: ChatModel, turns: Sequence[Turn], known: Sequence[Fact], patience: float
) -> tuple[Proposal, ...] | Unread:
    """Ask the model once what turns say of the person; `known` are the facts by their place.

    `patience` is seconds without a sign of life. Raises ModelError.
    """
    request = Request(messages_for(turns, known), _ANSWER, temperature=0.0, schema=SCHEMA, timeout=patience)
    completion = await model.complete(request)
    if completion.finish is Finish.CUT:
        return Unread("The connection to the model broke off in the middle of its answer.")
    match read_json(completion.text):
        case Nothing():
            return ()
        case Unreadable(reason):
            return Unread(reason)
        case Read(value):
            return read_proposals(value, [fact.text for fact in known])


def _asked(known: Sequence[str], turns: Sequence[tuple[str, str]]) -> str:
    facts = "\n".join(f"{number}. {_one_line(text)}" for number, text in enumerate(known, start=1)) or "none"
    talk = "\n".join(_turn(said, replied) for said, replied in turns)
    return f"Known facts:\n{facts}\n\n{talk}"


def _turn(said: str, replied: str) -> str:
    said = visible(said)
    said = said if len(said) <= _SAID else f"{said[: _SAID // 2]}\n…\n{said[-_SAID // 2 :]}"
    lines = [f"The person wrote: {said.strip()}"]
    if replied:
        lines.append(f"The companion replied: {_one_line(replied)[:_REPLIED]}")
    return "\n".join(lines)


def _one_line(text: str) -> str:
    return " ".join(visible(text).split())
