"""Reported failures about names, held against the readers of names and, where it takes one, against a whole vault.

`run(case)` says whether one is met, and why not; None where nothing here shows what it expects.
"""

from __future__ import annotations

import pathlib
import tempfile
from typing import Any

from ricordo.fact import Global
from ricordo.hit import FactHit
from ricordo.store.name_reading import codes_in, folded, names_in, tickers_in
from ricordo.vault import AsyncVault
from tests.vaults import with_vault

AREAS = ("names",)
Verdict = tuple[bool | None, str]


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code."""
    given, expected = case["input"], case["expected"]
    if case["check"] == "db":
        with tempfile.TemporaryDirectory() as name:
            return with_vault(pathlib.Path(name), lambda vault: _found(vault, given, expected))
    text = given.get("text", given.get("text_u", ""))
    mentions = given.get("mentions", given.get("mentions_u", []))
    shown: dict[str, Any] = {
        "names": list(names_in(text)),
        "codes": list(codes_in(text)),
        "tickers": list(tickers_in(text)),
        "entities": len({folded(mention) for mention in mentions}),
    }
    for key, wanted in expected.items():
        if key in ("note", "hint"):
            continue
        if key in ("not_names", "names_must_not_have"):
            met = not set(wanted) & set(shown["names"])
        elif key in ("names_has", "names_include"):
            met = set(wanted) <= set(shown["names"])
        elif key in shown:
            met = shown[key] == wanted
        else:
            return None, f"nothing here shows {key}"
        if not met:
            return False, f"{key} should be {wanted!r}; there are {shown!r}"
    return True, ""


async def _found(vault: AsyncVault, given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Keep what the case gives, then look for it by its questions."""
    await vault.set(global_memories=True)
    talk = (await vault.conversations.create()).id
    for text in given.get("passages", []):
        await vault.write(talk, text)
    for text in given.get("facts", []):
        await vault.facts.add(text, Global())
    for query in given.get("queries", [given.get("query", "")]):
        found = [hit.fact.text if isinstance(hit, FactHit) else hit.message.text for hit in await vault.search(query)]
        if expected.get("each_query_finds_first_passage") and given["passages"][0] not in found:
            return False, f"{query} finds {found!r}"
        if missing := [word for word in expected.get("returned_has", ()) if not any(word in text for text in found)]:
            return False, f"{query} finds {found!r} without {missing}"
    unknown = set(expected) - {"each_query_finds_first_passage", "returned_has", "note", "hint"}
    return (None, f"nothing here shows {sorted(unknown)}") if unknown else (True, "")
