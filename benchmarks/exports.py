"""An export of ChatGPT made up to the real format: trees with hidden and system nodes, tool calls, replies tried again."""

from __future__ import annotations

import json
import pathlib
import random
import uuid
from collections.abc import Iterator
from typing import Any

from benchmarks import texts

MODEL = "gpt-4o"
BEGUN = 1_672_531_200.0  # 2023-01-01
Node = dict[str, Any]


def write(path: pathlib.Path, conversations: int, turns: int = 10, seed: int = 1) -> int:
    """Write so many conversations of about so many turns; return how many messages an import should bring.

    The same seed gives the same conversations, whatever their number: a larger export is a newer one of the same account.
    """
    said = texts.messages(conversations * turns * 20, 30)
    expected = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number in range(conversations):
            one, count = conversation(number, random.Random(f"{seed} {number}"), turns, said)
            file.write(("," if number else "") + json.dumps(one, ensure_ascii=False))
            expected += count
        file.write("]")
    return expected


def conversation(number: int, chance: random.Random, turns: int, said: Iterator[str]) -> tuple[dict[str, Any], int]:
    """Return a conversation and how many of its nodes are messages between a person and a model."""
    at = BEGUN + number * 7200
    mapping: dict[str, Node] = {}
    count = 0

    def add(parent: str | None, message: dict[str, Any] | None) -> str:
        key = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        if message is not None:
            message["id"] = key
        mapping[key] = {"id": key, "message": message, "parent": parent, "children": []}
        if parent is not None:
            mapping[parent]["children"].append(key)
        return key

    last = add(add(None, None), _message("system", "", None, is_visually_hidden_from_conversation=True))
    for _ in range(chance.randint(max(1, turns // 2), turns + turns // 2)):
        at += chance.uniform(20, 900)
        last = add(last, _message("user", next(said), at, timestamp_="absolute"))
        count += 1
        if chance.random() < 0.15:
            last = add(last, _message("assistant", "search('x')", at + 2, recipient="browser", model_slug=MODEL))
            last = add(last, _message("tool", "x", at + 3))
        asked = last
        for _ in range(2 if chance.random() < 0.1 else 1):
            reply = " ".join(next(said) for _ in range(chance.randint(1, 8)))
            last = add(asked, _message("assistant", reply, at + 5 if chance.random() > 0.02 else None, model_slug=MODEL))
            count += 1
    key = str(uuid.UUID(int=chance.getrandbits(128), version=4))
    return {
        "title": f"Talk {number}",
        "create_time": BEGUN + number * 7200,
        "update_time": at,
        "mapping": mapping,
        "moderation_results": [],
        "current_node": last,
        "plugin_ids": None,
        "conversation_id": key,
        "conversation_template_id": None,
        "gizmo_id": None,
        "is_archived": False,
        "safe_urls": [],
        "default_model_slug": MODEL,
        "id": key,
    }, count


def _message(role: str, text: str, at: float | None, recipient: str = "all", **metadata: Any) -> dict[str, Any]:
    return {
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "end_turn": role == "assistant",
        "weight": 1.0,
        "metadata": metadata,
        "recipient": recipient,
        "channel": None,
    }
