"""What the documentation calls by its name on the page is called so there."""

import functools
import re

import pytest

from tests.docs.pages import DOCS, ROOT

PAGES = ("index", "start", "writing", "memory", "spaces", "vault", "models", "troubleshooting", "proxy", "mcp", "settings")
_LABEL = re.compile(r"(?<!\*)\*([A-Z][^*\n]+)\*(?!\*)")
_OF_OTHERS = {"OpenAI API"}  # what other programs call their own


@functools.cache
def shown() -> str:
    """Every word of the page, with plain apostrophes."""
    texts = (ROOT / "src" / "ricordo" / "server" / "web").glob("texts*.js")
    return "\n".join(path.read_text(encoding="utf-8") for path in texts).replace("’", "'")


def labels(page: str) -> list[str]:
    """Return what a page sets in italics as the name of something, each step of a way by itself; sentences are examples."""
    text = re.sub(r"```.*?```", "", (DOCS / f"{page}.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    named = [label for label in _LABEL.findall(text) if not label.endswith(("?", ".")) or label == "What did the model see?"]
    return [step.rstrip(":,") for label in named for step in label.split(" → ")]


@pytest.mark.parametrize("page", PAGES)
def test_labels_are_those_of_the_page(page: str) -> None:
    """*Settings → Models* leads to what is called Settings, and there to Models."""
    assert not [label for label in labels(page) if label not in shown() and label not in _OF_OTHERS]


def test_labels_are_found_at_all() -> None:
    """Were the pattern wrong, the test above would pass for nothing."""
    assert {"Settings", "Privacy", "Just write", "Try again"} <= {label for page in PAGES for label in labels(page)}
