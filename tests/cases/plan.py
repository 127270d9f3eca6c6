"""Reported failures about planning and checking, held against the planner, the readings of its answers, and of verdicts.

`run(case)` says whether one is met, and why not; None for what cannot be shown here.
"""

from __future__ import annotations

import asyncio
import pathlib
import tempfile
from datetime import UTC, datetime
from typing import Any

from ricordo.conversation import Moment
from ricordo.errors import ModelError
from ricordo.fact import Global
from ricordo.hit import FactHit
from ricordo.models.scripted import ScriptedModel
from ricordo.models.yes_no import verdict
from ricordo.prompt import ChatMessage
from ricordo.recall.plan_answers import searches_in
from ricordo.recall.planner import MOST_SEARCHES, Plan, plan
from ricordo.recall.references import Days, find
from ricordo.recall.relevance import Bounds, Candidate, check
from ricordo.recall.relevance_answers import kept_in
from ricordo.vault import AsyncVault
from tests.vaults import with_vault

AREAS = ("plan",)
Verdict = tuple[bool | None, str]
_TALK = (
    ChatMessage("system", "You are the companion in a diary."),
    ChatMessage("user", "Hello"),
    ChatMessage("assistant", "Hello!"),
)
_UNSAID = ("note", "hint", "raises", "never", "convention", "unknown_filters_ignored", "numbers_clamped")


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code."""
    given, expected = case["input"], case["expected"]
    if "grader_outputs" in given or "grader_output" in given:
        return _graded(given, expected)
    if "facts" in given:
        return _searched(given, expected)
    if "user" in given or "message" in given or "messages" in given:
        return _planned(given, expected)
    return None, "names nothing to plan for"


def _outputs(given: dict[str, Any], name: str) -> list[Any]:
    return list(given[f"{name}s"]) if f"{name}s" in given else [given[name]] if name in given else []


def _planned(given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Plan with each answer of the model; what is asked for outright is read from the words, never from the answer."""
    texts = given.get("messages") or [given.get("user", given.get("message"))]
    for text in texts:
        now = datetime.fromisoformat(given.get("now", "2026-08-05T10:00:00+02:00"))
        references = find(text, Moment.of(now), now.tzinfo or UTC)
        days = [one for one in references if isinstance(one, Days)]
        for output in _outputs(given, "planner_output") or [ModelError("no answer")]:
            model = ScriptedModel(output if isinstance(output, Exception) else output or "")
            made = asyncio.run(plan(model, _TALK, text, 5.0, references))
            for key, wanted in expected.items():
                met, shown = _plan_meets(key, wanted, made, days, len(model.requests))
                if met is None:
                    return None, f"nothing here shows {key}"
                if not met:
                    return False, f"{key} is {shown!r}, not {wanted!r}, for {text!r} and {output!r}"
    return True, ""


def _plan_meets(key: str, wanted: Any, made: Plan, days: list[Days], asked: int) -> tuple[bool | None, Any]:
    added = made.searches[1:] if len(made.searches) > 1 else made.searches
    text = "\n".join(made.searches).casefold()
    match key:
        case _ if key in _UNSAID:
            return True, None
        case "queries" | "queries_each" | "searches":
            return list(made.searches) == wanted or list(added) == wanted, made.searches
        case "queries_one_of":
            return list(made.searches) in wanted or list(added) in wanted, made.searches
        case "queries_max" | "queries_count_max" | "searches_max":
            return len(added) <= max(wanted, 1) and len(added) <= MOST_SEARCHES, added
        case "queries_has" | "searches_has":
            return all(word.casefold() in text for word in wanted), made.searches
        case "queries_not" | "no_query_has" | "queries_has_not" | "not_in_queries":
            return not any(word.casefold() in text for word in wanted), made.searches
        case "search" | "searched" | "starts_search":
            return bool(made.searches) is wanted, made.searches
        case "no_search" | "nothing_searched":
            return (not made.searches) is wanted, made.searches
        case "planner_called" | "model_called":
            return bool(asked) is wanted, asked
        case "hidden_calls_max":
            return asked <= wanted, asked
        case "date_range":
            return [[one.first.isoformat(), one.last.isoformat()] for one in days] == [wanted], days
        case "each" if "no date filter" in str(wanted):
            return not days, days
        case _:
            return None, None


def _searched(given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Search a real vault with what the model's answer comes to."""
    searches = [search for output in _outputs(given, "planner_output") for search in searches_in(output or "")]
    with tempfile.TemporaryDirectory() as name:
        found = with_vault(pathlib.Path(name), lambda vault: _found(vault, given["facts"], searches), ScriptedModel())
    for key, wanted in expected.items():
        if key in _UNSAID:
            continue
        if key == "returned_has":
            met = all(any(words in text for text in found) for words in wanted)
        elif key == "returned":
            met = sorted(found) == sorted(wanted)
        else:
            return None, f"nothing here shows {key}"
        if not met:
            return False, f"{searches} found {found}"
    return True, ""


async def _found(vault: AsyncVault, facts: list[str], searches: list[str]) -> list[str]:
    await vault.set(global_memories=True)
    for text in facts:
        await vault.facts.add(text, Global())
    hits = [hit for search in searches for hit in await vault.search(search)]
    return [hit.fact.text for hit in hits if isinstance(hit, FactHit)]


def _graded(given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Read each verdict; what is none leaves it to the score, above and below the floor."""
    outputs = [output or "" for output in _outputs(given, "grader_output")]
    for key, wanted in expected.items():
        if key in _UNSAID:
            continue
        if key == "verdicts" and isinstance(wanted, list):
            shown: Any = [verdict(output) for output in outputs]
            met = shown == wanted
        elif key == "verdicts" and str(wanted).startswith("undecided"):
            shown = [(verdict(output), _kept_by_score(output)) for output in outputs]
            met = all(one == (None, [True, False]) for one in shown)
        elif key in ("kept", "relevant"):
            shown = [sorted(kept_in(output, int(given["passages"])) or ()) for output in outputs]
            met = all(one == sorted(wanted) for one in shown)
        else:
            return None, f"nothing here shows {key}"
        if not met:
            return False, f"{key} is {shown!r}, not {wanted!r}"
    return True, ""


def _kept_by_score(output: str) -> list[bool]:
    """What becomes of a passage above the floor and of one below it when the model says just this."""
    passages = [Candidate("The dentist moved to Harbour Street.", "", 0.6), Candidate("The dentures came by post.", "", 0.3)]
    model = ScriptedModel(lambda _: output)
    made = asyncio.run(check(model, _TALK, "Where is my dentist?", passages, 5.0, bounds=Bounds(0.1, 0.5, 0.9)))
    return [one.kept for one in made.verdicts]
