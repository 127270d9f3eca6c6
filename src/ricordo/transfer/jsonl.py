"""Diaries as JSON lines, one object an entry: {"date": "2024-05-03", "text": "…"}.

A line that cannot be read is named, and the rest goes on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ricordo.transfer import dates
from ricordo.transfer.entry import Entry, Item, Unreadable, When
from ricordo.transfer.source import Lines


def entries(lines: Lines) -> Iterator[Item]:
    """Yield each line's entry as it is read; one whose date is missing or empty comes without."""
    for number, line in lines:
        if not line.strip():
            continue
        try:
            yield _entry(line)
        except ValueError as error:
            yield Unreadable(f"{lines.path.name}, line {number}", str(error))


def _entry(line: bytes) -> Entry:
    """Read one line; raises ValueError with what is wrong."""
    try:
        value = json.loads(line.decode())
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8 text") from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError("it is not a JSON object on one line") from error
    if not isinstance(value, dict):
        raise ValueError("it is not a JSON object")
    text = value.get("text")
    if not isinstance(text, str):
        raise ValueError('it has no "text"')
    if not text.strip():
        raise ValueError('its "text" is empty')
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError('its "text" holds half a character') from error
    return Entry(_when(value.get("date")), text)


def _when(written: Any) -> When | None:
    if written is None or written == "":
        return None
    when = dates.exact(written) if isinstance(written, str) else None
    if when is None:
        raise ValueError(f"its date {json.dumps(written, ensure_ascii=False)[:60]} is not like 2024-05-03 or 2024-05-03T14:05")
    return when
