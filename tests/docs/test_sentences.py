"""The messages that the documentation explains are those that the program says."""

import ast
import functools
import pathlib
import re

import pytest

from tests.docs.pages import DOCS, ROOT

SOURCE = ROOT / "src" / "ricordo"
QUOTED = re.findall(r"(?m)^> (.+)$", (DOCS / "troubleshooting.md").read_text(encoding="utf-8"))


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
