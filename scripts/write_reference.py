"""Write docs/reference.md: every method of `Vault` and of its shelves, from their signatures and docstrings.

Run it after changing a public method: python -m scripts.write_reference. A test checks that it was.
"""

from __future__ import annotations

import ast
import pathlib
from collections.abc import Iterator

SOURCE = pathlib.Path(__file__).parents[1] / "src" / "ricordo"
PAGE = pathlib.Path(__file__).parents[1] / "docs" / "reference.md"
HEAD = """\
# Python: every method

Written by `scripts/write_reference.py` from the library itself; [Python](library.md) shows it by examples. `AsyncVault` has the
same methods with `await`. Everything is typed: the names of values are those of `ricordo.conversation`, `ricordo.fact` and
their like.

| name | |
|---|---|
| `Vault` | an unlocked vault; `with` locks it at the end |
| `AsyncVault` | the same for an event loop |
| `fetch_model(progress=None)` | fetch the embedded chat model unless it is there, and return its file |
| `__version__` | the version, a text |
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *_sections()])


def _classes() -> dict[str, ast.ClassDef]:
    """Return the classes of the sync face by their names."""
    files = sorted(SOURCE.glob("sync*.py"))
    return {node.name: node for file in files for node in ast.parse(file.read_text()).body if isinstance(node, ast.ClassDef)}


def _sections() -> Iterator[str]:
    classes = _classes()
    yield _section("`Vault`", classes["Vault"], "vault")
    yield _section("`vault.private()`: a private conversation", classes["Private"], "private")
    for shelf, kind in _shelves(classes["Vault"]):
        yield _section(f"`vault.{shelf}`", classes[kind], f"vault.{shelf}")


def _shelves(vault: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yield each shelf's name and its class, as the vault makes them: `self.facts = Facts(core.facts, portal)`."""
    for node in ast.walk(vault):
        match node:
            case ast.Assign(targets=[ast.Attribute(attr=shelf)], value=ast.Call(func=ast.Name(id=kind), args=[_, _])):
                yield shelf, kind


def _section(title: str, node: ast.ClassDef, name: str) -> str:
    """Return a class's docstring and its methods."""
    about = (ast.get_docstring(node) or "").split("\n\n")[0].replace("\n", " ")
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")]
    return f"## {title}\n\n{about}\n\n" + "\n".join(_method(each, name) for each in methods)


def _method(node: ast.FunctionDef, of: str) -> str:
    """Return a method's heading and what its docstring says."""
    arguments = ast.unparse(node.args).removeprefix("self").removeprefix(", ").removeprefix("cls").removeprefix(", ")
    is_property = any(ast.unparse(each) == "property" for each in node.decorator_list)
    owner = "Vault" if any(ast.unparse(each) == "classmethod" for each in node.decorator_list) else of
    call = node.name if is_property else f"{node.name}({arguments})"
    text = "\n\n".join(" ".join(part.split()) for part in (ast.get_docstring(node) or "").split("\n\n"))
    returns = ast.unparse(node.returns) if node.returns else "None"
    return f"### `{owner}.{node.name}`\n\n```text\n{call} -> {returns}\n```\n\n{text}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
