"""Reported failures of finding memories, held against recall itself: plan, gather, check, on a real vault.

`run(case)` says whether one is met, and why not; None where it asks for what is not shown here. Where words alone are searched
the model keeps all that it is asked about; where meaning is searched the scores decide.
"""

from __future__ import annotations

import json
import pathlib
import re
import tempfile
from contextlib import nullcontext, suppress
from typing import Any

from ricordo.conversation import Message, Reach, Role, Scope, Status
from ricordo.errors import ModelError
from ricordo.fact import Global
from ricordo.hit import FactHit
from ricordo.models.base import Embedder
from ricordo.models.embedder import EmbeddedEmbedder
from ricordo.models.scripted import ScriptedModel
from ricordo.models.server_embedder import ServerEmbedder
from ricordo.prompt import ChatMessage
from ricordo.recall import relevance
from ricordo.recall.embedding import embed_due
from ricordo.recall.gather import Where
from ricordo.recall.recalling import Asked, Means, Recalled, recall
from ricordo.recall.shorten import ShortForms
from ricordo.store import vectors
from ricordo.vault import AsyncVault
from tests.embedders import HashEmbedder
from tests.fake_server import FakeServer, Reply
from tests.vaults import with_vault

AREAS = ("retrieve",)
Verdict = tuple[bool | None, str]
_UNSAID = ("note", "hint", "raises", "convention")
_TALK = (ChatMessage("system", "You are the companion in a diary."),)
_LONG = 20  # letters, above which a server that refuses long texts refuses one
_SHARE = 1_000_000  # tokens: what is found is to be shown whole


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code. That nothing is raised is shown by the search itself."""
    given, expected = case["input"], case["expected"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if "facts_embedded_with" in given:
            shown = with_vault(folder, lambda vault: _other_model(vault, given), ScriptedModel())
            return _told(shown, expected)
        if "embedder_reply" in given:
            with FakeServer() as server:
                shown = with_vault(folder, lambda vault: _refused(vault, given, server), ScriptedModel())
            return _told(shown, expected)
        facts = given.get("facts_u", given.get("facts"))
        queries = [given[key] for key in ("query", "query_u") if key in given]
        queries += [query for key in ("queries", "queries_u") for query in given.get(key, [])]
        if facts is None or not queries:
            return None, "names nothing to search in, or nothing to search for"
        mode = given.get("mode", "shared words")
        returned = with_vault(folder, lambda vault: _returned(vault, facts, queries, mode), ScriptedModel())
    for key, wanted in expected.items():
        for query, found in zip(queries, returned, strict=True):
            met = _met(key, wanted, found)
            if met is None:
                return None, f"nothing here shows {key}"
            if not met:
                return False, f"{query!r} returns {found}; {key} is {wanted}"
    return True, ""


def _met(key: str, wanted: Any, found: list[str]) -> bool | None:
    match key:
        case _ if key in _UNSAID:
            return True
        case "returned":
            return sorted(found) == sorted(wanted)
        case "returned_has" | "returned_must_have":
            return all(any(words in text for text in found) for words in wanted)
        case "not_returned" | "returned_has_not":
            return not any(words in text for words in wanted for text in found)
        case "returned_first" | "first":
            return bool(found) and all(words in found[0] for words in ([wanted] if isinstance(wanted, str) else wanted))
        case "returned_order":
            return [next((at for at, text in enumerate(found) if words in text), -1) for words in wanted] == sorted(
                {at for words in wanted for at, text in enumerate(found) if words in text}
            )
        case "each_query_returns" | "returned_count":
            return len(found) == wanted
        case "returned_count_max" | "returned_max":
            return len(found) <= wanted
        case "returned_count_min" | "returned_min":
            return len(found) >= wanted
        case _:
            return None


def _told(shown: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    for key, wanted in expected.items():
        name = key.removesuffix("_max")
        if key in _UNSAID:
            continue
        if name in shown:
            met: bool | None = shown[name] <= wanted if key.endswith("_max") else shown[name] == wanted
        else:
            met = _met(key, wanted, shown["found"]) if "found" in shown else None
        if met is None:
            return None, f"nothing here shows {key}"
        if not met:
            return False, f"{key} should be {wanted!r}; there is {shown!r}"
    return True, ""


async def _returned(vault: AsyncVault, facts: list[str], queries: list[str], mode: str) -> list[list[str]]:
    """Return the facts that each query brings into a prompt, those first whose score is best."""
    await vault.set(global_memories=True)
    for text in facts:
        await vault.facts.add(text, Global())
    embedder = EmbeddedEmbedder() if "embedding" in mode else None
    if embedder is not None:
        await _embed(vault, embedder)
    returned = []
    for query in queries:
        found = await _recalled(vault, query, embedder)
        if "FTS" in mode:
            hits = [hit.fact.text for hit in await vault.search(query) if isinstance(hit, FactHit)]
            assert set(found) == set(hits), f"recall finds {found}, the person's search {hits}"
        returned.append(found)
    if embedder is not None:
        await embedder.aclose()
    return returned


async def _recalled(vault: AsyncVault, query: str, embedder: Embedder | None) -> list[str]:
    made = await _recall(vault, query, embedder)
    order = [one["fact"] for step in made.steps if step["step"] == "gather" for one in step["candidates"]]
    entries = {entry.fact: entry.text for found in made.found for entry in found.entries}
    return [entries[key] for key in order if key in entries]


async def _recall(vault: AsyncVault, query: str, embedder: Embedder | None) -> Recalled:
    """Recall for a message in a new conversation. A model is asked only where words alone are searched."""
    model = ScriptedModel(_keeps_all)
    means = Means(vault._database, model, embedder, ShortForms(), lambda text: len(text) // 4, 0.0 if embedder else 60.0)
    message = Message(0, 0, None, Role.USER, query, vault.now(), Status.COMPLETE)
    model_name = embedder.name if embedder else None
    where = Where(Scope(Reach.VAULT, None, None), vault.now(), vault.zone(), model_name, global_facts=True)
    return await recall(means, Asked(message, _TALK, (), _SHARE), where)


def _keeps_all(messages: tuple[ChatMessage, ...]) -> str:
    asked = messages[-1].content
    if relevance.QUESTION_LIST in asked:
        return ", ".join(re.findall(r"^(\d+)\. ", asked, re.MULTILINE))
    return "yes" if relevance.QUESTION in asked else ""


async def _embed(vault: AsyncVault, embedder: Embedder) -> None:
    database = vault._database
    passed_over: set[Any] = set()
    while await embed_due(database, embedder, nullcontext, lambda *_: None, passed_over):
        pass
    await database.load_vectors(embedder.name)


async def _other_model(vault: AsyncVault, given: dict[str, Any]) -> dict[str, Any]:
    """Choose another embedding model, and look for what is new and what is old before and after all is embedded again."""
    await vault.set(global_memories=True)
    old = HashEmbedder("old", given["facts_embedded_with"]["dim"])
    texts = [f"The user keeps {pet} in the shed." for pet in ("herons", "otters", "badgers", "weasels", "lynxes", "moles")]
    for text in texts[: given["facts_embedded_with"]["count"]]:
        await vault.facts.add(text, Global())
    await _embed(vault, old)
    new = HashEmbedder("new", given["new_embedder_dim"])
    added = [step.split("'")[1] for step in given["then"] if step.startswith("add fact")]
    for text in added:
        await vault.facts.add(text, Global())
    figs = [text for text in await _recalled(vault, "Where are the figs?", new) if "figs" in text]
    by_words = await _recall(vault, "Where are the herons kept?", new)
    await _embed(vault, new)
    again = await _recall(vault, "Where are the herons kept?", new)
    (kept,) = await vault._database.read(lambda c: list(c.execute("select group_concat(distinct model) from vector_sets")))
    gathered = [step for made in (by_words, again) for step in made.steps if step["step"] == "gather"]
    old_ones = {fact.id for fact in await vault.facts.all() if "herons" in fact.text}
    found = all(old_ones <= {one["fact"] for one in step["candidates"]} for step in gathered)
    with_meaning = [step["by_meaning"] for step in gathered]
    return {
        "facts_count": len(await vault.facts.all()),
        "query_figs_finds": bool(figs),
        "old_fact_found_by": "shared words at once, by embedding after re-embedding"
        if found and with_meaning == [False, True]
        else f"meaning: {with_meaning}, found: {found}",
        "vectors_of_two_models_are_never_compared": kept == ("new",) and not with_meaning[0],
    }


async def _refused(vault: AsyncVault, given: dict[str, Any], server: FakeServer) -> dict[str, Any]:
    """Let the server answer as the case says: 400 refuses what is long, however it is shortened; anything else, all there is."""
    texts = [_text(each) for each in given.get("facts") or [given["fact"]]]
    answer = given["embedder_reply"]
    status = answer.get("status", 200)
    body = answer.get("body", "")
    reply = Reply(
        status=status, raw=(body if isinstance(body, str) else json.dumps(body)).encode(), delay=answer.get("delay_s", 0)
    )
    server.embedding_rule = lambda asked: reply if status != 400 or any(len(one) > _LONG for one in asked.body["input"]) else None
    await vault.set(global_memories=True)
    kept = [await vault.facts.add(text, Global()) for text in texts]
    embedder = ServerEmbedder(server.url, "fake-embed", patience=5.0)
    with suppress(ModelError):  # said by the doctor; the background tries again later
        await _embed(vault, embedder)
    lacking = await vault._database.read(lambda c: [key for key, _ in vectors.missing(c, "fact", embedder.name, 10)])
    tries = [asked for asked in server.requests if any(one[:_LONG] == texts[0][:_LONG] for one in asked.body.get("input", []))]
    query = given.get("query") or " ".join(texts[0].split()[:8])
    by_words = await _recalled(vault, query, None)
    found = await _recalled(vault, query, embedder)
    await embedder.aclose()
    return {
        "stored": [fact.text for fact in reversed(await vault.facts.all())] == texts,
        "embedding": None if kept[0].id in lacking else "there",
        "found_by_shared_words": texts[0] in by_words if "query" not in given else bool(by_words),
        "embed_attempts": len(tries),
        "found": found,
    }


def _text(spec: str) -> str:
    """Return the text that a case describes, or itself where it describes none."""
    length = int(match[1]) if (match := re.search(r" of (\d+) characters$", spec)) else 0
    return ("The heron stood in the pond and nobody spoke. " * (length // 40 + 1))[:length] if length else spec
