"""The reported failures of other products, held against this one: those of the areas that are built must all pass."""

from typing import Any

import pytest

from tests.cases.__main__ import SCORED, adapters, cases, judge
from tests.conftest import data_folder

BUILT = (
    "context",
    "dates",
    "dedupe",
    "extract",
    "factops",
    "fts",
    "inject",
    "json",
    "names",
    "plan",
    "retrieve",
    "secrets",
    "store",
    "summary",
    "tz",
)
ALL = [
    case for case in cases(data_folder.parent / "cases" / "open.yaml") if case["area"] in BUILT and case["check"] not in SCORED
]
ADAPTERS = adapters()


@pytest.mark.parametrize("case", ALL, ids=lambda case: str(case["id"]))
def test_a_reported_failure_does_not_happen_here(case: dict[str, Any]) -> None:
    """Through the real functions, on a real vault where the case needs one."""
    result = judge(case, ADAPTERS[case["area"]])
    assert result["result"] in ("pass", "unsupported"), result["why"]


def test_every_case_can_be_judged() -> None:
    """So that an adapter that gives up on everything does not pass for a success."""
    results = [judge(case, ADAPTERS[case["area"]])["result"] for case in ALL]
    assert "unsupported" not in results
    assert results.count("pass") >= 90
