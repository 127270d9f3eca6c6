"""The stamp: a message's local date and time as prompts and pages show it. Stored messages never carry one (S5)."""

from __future__ import annotations

from functools import lru_cache

from ricordo.conversation import Moment

_MANY = 4096  # a window is stamped several times a turn, and times say nothing of what was written


@lru_cache(_MANY)
def stamp(moment: Moment) -> str:
    """Return the local date and time, as in 2026-08-02 14:05."""
    local = moment.local
    return f"{local.year:04d}-{local:%m-%d %H:%M}"


@lru_cache(_MANY)
def day_stamp(moment: Moment) -> str:
    """Return the stamp of an entry; only its date for noon to the microsecond: an entry that came with no time of day."""
    local = moment.local
    timeless = (local.hour, local.minute, local.second, local.microsecond) == (12, 0, 0, 0)
    return stamp(moment)[:-6] if timeless else stamp(moment)
