"""Secrets that must not be remembered (E8): one question over all ways to recognise them, and a text with them cut out.

Asked only about what a model wants to save; what the person adds is never filtered. Decided in docs/decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ricordo.learn.secret import Kind, Reading, Secret
from ricordo.learn.secret_answers import answers
from ricordo.learn.secret_coded import coded
from ricordo.learn.secret_contexts import in_context
from ricordo.learn.secret_formats import known_formats
from ricordo.learn.secret_labels import labelled
from ricordo.learn.secret_networks import networks
from ricordo.learn.secret_numbers import proven_numbers
from ricordo.learn.secret_openings import openings
from ricordo.learn.secret_tokens import random_tokens, recovery_phrases

__all__ = ["Kind", "Secret", "redacted", "secret_in", "secrets_in"]

# From the most to the least telling, so that the reason given is the best there is.
_WAYS: tuple[Callable[[Reading], Iterator[Secret]], ...] = (
    known_formats,
    proven_numbers,
    labelled,
    openings,
    coded,
    networks,
    answers,
    in_context,
    recovery_phrases,
    random_tokens,
)
_CUT = "[secret]"
_ROUNDS = 4
_TELLING = 5  # signs; what is shorter stands in many words


def secret_in(text: str) -> Secret | None:
    """Return the first secret that is recognised in a text, None where it holds none."""
    reading = Reading.of(text)
    return next((reading.original(secret) for way in _WAYS for secret in way(reading)), None)


def secrets_in(text: str) -> list[Secret]:
    """Return all secrets of a text in the order in which they stand; they may overlap."""
    reading = Reading.of(text)
    return sorted((reading.original(secret) for way in _WAYS for secret in way(reading)), key=lambda secret: secret.start)


def redacted(text: str) -> str:
    """Return a text fit for a log or a trace: `[secret]` in the place of each secret, wherever it stands again too.

    A cut can bring together what was apart, so it is looked at again; where that never ends, nothing of it is shown.
    """
    for _ in range(_ROUNDS):
        found = secrets_in(text)
        if not found:
            return text
        known = {text[secret.start : secret.stop] for secret in found}
        parts, done = [], 0
        for secret in found:
            if secret.start >= done:
                parts += [text[done : secret.start], _CUT]
            done = max(done, secret.stop)
        text = "".join([*parts, text[done:]])
        for again in known:
            if len(again) >= _TELLING:
                text = text.replace(again, _CUT)
    return _CUT if secret_in(text) else text
