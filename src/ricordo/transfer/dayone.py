"""Journals as Day One exports them: one JSON file each, with entries in Markdown, photos beside them.

The one rule: an entry keeps the clock of the place where it was written. Photos do not come in; each is named where it stood.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from ricordo.conversation import Attachment, Role
from ricordo.imported import LeftOut
from ricordo.store.talks import Incoming, Talk
from ricordo.transfer import fields
from ricordo.transfer.entry import Unreadable
from ricordo.transfer.fields import EMPTY, Item, listed, record

FORMAT = "dayone"
_BATCH = 500
_MEDIA = re.compile(r"!\[[^\]]*\]\(dayone-moment:/(?:/|/?(?P<kind>[a-zA-Z]+)/)(?P<id>[0-9A-Za-z-]+)\)")
_KINDS = {"photos": "photo", "videos": "video", "audios": "recording", "pdfAttachments": "PDF"}
_WHERE = ("placeName", "localityName", "country")


def is_one(value: Any) -> bool:
    """Say whether a value is an entry of this format."""
    return isinstance(value, dict) and "creationDate" in value


def items(journal: str, entries: Iterator[Any], zone: tzinfo) -> Iterator[Item]:
    """Yield a journal's entries, some at a time, and what is left out of them."""
    left: Counter[str] = Counter()
    batch: list[Incoming] = []
    for place, value in enumerate(entries, 1):
        if not isinstance(value, dict):
            yield Unreadable(f"{journal}, entry {place}", "it is no entry")
            continue
        said = _entry(value, zone, left)
        if said is None:
            left[EMPTY] += 1
            continue
        if said.at is None:
            yield Unreadable(f"{journal}, entry {place}", "it has no date that can be read")
            continue
        batch.append(said)
        if len(batch) == _BATCH:
            yield _talk(journal, batch)
            batch = []
    if batch:
        yield _talk(journal, batch)
    yield from (LeftOut(what, count) for what, count in left.items())


def _talk(journal: str, entries: list[Incoming]) -> Talk:
    return Talk(f"Diary: {journal}" if journal else "Diary", None, tuple(entries), None, dated=True, group=journal)


def _entry(value: dict[str, Any], zone: tzinfo, left: Counter[str]) -> Incoming | None:
    """Return an entry; None when nothing is written or attached in it."""
    names, attached = {}, []
    for kind, word in _KINDS.items():
        for file in map(record, listed(value.get(kind))):
            name = _name(file, word)
            names[str(file.get("identifier"))] = names[str(file.get("md5"))] = f"({word}: {name})"
            attached.append(Attachment(name, word, ""))
            left[f"{word}s, which are named only"] += 1
    written = _MEDIA.sub(lambda match: names.get(match["id"], "(photo)"), fields.text(value.get("text"))).strip()
    if not written and not attached:
        return None
    place = ", ".join(part for part in (fields.line(record(value.get("location")).get(each)) for each in _WHERE) if part)
    tags = ", ".join(part for part in (fields.line(tag) for tag in listed(value.get("tags"))) if part)
    about = "\n".join([*([f"Tags: {tags}"] if tags else []), *([f"Place: {place}"] if place else [])])
    text = "\n\n".join(part for part in (written, about) if part)
    at = fields.moment(value.get("creationDate"), _zone(value.get("timeZone"), zone))
    key = fields.key(FORMAT, value.get("uuid") or f"{value.get('creationDate')}\n{written}")
    return Incoming(key, None, Role.USER, text, at, attachments=tuple(attached))


def _name(file: dict[str, Any], word: str) -> str:
    given = fields.line(file.get("filename")) or fields.line(file.get("title")) or fields.line(file.get("pdfName"))
    stored = fields.line(file.get("md5")) or fields.line(file.get("identifier")) or word
    kind = fields.line(file.get("type") or file.get("format"), 10)
    return given or (f"{stored}.{kind}" if kind else stored)


def _zone(name: Any, else_: tzinfo) -> tzinfo:
    try:
        return ZoneInfo(name) if isinstance(name, str) and name else else_
    except (KeyError, ValueError, OSError):
        return else_
