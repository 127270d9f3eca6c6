"""What a file or folder is, told by what is in it; and its readers, one a format.

The one rule: names lie, contents do not. A file's name decides only where its content is text that could be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import tzinfo
from itertools import islice
from pathlib import Path
from typing import Any, assert_never

from ricordo.errors import ImportFailed, InvalidInput
from ricordo.imported import LeftOut
from ricordo.transfer import archive, chatgpt, claude, dates, dayone, diary, json_stream, markdown, notes
from ricordo.transfer.entry import Unreadable
from ricordo.transfer.fields import Item
from ricordo.transfer.json_stream import Began, Element, Member
from ricordo.transfer.parts import Part, named, parts
from ricordo.transfer.source import TEXT_ENDINGS, Upload

FORMATS = (chatgpt.FORMAT, claude.FORMAT, dayone.FORMAT, notes.FORMAT, archive.FORMAT, diary.FORMAT)
_LINES = (".jsonl", ".ndjson", *TEXT_ENDINGS)  # endings of what may begin like JSON and is none
_LOOKED_AT = 8  # elements of a list, after which its kind is known or it has none
_LINES_LOOKED_AT = 400
_TALKS: dict[str, tuple[Callable[[Any], bool], Callable[[Any, tzinfo], Iterator[Item]], str]] = {
    chatgpt.FORMAT: (chatgpt.is_one, chatgpt.items, "mapping"),
    claude.FORMAT: (claude.is_one, claude.items, "chat_messages"),
}
_OTHER = "other files"


@dataclass(frozen=True, slots=True)
class Recognised:
    """What was found to be imported: its format, the files that are of it, and how many others there are."""

    format: str
    parts: tuple[Part, ...]
    others: int


def recognise(source: Path | Upload, as_: str | None = None) -> Recognised:
    """Say what a file or folder is; with `as_`, only find what is of that format in it.

    Raises ImportFailed when nothing in it can be imported, InvalidInput for a format that is not known.
    """
    if as_ is not None and as_ not in FORMATS:
        raise InvalidInput(f"“{as_[:40]}” is no format. There are: {', '.join(FORMATS)}.")
    found = parts(source)
    if as_ == diary.FORMAT:
        return Recognised(as_, tuple(found), 0)
    told = {part.path: kind for part in found if (kind := _json_kind(part, alone=len(found) == 1))}
    if as_ == notes.FORMAT or (as_ is None and not told):
        return _texts(source, found, as_)
    kinds = [kind for kind in told.values() if as_ in (None, kind)]
    if not kinds:
        raise ImportFailed(f"There is nothing in {named(source)} that is {_article(as_ or '')}. {_hint(source)}")
    kind = max(kinds, key=kinds.count)
    mine = tuple(part for part in found if told.get(part.path) == kind)
    return Recognised(kind, mine, len(found) - len(mine))


def items(recognised: Recognised, zone: tzinfo) -> Iterator[Item]:
    """Yield all that is in what was recognised, of any format but a diary and a whole export. Raises ImportFailed."""
    if recognised.format == notes.FORMAT:
        yield from notes.items(list(recognised.parts), zone)
        return
    for part in recognised.parts:
        with part.opened() as raw:
            read = json_stream.found(raw, part.path.name)
            if recognised.format == dayone.FORMAT:
                entries = (each.value for each in read if isinstance(each, Element) and each.name == "entries")
                yield from dayone.items(part.path.stem, entries, zone)
            else:
                yield from _talks(recognised.format, part, read, zone)
    if recognised.others:
        yield LeftOut(_OTHER, recognised.others)


def _talks(kind: str, part: Part, read: Iterator[json_stream.Found], zone: tzinfo) -> Iterator[Item]:
    """Yield what is in a list of conversations, or in a file that is one conversation."""
    is_one, read_one, mark = _TALKS[kind]
    whole: dict[str, Any] = {}
    for place, each in enumerate(read, 1):
        match each:
            case Member(name, value):
                whole[name] = value
            case Began(name):
                if name is not None:
                    whole[name] = []
            case Element(name, value):
                if is_one(value):
                    yield from read_one(value, zone)
                elif name == mark:
                    whole[mark].append(value)
                elif name is None:
                    yield Unreadable(f"{part.path.name}, number {place - 1}", "it is no conversation")
            case _:
                assert_never(each)
    if mark in whole:
        yield from read_one(whole, zone)


def _json_kind(part: Part, alone: bool) -> str | None:
    """Return what a JSON file is by how it begins, None when it is something else. A broken one raises, if it stands alone."""
    ending = part.path.suffix.lower()
    if ending != ".json" and not (
        alone and ending not in _LINES and part.head(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    ):
        return None
    try:
        with part.opened() as raw:
            for each in islice(json_stream.found(raw, part.path.name), 4 * _LOOKED_AT):
                if kind := _kind_of(each):
                    return kind
    except ImportFailed:
        if alone and part.path.suffix.lower() == ".json":
            raise
    return None


def _kind_of(each: json_stream.Found) -> str | None:
    match each:
        case Member("format", archive.FORMAT):
            return archive.FORMAT
        case Member("mapping"):
            return chatgpt.FORMAT
        case Began("chat_messages"):
            return claude.FORMAT
        case Element("entries", value) if dayone.is_one(value):
            return dayone.FORMAT
        case Element(_, value):
            return next((kind for kind, (is_one, *_) in _TALKS.items() if is_one(value)), None)
        case _:
            return None


def _texts(source: Path | Upload, found: list[Part], as_: str | None) -> Recognised:
    """Tell notes from a diary, whose every file is dated by its name or by headings."""
    texts = [part for part in found if notes.is_note(part)]
    packed = not _lies_open(source, found)
    if as_ is None and not packed and (not texts or all(_is_dated(part) for part in texts)):
        return Recognised(diary.FORMAT, tuple(found), 0)
    if not texts:
        raise ImportFailed(f"There is no note in {named(source)}: no file that ends in .md or .txt. {_hint(source)}")
    return Recognised(notes.FORMAT, tuple(found), 0)


def _lies_open(source: Path | Upload, found: list[Part]) -> bool:
    """Say whether the files are those that were chosen, and not in a zip."""
    if isinstance(source, Upload):
        return {str(part.path) for part in found} <= {name for name, _ in source.files}
    return source.is_dir() or source.name == str(found[0].path)


def _is_dated(part: Part) -> bool:
    if dates.of_file(part.path):
        return True
    lines = part.head(1 << 16).decode("utf-8", "replace").splitlines()[:_LINES_LOOKED_AT]
    head, rest = markdown.front_matter(iter(lines))
    if any(line.startswith(f"{notes.OURS}:") for line in head):
        return False
    if markdown.front_date(head):
        return True
    return any(entry.when for entry in markdown.under_headings([*rest, *lines[len(head) + len(rest) :]], iter(())))


def _article(kind: str) -> str:
    names = {
        chatgpt.FORMAT: "an export of ChatGPT", claude.FORMAT: "an export of Claude", dayone.FORMAT: "a journal of Day One",
        archive.FORMAT: "an export of Ricordo",
    }  # fmt: skip
    return names.get(kind, "known here")


def _hint(source: Path | Upload) -> str:
    return "Choose the file that the other program gave you, as it came: a .zip, or the .json in it."
