"""A relevant memory much longer than its share, in one or two sentences (B4): the model's from its own words, else a cut.

The one rule: the original stays the truth. A short form that loses or adds a name, a number or a denial is refused, and it
lives in RAM alone, until the vault is locked (V3).
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ricordo.errors import ModelError
from ricordo.models.answers import said
from ricordo.models.base import ChatModel, Finish, Request
from ricordo.models.pace import pace_of
from ricordo.models.tokens import pieces
from ricordo.prompt import ChatMessage
from ricordo.recall.aside import aside, harmless
from ricordo.recall.budget import Count
from ricordo.recall.faithful import why_unfaithful
from ricordo.recall.focus import around_best, looking_for

MUCH_LONGER = 1.5  # times its share, from which a memory is worth rewriting; below, a cut loses little
LONGEST = 0.75  # of the source: more is no short form
_ROOM = 256  # short forms that are kept
_ANSWER = 120  # tokens: two sentences

QUESTION = (
    "(Asked aside by the app, before you answer.) Shorten this diary entry to one or two sentences, in its language and its own "
    "words. Keep what matters for the message, every name and number, and every not and never. Write only the sentences."
)


class ShortForms:
    """Short forms made so far, the least used dropped first. Clear it when the vault is locked: it holds what was written."""

    def __init__(self) -> None:
        self._forms: OrderedDict[tuple[int, bytes], str] = OrderedDict()

    def get(self, key: int, text: str) -> str | None:
        """Return the short form of a message's text, None if there is none yet."""
        place = self._place(key, text)
        if place in self._forms:
            self._forms.move_to_end(place)
        return self._forms.get(place)

    def put(self, key: int, text: str, short: str) -> None:
        """Keep a short form."""
        self._forms[self._place(key, text)] = short
        while len(self._forms) > _ROOM:
            self._forms.popitem(last=False)

    def clear(self) -> None:
        """Forget them all."""
        self._forms.clear()

    @property
    def held(self) -> int:
        """How many there are."""
        return len(self._forms)

    @staticmethod
    def _place(key: int, text: str) -> tuple[int, bytes]:
        return key, hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class Short:
    """A memory as it goes into the prompt: whole, in the model's short form, or cut; and why, for the trace."""

    text: str
    by: Literal["whole", "model", "cut"]
    reason: str = ""


async def shorten(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    message_text: str,
    key: int,
    text: str,
    tokens: int,
    count: Count,
    budget_seconds: float,
    forms: ShortForms,
    search: str = "",
) -> Short:
    """Return a memory within `tokens`. Never raises for what a model does.

    `key` is the message's id (a fact's, negative); `messages` as for planning. Where the model gives no short form it is cut to
    what stands around the words of `search`, the message's without one. The text is empty when not even a cut fits.
    """
    weigh = looking_for(search or message_text)
    size = count(text)
    if size <= tokens:
        return Short(text, "whole")
    if (known := forms.get(key, text)) is not None and count(known) <= tokens:
        return Short(known, "model", "shortened before")
    if size < MUCH_LONGER * tokens:
        return Short(around_best(text, weigh, tokens, count), "cut", "a little too long")
    short, why = await _rewritten(
        model, aside(messages, message_text, f"{QUESTION}\n{harmless(text.strip())}\nShortened:"), text, budget_seconds
    )
    if short and count(short) > tokens:
        short, why = "", "the short form was still too long"
    if not short:
        return Short(around_best(text, weigh, tokens, count), "cut", why)
    forms.put(key, text, short)
    return Short(short, "model")


async def _rewritten(model: ChatModel, prompt: tuple[ChatMessage, ...], text: str, seconds: float) -> tuple[str, str]:
    """Return the model's short form, or nothing and why."""
    pace = pace_of(model)
    new = pieces(prompt[-1].content)
    if not pace.allows(new, _ANSWER // 2, seconds):
        return "", "there was no time to have it shortened"
    started = time.perf_counter()
    try:
        async with asyncio.timeout(seconds):
            completion = await model.complete(Request(prompt, _ANSWER, timeout=seconds))
    except TimeoutError:
        pace.learn_cut(new + _ANSWER, seconds)
        return "", "shortening took too long"
    except ModelError as error:
        return "", f"the model failed ({error})"
    pace.learn(completion.usage, time.perf_counter() - started, new)
    short = " ".join(said(completion.text).split()).strip('"“”')
    if completion.finish is not Finish.STOP:
        return "", "the short form broke off"
    if len(short) > LONGEST * len(text):
        return "", "the short form was hardly shorter"
    why = why_unfaithful(text, short)
    return ("", why) if why else (short, "")
