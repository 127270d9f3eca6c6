"""Reported failures about what is learned, held against a whole vault: it talks, then learns from the case's canned answer.

`run(case)` says whether one is met, and why not; None where it needs what cannot be shown here.
"""

from __future__ import annotations

import pathlib
import re
import tempfile
from dataclasses import dataclass, field
from typing import Any

from ricordo.conversation import Attachment, Message, Moment, Role, Status
from ricordo.errors import NotFound
from ricordo.fact import Global, InConversation, Origin
from ricordo.hit import FactHit
from ricordo.learn.extractor import SYSTEM
from ricordo.learn.proposals import read_proposals
from ricordo.learn.summarizer import messages_for
from ricordo.models.answers import Read, read_json
from ricordo.models.scripted import ScriptedModel
from ricordo.prompt import ChatMessage
from ricordo.recall import planner, relevance, shorten
from ricordo.recall.parts import RULES
from ricordo.store import facts as store
from ricordo.vault import AsyncVault
from tests.vaults import events, with_vault

AREAS = ("extract", "factops", "inject")
ASIDE = (planner.QUESTION, relevance.QUESTION, relevance.QUESTION_LIST, shorten.QUESTION)
Verdict = tuple[bool | None, str]
_CLOSING = re.compile(r"<\s*/\s*memory\s*>", re.IGNORECASE)
_OPENING = re.compile(r"<\s*memory\s*>", re.IGNORECASE)


@dataclass(slots=True)
class Ran:
    """What a case left behind, and what was asked of the model for it."""

    facts: list[str] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    skipped: int = 0
    asked: list[str] = field(default_factory=list)  # the prompts of replies, whole
    extracted: list[str] = field(default_factory=list)  # of the hidden calls: what they show as said by the person


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code."""
    given, expected = case["input"], case["expected"]
    if any(key.startswith("summary_prompt") for key in expected):
        return _summarised(given, expected)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if case["check"] == "db":
            return with_vault(folder, lambda vault: _deleted(vault, given, expected))
        if case["check"] == "unit":
            return with_vault(folder, lambda vault: _prompted(vault, given, expected), ScriptedModel())
        turns = given.get("turns") or [given["turn"]]
        answers = given.get("model_outputs") or [given["model_output"]] * len(turns)
        ran = Ran()
        model = ScriptedModel(_script(turns, answers, ran))
        with_vault(folder, lambda vault: _learn(vault, given, turns, answers, ran), model)
    for key, wanted in expected.items():
        if key in ("note", "hint", "never", "allowed_fact_words"):
            continue
        met = _met(key, wanted, ran, turns)
        if met is None:
            return None, f"nothing here shows {key}"
        if not met:
            return (
                False,
                f"{key} should be {wanted!r}; facts {ran.facts!r}, {len(ran.extracted)} hidden calls, {ran.skipped} skipped",
            )
    return True, ""


def _script(turns: list[dict[str, str]], answers: list[str], ran: Ran) -> Any:
    """Answer as the case says: the hidden call by its canned answer, anything else by the assistant's words."""

    def answer(messages: tuple[ChatMessage, ...]) -> str:
        if messages[0].content != SYSTEM and not messages[0].content.startswith(RULES):
            return "."  # the self-test that asks whether this model gives probabilities: it does not
        if messages[0].content == SYSTEM:
            shown = messages[-1].content.partition("The person wrote:")[2]
            ran.extracted.append(shown.partition("\nThe companion replied:")[0])
            return answers[len(ran.asked) - 1]
        if any(question in message.content for message in messages for question in ASIDE):
            return "."  # recall asks something beside the reply, and is not answered
        ran.asked.append("\n".join(message.content for message in messages))
        return turns[len(ran.asked) - 1].get("assistant") or "."

    return answer


def _met(key: str, wanted: Any, ran: Ran, turns: list[dict[str, str]]) -> bool | None:
    small = [text.casefold() for text in ran.facts]
    match key:
        case "facts_after":
            return sorted(ran.facts) == sorted(wanted)
        case "facts_after_one_of":
            return any(sorted(ran.facts) == sorted(one) for one in wanted)
        case "no_fact_has":
            return not any(word.casefold() in text for word in wanted for text in small)
        case "some_fact_has":
            return all(any(all(word.casefold() in text for word in words) for text in small) for words in wanted)
        case "if_fact_has_then_also":
            pairs = wanted.items() if isinstance(wanted, dict) else wanted
            return all(also.casefold() in text for word, also in pairs for text in small if word.casefold() in text)
        case "facts_count":
            return len(ran.facts) == wanted
        case "facts_count_max":
            return len(ran.facts) <= wanted
        case "skipped_ops":
            return ran.skipped == wanted
        case "raises":
            return wanted is False
        case "reply_to_user_unchanged":
            return ran.replies == [turn.get("assistant") or "." for turn in turns]
        case "extraction_calls_max":
            return len(ran.extracted) <= wanted
        case "extraction_prompt_user_part_must_not_contain":
            return not any(text in shown for text in wanted for shown in ran.extracted)
        case "outgoing_prompt_must_not_contain":
            return not any(text in asked for text in wanted for asked in ran.asked)
        case _:
            return None


