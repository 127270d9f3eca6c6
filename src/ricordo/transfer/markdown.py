"""Diaries as Markdown or plain text. A file that is dated by itself is one entry; in any other each date heading begins one.

A file's own date is that of its front matter, else that of its name. The text of an entry is kept as it stands in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.transfer import dates
from ricordo.transfer.entry import Entry, Item, Unreadable, When
from ricordo.transfer.source import Lines

_HEADING = re.compile(r" {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*")
_DATE_LINE = re.compile(r"\s*date\s*:\s*(.*?)\s*", re.IGNORECASE)
_LABELLED = re.compile(r"\s*date\s*:\s*(?P<date>.*)", re.IGNORECASE)  # as Day One writes over an entry in plain text
_ZONE_NAME = re.compile(r"[A-Z]{2,5}(?:[+-][0-9:]+)?")  # CEST, GMT+2: many mean several offsets, so they are passed over
_UNDERLINE = re.compile(r"(=+|-+)\s*")
_FRONT_LINES = 200  # a front matter that has not ended by then is none


def entries(lines: Lines) -> Iterator[Item]:
    """Yield the entries of a file; bytes that are not text end it, and are named."""
    try:
        yield from _entries(lines)
    except ValueError as error:
        yield Unreadable(str(lines.path.name), str(error))


def _entries(lines: Lines) -> Iterator[Entry]:
    if b"\0" in lines.head():
        raise ValueError("it is not a text file")
    texts = _decoded(lines)
    front, rest = front_matter(texts)
    when = front_date(front) or dates.of_file(lines.path.absolute())
    # Front matter that holds more than the date (a title, tags) is the person's words too.
    kept = front if len(front) > 3 or when is None else []
    if when is not None:
        text = "\n".join([*kept, *rest, *texts]).strip()
        if text:
            yield Entry(when, text)
        return
    yield from under_headings([*kept, *rest], texts)


def _decoded(lines: Lines) -> Iterator[str]:
    for number, line in lines:
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            raise ValueError(f"line {number} is not UTF-8 text; save the file as UTF-8 and import it again") from error


def front_matter(texts: Iterator[str]) -> tuple[list[str], list[str]]:
    """Return the front matter with its dashes, and what else was read in looking for its end."""
    first = next(texts, None)
    if first is None:
        return [], []
    block = [first]
    if first.rstrip() == "---":
        for text in texts:
            block.append(text)
            if text.rstrip() in ("---", "..."):
                return block, []
            if len(block) >= _FRONT_LINES:
                break
    return [], block


def front_date(front: list[str]) -> When | None:
    """Return the date that a front matter names."""
    for line in front:
        if (match := _DATE_LINE.fullmatch(line)) and (when := dates.exact(match[1].strip("\"'"))):
            return when
    return None


def under_headings(first: list[str], texts: Iterator[str]) -> Iterator[Entry]:
    """Yield an entry for each date heading, and one without a date for what stands before the first."""
    when: When | None = None
    entry: list[str] = []
    blank = True
    bare = False
    for text in _both(first, texts):
        if bare and _UNDERLINE.fullmatch(text):
            bare = False
            continue
        found, keep, bare = _date_heading(text, blank)
        blank = not text.strip()
        if found is None:
            entry.append(text)
            continue
        yield from _finished(when, entry)
        when, entry = found, [text] if keep else []
        blank = True
    yield from _finished(when, entry)


def _both(first: list[str], texts: Iterator[str]) -> Iterator[str]:
    yield from first
    yield from texts


def _date_heading(text: str, after_blank: bool) -> tuple[When | None, bool, bool]:
    """Return the date a heading is or begins with, whether its line says more, and whether it is a line without a #."""
    if heading := _HEADING.fullmatch(text):
        found = dates.leading(heading[1])
        return (found[0], bool(found[1]), False) if found else (None, False, False)
    if after_blank:
        labelled = _LABELLED.fullmatch(text)
        found = dates.leading(labelled["date"] if labelled else text)
        if found and (not found[1] or (labelled and _ZONE_NAME.fullmatch(found[1]))):
            return found[0], False, True
    return None, False, False


def _finished(when: When | None, entry: list[str]) -> Iterator[Entry]:
    text = "\n".join(entry).strip()
    # A title over the first date is no entry of its own.
    only_title = when is None and all(not line.strip() or _HEADING.fullmatch(line) for line in entry)
    if text and not only_title:
        yield Entry(when, text)
