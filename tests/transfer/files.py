"""Exports of other programs, made small for tests, in the form that those programs give them."""

import json
import pathlib
import zipfile
from typing import Any

Node = dict[str, Any]


def said(role: str, text: Any, at: float | None = 1_700_000_000.0, **more: Any) -> Node:
    """Return a message as ChatGPT writes it."""
    metadata = more.pop("metadata", {})
    content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
    return {"author": {"role": role}, "create_time": at, "content": content, "metadata": metadata, "recipient": "all", **more}


def chatgpt(key: str, *nodes: tuple[str, str | None, Node | None], current: str | None = None, **more: Any) -> Node:
    """Return a conversation of ChatGPT made of nodes (id, parent, message)."""
    mapping = {node: {"id": node, "parent": parent, "message": message, "children": []} for node, parent, message in nodes}
    for node, parent, _ in nodes:
        if parent is not None:
            mapping[parent]["children"].append(node)
    return {
        "title": f"Talk {key}",
        "create_time": 1_700_000_000.0,
        "update_time": 1_700_000_900.0,
        "mapping": mapping,
        "current_node": current or nodes[-1][0],
        "conversation_id": key,
        **more,
    }


def simple(key: str, *texts: str) -> Node:
    """Return a conversation of ChatGPT in which the person and the model take turns."""
    nodes: list[tuple[str, str | None, Node | None]] = [("root", None, None)]
    for place, text in enumerate(texts):
        role = "assistant" if place % 2 else "user"
        nodes.append((f"{key}-{place}", nodes[-1][0], said(role, text, 1_700_000_000.0 + 60 * place)))
    return chatgpt(key, *nodes)


def claude(key: str, *messages: tuple[str, str], **more: Any) -> Node:
    """Return a conversation of Claude from (sender, text)."""
    told = [
        {
            "uuid": f"{key}-{place}",
            "sender": sender,
            "text": text,
            "content": [{"type": "text", "text": text}],
            "created_at": f"2026-02-01T10:{place:02}:00.000000Z",
            "attachments": [],
            "files": [],
        }
        for place, (sender, text) in enumerate(messages)
    ]
    return {"uuid": key, "name": f"Talk {key}", "created_at": "2026-02-01T10:00:00.000000Z", "chat_messages": told, **more}


def journal(*entries: Node) -> Node:
    """Return a journal of Day One."""
    return {"metadata": {"version": "1.0"}, "entries": list(entries)}


def entry(key: str, text: str, date: str = "2024-05-03T21:30:00Z", zone: str = "Europe/Rome", **more: Any) -> Node:
    """Return an entry of Day One."""
    return {"uuid": key, "creationDate": date, "timeZone": zone, "text": text, **more}


def written(path: pathlib.Path, value: Any) -> pathlib.Path:
    """Write a value as JSON."""
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def packed(path: pathlib.Path, **files: Any) -> pathlib.Path:
    """Write a zip of JSON and other files; __ in a name stands for /, and the last _ for a dot."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in files.items():
            data = value if isinstance(value, bytes) else json.dumps(value)
            archive.writestr(".".join(name.replace("__", "/").rsplit("_", 1)), data)
    return path
