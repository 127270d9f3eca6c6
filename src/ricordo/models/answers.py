"""Reading what models send back: here, telling reasoning from reply when both come in one text.

A <think> tag counts only where a model puts it, at the start of the reply or of a line: a reply about the tag stays whole.
"""

from __future__ import annotations

import re

from ricordo.models.base import Text, Thought

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
        self._thinking = False
        self._at_line_start = True
        self._after_thought = False

    def feed(self, piece: str) -> list[Text | Thought]:
        """Take the next piece; return what is certain by now."""
        self._held += piece
        found: list[Text | Thought] = []
        while self._step(found):
            pass
        return found

    def finish(self) -> list[Text | Thought]:
        """Return what was held back: nothing more will come."""
        held, self._held = self._held, ""
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
