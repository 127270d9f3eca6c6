"""What was talked about just before a message that only points to it, by words alone: for when no model names it.

The one rule: only what the person wrote counts, without stamps, memories and attachments that prompts put around it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ricordo.prompt import ChatMessage
from ricordo.recall.wording import telling
from ricordo.store.name_reading import codes_in, names_in

_AROUND = re.compile(r"<memory>.*?</memory>\s*|<attachment:.*?</attachment>\s*", re.DOTALL)
_STAMP = re.compile(r"^\s*\[\d{4,}-\d\d-\d\d \d\d:\d\d\]\s*")
_MOST = 8  # words of a search
_BACK = 2  # messages of the person that are looked at
_LETTERS = 400  # of their ends: what is pointed to was said last


def said(messages: Sequence[ChatMessage]) -> list[str]:
    """Return what the person wrote last, the newest first, as they wrote it."""
    written = [message.content for message in messages if message.role == "user"][-_BACK:]
    return [_STAMP.sub("", _AROUND.sub("", text)).strip() for text in reversed(written)]


def topic(messages: Sequence[ChatMessage]) -> str:
    """Return a search for what was talked about last: names first, then the words of the last message; empty without any."""
    texts = [text[-_LETTERS:] for text in said(messages)]
    words = [name for text in texts for name in (*names_in(text), *codes_in(text))]
    words += telling(texts[0]) if texts else []
    kept: dict[str, str] = {}
    for word in words:
        if not any(word.casefold() in other for other in kept):
            kept.setdefault(word.casefold(), word)
    return " ".join([*kept.values()][:_MOST])
