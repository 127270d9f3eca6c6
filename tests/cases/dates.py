"""Reported failures about dates and time zones, held against the pure functions: no store, no model.

`run(case)` says whether one is met, and why not. A case is judged by what it holds, not by its id.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from ricordo.conversation import Moment
from ricordo.recall import days
from ricordo.recall.dates.positions import pick
from ricordo.recall.references import Days, Position, Reference, find, named, narrowed, rest
from ricordo.recall.stamps import stamp

AREAS = ("dates", "tz")
Verdict = tuple[bool, str]
Entries = list[tuple[int, date]]


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code."""
    given, expected = case["input"], case["expected"]
    zone = ZoneInfo(given.get("tz") or given.get("tz_now") or "UTC")
    shown = _asked(given, zone) if "query" in given or "queries" in given else {}
    shown |= _lived(given, zone)
    checks = {key: value for key, value in expected.items() if key not in ("note", "hint")}
    for key, wanted in checks.items():
        if key not in shown:
            return False, f"nothing here shows {key}"
        if key.endswith("_must_not_have"):
            met = not set(wanted) & set(shown[key])
        elif key.startswith("answer_prompt_must_not"):
            met = not any(text in whole for text in wanted for whole in shown[key])
        elif key == "answer_prompt_says":
            met = wanted in shown[key]
        else:
            met = shown[key] == wanted
        if not met:
            return False, f"{key} is {shown[key]!r}, not {wanted!r}"
    return True, ""


def _asked(given: dict[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    now = given.get("now") or given.get("now_utc") or "2026-08-05T10:00:00Z"
    moment = Moment.of(datetime.fromisoformat(now))
    held = given.get("entries") or given.get("entries_in_import_order") or []
    texts = [entry["text"] if isinstance(entry, dict) else "" for entry in held]
    entries = [(at, date.fromisoformat(_day(entry))) for at, entry in enumerate(held)]
    entries.sort(key=lambda entry: entry[1])
    answers = []
    for query in given.get("queries") or [given["query"]]:
        found = find(query, moment, zone, day_first=given.get("day_first"))
        answers.append((query, found, [id for one in found for id in _looked_up(one, entries)]))
    query, found, ids = answers[0]
    on = dict(entries)
    spans = [one for one in found if isinstance(one, Days)]
    missed = [one for one in spans if not _looked_up(one, entries)]
    return {
        "raises": False,
        "found": bool(found),
        "date_range": [spans[0].first.isoformat(), spans[0].last.isoformat()] if len(spans) == 1 else None,
        "dates": [one.first.isoformat() for one in spans if one.first == one.last],
        "entries_returned": [on[id].isoformat() for id in ids],
        "entries_returned_each": [[on[id].isoformat() for id in each] for _, _, each in answers],
        "search_words_must_not_have": rest(query, found).replace("/", " ").split(),
        "answer_prompt_says": " ".join(f"no entry for {named(one)}" for one in missed),
        "answer_prompt_must_not_present_as_that_day": [texts[id] for id in ids],
    }


def _day(entry: dict[str, str] | str) -> str:
    return entry["date"] if isinstance(entry, dict) else entry


def _looked_up(reference: Reference, entries: Entries) -> list[int]:
    match reference:
        case Days():
            meant = narrowed(reference, (day for _, day in entries))
            return [id for id, day in entries if day in meant]
        case Position(spot, days=within):
            return list(pick(spot, entries, within=(within.first, within.last) if within else None))
        case _:
            return []


def _lived(given: dict[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """Show what becomes of a message's time: kept as it was lived, whatever happens to the zone later."""
    moments = _moments(given, zone)
    if not moments:
        return {}
    for _ in range(3):  # opened and saved unchanged
        moments = [Moment.of(moment.local) for moment in moments]
    lived = {moment.local.date() for moment in moments}
    first = moments[0]
    shown: dict[str, Any] = {
        "entry_date": "/".join(sorted(day.isoformat() for day in lived)),
        "entry_time": f"{first.local:%H:%M}",
        "shown_as": stamp(first),
        "stored_utc": _utc(first, "seconds"),
        "instant_utc": _utc(first, "milliseconds"),
    }
    if "query" in given:
        found = find(given["query"], Moment.of(datetime(2026, 8, 5, 12, tzinfo=UTC)), zone)
        shown["found"] = all(_holds(one, moment) for moment in moments for one in found if isinstance(one, Days))
    return shown


def _holds(reference: Days, moment: Moment) -> bool:
    begin, end = days.sure(reference.first, reference.last)
    return begin <= moment.utc < end and reference.first <= moment.local.date() <= reference.last


def _moments(given: dict[str, Any], zone: ZoneInfo) -> list[Moment]:
    if "local" in given:
        return [Moment.of(datetime.fromisoformat(str(given["local"])).replace(tzinfo=zone))]
    if "create_time" in given:
        return [Moment.of(datetime.fromtimestamp(given["create_time"], zone))]
    if "written_at" in given:
        return [Moment.of(datetime.fromisoformat(given["written_at"]))]
    if "imported_line" in given:
        return [Moment.of(datetime.fromisoformat(given["imported_line"][:16]).replace(tzinfo=zone))]
    entry = given.get("entry", given)
    day = entry.get("local_date") or entry.get("entry_date")
    if not day:
        return []
    there = ZoneInfo(entry.get("tz_when_written") or zone.key)
    # At any hour of that day: its edges are where days slip.
    midnight = datetime.combine(date.fromisoformat(day), datetime.min.time())
    return [Moment.of((midnight + timedelta(minutes=m)).replace(tzinfo=there)) for m in (0, 1, 720, 1438, 1439)]


def _utc(moment: Moment, precision: str) -> str:
    return moment.local.astimezone(UTC).isoformat(timespec=precision).replace("+00:00", "Z")
