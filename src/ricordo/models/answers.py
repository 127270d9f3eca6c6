"""Reading what models send back: telling reasoning from reply when both come in one text, and finding the JSON in an answer.

A <think> tag counts only where a model puts it, at the start of the reply or of a line: a reply about the tag stays whole.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from ricordo.letters import whole
from ricordo.models.base import Text, Thought
from ricordo.models.loose_json import NotJson, Scanner, joined, paired

_OPEN = re.compile(r"[ \t]*<think(?:ing)?>", re.IGNORECASE)
_CLOSE = re.compile(r"</think(?:ing)?>\s*", re.IGNORECASE)
# The longest text that can still become an opening tag, or a closing one.
_LONGEST = len("</thinking>")
_OPENING = ("<think>", "<thinking>")
_CLOSING = ("</think>", "</thinking>")


class ThoughtSplitter:
    """Splits the content of one reply, piece by piece: `feed` each piece, then `finish`.

    Only what may yet turn out to be a tag is held back.
    """

    def __init__(self) -> None:
        self._held = ""
        self._half = ""  # of a character: some servers cut an emoji in two
        self._thinking = False
        self._at_line_start = True
        self._after_thought = False

    def feed(self, piece: str) -> list[Text | Thought]:
        """Take the next piece; return what is certain by now."""
        piece = self._half + piece
        self._half = piece[-1:] if "\ud800" <= piece[-1:] <= "\udbff" else ""
        self._held += whole(piece.removesuffix(self._half))
        found: list[Text | Thought] = []
        while self._step(found):
            pass
        return found

    def finish(self) -> list[Text | Thought]:
        """Return what was held back: nothing more will come."""
        held, self._held, self._half = self._held + whole(self._half), "", ""
        if not held:
            return []
        return [Thought(held) if self._thinking else Text(held)]

    def _step(self, found: list[Text | Thought]) -> bool:
        """Move one stretch from what is held into `found`; tell whether there may be another."""
        if self._thinking:
            return self._think(found)
        if self._after_thought:  # the empty lines between reasoning and reply belong to neither
            self._held = self._held.lstrip()
            self._after_thought = not self._held
        if self._at_line_start:
            if tag := _OPEN.match(self._held):
                self._held = self._held[tag.end() :]
                self._thinking = True
                return True
            if _may_become(self._held.lstrip(" \t"), _OPENING):
                return False
        line, newline, rest = self._held.partition("\n")
        if line or newline:
            found.append(Text(line + newline))
        self._held, self._at_line_start = rest, bool(newline) or (self._at_line_start and not line)
        return bool(rest)

    def _think(self, found: list[Text | Thought]) -> bool:
        if tag := _CLOSE.search(self._held):
            if tag.start():
                found.append(Thought(self._held[: tag.start()]))
            self._held = self._held[tag.end() :]
            self._thinking, self._at_line_start, self._after_thought = False, True, True
            return True
        start = self._held.rfind("<", -_LONGEST)
        sure = start if start >= 0 and _may_become(self._held[start:], _CLOSING) else len(self._held)
        if sure:
            found.append(Thought(self._held[:sure]))
            self._held = self._held[sure:]
        return False


def _may_become(start: str, tags: tuple[str, ...]) -> bool:
    """Tell whether more text could make one of the tags of this start (an empty start could)."""
    return any(tag.startswith(start.lower()) for tag in tags)


def spoken(text: str) -> str:
    """Return what comes after the last closing tag of a whole reply: some templates open the tag inside the prompt."""
    *_, last = _CLOSE.split(text)
    return last


def said(text: str) -> str:
    """Return a whole reply without its reasoning; empty when the reasoning never ends."""
    return spoken(_without_reasoning(_INVISIBLE.sub("", text[:_LONGEST_ANSWER]))).strip()


@dataclass(frozen=True, slots=True)
class Read:
    """What the answer holds; `lost` is how many values in it were not whole and were left out."""

    value: Any
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Nothing:
    """The model said that there is nothing to say."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """No answer can be made out; `reason` is a sentence for the trace. Worth another try, unlike `Nothing`."""

    reason: str


Reading = Read | Nothing | Unreadable

# Longer than any answer that was asked for: what follows is a loop.
_LONGEST_ANSWER = 40_000
_REASONING = re.compile(r"<(think|thinking|reason|reasoning|thoughts?|analysis|reflection|scratchpad)>", re.IGNORECASE)
_INVISIBLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufeff]")
# Where a model has finished and goes on to play both sides.
_RUN_ON = re.compile(
    r"<\|?/?(?:im_end|im_start|eot_id|endoftext|end|end_of_turn|start_of_turn|eos|s)\|?>|\[/?INST\]"
    r"|^(?:###\s|(?:user|human|person)\s*:)",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE = re.compile(r"^[ \t]*```[\w+-]*[ \t]*\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)
_BODY = re.compile(r"""\s*(?:["'“][a-z_]+["'”]|add|save|rewrite|update|remove|delete)\s*:\s*[\[{"']""", re.IGNORECASE)
_BEGIN = re.compile(r"[{\[]")
_BETWEEN = re.compile(r"[\s,;]*")
_NOTHING = re.compile(
    r"(?:none|null|nil|nothing|n/?a|empty|no (?:new )?(?:facts?|changes?|updates?|memories)"
    r"|(?:there (?:are|is) )?(?:no|nothing)(?: (?:new|lasting|durable))?(?: facts?)? to (?:add|say|save|store|remember))[\s.!]*",
    re.IGNORECASE,
)


def read_json(text: str) -> Reading:
    """Find the JSON in whatever a model sent back, its reasoning apart.

    Objects or lists that follow one another are read as one list; with prose between them, the last that holds anything counts.
    """
    text = _INVISIBLE.sub("", text[:_LONGEST_ANSWER]).strip()
    if (strict := _strictly(text)) is not None:
        return strict
    text = said(text)
    if not text:
        return Unreadable("The model sent an empty answer.")
    if _NOTHING.fullmatch(text.strip("\"'`*.! \n")):
        return Nothing()
    if (strict := _strictly(text)) is not None:
        return strict
    text = _without_run_on(text)
    if fenced := "\n".join(_FENCE.findall(text)).strip():
        reading = read_json(fenced) if fenced != text else _loosely(fenced)
        if not isinstance(reading, Unreadable):
            return reading
    return _loosely(text)


def _without_reasoning(text: str) -> str:
    """Leave out what stands between reasoning tags; one that is never closed takes the rest with it."""
    parts = []
    at = 0
    small = text.lower()
    while tag := _REASONING.search(text, at):
        parts.append(text[at : tag.start()])
        closing = f"</{tag.group(1).lower()}>"
        end = small.find(closing, tag.end())
        if end < 0:
            return "".join(parts)
        at = end + len(closing)
    return "".join((*parts, text[at:]))


def _strictly(text: str) -> Reading | None:
    try:
        value = json.loads(text, object_pairs_hook=joined)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, str):
        return read_json(value) if value != text else None
    if isinstance(value, dict | list):
        return _reading(_whole(value), 0)
    return Nothing() if value is None else None


def _without_run_on(text: str) -> str:
    """Cut what a model wrote after it had finished: the next turn of a conversation that it made up."""
    for mark in _RUN_ON.finditer(text):
        if _BEGIN.search(text, 0, mark.start()):
            return text[: mark.start()]
    return text


def _loosely(text: str) -> Reading:
    if re.match(r'\s*[{\[]\s*\\"', text) or re.match(r'\s*"\s*[{\[]\s*\\"', text):  # JSON escaped once too often
        text = text.strip().removeprefix('"').removesuffix('"').replace('\\"', '"').replace("\\\\", "\\")
    if _BODY.match(text):  # the bracket was part of the prompt, or forgotten
        text = "{" + text
    groups: list[list[Any]] = []
    lost = at = behind = 0
    while begin := _BEGIN.search(text, at):
        scanner = Scanner(text, begin.start())
        try:
            value = scanner.read()
        except NotJson:
            at = max(scanner.at, begin.end())
            continue
        if groups and _BETWEEN.fullmatch(text, behind, begin.start()):
            groups[-1].append(value)
        else:
            groups.append([value])
        lost += scanner.lost
        at = behind = scanner.at
    if not groups:
        return Unreadable("The model answered in prose instead of JSON.")
    telling = [group for group in groups if any(_telling(value) for value in group)]
    chosen = (telling or groups)[-1]
    return _reading(chosen[0] if len(chosen) == 1 else chosen, lost)


def _telling(value: Any) -> bool:
    """Tell an answer from a footnote like [1]."""
    if isinstance(value, dict):
        return bool(value)
    return any(isinstance(item, str | dict | list) for item in value)


def _reading(value: Any, lost: int) -> Reading:
    if not _holds_nothing(value):
        return Read(value, lost)
    return Unreadable("The answer broke off before anything in it was whole.") if lost else Nothing()


def _holds_nothing(value: Any) -> bool:
    match value:
        case dict():
            return all(_holds_nothing(part) for part in value.values())
        case list():
            return all(_holds_nothing(part) for part in value)
        case str():
            return not value.strip()
        case _:
            return value is None


def _whole(value: Any) -> Any:
    """Return the value with no half of a character in its texts: no store takes one."""
    match value:
        case dict():
            return {paired(key): _whole(part) for key, part in value.items()}
        case list():
            return [_whole(part) for part in value]
        case str():
            return paired(value)
        case _:
            return value
