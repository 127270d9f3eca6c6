"""Write src/ricordo/sync.py and its shelves: the sync face of the library, a method for each public one of the async core.

Run it after changing a public signature in vault.py or shelves/: python scripts/write_sync.py. A test checks that it was.
"""

from __future__ import annotations

import ast
import pathlib
import subprocess
import sys
from collections.abc import Set

SOURCE = pathlib.Path(__file__).parents[1] / "src" / "ricordo"
SHELVES = {
    "sync_shelves.py": ("places", "facts", "memories", "changes", "diary"),
    "sync_data.py": ("data", "imports", "tokens"),
}
HEADER = '''"""{}, written by scripts/write_sync.py from the async core. Change that, not this file."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from datetime import date, datetime, tzinfo
from types import TracebackType
from typing import Any, Self

from ricordo import private, shelves, vault
from ricordo.change import Change
from ricordo.conversation import Attachment, Conversation, Draft, Message, Moment, Reach, Space, Status, Stretch, Summary
from ricordo.diary import Day, Entry, WrittenDay
from ricordo.events import Announcement, TurnEvent
from ricordo.explanation import Explanation
from ricordo.fact import Fact, Home
from ricordo.hit import ByMeaning, Hit
from ricordo.imported import Import, Imported, Preview, Undoing
from ricordo.memory import FACTS, Kind, Listed, Sieve
from ricordo.models.base import ChatModel
from ricordo.portal import Portal
from ricordo.prompt import Prompt
from ricordo.run import Run
from ricordo.settings import Settings
from ricordo.standing import Ability, Soundness
from ricordo.store.keys import KdfCost
from ricordo.store.waiting import Unread
from ricordo.token import Token, TokenScope
from ricordo.vault import Path, Prepared, Progress, Skill, Upload
'''


def public(node: ast.ClassDef, but: Set[str] = frozenset()) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the public methods of a class, except some."""
    found = [child for child in node.body if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [child for child in found if not child.name.startswith("_") and child.name not in but]


def docstring(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> str:
    """Return a docstring as it stands in code, one level in."""
    text = (ast.get_docstring(node) or "").replace("\n", "\n    ").replace("\n    \n", "\n\n")
    closing = "\n    " if "\n" in text else ""
    return f'"""{text}{closing}"""'


def passed_on(method: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return a method's parameters as a call passes them on."""
    args = [arg.arg for arg in method.args.args[1:]]
    return ", ".join(
        args
        + [f"{arg.arg}={arg.arg}" for arg in method.args.kwonlyargs]
        + ([f"**{method.args.kwarg.arg}"] if method.args.kwarg else [])
    )


def method_of(method: ast.FunctionDef | ast.AsyncFunctionDef, target: str) -> str:
    """Return the sync method that calls an async one of `self.<target>`."""
    doc = docstring(method)
    returns = ast.unparse(method.returns) if method.returns else "None"
    call = f"self.{target}.{method.name}({passed_on(method)})"
    lines = [f"def {method.name}({ast.unparse(method.args)})"]
    if any(ast.unparse(each) == "property" for each in method.decorator_list):
        return f"@property\ndef {method.name}(self) -> {returns}:\n    {doc}\n    return self.{target}.{method.name}"
    if isinstance(method, ast.AsyncFunctionDef) and returns.startswith("AsyncGenerator["):
        returns = returns.replace("AsyncGenerator[", "Generator[").replace(", None]", ", None, None]")
        body = f"return self._portal.each({call})"
    elif isinstance(method, ast.AsyncFunctionDef):
        body = f"{'' if returns == 'None' else 'return '}self._portal.call({call})"
    elif returns == "Private":
        body = f"return Private(self._portal.run(lambda: {call}), self._portal)"
    else:
        body = f"return self._portal.run(lambda: {call})"
    lines[0] += f" -> {returns}:"
    return "\n".join([*lines, f"    {doc}", f"    {body}"])


def indented(text: str) -> str:
    """Indent a method into its class."""
    return "\n".join("    " + line if line else line for line in text.split("\n"))


