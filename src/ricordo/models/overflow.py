"""How servers say that a prompt is too long for the model's window: each has words of its own, most give the counts."""

from __future__ import annotations

import re

CODES = frozenset({"exceed_context_size_error", "context_length_exceeded", "context_window_exceeded"})

_SAYS_SO = re.compile(
    r"exceeds? the (?:available |maximum |model's )?context (?:size|length|window)"  # llama.cpp, Ollama
    r"|maximum context length|context length (?:of|is) only|maximum model length"  # OpenAI, vLLM, LM Studio
    r"|greater than the context length|when context the overflows|context overflow"  # LM Studio
    r"|input length exceeds|too large to process|input (?:token count|is too long)|prompt (?:is )?too long|prompt exceeds"
    r"|(?:reduce|exceeds?).{0,30}(?:length of the messages|context[ _](?:size|length|window|limit))"
    r"|context[ _](?:length|size|window|limit).{0,30}exceed",
    re.IGNORECASE | re.DOTALL,
)
_LOOKED_AT = 2000  # letters of an error: each run of digits in them is tried from each of its digits
_DIGITS = 12  # of a count of tokens; Python refuses to read a number of thousands of them
_PROMPT = (
    re.compile(r"\((\d+) in the (?:messages|prompt)|passed (\d+) input tokens|resulted in (\d+) tokens", re.IGNORECASE),
    re.compile(r"request \((\d+) tokens|prompt \(length (\d+)\)|first (\d+) tokens|(\d+) tokens >", re.IGNORECASE),
    re.compile(r"(?:requested|contains|contains at least|has|count) (?:about )?\(?(\d+)\)?", re.IGNORECASE),
)
_WINDOW = (
    re.compile(r"context (?:size|length|window)[^\d]{0,25}(\d+)", re.IGNORECASE),
    re.compile(r"maximum model length of (\d+)|tokens > (\d+)|maximum[^\d]{0,40}(\d+)", re.IGNORECASE),
    re.compile(r"(\d+) (?:tokens )?maximum context", re.IGNORECASE),
)


def says_too_long(said: str, code: str = "") -> bool:
    """Tell whether a server's error means that the prompt was over the window."""
    return code in CODES or bool(_SAYS_SO.search(said[:_LOOKED_AT]))


def counts(said: str) -> tuple[int | None, int | None]:
    """Return the prompt's tokens and the window's, as far as the words give them."""
    said = said[:_LOOKED_AT]
    return _first(_PROMPT, said), _first(_WINDOW, said)


def _first(patterns: tuple[re.Pattern[str], ...], said: str) -> int | None:
    for pattern in patterns:
        if found := pattern.search(said):
            digits = next(group for group in found.groups() if group)
            return int(digits) if len(digits) <= _DIGITS else None
    return None
