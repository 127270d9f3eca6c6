"""The stamp: a message's local date and time as prompts and pages show it. Stored messages never carry one (S5)."""

from __future__ import annotations

from ricordo.conversation import Moment


def stamp(moment: Moment) -> str:
    """Return the local date and time, as in 2026-08-02 14:05."""
    local = moment.local
    return f"{local.year:04d}-{local:%m-%d %H:%M}"
