"""Reported failures of full-text search, held against a real index: what the person looks for, and what recall looks for.

`run(case)` says whether one is met, and why not; None where it asks for what is not shown here.
"""

from __future__ import annotations

import pathlib
import tempfile
from dataclasses import replace
from typing import Any

from ricordo.conversation import Reach, Scope
from ricordo.fact import Global
from ricordo.hit import FactHit, MessageHit
from ricordo.models.scripted import ScriptedModel
from ricordo.recall.gather import Gathered, Search, Where, gather
from ricordo.store.excerpts import SHORTEST
from ricordo.vault import AsyncVault
from tests.vaults import with_vault

AREAS = ("fts",)
Verdict = tuple[bool | None, str]
_UNSAID = ("note", "hint", "raises", "convention")


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code. That nothing is raised is shown by the search itself."""
    given, expected = case["input"], case["expected"]
    docs = given.get("docs_u", given.get("docs"))
    queries = [given[name] for name in ("query", "query_u") if name in given]
    queries += [query for name in ("queries", "queries_u") for query in given.get(name, [])]
    if docs is None or not queries:
        return None, "names no documents or nothing to search for"
    with tempfile.TemporaryDirectory() as name:
        found = with_vault(pathlib.Path(name), lambda vault: _found(vault, docs, queries), ScriptedModel())
    for key, wanted in expected.items():
        for query, ways in zip(queries, found, strict=True):
            for way, numbers in ways.items():
                met = _met(key, wanted, numbers)
                if met is None:
                    return None, f"nothing here shows {key}"
                if not met:
                    return False, f"{query!r} finds {numbers} by {way}; {key} is {wanted}"
    return True, ""


def _met(key: str, wanted: Any, numbers: list[int]) -> bool | None:
    match key:
        case _ if key in _UNSAID:
            return True
        case "matches_docs" | "matches":
            return sorted(numbers) == sorted(wanted)
        case "matches_docs_one_of":
            return sorted(numbers) in [sorted(one) for one in wanted]
        case "matches_docs_has":
            return set(wanted) <= set(numbers)
        case "first" | "best":
            return numbers[:1] == [wanted]
        case "not_matches_docs" | "not_matched":
            return set(wanted).isdisjoint(numbers)
        case "matches_count":
            return len(numbers) == wanted
        case _:
            return None


async def _found(vault: AsyncVault, docs: list[str], queries: list[str]) -> list[dict[str, list[int]]]:
    """Return the documents that each query finds: as facts and as entries, by the person's search and by recall's."""
    await vault.set(global_memories=True)
    talk = (await vault.conversations.create()).id
    facts = {(await vault.facts.add(text, Global())).id: at for at, text in enumerate(docs)}
    # What is too short for an excerpt is found as a fact alone (N3).
    entries = {(await vault.write(talk, text)).id: at for at, text in enumerate(docs) if len(text.strip()) >= SHORTEST}
    where = Where(Scope(Reach.CONVERSATION, talk, None), vault.now(), vault.zone(), global_facts=True)
    found = []
    for query in queries:
        hits = await vault.search(query)
        # Entries and facts apart, since of two copies only one is found.
        told = await _gathered(vault, query, replace(where, without_messages=frozenset(entries)))
        said = await _gathered(vault, query, replace(where, without_facts=frozenset(facts)))
        by_person = [facts[hit.fact.id] for hit in hits if isinstance(hit, FactHit)]
        ways = {"searching facts": by_person, "recalling facts": [facts[each.found.id] for each in told]}
        if len(entries) == len(docs):
            ways["searching entries"] = [entries[hit.message.id] for hit in hits if isinstance(hit, MessageHit)]
            ways["recalling entries"] = [entries[each.found.id] for each in said]
        found.append(ways)
    return found


async def _gathered(vault: AsyncVault, query: str, where: Where) -> list[Gathered]:
    """Return what recall finds; a neighbour is looked at only for what stands beside it, and holds nothing itself."""
    loaded = vault._database.vectors
    return [each for each in await vault._database.read(lambda c: gather(c, loaded, [Search(query)], where, 50)) if each.fit > 0]
