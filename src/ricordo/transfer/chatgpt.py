"""Conversations as ChatGPT exports them: each a tree of nodes, of which one path is shown. The other versions come in as well.

The one rule: only what the person and the model said to each other comes in. The machinery between them is counted, not kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import tzinfo
from functools import partial
from typing import Any

from ricordo.conversation import Attachment, Role
from ricordo.transfer import fields
from ricordo.transfer.collecting import Collecting, Part, unreadable
from ricordo.transfer.fields import EMPTY, HIDDEN, SYSTEM, THOUGHTS, TOOLS, UNKNOWN, Item, listed, record

FORMAT = "chatgpt"
_ROLES = {"user": Role.USER, "assistant": Role.MODEL}
_MARKS = re.compile("\ue200[^\ue201]{0,400}\ue201|[\ue200-\ue20f]")  # references of the page, which nothing else can show
_THOUGHTS = ("thoughts", "reasoning_recap")


def is_one(value: Any) -> bool:
    """Say whether a value is a conversation of this format."""
    return isinstance(value, dict) and "mapping" in value


def items(value: Any, zone: tzinfo) -> Iterator[Item]:
    """Yield what is in one conversation, and what is left out of it."""
    whole = record(value)
    title = fields.line(whole.get("title"))
    nodes = whole.get("mapping")
    if not isinstance(nodes, dict):
        yield unreadable(title)
        return
    tree = _Tree(nodes)
    own = whole.get("conversation_id") or whole.get("id") or f"{title}\n{whole.get('create_time')}\n{tree.first_words()}"
    talk = Collecting(FORMAT, own)
    last = None
    for node, above in tree.ordered():
        parent = talk.keys.get(above) if above is not None else None
        last = talk.take(node, parent, _part(record(nodes[node]).get("message"), zone, talk.left)) or last
    current = whole.get("current_node")
    shown = talk.keys.get(current) if isinstance(current, str) else None
    created, updated = (fields.moment(whole.get(name), zone) for name in ("create_time", "update_time"))
    yield from talk.items(title, created, shown or last, updated)  # without a current one: the last child of the last child


def _place(order: dict[str, int], child: str) -> int:
    return order.get(child, len(order))


class _Tree:
    """The nodes of a conversation and what follows what, told by parents, else by lists of children."""

    def __init__(self, nodes: dict[str, Any]) -> None:
        self._nodes = nodes
        told = {
            child: key for key, node in nodes.items() for child in listed(record(node).get("children")) if isinstance(child, str)
        }
        self._below: dict[str | None, list[str]] = {}
        for key, node in nodes.items():
            parent = record(node).get("parent")
            self._below.setdefault(parent if isinstance(parent, str) and parent in nodes else told.get(key), []).append(key)
        for above, below in self._below.items():
            listing = listed(record(nodes.get(above or "")).get("children"))
            order = {str(child): place for place, child in enumerate(listing)}
            below.sort(key=partial(_place, order))

    def ordered(self) -> Iterator[tuple[str, str | None]]:
        """Yield each node once with the one it follows, that one first; where they go in a circle, it is cut."""
        seen: set[str] = set()
        for start in [*self._below.get(None, []), *self._nodes]:
            waiting: list[tuple[str, str | None]] = [(start, None)]
            while waiting:
                node, above = waiting.pop()
                if node in seen:
                    continue
                seen.add(node)
                yield node, above
                waiting += [(child, node) for child in reversed(self._below.get(node, []))]

    def first_words(self) -> str:
        """Return how the conversation begins, by which one without an id is known."""
        for node in self._nodes.values():
            words = fields.line(
                " ".join(map(str, listed(record(record(record(node).get("message")).get("content")).get("parts"))))
            )
            if words:
                return words
        return ""


def _part(message: Any, zone: tzinfo, left: Counter[str]) -> Part | None:
    """Return what a message says; None, and counted, when it stays out."""
    if not isinstance(message, dict):
        return None  # the root, and places without a message
    about, content = record(message.get("metadata")), record(message.get("content"))
    kind = str(content.get("content_type") or "text")
    author = record(message.get("author")).get("role")
    if author == "system":
        left[SYSTEM] += 1
    elif author == "tool" or message.get("recipient") not in (None, "", "all"):
        left[TOOLS] += 1
    elif about.get("is_visually_hidden_from_conversation") or kind in ("user_editable_context", "model_editable_context"):
        left[HIDDEN] += 1
    elif kind in _THOUGHTS:
        left[THOUGHTS] += 1
    elif (role := _ROLES.get(str(author))) is None:
        left[UNKNOWN] += 1
    else:
        text, attached = _content(content, listed(about.get("attachments")))
        if text.strip() or attached:
            at = fields.moment(message.get("create_time"), zone)
            return Part(role, text, at, fields.line(about.get("model_slug"), 100), attached)
        left[EMPTY] += 1
    return None


def _content(content: dict[str, Any], files: list[Any]) -> tuple[str, tuple[Attachment, ...]]:
    texts: list[str] = []
    names = {str(record(file).get("id")): _file(file) for file in files if isinstance(file, dict)}
    for part in listed(content.get("parts")) or [content.get("text"), content.get("result")]:
        if isinstance(part, str):
            texts.append(fields.text(part))
        elif isinstance(part, dict) and isinstance(part.get("text"), str):  # what was spoken, written down
            texts.append(fields.text(part["text"]))
        elif isinstance(part, dict) and (pointer := fields.line(part.get("asset_pointer"))):
            key = pointer.rpartition("/")[2]
            kind = "audio" if "audio" in str(part.get("content_type")) else "image"
            names.setdefault(key, Attachment(f"{kind} {key}", kind, ""))
    text = "\n\n".join(part for part in texts if part.strip())
    return (text if text.isascii() else _MARKS.sub("", text)), tuple(names.values())


def _file(value: dict[str, Any]) -> Attachment:
    kind = value.get("mime_type") or value.get("mimeType")
    return Attachment(fields.line(value.get("name")) or "a file", fields.line(kind, 100), "")
