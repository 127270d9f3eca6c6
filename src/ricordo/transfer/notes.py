"""A folder of Markdown notes, as Obsidian keeps them: each note an entry, each folder a conversation.

The one rule: a note stays as it is written, wiki links and front matter too. Its date is that of its front matter, else of its
name, else of the headings in it; one without any has the time at which its file was written.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, tzinfo
from pathlib import PurePosixPath

from ricordo.conversation import Moment, Role
from ricordo.errors import ImportFailed
from ricordo.imported import LeftOut
from ricordo.store.talks import Incoming, Talk
from ricordo.transfer import dates, fields, front_matter, markdown
from ricordo.transfer.entry import Unreadable, When
from ricordo.transfer.fields import Item, Undated
from ricordo.transfer.front_matter import Value
from ricordo.transfer.parts import Part
from ricordo.transfer.source import TEXT_ENDINGS

FORMAT = "markdown"
OURS = "ricordo"  # the name in the head of what a Markdown export wrote
_LARGEST = 64 << 20  # bytes of one note
_DATED = ("date", "created", "created_at", "creation date", "date created", "created at")
_FIRST_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*?)\s*#*\s*")
_SAID = re.compile(
    r"## (?P<at>\d{4}-\d\d-\d\d \d\d:\d\d) · (?P<who>You|Ricordo(?: \((?P<model>.*)\))?)(?: · (?:stopped|broke off))?"
)
OTHER, EMPTY, WRITTEN = "files that are no notes", "empty notes", "files of a Markdown export that hold no messages"


def is_note(part: Part) -> bool:
    """Say whether a file is one, by its ending."""
    return part.path.suffix.lower() in TEXT_ENDINGS


def items(parts: list[Part], zone: tzinfo) -> Iterator[Item]:
    """Yield the notes in the order of their paths, and what is left out."""
    left: Counter[str] = Counter()
    seen: Counter[bytes] = Counter()
    undated = 0
    for part in parts:
        if not is_note(part):
            left[OTHER] += 1
            continue
        try:
            lines = _lines(part)
        except (ValueError, ImportFailed) as error:
            yield Unreadable(str(part.path), str(error))
            continue
        head, rest = markdown.front_matter(iter(lines))
        rest += lines[len(head) + len(rest) :]
        values, wrong = front_matter.read(head[1:-1])
        if wrong:
            yield Unreadable(str(part.path), f"its front matter cannot be read ({wrong}), so it came in as text only")
        if OURS in values:
            yield from _ours(values, rest, zone, left)
            continue
        entries = list(_entries(part.path, head if wrong else _telling(head, values), values, rest))
        if not entries:
            left[EMPTY] += 1
            continue
        undated += all(when is None for when, _ in entries)
        yield _talk(part, entries, zone, seen)
    yield Undated(undated)
    yield from (LeftOut(what, count) for what, count in left.items())


def _lines(part: Part) -> list[str]:
    """Return the lines of a note. Raises ValueError when it is no text."""
    with part.opened() as raw:
        data = raw.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError("it is too large for a note")
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))  # as older editors of Windows write
    if b"\0" in data[:4096] and not wide:
        raise ValueError("it is not a text file")
    try:
        return fields.text(data.decode("utf-16" if wide else "utf-8-sig")).split("\n")
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8 text; save it as UTF-8 and import it again") from error


def _entries(
    path: PurePosixPath, head: list[str], values: dict[str, Value], rest: list[str]
) -> Iterator[tuple[When | None, str]]:
    """Yield (date, text) of each entry of a note."""
    own = next((when for name in _DATED if (when := _date(values.get(name)))), None) or dates.of_file(path)
    kept = head if len(head) > 2 else []
    if own is None and any(entry.when for entry in markdown.under_headings(rest, iter(()))):
        for entry in markdown.under_headings([*kept, *rest], iter(())):
            yield entry.when, entry.text
        return
    text = "\n".join(rest).strip()
    title = _title(path, own)
    if title and text and not _says(title, values, text):
        text = f"# {title}\n\n{text}"
    if text:
        yield own, "\n".join([*kept, text]) if kept else text


def _telling(head: list[str], values: dict[str, Value]) -> list[str]:
    """Return a head if it says more than one date, which the entry has anyway."""
    return head if len(values) > 1 or not set(values) <= set(_DATED) else []


def _date(value: Value | None) -> When | None:
    return dates.exact(value) if isinstance(value, str) else None


def _title(path: PurePosixPath, own: When | None) -> str:
    """Return a note's name, but for the date at its beginning."""
    if own is not None and (found := dates.leading(path.stem)):
        return found[1].strip(" -_,.")
    return "" if own is not None and dates.of_file(path) else path.stem


def _says(title: str, values: dict[str, Value], text: str) -> bool:
    """Say whether a note's text names it already."""
    heading = _FIRST_HEADING.fullmatch(text.split("\n", 1)[0])
    return "title" in values or (heading is not None and heading[1].casefold() == title.casefold())


def _talk(part: Part, entries: list[tuple[When | None, str]], zone: tzinfo, seen: Counter[bytes]) -> Talk:
    dated = next((when for when, _ in entries if when is not None), None)
    said = []
    for when, text in entries:
        digest = hashlib.blake2b(f"{when or ''}\n{text}".encode(), digest_size=16).digest()
        seen[digest] += 1
        place = when or dated
        at = place.moment(zone) if place else _local(part.written, zone)
        said.append(Incoming(f"{FORMAT}:{digest.hex()}:{seen[digest]}", None, Role.USER, text, at))
    folder = " / ".join(part.path.parent.parts)
    return Talk(f"Notes: {folder}" if folder else "Notes", None, tuple(said), None, dated=True, group=folder)


def _local(written: Moment | None, zone: tzinfo) -> Moment | None:
    return Moment.of(written.local.astimezone(zone)) if written else None


def _ours(values: dict[str, Value], rest: list[str], zone: tzinfo, left: Counter[str]) -> Iterator[Item]:
    """Yield the conversation that a Markdown export wrote."""
    if values[OURS] != "conversation":
        left[WRITTEN] += 1
        return
    title = fields.line(values.get("title"))
    said: list[Incoming] = []
    speaking: re.Match[str] | None = None
    text: list[str] = []
    for line in [*rest, None]:
        following = _SAID.fullmatch(line) if line is not None else None
        if line is None or following:
            if speaking and (written := "\n".join(text).strip()):
                above = said[-1].key if said else None
                said.append(_one(values, speaking, written, above, len(said), zone))
            speaking, text = following, []
        elif line is not None:
            text.append(line)
    if said:
        yield Talk(title, said[0].at, fields.filled(said, said[0].at)[0], said[-1].key)
    else:
        left[WRITTEN] += 1


def _one(values: dict[str, Value], head: re.Match[str], text: str, above: str | None, place: int, zone: tzinfo) -> Incoming:
    at = Moment.of(datetime.strptime(head["at"], "%Y-%m-%d %H:%M").replace(tzinfo=zone))
    key = fields.key(FORMAT, values.get("title"), values.get("created"), place, head["at"], text)
    role = Role.USER if head["who"] == "You" else Role.MODEL
    return Incoming(key, above, role, text, at, head["model"] or "")
