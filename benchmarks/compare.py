"""Is everything there that must be, and nothing else? Holds what the server shows against a scripted person's plain model."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from benchmarks.person import Person

_PATIENCE = 60.0  # seconds in which the model must have learned what there is to learn


async def differences(person: Person) -> list[str]:
    """Return what is not as it must be, in words; empty when all is."""
    found: list[str] = []
    kept = person.kept
    shown = {each["id"]: each for each in await person.call("GET", "/conversations")}
    _hold("conversations", set(shown), set(kept.talks), found)
    for key in set(shown) & set(kept.talks):
        talk = kept.talks[key]
        _hold(f"title and Space of {key}", (shown[key]["title"], shown[key]["space"]), (talk.title, talk.space), found)
        stretch = await person.call("GET", f"/conversations/{key}/messages?limit=1000", what="all of a conversation")
        said = [(each["id"], each["role"], each["text"]) for each in stretch["messages"]]
        _hold(f"messages of {key}", said, [(each.id, each.role, each.text) for each in talk.said], found)
        _hold(f"number of messages of {key}", shown[key]["messages"], len(talk.said), found)
    facts = await person.call("GET", "/facts", what="list facts")
    own = {each["id"]: (each["text"], each["pinned"]) for each in facts if each["origin"] == "user"}
    _hold("facts of the person", own, kept.facts, found)
    learned = [each["text"] for each in facts if each["origin"] == "model"]
    _hold("learned facts that nobody said", set(learned) - kept.possible - kept.never, set(), found)
    _hold("learned facts that were taken back", set(learned) & kept.never, set(), found)
    _hold("learned facts that stand twice", len(learned), len(set(learned)), found)
    start = (await person.call("GET", "/start", what="start"))["content"]
    _hold("settings", {name: start["settings"][name] for name in kept.settings}, kept.settings, found)
    _hold("Spaces", {each["id"]: each["name"] for each in start["spaces"]}, kept.spaces, found)
    _hold("drafts", {each["conversation"]: each["text"] for each in start["drafts"]}, kept.drafts, found)
    imports = {each["id"] for each in await person.call("GET", "/data/imports", what="list imports")}
    _hold("imports", imports, set(kept.imports), found)
    return found


async def missing(person: Person, patience: float = _PATIENCE) -> set[str]:
    """Return what the model should have learned by now and has not, once it had a minute for it."""
    until = time.perf_counter() + patience
    while True:
        facts = {each["text"] for each in await person.call("GET", "/facts", what="list facts")}
        left = set(person.kept.due) - facts
        if not left or time.perf_counter() > until:
            return left
        await asyncio.sleep(0.5)


def _hold(what: str, seen: Any, wanted: Any, found: list[str]) -> None:
    if seen == wanted:
        return
    if isinstance(seen, dict):
        seen, wanted = set(seen.items()), set(wanted.items())
    if isinstance(seen, set):
        seen, wanted = seen - wanted, wanted - seen
    found.append(f"{what}: {str(seen)[:300]} in place of {str(wanted)[:300]}")
