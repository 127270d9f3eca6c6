"""Reported failures about copies of known facts, held against the pure functions: no store, no model.

`run(case)` says whether one is met, and why not. A case is judged by what it holds, not by its id.
"""

from __future__ import annotations

from typing import Any

from ricordo.learn.duplicates import duplicate_of, same_fact

AREAS = ("dedupe",)
_STORED = ("stored", "existing", "existing_fact", "existing_facts", "known", "known_facts", "facts", "a", "one")
_CANDIDATE = ("candidate", "candidates", "new", "new_fact", "new_facts", "incoming", "add", "b", "other")
_SIMILARITY = ("similarity", "cosine", "score", "embedding_similarity")
_NOTES = ("note", "hint", "raises")


def run(case: dict[str, Any]) -> tuple[bool | None, str]:
    """Hold one case against the code; None for what these functions do not answer."""
    given, expected = case["input"], case["expected"]
    stored, candidates = _texts(given, _STORED), _texts(given, _CANDIDATE)
    if not candidates:
        return None, "names no candidate that could be a copy"
    similarity = next((float(given[key]) for key in _SIMILARITY if key in given), None)
    kept, verdicts = list(stored), []
    for candidate in candidates:
        found = duplicate_of(candidate, kept, None if similarity is None else lambda one, other: similarity)
        verdicts.append(found is not None)
        if found is None:
            kept.append(candidate)
    shown = {
        "is_duplicate": verdicts[0] if len(verdicts) == 1 else verdicts,
        "duplicates": verdicts,
        "facts_after": sorted(kept),
        "facts_count": len(kept),
    }
    for key, wanted in expected.items():
        if key in _NOTES:
            continue
        if key == "facts_count_max":
            met = len(kept) <= wanted
        elif key not in shown:
            return None, f"nothing here shows {key}"
        else:
            met = shown[key] == (sorted(wanted) if key == "facts_after" else wanted)
        if not met:
            why = "; ".join(same_fact(candidate, fact, similarity).reason for candidate in candidates for fact in stored)
            return False, f"{key} is {shown.get(key, len(kept))!r}, not {wanted!r}: {why}"
    return True, ""


def _texts(given: dict[str, Any], names: tuple[str, ...]) -> list[str]:
    """The texts under the first of these names that the case has."""
    held = next((given[name] for name in names if name in given), [])
    return [text if isinstance(text, str) else str(text["text"]) for text in ([held] if isinstance(held, str | dict) else held)]
