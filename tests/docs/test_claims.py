"""What the threat model claims: each row names tests, and these tests are there."""

import re

import pytest

from tests.docs.pages import DOCS, ROOT

TEXT = (DOCS / "threat-model.md").read_text(encoding="utf-8")
ROWS = [row for row in re.findall(r"(?m)^\| (.+) \|$", TEXT) if not row.startswith("claim |")]


def test_every_claim_names_its_tests() -> None:
    """At least one each, and each section says what is not covered."""
    assert len(ROWS) > 30
    assert not [row for row in ROWS if "::test_" not in row]
    threats = TEXT.split("\n## ")[2:-1]
    assert not [part.split("\n")[0] for part in threats if "**Not covered**:" not in part]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[:40])
def test_the_tests_that_a_claim_names_are_there(row: str) -> None:
    """By file and name, so that a test that is renamed or deleted takes the page along."""
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", row):
        assert re.search(rf"(?m)^(?:async )?def {name}\(", (ROOT / path).read_text(encoding="utf-8")), f"{path}::{name}"
