"""The messages that the documentation explains are those that the program says."""

import ast
import functools
import pathlib
import re
from collections.abc import Iterator

import pytest

from ricordo import errors
from tests.docs.pages import DOCS, ROOT

SOURCE = ROOT / "src" / "ricordo"
PAGE = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
QUOTED = [
    *re.findall(r"(?m)^> (.+)$", PAGE),
    *(
        row
        for table in PAGE.split("| message | what to do |\n")[1:]
        for row in re.findall(r"(?m)^\| ([^|\n]+) \|", table.split("\n\n")[0])
    ),
]


def text_of(node: ast.expr) -> str:
    """Return a text of the code as it is said, with … for what is put in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) for part in node.values)
    return "…"


@functools.cache
def said() -> str:
    """Everything that the code may say: the texts of Python and of the page."""
    python = [text_of(node) for path in SOURCE.rglob("*.py") for node in ast.walk(ast.parse(path.read_text()))
              if isinstance(node, ast.Constant | ast.JoinedStr)]  # fmt: skip
    page = [path.read_text() for path in pathlib.Path(SOURCE / "server" / "web").glob("texts*.js")]
    return "\n".join([*python, *page])


@pytest.mark.req("X3")
@pytest.mark.parametrize("sentence", QUOTED, ids=lambda sentence: sentence[:40])
def test_a_message_that_is_explained_is_one_that_is_said(sentence: str) -> None:
    """Part by part: where … stands, something is put in."""
    parts = [part.strip(" .") for part in sentence.split("…")]
    assert all(part in said() for part in parts if part), sentence


def kinds(tree: type[errors.RicordoError] = errors.RicordoError) -> Iterator[str]:
    """Yield the names of the errors that have none below them."""
    for kind in tree.__subclasses__():
        yield from kinds(kind) if kind.__subclasses__() else [kind.__name__]


@functools.cache
def raised() -> dict[str, list[str]]:
    """What each kind of error says, by its name."""
    found: dict[str, list[str]] = {}
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                found.setdefault(node.func.id, []).append(text_of(node.args[0]))
    return found


@pytest.mark.parametrize("kind", list(kinds()))
def test_every_kind_of_error_is_explained(kind: str) -> None:
    """At least one message of each; those of a server's refusal are put together from parts."""
    parts = [max(sentence.split("…"), key=len).strip(" .") for sentence in QUOTED]
    said_by_it = "\n".join(raised()[kind])
    assert kind == "ModelRefused" or any(part in said_by_it for part in parts)


# What no person meets: it is said to a program, or in a test.
_NOT_TO_PERSONS = ("The scripted model has no reply left",)
_ALL_OF = (errors.VaultError, errors.ModelError, errors.ImportFailed, errors.SwitchedOff)


def below(kind: type[errors.RicordoError]) -> Iterator[str]:
    """Yield the names of a kind of error and of all below it."""
    yield kind.__name__
    for each in kind.__subclasses__():
        yield from below(each)


@pytest.mark.req("X3")
@pytest.mark.parametrize("name", [name for kind in _ALL_OF for name in below(kind)])
def test_all_that_is_said_about_vault_model_and_import_is_explained(name: str) -> None:
    """Whatever else an error says tells at once what is missing; these need more than a sentence."""
    quoted = [[part.strip(" .") for part in sentence.split("…") if len(part.strip(" .:(),")) > 2] for sentence in QUOTED]
    for sentence in raised().get(name, ()):
        if sentence.strip("…. ") and not sentence.startswith(_NOT_TO_PERSONS):
            assert any(all(part in sentence for part in parts) for parts in quoted if parts), sentence