def shelf(node: ast.ClassDef) -> str:
    """Return the sync class of a shelf."""
    head = (
        f"class {node.name}:\n    {docstring(node)}\n\n"
        f"    def __init__(self, shelf: shelves.{node.name}, portal: Portal) -> None:\n"
        "        self._shelf, self._portal = shelf, portal\n"
    )
    return "\n\n".join([head, *(indented(method_of(method, "_shelf")) for method in public(node))])


def private_class(node: ast.ClassDef) -> str:
    """Return the sync private conversation."""
    head = (
        f"class Private:\n    {docstring(node)}\n\n"
        "    def __init__(self, core: private.Private, portal: Portal) -> None:\n"
        "        self._core, self._portal = core, portal\n"
        "        self.key = core.key\n"
    )
    return "\n\n".join([head, *(indented(method_of(method, "_core")) for method in public(node))])


def opening(method: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return `create` or `open` of the sync vault."""
    call = f"vault.AsyncVault.{method.name}({passed_on(method)})"
    return (
        f"@classmethod\ndef {method.name}({ast.unparse(method.args)}) -> Self:\n    {docstring(method)}\n"
        f"    portal = Portal()\n    try:\n        return cls(portal.call({call}), portal)\n"
        "    except BaseException:\n        portal.close()\n        raise"
    )


def vault_class(node: ast.ClassDef) -> str:
    """Return the sync vault."""
    head = '''class Vault:
    """An unlocked vault. `with Vault.open(path, passphrase) as vault` locks it at the end.

    `spaces`, `conversations` and `facts` hold what a person keeps by hand. `recovery_key` is there once, after `create`.
    """

    def __init__(self, core: vault.AsyncVault, portal: Portal) -> None:
        self._core, self._portal = core, portal
        self.recovery_key = core.recovery_key
        self.spaces = Spaces(core.spaces, portal)
        self.conversations = Conversations(core.conversations, portal)
        self.facts = Facts(core.facts, portal)
        self.memories = Memories(core.memories, portal)
        self.changes = Changes(core.changes, portal)
        self.diary = Diary(core.diary, portal)
        self.drafts = Drafts(core.drafts, portal)
        self.data = Data(core.data, portal)
        self.tokens = Tokens(core.tokens, portal)
        self.imports = Imports(core.imports, portal)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Lock the vault; a second time does nothing."""
        if not self._portal.closed:
            self._portal.call(self._core.close())
            self._portal.close()

    @property
    def settings(self) -> Settings:
        """The settings; change them with `set`."""
        return self._core.settings
'''
    methods = [
        opening(each) if each.name in ("create", "open") else method_of(each, "_core")
        for each in public(node)
        if each.name != "close"
    ]
    return "\n\n".join([head, *map(indented, methods)])


def classes(file: str) -> list[ast.ClassDef]:
    """Return the classes of a module."""
    return [node for node in ast.parse((SOURCE / file).read_text()).body if isinstance(node, ast.ClassDef)]


def written() -> dict[str, str]:
    """Return the texts of the modules, formatted, by their names."""
    core = next(node for node in classes("vault.py") if node.name == "AsyncVault")
    core.body += public(next(node for node in classes("talking.py") if node.name == "Talking"), but={"now"})
    private = next(node for node in classes("private.py") if node.name == "Private")
    shelved = {file: [node for name in names for node in classes(f"shelves/{name}.py")] for file, names in SHELVES.items()}
    imported = "".join(
        f"from ricordo.{file[:-3]} import {', '.join(node.name for node in nodes)}\n" for file, nodes in shelved.items()
    )
    return {
        "sync.py": tidy(HEADER.format("The sync face of the library") + imported, private_class(private), vault_class(core)),
        **{file: tidy(HEADER.format("Shelves of the sync face"), *map(shelf, nodes)) for file, nodes in shelved.items()},
    }


def tidy(*parts: str) -> str:
    """Return a module of these parts without the imports that it does not need, formatted."""
    text = "\n\n\n".join(parts) + "\n"
    return ruff(ruff(text, "check", "-q", "--fix", "--select", "F401,I,UP"), "format")


def ruff(text: str, *command: str) -> str:
    """Return a text as ruff leaves it."""
    words = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(SOURCE / "sync.py"), "-"]
    return subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    for file, text in written().items():
        (SOURCE / file).write_text(text)
