"""What other programs' exports write into their fields, read with patience: texts, times, keys.

The one rule: what is odd is empty or None, never an error.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from ricordo import letters
from ricordo.conversation import Moment
from ricordo.imported import LeftOut
from ricordo.store.talks import Incoming, Talk
from ricordo.transfer.entry import Unreadable

# What stays out of imports, as the person is told it.
HIDDEN, TOOLS, SYSTEM = "hidden messages", "tool calls and their results", "system messages"
EMPTY, THOUGHTS, UNKNOWN = "messages without text", "thoughts of the model", "messages of an unknown kind"
NO_TALK = "conversations without a message"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS, _MICROSECONDS = 1e11, 1e14  # from which size on a number cannot be seconds, nor milliseconds


@dataclass(frozen=True, slots=True)
class Undated:
    """So many messages have no time of their own."""

    count: int


Item = Talk | Unreadable | LeftOut | Undated


def text(value: Any) -> str:
    """Return a text as it can be kept: without half characters, null characters, hidden tag letters; empty where it is none."""
    if not isinstance(value, str):
        return ""
    return letters.kept(value).replace("\0", "").replace("\r\n", "\n")


def line(value: Any, longest: int = 300) -> str:
    """Return a text on one line, cut."""
    return " ".join(text(value).split())[:longest].strip()


def record(value: Any) -> dict[str, Any]:
    """Return an object, an empty one where it is none."""
    return value if isinstance(value, dict) else {}


def listed(value: Any) -> list[Any]:
    """Return a list, an empty one where it is none."""
    return value if isinstance(value, list) else []


def moment(value: Any, zone: tzinfo) -> Moment | None:
    """Return a time given as seconds, milliseconds or microseconds since 1970, or in ISO form; else None."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        if isinstance(value, str):
            value = value.strip()
            when = (
                _EPOCH + timedelta(seconds=float(value)) if value.replace(".", "", 1).isdigit() else datetime.fromisoformat(value)
            )
        elif isinstance(value, int | float) and value:
            size = abs(value)
            value = value / 1e6 if size >= _MICROSECONDS else value / 1e3 if size >= _MILLISECONDS else value
            when = _EPOCH + timedelta(seconds=value)
        else:
            return None
        when = when.replace(tzinfo=zone) if when.tzinfo is None else when.astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return None
    return Moment.of(when) if date(2, 1, 1) < when.date() < date(9998, 12, 31) else None


def key(kind: str, *named: object) -> str:
    """Return the source key of something that is named so in an export of a kind."""
    digest = hashlib.blake2b("\n".join(str(each) for each in named).encode("utf-8", "replace"), digest_size=16).hexdigest()
    return f"{kind}:{digest}"


def filled(said: Iterable[Incoming], created: Moment | None) -> tuple[tuple[Incoming, ...], int]:
    """Return messages with a time for each, parents first, and how many had none.

    One without gets that of what it follows, else that of the conversation; where nothing has any, it stays without.
    """
    times: dict[str, Moment | None] = {}
    found: list[Incoming] = []
    missing = 0
    for each in said:
        above = times.get(each.parent) if each.parent is not None else created
        at = each.at
        if at is None:
            missing += 1
            at = above or created
        elif above is not None and each.parent is not None and at.utc < above.utc:
            at = Moment(above.utc, at.offset)
        times[each.key] = at
        found.append(Incoming(each.key, each.parent, each.role, each.text, at, each.model, each.attachments))
    return tuple(found), missing
