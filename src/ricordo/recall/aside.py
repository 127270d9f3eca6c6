"""A question aside: the same messages as the prompt, then the newest message with one question after it.

The one rule: what differs stands last. A server with a prompt cache then reads only the question, and the reply's own prompt
still finds all that was read before (DESIGN §3).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ricordo.prompt import ChatMessage
from ricordo.recall import parts

_MARK = re.compile(r"<(?=\s*/?\s*message\b)", re.IGNORECASE)

# Letters of the newest message that are shown: a page of diary would cost more to read than the question is worth.
_HEAD, _TAIL = 700, 500


def aside(messages: Sequence[ChatMessage], text: str, question: str) -> tuple[ChatMessage, ...]:
    """Return the messages to send: the system message and the turns, then the newest message's text and the question.

    The newest message and the question are one message, because many chat templates take no two of one role in a row.
    """
    return following(messages, f"<message>\n{shown(text)}\n</message>\n{question}")


def following(messages: Sequence[ChatMessage], asked: str) -> tuple[ChatMessage, ...]:
    """Return the messages with one more of the person's side, joined to the last if that is one too."""
    if messages and messages[-1].role == "user":
        return (*messages[:-1], ChatMessage("user", f"{messages[-1].content}\n\n{asked}"))
    return (*messages, ChatMessage("user", asked))


def shown(text: str) -> str:
    """Return a message as questions show it: whole, or its beginning and its end."""
    text = harmless(text.strip())
    return text if len(text) <= _HEAD + _TAIL + 40 else f"{text[:_HEAD].rstrip()}\n[…]\n{text[-_TAIL:].lstrip()}"


def harmless(text: str) -> str:
    """Return text in which nothing passes for a mark of a prompt or of a question (X2)."""
    return _MARK.sub("‹", parts.harmless(text))


def one_line(text: str, letters: int) -> str:
    """Return text on one line, at the most so many letters of its beginning and, a third of them, of its end."""
    text = harmless(" ".join(text.split()))
    if len(text) <= letters:
        return text
    tail = letters // 3
    return f"{text[: letters - tail - 3].rstrip()} … {text[-tail:].lstrip()}"
