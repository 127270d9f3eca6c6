"""Reported failures of imports, held against real files and a real vault.

`run(case)` says whether one is met, and why not; None where it asks for what is not shown here.
"""

from __future__ import annotations

import json
import pathlib
import re
import tempfile
import zipfile
from dataclasses import dataclass, field
from typing import Any

import yaml

from ricordo.conversation import Message, Role
from ricordo.errors import ImportFailed
from ricordo.hit import MessageHit
from ricordo.imported import Imported, Preview
from ricordo.transfer import front_matter
from ricordo.vault import AsyncVault
from tests.vaults import with_vault

AREAS = ("import",)
Verdict = tuple[bool | None, str]
_UNSAID = ("note", "hint", "raises", "convention")
_LEFT = {"chats_skipped_empty": "conversations without a message"}


@dataclass(slots=True)
class Shown:
    """What an import came to."""

    seen: Preview | None = None
    done: Imported | None = None
    again: Imported | None = None
    failure: str = ""
    talks: list[tuple[str, list[Message]]] = field(default_factory=list)
    found: dict[str, list[str]] = field(default_factory=dict)


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code."""
    given, expected = case["input"], case["expected"]
    if "titles" in given:
        return _titles(given["titles"])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = _written(folder, given)
        if source is None:
            return None, "nothing here takes such a case"
        words = [key.split("_")[1] for key in expected if key.startswith("search_")]
        as_ = given.get("format", "").split(" ")[0] or None
        shown = with_vault(folder, lambda vault: _shown(vault, source, as_, words))
    for key, wanted in expected.items():
        if key not in _UNSAID:
            met = _met(key, wanted, shown)
            if met is None:
                return None, f"nothing here shows {key}"
            if not met:
                return False, f"{key} should be {wanted!r}; there is {shown!r}"
    return True, ""


async def _shown(vault: AsyncVault, source: pathlib.Path, as_: str | None, words: list[str]) -> Shown:
    shown = Shown()
    try:
        shown.seen = await vault.imports.preview(source, as_)
        shown.done = await vault.imports.bring(source, as_)
        shown.again = await vault.imports.bring(source, as_)
    except ImportFailed as error:
        shown.failure = str(error)
    for talk in sorted(await vault.conversations.all(), key=lambda talk: talk.id):
        shown.talks.append((talk.title, list(await vault.conversations.messages(talk.id))))
    for word in words:
        shown.found[word] = [hit.message.text for hit in await vault.search(word) if isinstance(hit, MessageHit)]
    return shown


def _met(key: str, wanted: Any, shown: Shown) -> bool | None:
    done, said = shown.done, [message for _, messages in shown.talks for message in messages]
    left = {each.what: each.count for each in done.left_out} if done else {}
    counts = {
        "chats_imported": len(shown.talks),
        "chats_failed": len(done.unreadable) if done else 0,
        "warnings": len(done.unreadable) if done else 0,
        **{name: left.get(what, 0) for name, what in _LEFT.items()},
    }
    counts["imported_plus_skipped_plus_failed"] = sum(counts[name] for name in ("chats_imported", "chats_failed", *_LEFT))
    match key:
        case _ if key in counts:
            return bool(counts[key] == wanted)
        case "detected":
            return done is not None and done.format == wanted
        case "status":
            return done is not None and (wanted == "partial") == bool(done.unreadable)
        case "failed_titles":
            return done is not None and all(any(title in odd for odd in done.unreadable) for title in wanted)
        case "messages":
            roles = {"user": Role.USER, "assistant": Role.MODEL}
            return [(message.role, message.text) for message in said] == [(roles[role], text) for role, text in wanted]
        case "message_text":
            return [message.text for message in said] == [wanted]
        case "order":
            return [message.text for message in said] == wanted
        case "nowhere_in_messages":
            return not any(text in message.text for text in wanted for message in said)
        case "times_never_decrease":
            times = [message.at.utc for message in said]
            return (times == sorted(times)) is wanted
        case "titles":
            return [title for title, _ in shown.talks] == wanted
        case "imported":  # each file holds a word of its own
            return len(said) == len(wanted)
        case "second_import_adds" | "new_on_second_import":
            return shown.again is not None and shown.again.messages == wanted
        case _ if match := re.fullmatch(r"search_(\w+)_finds", key):
            return len(shown.found[match[1]]) == 1 and match[1] in shown.found[match[1]][0]
        case _:
            return None


def _titles(titles: list[str]) -> Verdict:
    """Write each title into the head of a note; a YAML reader, and ours, give back the same."""
    for title in titles:
        head = front_matter.written({"title": title, "tags": "a"})
        lines = head.strip().split("\n")[1:-1]
        if yaml.safe_load("\n".join(lines))["title"] != title or front_matter.read(lines)[0]["title"] != title:
            return False, f"{title!r} is written as {head!r}"
    return True, ""


def _written(folder: pathlib.Path, given: dict[str, Any]) -> pathlib.Path | None:
    """Write what a case describes as the other program would; None where it describes nothing that is known here."""
    kind = given.get("format", "chatgpt").split(" ")[0]
    target = folder / "conversations.json"
    match given:
        case {"conversations": value}:
            return _json(target, value)
        case {"entries": value}:
            return _json(folder / "Journal.json", {"metadata": {"version": "1.0"}, "entries": value})
        case {"message": message}:
            return _json(target, [_claude([message], given) if kind == "claude" else _chatgpt(str(message), "One")])
        case {"messages": messages} if kind == "claude":
            told = [{"sender": sender, "text": text, "created_at": at} for sender, text, at in messages]
            return _json(target, [_claude(told, given)])
        case {"chat_kinds": kinds}:
            told = {
                "text": [{"sender": "human", "text": "Hello"}],
                "attachment only": [
                    {"sender": "human", "text": "", "attachments": [{"file_name": "a.txt", "extracted_content": "x"}]}
                ],
                "wholly empty": [{"sender": "human", "text": ""}],
            }
            return _json(target, [{**_claude(told[each], given), "uuid": each, "name": each} for each in kinds])
        case {"files": dict(files)}:
            (folder / "notes").mkdir()
            for name, text in files.items():
                (folder / "notes" / name).write_text(text, encoding="utf-8")
            return folder / "notes"
        case {"files": list(names)}:
            return _packed(folder / "export.zip", names)
        case _:
            return None


def _json(path: pathlib.Path, value: Any) -> pathlib.Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def _packed(path: pathlib.Path, names: list[str]) -> pathlib.Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            match = re.fullmatch(r"(\S+)(?: \((\d+) chats?\))?", name)
            assert match is not None
            chats = [_chatgpt("Hello", f"{match[1]} {number}") for number in range(int(match[2] or 0))]
            archive.writestr(match[1], json.dumps(chats) if chats else "{}")
    return path


def _chatgpt(text: str, title: str) -> dict[str, Any]:
    said = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]}, "create_time": 1700000000.5}
    root = {"id": "r", "parent": None, "message": None}
    return {"title": title, "create_time": 1700000000, "mapping": {"r": root, "a": {"id": "a", "parent": "r", "message": said}}}


def _claude(messages: list[dict[str, Any]], given: dict[str, Any]) -> dict[str, Any]:
    begun = given.get("chat_created_at", "2026-02-01T10:00:00Z")
    told = [{"uuid": f"m{place}", **each} for place, each in enumerate(messages)]
    return {"uuid": "u1", "name": "One", "created_at": begun, "chat_messages": told}
