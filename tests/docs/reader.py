"""A reader who types what the documentation shows: its Python runs over real vaults, with a model that is scripted.

`addresses` are those of the examples, and where these servers really are.
"""

import contextlib
import io
import json
import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ricordo import local_models
from ricordo.learn import extractor, summarizer
from ricordo.models.scripted import ScriptedModel
from ricordo.prompt import ChatMessage
from ricordo.vault import AsyncVault
from tests.docs.pages import Block
from tests.vaults import CHEAP

_SAID = re.compile(r"# → (.*)$", re.MULTILINE)
SERVER = "http://127.0.0.1:11434"  # the address of a model server in the examples
APP = "http://127.0.0.1:7373"  # the address of Ricordo itself


def companion(messages: Sequence[ChatMessage]) -> str:
    """Say what a model might: a word to the person, the fact of the examples to the learner."""
    if messages[0].content not in (extractor.SYSTEM, summarizer.SYSTEM):
        return "That sounds like a good day."
    told = "sister Ida lives in Padua" in messages[-1].content
    fact = {"text": "The user's sister Ida lives in Padua.", "quote": "My sister Ida lives in Padua"}
    return json.dumps({"add": [fact] if told else [], "rewrite": [], "remove": []})


class Reader:
    """Runs the blocks of one page, one after another, in a folder of its own; what one defines the next may use."""

    def __init__(self, folder: pathlib.Path, patch: pytest.MonkeyPatch, addresses: Mapping[str, str]) -> None:
        self._addresses = addresses
        self._names: dict[str, Any] = {"__name__": "example"}
        patch.chdir(folder)
        patch.setattr(local_models, "fetch", lambda progress=None: folder / "model.gguf")
        for way in ("create", "open"):
            patch.setattr(AsyncVault, way, classmethod(_cheap(getattr(AsyncVault, way).__func__, way)))

    def run(self, block: Block) -> None:
        """Run a block, and hold what it prints against what its comments say (`# → …`)."""
        text = block.text
        for shown, real in self._addresses.items():
            text = text.replace(shown, real)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (block.line - 1) + text, str(block.page), "exec"), self._names)  # noqa: S102
        rest = printed.getvalue()
        for said in _SAID.findall(block.text):
            _, found, rest = rest.partition(said)
            assert found, f"{block.name} should print {said!r}: {printed.getvalue()!r}"


def _cheap(way: Any, name: str) -> Any:
    """Return `create` or `open` with a model that is scripted, and keys that are quick to derive."""

    async def opened(cls: type[AsyncVault], path: Any, passphrase: str, **more: Any) -> AsyncVault:
        more["model"] = more.get("model") or ScriptedModel(companion)
        if name == "create":
            more["cost"] = CHEAP
        vault: AsyncVault = await way(cls, path, passphrase, **more)
        return vault

    return opened
