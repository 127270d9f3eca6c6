"""What models were reported to answer when they plan and check, carried on: more forms of each kind."""

from typing import Any

import pytest

from tests.cases import plan

BAKERY = "Which bakery did I like in Riga?"


@pytest.mark.req("R1", "R3")
@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ('{"queries": [{"query": "bakery Riga rye bread"}]}', {"queries_has": ["rye bread"]}),
        ('["rye bread", "rye bread", "Rye Bread"]', {"queries_max": 1, "queries_has": ["rye bread"]}),
        (
            "1. rye bread\n2) market town\n- market hall\n* harbour",
            {"queries_max": 3, "queries_has": ["rye bread", "market town"]},
        ),
        ('```json\n["rye bread"]\n```', {"queries_has": ["rye bread"], "queries_not": ["json", "`"]}),
        ("<think>hm</think>rye bread", {"queries_has": ["rye bread"], "queries_not": ["hm", "think"]}),
        ("<think>never closed rye bread", {"queries": [BAKERY]}),
        ("NONE", {"queries": [BAKERY]}),
        ("No search is needed.", {"queries": [BAKERY]}),
        ('{"searches": []}', {"queries": [BAKERY]}),
        ('{"queries": "rye bread"}', {"queries_has": ["rye bread"]}),
        ('[[1, 2], {"a": {}}]', {"queries": [BAKERY]}),
        ("true", {"queries": [BAKERY]}),
        ("q" * 4000, {"queries": [BAKERY]}),
        ('{"queries": ["rye bread AND (NOT cake)*"]}', {"queries_has": ["rye bread"], "queries_not": ["*", "("]}),
        ("Here are some searches:\nrye bread", {"queries_has": ["rye bread"], "queries_not": ["here are"]}),
        ("", {"queries": [BAKERY]}),
        ("null", {"queries": [BAKERY]}),
    ],
)
def test_a_plan_is_read_in_any_form_and_the_message_is_always_searched(output: str, expected: dict[str, Any]) -> None:
    """Lists, fences, reasoning, objects, nothing: at the worst the message itself."""
    assert plan.run({"input": {"user": BAKERY, "planner_output": output}, "expected": expected}) == (True, "")


@pytest.mark.req("R4")
@pytest.mark.parametrize(
    ("output", "kept"),
    [
        ("2, 3", [2, 3]), ("[2,3]", [2, 3]), ('{"relevant": []}', []), ("NONE", []),
        ("Notes 2 and 3 are relevant, not 1.", [2, 3]),
        ("1: no\n2: yes\n3: yes", [2, 3]), ("9, 99, -4", []), ('{"2": true, "1": false}', [2]), ("All of them.", [1, 2, 3]),
        ("<think>1 maybe</think>3", [3]), ("```json\n{\"relevant\": [1]}\n```", [1]), ("#2", [2]), ("2-3", [2, 3]),
    ],
)  # fmt: skip
def test_which_notes_are_kept_is_read_in_any_form(output: str, kept: list[int]) -> None:
    """Numbers, JSON, a verdict a line; numbers that were not asked about do not exist."""
    assert plan.run({"input": {"passages": 3, "grader_output": output}, "expected": {"kept": kept}}) == (True, "")


@pytest.mark.req("R4")
@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("Yes!", True), ("YES.", True), ('"yes"', True), ('{"relevant": true}', True), ("relevant: no", False),
        ('{"relevant": false}', False), ("**Relevant:** yes", True),
        ("Nope", False),
        ("ja", True), ("No, it does not help.", False), ("It is not relevant.", False), ("- yes", True),
        ("maybe", None), ("???", None),
    ],
)  # fmt: skip
def test_a_verdict_is_read_in_any_form(output: str, said: bool | None) -> None:
    """What is neither yes nor no is none."""
    assert plan.run({"input": {"grader_outputs": [output]}, "expected": {"verdicts": [said]}}) == (True, "")