def _summarised(given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Show what the summarizer's model is sent of a turn with pages: each part begun once, and nothing of them."""
    pages = tuple(Attachment(page["url"], "text/html", page["text"]) for page in given.get("fetched_pages", []))
    said, replied = given["turn"]["user"], given["turn"]["assistant"]
    talk = [
        Message(1, 1, None, Role.USER, said, Moment(1, 0), Status.COMPLETE, attachments=pages),
        Message(2, 1, 1, Role.MODEL, replied, Moment(2, 0), Status.COMPLETE),
    ]
    prompt = messages_for(given.get("old_summary", ""), talk)
    # Where others close a tag, this prompt begins a part; each message stands on one line, so that none can begin another.
    parts = [line for line in prompt[-1].content.splitlines() if line == "Said since:"]
    shown = {"summary_prompt": {"closing_conversation_tags": len(parts)}}
    whole = "\n".join(message.content for message in prompt)
    for key, wanted in expected.items():
        if key in ("note", "hint"):
            continue
        if key == "summary_prompt_must_not_contain":
            met = not any(text in whole for text in wanted)
        elif key in shown:
            met = shown[key] == wanted
        else:
            return None, f"nothing here shows {key}"
        if not met:
            return False, f"{key} should be {wanted!r}; there is {whole[-300:]!r}"
    return True, ""


async def _learn(vault: AsyncVault, given: dict[str, Any], turns: list[dict[str, str]], answers: list[str], ran: Ran) -> None:
    """Talk and learn, turn by turn."""
    talk = (await vault.conversations.create()).id
    known = given.get("existing_facts", [])
    for text in reversed(known):  # the newest is shown first: so the numbers of the case are those that are shown
        await vault._database.write(lambda c, text=text: store.insert(c, text, Origin.MODEL, InConversation(talk), vault.now()))
    pages = tuple(Attachment(page.get("url", "page"), "text/html", page["text"]) for page in given.get("fetched_pages", []))
    for turn, answer in zip(turns, answers, strict=True):
        await events(vault.reply(talk, turn["user"], pages))
        changes = await vault.learn()
        reading = read_json(answer)
        proposed = read_proposals(reading.value, known) if isinstance(reading, Read) else ()
        ran.skipped += len(proposed) - len(changes)
        ran.replies.append((await vault.conversations.messages(talk))[-1].text)
    ran.facts = [fact.text for fact in await vault.facts.all()]


async def _prompted(vault: AsyncVault, given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Show what a model is sent of facts and words that try to pass for something else."""
    await vault.set(global_memories=True)
    for text in given.get("facts", []):
        await vault.facts.add(text, Global())
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in given.get("hidden_ascii", ""))
    turn = given.get("turn", {}).get("user")
    said = turn or given.get("text_u") or (given["visible"] + hidden if "visible" in given else "hello")
    prompt = await vault.prompt(said)
    system, last = prompt.messages[0].content, prompt.messages[-1].content
    talk = (await vault.conversations.create()).id
    kept = (await vault.write(talk, said)).text
    shown: dict[str, Any] = {
        "raises": False,
        "outgoing_prompt": {"opening_tags": len(_OPENING.findall(last)), "closing_tags": len(_CLOSING.findall(last))},
        # the rules above the lists name the closing tag once
        "rendered_block": {"anything_matching_closing_tag_case_and_space_insensitive": len(_CLOSING.findall(system))},
        "db_has_codepoints_E0000_E007F": any("\U000e0000" <= letter <= "\U000e007f" for letter in kept),
    }
    for key, wanted in expected.items():
        if key in ("note", "hint"):
            continue
        if key == "text_has":
            met = all(text in last for text in wanted)
        elif key == "text_given_to_models":
            met = wanted in last and (not hidden or hidden[0] not in last)
        elif key in shown:
            met = shown[key] == wanted
        else:
            return None, f"nothing here shows {key}"
        if not met:
            return False, f"{key} is {shown.get(key, last[-200:])!r}, not {wanted!r}"
    return True, ""


async def _deleted(vault: AsyncVault, given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Forget each fact that the action names, and look for it afterwards."""
    talk = (await vault.conversations.create()).id
    await vault.write(talk, " ".join(given["existing_facts"]))
    ids = [(await vault.facts.add(text, InConversation(talk))).id for text in given["existing_facts"]]
    shown: dict[str, Any] = {}
    for name in (key for key in expected if key.startswith("delete_")):
        number = int(name.removeprefix("delete_"))
        try:
            await vault.facts.delete(ids[number - 1] if number <= len(ids) else number)
            shown[name] = {"status": "deleted", "count": 1}
        except NotFound:
            shown[name] = {"status": "not found", "count": 0}
        if shown[name] != expected[name]:
            return False, f"{name} is {shown[name]}"
    for word in expected.get("search_for", {}):
        if any(isinstance(hit, FactHit) for hit in await vault.search(word)):
            return False, f"a search for {word} still finds the fact"
    return True, ""
