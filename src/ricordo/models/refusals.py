"""What a server says when it will not answer, read into the error tree. Messages never carry the key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from math import isfinite
from time import time
from typing import Any

from ricordo.errors import ContextOverflow, ModelError, ModelRefused
from ricordo.letters import whole
from ricordo.models.json_text import parsed
from ricordo.models.overflow import CODES, counts, says_too_long

_MOST_DETAIL = 200


_LONGEST_PAGE = 5000  # letters of an error in HTML that are read
_DIGITS = 12  # of a count; Python refuses to read a number of thousands of them


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error as the server put it: its status, words, code or type, and counts if it gave them."""

    status: int
    said: str
    code: str = ""
    prompt_tokens: int | None = None
    window: int | None = None
    retry_after: float | None = None

    @property
    def loading(self) -> bool:
        """Whether a server that answers 503 is only loading its model, as llama.cpp says it."""
        return self.status == 503 and "loading" in self.said.lower()

    @property
    def overflow(self) -> bool:
        """Whether it says that the prompt is too long; a rate limit in tokens is none."""
        return self.status == 413 or (self.status != 429 and says_too_long(self.said, self.code))


def read_refusal(status: int, body: bytes, headers: Mapping[str, str]) -> Refusal:
    """Read an error answer of any shape: a JSON object, a string, HTML, nothing."""
    text = body.decode("utf-8", "replace").strip()
    try:
        value = parsed(text)
    except ValueError:
        value = _plain(text[:_LONGEST_PAGE]) if text.startswith("<") else text
    return read_error(value, status, _seconds(headers.get("retry-after", "")))


def read_error(value: Any, status: int, retry_after: float | None = None) -> Refusal:
    """Read the error inside an answer or an event: `{"error": …}`, `{"detail": …}`, a list of them, or a text."""
    value = _innermost(value)
    if not isinstance(value, dict):
        return Refusal(status, whole(value) if isinstance(value, str) else "", retry_after=retry_after)
    said = next((value[key] for key in ("message", "msg", "reason") if isinstance(value.get(key), str)), "")
    names = [str(value[key]) for key in ("code", "type") if value.get(key)]
    code = next((name for name in names if name in CODES), names[0] if names else "")
    own = _number(value.get("code"))
    if status == 200 and own is not None and 400 <= own < 600:  # an error in the middle of a stream
        status = own
    return Refusal(status, whole(said), code, _number(value.get("n_prompt_tokens")), _number(value.get("n_ctx")), retry_after)


def as_error(refusal: Refusal, server: str, model: str, key: str = "") -> ModelError:
    """Return the error to raise: a sentence for the person, with what the server said at its end."""
    if refusal.overflow:
        said_prompt, said_window = counts(refusal.said)
        prompt = refusal.prompt_tokens if refusal.prompt_tokens is not None else said_prompt
        window = refusal.window if refusal.window is not None else said_window
        sizes = f" ({prompt} tokens for {window})" if prompt and window else ""
        todo = "Send a shorter message, or set the right window in Settings."
        return ContextOverflow(f"The prompt is longer than the model's window{sizes}. {todo}", prompt, window)
    sentence = _sentence(refusal, server, model)
    detail = _detail(refusal.said, key)
    return ModelRefused(sentence + (f" It said: {detail}" if detail else ""), refusal.status, refusal.retry_after)


def _sentence(refusal: Refusal, server: str, model: str) -> str:
    wait = f"in {refusal.retry_after:.0f} seconds" if refusal.retry_after else "in a moment"
    match refusal.status:
        case 401 | 403:
            return f"{server} did not accept the key. Check the API key in Settings."
        case 402:
            return f"{server} says that the account there has run out. Top it up, or choose another server in Settings."
        case 404:
            missing = f"no model {model}" if model else "no chat at this address"
            return f"{server} has {missing}. Check the address and the model in Settings."
        case 429:
            return f"{server} is busy, or the quota there is used up. Try again {wait}."
        case 503:
            return f"{server} is not ready. Try again {wait}."
        case status if 300 <= status < 400:
            return f"{server} sends the call on to another address, which is not followed. Put the right one into Settings."
        case status if status >= 500:
            return f"{server} failed with status {status}. Try again; if it stays so, look at the server's own messages."
        case 200:
            return f"{server} broke off the reply. Try again."
        case status:
            return f"{server} refused the call with status {status}. Check the model in Settings."


def _innermost(value: Any) -> Any:
    for _ in range(4):  # as deep as any server nests them
        if isinstance(value, list) and value:
            value = value[0]
            continue
        inner = (
            next((value[key] for key in ("error", "detail", "errors") if value.get(key)), None)
            if isinstance(value, dict)
            else None
        )
        if inner is None:
            return value
        value = inner
    return value


def _number(value: Any) -> int | None:
    """Return a count or a status, given as a number or in digits."""
    if isinstance(value, str):
        return int(value) if value.isdecimal() and len(value) <= _DIGITS else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _seconds(header: str) -> float | None:
    """Read Retry-After: seconds, or a date."""
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - time()
        except (ValueError, OverflowError):  # a year that no calendar has
            return None
    return max(0.0, seconds) if isfinite(seconds) else None


def _plain(html: str) -> str:
    """Return a page's title, or its text without the tags."""
    title = re.search(r"<title[^>]*>(.*?)</title>", html, re.DOTALL | re.IGNORECASE)
    return title.group(1) if title else re.sub(r"<[^>]*>", " ", html)


def _detail(said: str, key: str) -> str:
    """Return what the server said on one line, shortened, the key blotted out."""
    said = " ".join(said.split())
    if key:
        said = said.replace(key, "…")
    return said if len(said) <= _MOST_DETAIL else said[:_MOST_DETAIL] + "…"
