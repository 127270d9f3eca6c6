"""The OpenAI dialect as servers really speak it: what goes into a request, what an event of the answer means.

`Dialect` is what one server has turned out to take; a refused field is left out from then on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from ricordo.letters import whole
from ricordo.models.base import Alternative, Finish, Request
from ricordo.models.refusals import Refusal
from ricordo.prompt import Usage

_MOST = 1 << 48  # a number beyond this counts no tokens, and no float is asked for its logarithm


class Shape(IntEnum):
    """How JSON is asked for, best first. LM Studio refuses the second, some servers the first (CHOICES: the ladder)."""

    SCHEMA = 0
    OBJECT = 1
    PLAIN = 2


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server takes. Everything, until it refuses."""

    shape: Shape = Shape.SCHEMA
    usage: bool = True
    logprobs: bool = True
    temperature: bool = True
    shifts: int = 0  # tokens of the shortest run that it may move within its cache (llama.cpp); 0 where it cannot
    max_tokens: str = "max_tokens"  # OpenAI's reasoning models want max_completion_tokens

    def body(self, request: Request, model: str) -> dict[str, Any]:
        """Return the JSON to send; it always streams, so that a stop reaches the server and every call shows life."""
        body: dict[str, Any] = {
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            self.max_tokens: request.max_tokens,
            "stream": True,
        }
        if model:
            body["model"] = model
        if self.usage:
            body["stream_options"] = {"include_usage": True}
        if self.temperature:
            body["temperature"] = request.temperature
        if request.turns_dropped and self.shifts:
            body["n_cache_reuse"] = self.shifts
        if request.logprobs and self.logprobs:
            body |= {"logprobs": True, "top_logprobs": request.logprobs}
        if request.schema is not None and self.shape is Shape.SCHEMA:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": request.schema, "strict": True},
            }
        elif request.schema is not None and self.shape is Shape.OBJECT:
            body["response_format"] = {"type": "json_object"}
        return body

    def simpler(self, request: Request, refusal: Refusal) -> Iterator[Dialect]:
        """Yield what to try after a refusal: without the field that it names, else without one field after the other."""
        named = [step for words, step in self._steps(request) if any(word in refusal.said for word in words)]
        if named:
            yield named[0]
            return
        if refusal.status not in (400, 415, 422, 501):
            return
        for _, step in self._steps(request):
            yield step

    def _steps(self, request: Request) -> Iterator[tuple[tuple[str, ...], Dialect]]:
        """Yield each field that can be given up, with the words by which servers name it."""
        if request.schema is not None and self.shape is not Shape.PLAIN:
            words = ("response_format", "json_schema", "json_object", "schema", "grammar")
            yield words, replace(self, shape=Shape(self.shape + 1))
        if self.usage:
            yield ("stream_options", "include_usage"), replace(self, usage=False)
        if request.logprobs and self.logprobs:
            yield ("logprobs",), replace(self, logprobs=False)
        if self.max_tokens == "max_tokens":
            yield ("max_completion_tokens", "max_tokens"), replace(self, max_tokens="max_completion_tokens")
        if self.temperature:
            yield ("temperature",), replace(self, temperature=False)


@dataclass(frozen=True, slots=True)
class Delta:
    """What one event says. Texts are empty, the rest None, where it says nothing."""

    content: str = ""
    thought: str = ""
    finish: Finish | None = None
    usage: Usage | None = None
    logprobs: tuple[tuple[Alternative, ...], ...] = ()


def read_event(event: dict[str, Any]) -> Delta:
    """Read an event of a stream, or a whole answer that did not come as a stream. Unknown things are passed over."""
    choice = next((c for c in _list(event.get("choices")) if isinstance(c, dict) and not c.get("index")), {})
    message = choice.get("delta") or choice.get("message") or {}
    if not isinstance(message, dict):
        message = {}
    return Delta(
        content=_text(message.get("content")),
        thought=whole(_text(message.get("reasoning_content")) or _text(message.get("reasoning"))),
        finish=_finish(choice.get("finish_reason")),
        usage=_usage(event),
        logprobs=tuple(_alternatives(choice.get("logprobs"))),
    )


def _text(value: Any) -> str:
    """Return a content: a text, nothing, or a list of parts of which only texts are read."""
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, dict))
    return value if isinstance(value, str) else ""


def _finish(reason: Any) -> Finish | None:
    match reason:
        case None | "":
            return None
        case "length" | "max_tokens":
            return Finish.LENGTH
        case "content_filter" | "error":  # the server took the rest away: the reply is not whole
            return Finish.CUT
        case _:
            return Finish.STOP


def _usage(event: dict[str, Any]) -> Usage | None:
    """Read the usage, or llama.cpp's timings, which come even where no usage was asked for."""
    usage, timings = event.get("usage"), event.get("timings")
    if isinstance(usage, dict) and _number(usage.get("prompt_tokens")) is not None:
        details = usage.get("prompt_tokens_details")
        cached = _number(details.get("cached_tokens")) if isinstance(details, dict) else None
        if cached is None:
            cached = _number(usage.get("prompt_cache_hit_tokens"))  # DeepSeek
        if cached is None and isinstance(timings, dict):
            cached = _number(timings.get("cache_n"))
        return Usage(_number(usage.get("prompt_tokens")), cached, _number(usage.get("completion_tokens")))
    if isinstance(timings, dict) and _number(timings.get("prompt_n")) is not None:
        cached = _number(timings.get("cache_n")) or 0
        return Usage((_number(timings.get("prompt_n")) or 0) + cached, cached, _number(timings.get("predicted_n")))
    return None


def _alternatives(logprobs: Any) -> Iterator[tuple[Alternative, ...]]:
    for token in _list(logprobs.get("content")) if isinstance(logprobs, dict) else []:
        likely = _list(token.get("top_logprobs")) if isinstance(token, dict) else []
        yield tuple(
            Alternative(each["token"], logprob)
            for each in likely
            if isinstance(each, dict)
            and isinstance(each.get("token"), str)
            and (logprob := _logprob(each.get("logprob"))) is not None
        )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST else None


def _logprob(value: Any) -> float | None:
    """Return the logarithm of a probability; some servers round it to a little above 0."""
    if not isinstance(value, int | float) or not -_MOST < value < 1:
        return None
    return min(float(value), 0.0)
