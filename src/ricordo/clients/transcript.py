"""A transcript: what a client sends of a conversation that it keeps itself, all of it each time; and how it is known again.

The one rule: only what was said counts, by the person or as a reply. System messages, tools and their results may change freely.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ricordo.conversation import Attachment, Role
from ricordo.letters import whole
from ricordo.models.answers import spoken
from ricordo.said import Digest, Said, said_after

Sent = Mapping[str, Any]  # a message as clients send it: {"role": "user", "content": …}

_LEFT_OUT = "It was sent along through another program and is not kept here."
_CHORE = "### Task:"  # with which Open WebUI begins what it asks for by itself
# A memory block that a client got hold of and sends back: nobody said that either.
_OURS = re.compile(r"\A<memory>\nThe time now: .*?\n</memory>\n", re.DOTALL)
_NAMES = {"image": "picture", "input_image": "picture", "image_url": "picture", "input_audio": "sound", "file": "file"}


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was said, up to the person's newest message, which is the last.

    `begun` is the beginning of a reply, where the client wants one continued.
    """

    said: tuple[Said, ...]
    begun: str = ""
    user: str = ""

    @property
    def asked(self) -> Said:
        """The person's newest message."""
        return self.said[-1]

    def reply(self, text: str) -> Said:
        """Return the reply as the client will send it again."""
        whole = text if not self.begun or text.startswith(self.begun.strip()) else self.begun + text
        return said_after(Role.MODEL, spoken(whole), (), self.user, self.asked.place + 1, self.asked)


def read(messages: Sequence[Sent], user: str = "", digest: Digest = said_after) -> Transcript | None:
    """Return what was said in a client's messages; None where the person said nothing.

    `user` keeps apart what several people say through one client. `digest` may be `said_after` with a memory: a client sends
    again what it sent before.
    """
    said: list[Said] = []
    begun = ""
    for place, message in enumerate(messages):
        role = _role(message)
        text, attachments, marks = _content(message.get("content"))
        if role is Role.USER:
            text = _OURS.sub("", text)
        begun = ""
        if role is None or not (text.strip() or marks):
            continue
        if role is Role.MODEL and place == len(messages) - 1:
            begun = text
            continue
        own = spoken(text) if role is Role.MODEL else text
        said.append(digest(role, own, attachments, user + marks, place, said[-1] if said else None))
    while said and said[-1].role is Role.MODEL:
        said.pop()
    return Transcript(tuple(said), begun, user) if said else None


def chore(messages: Sequence[Sent]) -> bool:
    """Say whether a program asks for something of its own, like a title or tags: nobody said that to anybody."""
    asked = [message for message in messages if message.get("role") == "user"]
    return len(asked) == 1 and text_of(asked[0].get("content")).lstrip().startswith(_CHORE)


def _role(message: Sent) -> Role | None:
    """Return who said something; None for what was not said: system messages, calls of tools and their results."""
    match message.get("role"):
        case "user":
            return Role.USER
        case "assistant" if not (message.get("tool_calls") or message.get("function_call")):
            return Role.MODEL
        case _:
            return None


def text_of(content: Any) -> str:
    """Return the text of a message's content: itself, or its parts that are text."""
    return _content(content)[0]


def _content(content: Any) -> tuple[str, tuple[Attachment, ...], str]:
    """Return the text of a content, what else is in it, and a digest of that."""
    if isinstance(content, str):
        return content, (), ""
    texts: list[str] = []
    attachments: list[Attachment] = []
    marks = hashlib.sha256()
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, dict) or not part:
            continue
        if isinstance(part.get("text"), str):
            texts.append(part["text"])
            continue
        kind = str(part.get("type", ""))
        file = part.get("file")
        name = str(file.get("filename") or "") if isinstance(file, dict) else ""
        called = whole(name or _NAMES.get(kind, kind or "part"))
        attachments.append(Attachment(called, "application/octet-stream", _LEFT_OUT))
        marks.update(json.dumps(part, sort_keys=True).encode())
    return "\n".join(texts), tuple(attachments), marks.hexdigest() if attachments else ""
