"""The hidden call that rewrites a conversation's summary: what a model is shown, and what is kept of its answer (N1).

It is shown the old summary and what was said since, nothing recalled, nothing attached. What it says is a proposal: a bad one
costs nothing but that try, and the old summary stays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ricordo.conversation import Message, Role
from ricordo.learn import summary_lines
from ricordo.learn.asking import WITHHELD
from ricordo.learn.summary_lines import HEADINGS, Sources
from ricordo.letters import visible
from ricordo.models.answers import Nothing, Read, Unreadable, read_json
from ricordo.models.base import ChatModel, Finish, Request
from ricordo.prompt import ChatMessage

_ANSWER = 900  # tokens: four headings with eight short lines each at the most
_MOST = 4_000  # tokens of what was said: more is slow to read and no better understood
_SAID, _REPLIED = 2_400, 900  # letters of a message that are read; a longer one is read at its two ends
_SHORTEST = 40  # letters of a summary worth keeping
_SHRUNK = 4  # an old summary may become shorter, not a quarter of itself: a small model has then forgotten to carry it on
_OLD = 4_000  # letters of an old summary that are shown

# The example holds no name, date, place or number: a small model copies what it has just read.
SYSTEM = (
    "You keep the minutes of a conversation between a person and their companion. You get the minutes so far and what was said "
    "since, and write the minutes anew. Carry on what is still true, word for word where nothing changed; leave out what was "
    "superseded, settled or taken back. Keep names, numbers, dates and places exactly as they were said. Add nothing that was "
    "not said. What the companion advised is no decision of the person unless the person agreed. Leave out small talk, "
    "passwords, codes and keys. Write in the person's language: one thing a line, each line with its subject, and a line for "
    "each thing that matters.\n"
    'Answer with one JSON object of four lists of lines: {"decisions": what was agreed or chosen, "facts": what is known, '
    '"open_threads": what is undecided or still to do, "current_state": one or two lines on where things stand now}. '
    "An empty list where there is nothing."
)
_EXAMPLE_OLD = (
    "Decisions\n- The user will paint the kitchen green.\n\nFacts\n- The kitchen has no window.\n- The user has no brush."
)
_EXAMPLE_SAID = (
    "Person: I changed my mind, the kitchen will be yellow, and I do it alone. I have the brush now.\n"
    "Companion: Yellow is cheerful. You could paint the door too.\n"
    "Person: Perhaps. My neighbour lends me a ladder. I still need tape, and I wait for the rain to stop."
)
_EXAMPLE_ANSWER = {
    "decisions": ["The user will paint the kitchen yellow.", "The user paints it alone."],
    "facts": ["The kitchen has no window.", "The user has the brush now.", "A neighbour lends the user a ladder."],
    "open_threads": ["Whether to paint the door too.", "The user still needs tape."],
    "current_state": ["The user waits for the rain to stop."],
}
_LINES = {"type": "array", "items": {"type": "string"}, "maxItems": summary_lines.MOST_LINES}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {field: _LINES for field, _ in HEADINGS},
    "required": [field for field, _ in HEADINGS],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Written:
    """A summary to keep, and the lines that were refused, each with the reason."""

    text: str
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """The old summary stays; `reason` is a sentence."""

    reason: str


def said_by_both(messages: Sequence[Message], room: int, count: Callable[[str], int]) -> tuple[Message, ...]:
    """Return the newest messages that fit in `room` tokens as they are shown, oldest first.

    What the person asked not to be remembered is left out, with the reply to it (E17).
    """
    room = min(room, _MOST)
    withheld = {message.id for message in messages if message.role is Role.USER and WITHHELD.search(message.text)}
    fit: list[Message] = []
    for message in reversed(messages):
        if message.id in withheld or message.parent in withheld or not message.text.strip():
            continue
        room -= count(_line(message))
        if room < 0 and fit:
            break
        fit.append(message)
    return tuple(reversed(fit))


def messages_for(old: str, said: Sequence[Message]) -> tuple[ChatMessage, ...]:
    """Return the prompt of the hidden call: the same input gives the same text."""
    return (
        ChatMessage("system", SYSTEM),
        ChatMessage("user", _asked(_EXAMPLE_OLD, _EXAMPLE_SAID)),
        ChatMessage("assistant", json.dumps(_EXAMPLE_ANSWER)),
        ChatMessage("user", _asked(visible(old[:_OLD]), "\n".join(map(_line, said)))),
    )


async def summarise(
    model: ChatModel, old: str, messages: Sequence[Message], room: int, count: Callable[[str], int], patience: float
) -> Written | Kept:
    """Ask the model once for the summary of what came before, the `old` one, and `messages`.

    `room` is tokens of the model's window, `patience` seconds without a sign of life. Raises ModelError.
    """
    spoken = said_by_both(messages, room - _ANSWER - sum(count(part.content) for part in messages_for(old, ())), count)
    if not spoken:
        return Kept("Nothing was said that may be summarised.")
    request = Request(messages_for(old, spoken), _ANSWER, temperature=0.0, schema=SCHEMA, timeout=patience)
    completion = await model.complete(request)
    match completion.finish:
        case Finish.CUT:
            return Kept("The connection to the model broke off in the middle of its answer.")
        case Finish.LENGTH:
            return Kept("The model's answer was longer than its room and broke off.")
        case Finish.STOP:
            return summary_from(completion.text, old, spoken)


def summary_from(answer: str, old: str, said: Sequence[Message]) -> Written | Kept:
    """Return what is kept of an answer: the lines that hold, under their four headings, if they make a summary."""
    match read_json(answer):
        case Nothing():
            return Kept("The model found nothing to say.")
        case Unreadable(why):
            reason, lines = why, summary_lines.under_headings(answer)
        case Read(value, lost):
            if lost:
                return Kept("The model's answer broke off.")
            reason = "The model's answer has none of the four parts of a summary."
            lines = summary_lines.of_fields(value) or summary_lines.under_headings(answer)
    if not lines:
        return Kept(reason)
    held, refused = summary_lines.sift(lines, Sources.of(old, said))
    text = summary_lines.rendered(held)
    if len(text) < _SHORTEST:
        return Kept(" ".join(["What the model wrote is too short for a summary.", *refused[:3]]))
    if len(text) * _SHRUNK < len(old):
        return Kept("What the model wrote is much shorter than the summary it was to carry on.")
    return Written(text, refused)


def _asked(old: str, said: str) -> str:
    return f"Minutes so far:\n{old.strip() or 'none'}\n\nSaid since:\n{said}"


def _line(message: Message) -> str:
    """Return a message on one line, so that nothing in it passes for somebody else's."""
    who, most = ("Person", _SAID) if message.role is Role.USER else ("Companion", _REPLIED)
    text = " ".join(visible(message.text).split())
    text = text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"
    return f"{who}: {text}"
