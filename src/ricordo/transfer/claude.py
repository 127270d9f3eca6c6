"""Conversations as Claude exports them: messages in order, each with blocks of content and with files.

The one rule: a message's text is that of its text blocks; thoughts and tool calls stand among them and are no part of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import tzinfo
from typing import Any

from ricordo.conversation import Attachment, Role
from ricordo.transfer import fields
from ricordo.transfer.collecting import Collecting, Part, unreadable
from ricordo.transfer.fields import EMPTY, THOUGHTS, TOOLS, UNKNOWN, Item, listed, record

FORMAT = "claude"
_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.MODEL}
_FILES = ("image", "document", "file")


def is_one(value: Any) -> bool:
    """Say whether a value is a conversation of this format."""
    return isinstance(value, dict) and "chat_messages" in value


def items(value: Any, zone: tzinfo) -> Iterator[Item]:
    """Yield what is in one conversation, and what is left out of it."""
    whole = record(value)
    title = fields.line(whole.get("name"))
    written = whole.get("chat_messages")
    if not isinstance(written, list):
        yield unreadable(title)
        return
    talk = Collecting(FORMAT, whole.get("uuid") or f"{title}\n{whole.get('created_at')}")
    before: str | None = None  # the last that came in
    for place, each in enumerate(map(record, written)):
        name = str(each.get("uuid") or place)
        if name in talk.keys:
            name = f"{name} {place}"
        parent = _above(each.get("parent_message_uuid"), talk.keys, before)
        before = talk.take(name, parent, _part(each, zone, talk.left)) or before
    last = whole.get("current_leaf_message_uuid")
    shown = talk.keys.get(last, before) if isinstance(last, str) else before
    yield from talk.items(title, fields.moment(whole.get("created_at"), zone), shown)


def _above(name: Any, keys: Mapping[str, str | None], before: str | None) -> str | None:
    """Return the key of what a message follows: what it names, nothing where that is the mark of a beginning, else the last."""
    if isinstance(name, str) and name in keys:
        return keys[name]
    return None if str(name).startswith("00000000-0000") else before


def _part(message: dict[str, Any], zone: tzinfo, left: Counter[str]) -> Part | None:
    """Return what a message says; None, and counted, when it stays out."""
    role = _ROLES.get(str(message.get("sender") or message.get("role")))
    if role is None:
        left[UNKNOWN] += 1
        return None
    content = message.get("content")
    blocks = [record(block) for block in listed(content)]
    texts = [fields.text(block.get("text")) for block in blocks if block.get("type", "text") == "text"]
    text = "\n\n".join(each for each in texts if each.strip())
    if not text.strip():
        text = fields.text(message.get("text")) or fields.text(content)
    for block in blocks:
        kind = str(block.get("type"))
        if "thinking" in kind:
            left[THOUGHTS] += 1
        elif kind.startswith("tool_"):
            left[TOOLS] += 1
    attached = _attached(message, blocks)
    if text.strip() or attached:
        return Part(role, text, fields.moment(message.get("created_at"), zone), "", attached)
    left[EMPTY] += 1
    return None


def _attached(message: dict[str, Any], blocks: list[dict[str, Any]]) -> tuple[Attachment, ...]:
    found = {}
    for place, file in enumerate(map(record, listed(message.get("attachments")))):
        name = fields.line(file.get("file_name")) or "pasted text"
        text = fields.text(file.get("extracted_content"))
        found[f"{name}\n{place}"] = Attachment(name, fields.line(file.get("file_type"), 100), text)
    for file in map(record, [*listed(message.get("files")), *listed(message.get("files_v2"))]):
        name = fields.line(file.get("file_name")) or fields.line(file.get("file_uuid")) or "a file"
        found.setdefault(name, Attachment(name, fields.line(file.get("file_kind"), 100), ""))
    for block in blocks:
        if (kind := block.get("type")) in _FILES:
            name = fields.line(block.get("file_name") or block.get("title")) or str(kind)
            found.setdefault(name, Attachment(name, str(kind), ""))
    return tuple(found.values())
