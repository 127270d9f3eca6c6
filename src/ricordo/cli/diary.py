"""The diary by days: the command `ricordo diary`. Which day something was written on is told by the clock it was written by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any

import typer

from ricordo.cli import exits, output
from ricordo.cli.session import Unlocked, unlocked
from ricordo.diary import Day, Entry, WrittenDay
from ricordo.errors import InvalidInput

_STRETCH = re.compile(r"(\d{4})(?:-(\d\d))?")


def diary(
    context: typer.Context,
    when: Annotated[
        str,
        typer.Argument(
            metavar="[DATE|today|on-this-day|first|last]",
            help="A day as in 2024-05-03; a month or year (2024-05, 2024) for its days; the same day of other years.",
        ),
    ] = "today",
) -> None:
    """Print what you wrote on a day, in all conversations, or list the days of a month or year that have entries."""
    with unlocked(context) as at:
        if stretch := _STRETCH.fullmatch(when):
            year, month = stretch.groups()
            _show_days(at, at.call(at.vault.diary.written(int(year), int(month) if month else None)), when)
        elif when == "on-this-day":
            today = at.vault.diary.today()
            days = [_whole(at, each.day) for each in at.call(at.vault.diary.on_this_day(today))]
            _show_years(at, days, today)
        else:
            _show_day(at, _day(at, when))


def _day(at: Unlocked, when: str) -> date:
    """Return the day that is meant. Raises InvalidInput."""
    if when == "today":
        return at.vault.diary.today()
    if when in ("first", "last"):
        entry = at.call(at.vault.diary.first() if when == "first" else at.vault.diary.last())
        return entry.message.at.local.date() if entry else at.vault.diary.today()
    try:
        return date.fromisoformat(when)
    except ValueError as error:
        raise InvalidInput(f"{when} is no day. Write it as 2024-05-03, or say today, on-this-day, first or last.") from error


def _whole(at: Unlocked, day: date) -> Day:
    """Read all slices of a day."""
    found: list[Entry] = []
    while True:
        part = at.call(at.vault.diary.day(day, len(found)))
        found += part.entries
        if not part.entries or len(found) >= part.total:
            return Day(day, len(found), tuple(found))


def _show_day(at: Unlocked, day: date) -> None:
    found = _whole(at, day)
    before, after = at.call(at.vault.diary.before(day)), at.call(at.vault.diary.after(day))
    if at.options.json:
        beside = {"before": before.isoformat() if before else None, "after": after.isoformat() if after else None}
        output.data(_day_json(found) | beside)
    else:
        _print(found.entries)
        where = [f"before it: {before}"] * bool(before) + [f"after it: {after}"] * bool(after)
        written = "" if found.total else f"Nothing was written on {day}. "
        if written or where:
            output.note(f"{written}{'Written ' + ', '.join(where) + '.' if where else ''}".strip())
    if not found.total:
        raise typer.Exit(exits.NOTHING)


def _show_days(at: Unlocked, days: Sequence[WrittenDay], when: str) -> None:
    if at.options.json:
        output.data([{"day": each.day.isoformat(), "entries": each.entries} for each in days])
    else:
        output.table(("day", "entries"), [(each.day, each.entries) for each in days])
    if not days:
        if not at.options.json:
            output.note(f"Nothing was written in {when}.")
        raise typer.Exit(exits.NOTHING)


def _show_years(at: Unlocked, days: Sequence[Day], today: date) -> None:
    if at.options.json:
        output.data([_day_json(each) for each in days])
    for each in () if at.options.json else days:
        _print(each.entries)
    if not days:
        if not at.options.json:
            output.note(f"Nothing was written on this day of another year ({today:%m-%d}).")
        raise typer.Exit(exits.NOTHING)


def _print(entries: Sequence[Entry]) -> None:
    for entry in entries:
        title = output.plain(entry.title) or "(untitled)"
        output.say(f"{output.day(entry.message.at)} {title} #{entry.message.id}\n{entry.message.text}\n")


def _day_json(day: Day) -> dict[str, Any]:
    return {"day": day.day.isoformat(), "entries": [_entry_json(entry) for entry in day.entries]}


def _entry_json(entry: Entry) -> dict[str, Any]:
    message = entry.message
    return {
        "id": message.id,
        "conversation": message.conversation,
        "title": entry.title,
        "at": output.when(message.at),
        "text": message.text,
        "replied": entry.replied,
    }
