"""Reported failures about summaries, held against the summarizer, and against a whole vault where it takes one.

`run(case)` says whether one is met, and why not; None where nothing here shows what it expects.
"""

from __future__ import annotations

import pathlib
import tempfile
from typing import Any

from ricordo.conversation import Message, Moment, Role, Status, Summary
from ricordo.hit import MessageHit
from ricordo.learn.summarizer import SYSTEM, messages_for
from ricordo.models.scripted import ScriptedModel
from ricordo.store import summaries
from ricordo.vault import AsyncVault
from tests.vaults import with_vault

AREAS = ("summary",)
Verdict = tuple[bool | None, str]


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code."""
    given, expected = case["input"], case["expected"]
    if case["check"] == "unit":
        return _prompted(given, expected)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if case["check"] == "db":
            return with_vault(folder, lambda vault: _stored(vault, given, expected))
        answers = given.get("model_outputs") or [given["model_output"]]
        now = iter(answers)
        model = ScriptedModel(lambda messages: next(now) if messages[0].content == SYSTEM else "Yes.")
        return with_vault(folder, lambda vault: _answered(vault, given, expected, len(answers)), model)


def _prompted(given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    roles = {"user": Role.USER, "assistant": Role.MODEL}
    said = [
        Message(key, 1, None, roles[who], text, Moment(key, 0), Status.COMPLETE)
        for key, (who, text) in enumerate(given["new_messages"], start=1)
    ]
    shown = "\n".join(part.content for part in messages_for(given.get("old_summary", ""), said))
    for key, wanted in expected.items():
        if key == "summary_prompt_has":
            missing = [word for word in wanted if word not in shown]
        elif key == "summary_prompt_must_not_have":
            missing = [word for word in wanted if word in shown]
        elif key in ("note", "hint"):
            continue
        else:
            return None, f"nothing here shows {key}"
        if missing:
            return False, f"{key} fails for {missing}"
    return True, ""


async def _answered(vault: AsyncVault, given: dict[str, Any], expected: dict[str, Any], tries: int) -> Verdict:
    """Talk after an old summary, then let it be rewritten from the canned answers, one after another."""
    talk = (await vault.conversations.create()).id
    first = await vault.write(talk, given.get("old_summary", "Hello."))
    old = Summary(talk, given.get("old_summary", ""), first.id, vault.now())
    if old.text:
        await vault._database.write(lambda c: summaries.keep(c, old, "scripted"))
    count = given["new_messages"] if isinstance(given["new_messages"], int) else 0
    texts = [f"Mara writes about day {n}." for n in range(count)] or [
        text for who, text in given["new_messages"] if who == "user"
    ]
    for text in texts:
        await vault.write(talk, text)
    for _ in range(tries):
        await vault._database.write(lambda c: c.execute("delete from summary_tries"))  # as if more had been said since
        await vault.learn()
        kept = await vault._database.read(lambda c: summaries.get(c, talk))
        left = await vault._database.read(lambda c: len(summaries.unread(c, talk)))
        shown: dict[str, Any] = {
            "summary_after": kept.text if kept else "",
            "summary_after_each": kept.text if kept else "",
            "messages_still_unsummarised": left,
        }
        for key, wanted in expected.items():
            if key in ("note", "hint"):
                continue
            text = shown["summary_after"].casefold()
            if key in ("summary_must_not_have", "summary_has"):
                met = all((word.casefold() in text) == (key == "summary_has") for word in wanted)
            elif key in shown:
                met = shown[key] == wanted
            else:
                return None, f"nothing here shows {key}"
            if not met:
                return False, f"{key} should be {wanted!r}; there is {shown!r}"
    return True, ""


async def _stored(vault: AsyncVault, given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Write messages and summaries, then look at what is kept and found."""
    talk = (await vault.conversations.create()).id
    count = given.get("messages", 10)
    written = [await vault.write(talk, f"Entry {n} speaks of sandpiper{n} and of little else.") for n in range(1, count + 1)]
    texts = given.get("summaries_written") or ["So far."]
    upto = written[given.get("summarised_and_out_of_context", count) - 1].id
    for text in texts:
        new = Summary(talk, text, upto, vault.now())
        await vault._database.write(lambda c, new=new: summaries.keep(c, new, "scripted"))  # type: ignore[misc]
    kept = await vault._database.read(lambda c: summaries.get(c, talk))
    rows = await vault._database.read(lambda c: c.execute("select count(*) from summaries").get)
    hits = await vault.search("sandpiper3")
    found = {f"message {written.index(hit.message) + 1}" for hit in hits if isinstance(hit, MessageHit)}
    shown = {"current_summary": kept.text if kept else "", "current_count": rows, "found": next(iter(found), "")}
    for key, wanted in expected.items():
        if key not in shown:
            return None, f"nothing here shows {key}"
        if shown[key] != wanted:
            return False, f"{key} should be {wanted!r}; there is {shown[key]!r}"
    return True, ""
