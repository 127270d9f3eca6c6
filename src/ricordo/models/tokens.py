"""How many tokens a text is, when no tokenizer can be asked. The estimate leans high: a prompt must never exceed the window.

Nothing is remembered between calls: a memo of texts would outlive the locking of the vault.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ricordo.prompt import ChatMessage

# What a chat template puts around each message (role, separators) and after the last one, as counted with ChatML and
# Llama 3 templates: 5 each and 3; never more in the templates of Gemma, Mistral, Phi.
PER_MESSAGE = 5
PER_PROMPT = 3

LOWEST, HIGHEST = 0.5, 2.5
# Learned factors keep this much above what was reported: the next text may be of another kind.
_MARGIN = 1.05
# Below this many tokens the template's own words weigh more than the text: nothing can be learned.
_TOO_SHORT = 48
# The estimate was never above 2.0 times the truth on fourteen kinds of text with six tokenizers; with the margin, a
# prompt reported as shorter than this part of the estimate was not read whole.
_READ_WHOLE = 0.4

# Every match is one token: a short word, five letters of a long one, a digit, a sign.
_ASCII = re.compile(r"[A-Za-z]{1,6}+(?![A-Za-z])|[A-Za-z]{1,5}|[0-9]|[!-/:-@\[-`{-~\x00-\x08\x0e-\x1f\x7f]")
_PLAIN = re.compile(r"[\x00-\x7f]+")
# Runs of accented Latin, of ideographs and syllables, of other letters; and single signs and emoji.
_OTHER = re.compile(
    r"([\u0080-\u024f]+)"
    r"|([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+)"
    r"|([\u0250-\u218f\u2c00-\u2e7f\ua000-\uabff\ufb00-\ufdff\ufe70-\ufeff]+)"
    r"|([^\x00-\x7f])"
)


def in_line(line: str) -> float:
    """Return what one line counts, before it is rounded with the others: of non-ASCII letters parts of a token."""
    count = float(len(_ASCII.findall(line)))
    if not line.isascii():
        # First without what is ASCII: looking for four kinds of letters at each place takes ten times as long.
        for accented, ideographs, letters, symbol in _OTHER.findall(_PLAIN.sub(" ", line)):
            if accented:
                count += max(1.0, len(accented) / 2)
            elif ideographs:
                count += 0.9 * len(ideographs)
            elif letters:
                count += max(1.0, len(letters) / 2.2)
            elif symbol:
                count += 1.5
    return count


def pieces(text: str, of_line: Callable[[str], float] = in_line) -> int:
    """Return about how many tokens a text is, before any calibration: within 0.5 and 2 of every tokenizer tried.

    Words count by length, digits and signs one each, CJK 0.9 a character, other alphabets one per two letters,
    emoji and symbols 1.5. About 10 MB/s on English. `of_line` may be `in_line` with a memory: the parts of a prompt are counted
    alone and together, and are whole lines.
    """
    lines = text.split("\n")
    breaks = (len(lines) > 1) + sum(map(bool, lines[1:-1]))  # a run of newlines is one token
    return math.ceil(round(breaks + sum(map(of_line, filter(None, lines))), 6))


def count_messages(messages: Iterable[ChatMessage], factor: float = 1.0) -> int:
    """Return about how many tokens a prompt of these messages is, the template's own included."""
    messages = tuple(messages)
    return math.ceil(sum(pieces(m.content) for m in messages) * factor) + PER_MESSAGE * len(messages) + PER_PROMPT


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """Counts tokens for one model: the estimate times a factor learned from the usage its server reports (B6)."""

    factor: float = 1.1

    def count(self, text: str, of_line: Callable[[str], float] = in_line) -> int:
        """Return about how many tokens a text is for this model; `of_line` as in `pieces`."""
        return math.ceil(pieces(text, of_line) * self.factor)

    def count_messages(self, messages: Iterable[ChatMessage]) -> int:
        """Return about how many tokens a prompt of these messages is for this model."""
        return count_messages(messages, self.factor)

    def learned(self, estimated: int, reported: int) -> TokenCounter:
        """Return the counter after a prompt that this one estimated and the server reported.

        Goes up at once and down by a quarter of the way, so that one odd prompt does not make the next one too long.
        A prompt too short to teach anything, or not read whole, changes nothing.
        """
        if min(estimated, reported) < _TOO_SHORT or self.dropped(estimated, reported):
            return self
        seen = self.factor * reported / estimated * _MARGIN
        factor = seen if seen > self.factor else self.factor + (seen - self.factor) / 4
        return replace(self, factor=min(HIGHEST, max(LOWEST, factor)))

    def dropped(self, estimated: int, reported: int) -> bool:
        """Tell whether the server read so little of the prompt that it must have dropped a part without saying so.

        Ollama does that with a prompt over its window (4,096 unless told otherwise).
        """
        return estimated >= _TOO_SHORT and reported < _READ_WHOLE * estimated / max(1.0, self.factor)
