"""Conversations as Claude exports them: messages in order, each with blocks of content and with files.

The one rule: a message's text is that of its text blocks; thoughts and tool calls stand among them and are no part of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

from ricordo.conversation import Attachment, Role
from ricordo.imported import LeftOut
from ricordo.store.talks import Said, Talk
from ricordo.transfer import fields
from ricordo.transfer.entry import Unreadable
from ricordo.transfer.fields import EMPTY, NO_TALK, THOUGHTS, TOOLS, UNKNOWN, Item, Undated, listed, record

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
        yield Unreadable(title or "A conversation without a title", "it has no messages that can be read")
        return
    own = whole.get("uuid") or f"{title}\n{whole.get('created_at')}"
    created = fields.moment(whole.get("created_at"), zone)
    left: Counter[str] = Counter()
    said: list[Said] = []
    stands_for: dict[str, str | None] = {}
    before: str | None = None  # the last that came in
    for place, each in enumerate(written):
        name = str(record(each).get("uuid") or place)
        if name in stands_for:
            name = f"{name} {place}"
        above = record(each).get("parent_message_uuid")
        parent = (
            stands_for[above] if above in stands_for else before if above is None or place == 0 else _beginning(above, before)
        )
        found = _said(record(each), left)
        if found is None:
            stands_for[name] = parent
            continue
        role, text, attached = found
        key = fields.key(FORMAT, own, name)
        said.append(Said(key, parent, role, text, fields.moment(record(each).get("created_at"), zone), "", attached))
        stands_for[name] = before = key
    timed, missing = fields.filled(said, created)
    if timed:
        last = whole.get("current_leaf_message_uuid")
        yield Talk(title, created, timed, stands_for.get(last, before) if isinstance(last, str) else before)
    else:
        left[NO_TALK] += 1
    yield Undated(missing)
    yield from (LeftOut(what, count) for what, count in left.items())


def _beginning(above: Any, before: str | None) -> str | None:
    """Return what a message follows whose parent is not there: nothing, where that is the mark of a beginning."""
    return None if str(above).startswith("00000000-0000") else before


def _said(message: dict[str, Any], left: Counter[str]) -> tuple[Role, str, tuple[Attachment, ...]] | None:
    """Return role, text and attachments of a message; None, and counted, when it stays out."""
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
        return role, text, attached
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
