"""Reported failures about secrets: texts held against the filter, and what must not lie in the file against a real vault.

`run(case)` says whether one is met, and why not. A case is judged by what it holds, not by its id.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ricordo.learn.secrets import redacted, secret_in
from ricordo.vault import AsyncVault
from tests.vaults import with_vault

AREAS = ("secrets",)
Verdict = tuple[bool, str]


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code."""
    given, expected = case["input"], case["expected"]
    if case["check"] == "db":
        return _stored(list(_texts(given)), expected["nowhere_in_db_file"])
    found = secret_in(given["text"])
    shown = redacted(given["text"])
    for key, wanted in expected.items():
        match key:
            case "has_secret":
                met = (found is not None) == wanted
            case "stored_unchanged":
                met = (found is None and shown == given["text"]) == wanted
            case "must_not_be_stored":
                met = found is not None and not any(part in shown or part in found.reason for part in wanted)
            case "note" | "hint":
                met = True
            case _:
                return False, f"nothing here shows {key}"
        if not met:
            return False, f"{key}: found {found}"
    return True, ""


def _texts(given: Any) -> Iterator[str]:
    """Yield every text of an input, whatever field it stands in."""
    match given:
        case str():
            yield given
        case dict():
            for part in given.values():
                yield from _texts(part)
        case list():
            for part in given:
                yield from _texts(part)


def _stored(texts: list[str], unwanted: list[str]) -> Verdict:
    """Write the texts as messages and titles, and look for what is not wanted in every file of the vault, and in the filter."""
    for text in texts:
        if any(part in text and part in redacted(text) for part in unwanted):
            return False, "the filter lets one of the fields through"

    async def write(vault: AsyncVault) -> list[bytes]:
        for text in texts:
            conversation = await vault.conversations.create(text)
            await vault.write(conversation.id, text)
        return _contents(folder)  # while it is open: the log lies beside it

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = with_vault(folder, write) + _contents(folder)
    lying = [part for part in unwanted if any(part.encode() in content for content in files)]
    return not lying, "lies in the file in plain text" if lying else ""


def _contents(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.iterdir() if path.is_file()]
