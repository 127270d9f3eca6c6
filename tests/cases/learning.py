"""Reported failures about what is learned: the canned answer goes through the real reading and checks over a real vault.

`run(case)` says whether one is met, and why not; None where it needs what is not there to be asked.
"""

from __future__ import annotations

import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import Any

from ricordo.change import Removed, Saved, Updated
from ricordo.conversation import Attachment, Turn
from ricordo.errors import NotFound
from ricordo.fact import Fact, InConversation, Origin
from ricordo.hit import FactHit
from ricordo.learn.duplicates import duplicate_of
from ricordo.learn.proposals import read_proposals
from ricordo.learn.reconcile import Outcome, Rules, reconcile
from ricordo.learn.secrets import secret_in
from ricordo.models.answers import Read, read_json
from ricordo.models.scripted import ScriptedModel
from ricordo.store import facts as store
from ricordo.vault import AsyncVault
from tests.vaults import events, with_vault

AREAS = ("extract", "factops", "inject")
Verdict = tuple[bool | None, str]
# What only the hidden call itself can show.
_CALL = ("extraction_prompt_", "extraction_calls_max", "outgoing_prompt_must_not_contain", "reply_to_user_unchanged")


@dataclass(slots=True)
class Ran:
    """What a case left behind: all facts, and what was refused in all its runs."""

    facts: list[str]
    refused: list[str] = field(default_factory=list)


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code."""
    given, expected = case["input"], case["expected"]
    with tempfile.TemporaryDirectory() as folder:
        if case["check"] == "db":
            return with_vault(pathlib.Path(folder), lambda vault: _deleted(vault, given, expected))
        if case["check"] != "fake_model":
            return None, f"a {case['check']} case of what is sent to a model: not judged here"
        turns = given.get("turns") or [given["turn"]]
        answers = given.get("model_outputs") or [given["model_output"]] * len(turns)
        model = ScriptedModel(*(turn.get("assistant") or "." for turn in turns))
        ran = with_vault(pathlib.Path(folder), lambda vault: _learn(vault, given, turns, answers), model)
    waits = []
    for key, wanted in expected.items():
        if key in ("note", "hint", "never"):
            continue
        if key.startswith(_CALL):
            waits.append(key)
            continue
        met = _met(key, wanted, ran)
        if met is None:
            return None, f"nothing here shows {key}"
        if not met:
            return False, f"{key} should be {wanted!r}; facts {ran.facts!r}; refused {ran.refused!r}"
    if waits:
        return None, f"met so far; {', '.join(waits)} can be judged when there is an extractor to call"
    return True, ""


def _met(key: str, wanted: Any, ran: Ran) -> bool | None:
    small = [text.casefold() for text in ran.facts]
    match key:
        case "facts_after":
            return sorted(ran.facts) == sorted(wanted)
        case "facts_after_one_of":
            return any(sorted(ran.facts) == sorted(one) for one in wanted)
        case "no_fact_has":
            return not any(word.casefold() in text for word in wanted for text in small)
        case "some_fact_has":
            return all(any(all(word.casefold() in text for word in words) for text in small) for words in wanted)
        case "facts_count":
            return len(ran.facts) == wanted
        case "facts_count_max":
            return len(ran.facts) <= wanted
        case "skipped_ops":
            return len(ran.refused) == wanted
        case "raises":
            return wanted is False
        case _:
            return None


async def _learn(vault: AsyncVault, given: dict[str, Any], turns: list[dict[str, str]], answers: list[str]) -> Ran:
    """Talk, and after each turn let the canned answer be read, checked and applied."""
    talk = (await vault.conversations.create()).id
    home = InConversation(talk)
    for text in given.get("existing_facts", []):
        await vault._database.write(lambda c, text=text: store.insert(c, text, Origin.MODEL, home, vault.now()))
    pages = tuple(Attachment(page.get("url", "page"), "text/html", page["text"]) for page in given.get("fetched_pages", []))
    refused = []
    for turn, answer in zip(turns, answers, strict=True):
        await events(vault.reply(talk, turn["user"], pages))
        *_, asked, reply = await vault.conversations.messages(talk)
        outcome = await _read(vault, home, Turn(asked, reply), answer)
        refused += [refusal.reason for refusal in outcome.refused]
    return Ran([fact.text for fact in await vault.facts.all()], refused)


async def _read(vault: AsyncVault, home: InConversation, turn: Turn, answer: str) -> Outcome:
    known = sorted(await vault.facts.all(home), key=lambda fact: fact.id)
    reading = read_json(answer)
    proposals = read_proposals(reading.value, [fact.text for fact in known]) if isinstance(reading, Read) else ()
    outcome = reconcile(proposals, [turn], known, home, vault.now(), RULES)
    for accepted in outcome.changes:
        await vault._database.write(lambda c, edit=accepted.edit: _apply(c, edit))
    return outcome


def _apply(connection: Any, edit: Saved | Updated | Removed) -> Fact:
    match edit:
        case Saved(fact):
            return store.insert(connection, fact.text, fact.origin, fact.home, fact.created, sources=fact.sources)
        case Updated(_, fact):
            return store.rewrite(connection, fact.id, fact.text, fact.updated)
        case Removed(fact):
            return store.delete(connection, fact.id, None)


def _known(text: str, known: Any) -> int | None:
    found = duplicate_of(text, known)
    return None if found is None else found.index


RULES = Rules(secret_in, _known)


async def _deleted(vault: AsyncVault, given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Forget each fact that the action names, and look for it afterwards."""
    talk = (await vault.conversations.create()).id
    await vault.write(talk, " ".join(given["existing_facts"]))
    ids = [(await vault.facts.add(text, InConversation(talk))).id for text in given["existing_facts"]]
    shown: dict[str, Any] = {}
    for name in (key for key in expected if key.startswith("delete_")):
        number = int(name.removeprefix("delete_"))
        try:
            await vault.facts.delete(ids[number - 1] if number <= len(ids) else number)
            shown[name] = {"status": "deleted", "count": 1}
        except NotFound:
            shown[name] = {"status": "not found", "count": 0}
        if shown[name] != expected[name]:
            return False, f"{name} is {shown[name]}"
    for word in expected.get("search_for", {}):
        if any(isinstance(hit, FactHit) for hit in await vault.search(word)):
            return False, f"a search for {word} still finds the fact"
    return True, ""
