"""Reported failures about what models send back, held against the reading of answers and of the proposals in them."""

from __future__ import annotations

from typing import Any, cast

from ricordo.learn.proposals import Remove, Rewrite, Save, read_proposals
from ricordo.models.answers import Read, read_json

AREAS = ("json",)
Verdict = tuple[bool | None, str]


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code; the verdict is None for what cannot be judged."""
    given, expected = case["input"], case["expected"]
    answer = given["model_output"] if "model_output" in given else given["message"]["content"]
    reading = read_json(answer or "")
    proposals = (
        read_proposals(reading.value, cast(list[str], given.get("existing_facts", []))) if isinstance(reading, Read) else ()
    )
    shown: dict[str, Any] = {
        "raises": False,
        "add": [proposal.text for proposal in proposals if isinstance(proposal, Save)],
        "rewrite": [{"id": proposal.id, "text": proposal.text} for proposal in proposals if isinstance(proposal, Rewrite)],
        "remove": [proposal.id for proposal in proposals if isinstance(proposal, Remove)],
    }
    shown["add_after_dedupe"] = list(dict.fromkeys(shown["add"]))
    for key, wanted in expected.items():
        name = key.removesuffix("_one_of").removesuffix("_count").removesuffix("_count_max")
        if key in ("never", "note", "hint"):
            continue
        if name not in shown:
            return None, f"nothing here shows {key}"
        value = shown[name]
        if key.endswith("_one_of"):
            met = value in wanted
        elif key.endswith("_count"):
            met = len(value) == wanted
        elif key.endswith("_count_max"):
            met = len(value) <= wanted
        else:
            met = value == wanted
        if not met:
            return False, f"{key} is {value!r}, not {wanted!r} ({reading})"
    return True, ""
