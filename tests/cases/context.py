"""Reported failures about the window: what fits into it, what is counted, what becomes of an answer that it cut off.

`run(case)` says whether one is met, and why not; None where it asks for what is not shown here.
"""

from __future__ import annotations

import json
import pathlib
import re
import tempfile
from collections.abc import AsyncGenerator
from typing import Any

from ricordo.events import ReplyDone
from ricordo.fact import Global, Origin
from ricordo.learn.extractor import SYSTEM
from ricordo.models.base import Finish, Finished, Piece, Request
from ricordo.models.openai_api import OpenAIModel
from ricordo.models.scripted import ScriptedModel
from ricordo.models.tokens import TokenCounter, pieces
from ricordo.prompt import ChatMessage, Prompt
from ricordo.recall.budget import SHARES
from ricordo.store import facts as store
from ricordo.vault import AsyncVault
from tests.fake_server import FakeServer, Reply
from tests.vaults import events, with_vault

AREAS = ("context",)
Verdict = tuple[bool | None, str]
_UNSAID = ("note", "hint", "raises", "convention")
_ENGLISH = "On Sunday we walked along the river to the old mill and back, and the light was lovely. "


def run(case: dict[str, Any]) -> Verdict:
    """Hold one case against the code."""
    given, expected = case["input"], case["expected"]
    if "texts" in given:
        return _counted(given["texts"], expected)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if "upstream_replies" in given:
            return _over_http(folder, given, expected)
        if "hidden_call_reply" in given:
            return _cut_off(folder, given, expected)
        if "context_tokens" in given:
            return _fitted(folder, given, expected)
    return None, "names no window and nothing to count"


def written(spec: str) -> str:
    """Return the text that a case describes, or itself where it describes none."""
    if match := re.fullmatch(r"(.*\S) repeated (\d+) times", spec, re.DOTALL):
        return match[1] * int(match[2])
    if match := re.fullmatch(r"plain English words of (\d+) characters", spec):
        return (_ENGLISH * (int(match[1]) // len(_ENGLISH) + 1))[: int(match[1])]
    return spec


def _counted(specs: list[str], expected: dict[str, Any]) -> Verdict:
    counts = [TokenCounter().count(written(spec)) for spec in specs]
    for key, wanted in expected.items():
        if key in _UNSAID:
            continue
        if key == "estimate_min":
            met = all(count >= least for count, least in zip(counts, wanted, strict=True))
        elif key == "estimate_max":
            met = all(count <= most for count, most in zip(counts, wanted, strict=True))
        else:
            return None, f"nothing here shows {key}"
        if not met:
            return False, f"counted {counts}; {key} is {wanted}"
    return True, ""


def _fitted(folder: pathlib.Path, given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Fill the memory, the special fact the oldest of all, and show the prompt."""
    match = re.match(r"(\d+) facts? of (\d+) characters", str(given.get("facts", "")))
    number, length = (int(match[1]), int(match[2])) if match else (0, 0)
    texts = [given["facts_include"]] if "facts_include" in given else []
    texts += [f"The user wrote on day {at}: {_ENGLISH * 20}"[:length] for at in range(number)]
    texts += given["facts"] if isinstance(given.get("facts"), list) else []

    async def made(vault: AsyncVault) -> Prompt:
        await vault.set(global_memories=True, window=given["context_tokens"], instructions=given.get("app_system", ""))
        await vault._database.write(lambda c: [store.insert(c, text, Origin.USER, Global(), vault.now()) for text in texts])
        talk = (await vault.conversations.create()).id
        for text in _said(given.get("history", given.get("turns", ()))):
            await vault.write(talk, text)
        return await vault.prompt(written(given["user"]), talk)

    prompt = with_vault(folder, made, ScriptedModel())
    system, last = prompt.messages[0].content, prompt.messages[-1].content
    # What is found for a message stands with it, between marks, so that the system message stays as it is (B1, B7).
    remembered = last[: last.index("</memory>")] if "</memory>" in last else ""
    for key, wanted in expected.items():
        if key in _UNSAID:
            continue
        if key == "estimated_tokens_total_max":
            met, shown = prompt.tokens <= wanted and sum(pieces(m.content) for m in prompt.messages) <= wanted, str(prompt.tokens)
        elif key == "forwarded_system_has":
            own = given.get("app_system", "")
            met = all(text in (system if text in own else system + remembered) for text in wanted)
            shown = system[-200:] + remembered
        elif key in ("user_message_has", "forwarded_user_has", "last_message_has"):
            met, shown = all(text in last for text in wanted), last[-200:]
        elif key in ("user_message_whole", "last_message_kept", "user_message_kept"):
            met, shown = last.endswith(written(given["user"])) is wanted, last[-200:]
        elif key in ("memory_tokens_max", "memory_block_tokens_max"):
            taken = sum(layer.tokens for layer in prompt.layers if layer.name in (*SHARES,))
            met, shown = taken <= wanted, str(taken)
        else:
            return None, f"nothing here shows {key}"
        if not met:
            return False, f"{key} is {wanted!r}; there is {shown!r}"
    return True, ""


def _said(history: Any) -> list[str]:
    """Return the messages of a history, which a case lists or describes."""
    if isinstance(history, str):
        match = re.match(r"(\d+) (?:turns|messages) of (\d+) characters", history)
        return [f"Entry {at}: {_ENGLISH * 50}"[: int(match[2])] for at in range(int(match[1]))] if match else [history]
    return [str(each.get("user", each.get("content", ""))) if isinstance(each, dict) else written(each) for each in history]


def _over_http(folder: pathlib.Path, given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Send a message with memory to a server that answers as the case says."""
    said = given.get("user", "What shall I cook tonight?")
    replies = [
        Reply(status=each["status"], raw=each.get("body", "").encode()) if each["status"] != 200 else Reply(each.get("text", ""))
        for each in given["upstream_replies"]
    ]

    async def talked(vault: AsyncVault) -> list[Any]:
        await vault.set(global_memories=True)
        for at in range(20):  # all are sent, so that nothing is left to search for, and the first call is the reply
            await vault.facts.add(f"The user's note number {at}: {_ENGLISH}", Global())
        talk = (await vault.conversations.create()).id
        return await events(vault.reply(talk, said))

    with FakeServer() as server:
        server.script(*replies)
        happened = with_vault(folder, talked, OpenAIModel(server.url, "fake-chat"))
        chats = server.chats()
    last = happened[-1]
    tokens = [sum(pieces(str(m["content"])) for m in each.messages) for each in chats]
    named = re.search(r"context length is (\d+)", str(given["upstream_replies"][0].get("body", "")))
    window = int(named[1]) if named else min(tokens)
    for key, wanted in expected.items():
        if key in _UNSAID:
            continue
        if key == "tries":
            met = len(chats) == wanted
        elif key == "second_try" and "client messages untouched" in str(wanted):
            # Memory is part of every prompt here: the second one is made anew for the window that was named, so that what fits
            # stays, and only what does not goes (docs/decisions/0019).
            met = len(chats) > 1 and chats[1].messages[-1]["content"].endswith(said) and tokens[1] <= min(window, tokens[0])
        elif key == "client_gets_text":
            met = isinstance(last, ReplyDone) and last.message.text == wanted
        elif key == "client_gets_error":
            met = (not isinstance(last, ReplyDone)) is wanted
        else:
            return None, f"nothing here shows {key}"
        if not met:
            return False, f"{key} should be {wanted!r}; {tokens} tokens were sent, {last!r} came"
    return True, ""


class _CutOff(ScriptedModel):
    """Replies, and gives a hidden call one answer, which ends for the reason of the case."""

    def __init__(self, given: dict[str, Any]) -> None:
        super().__init__(self._said)
        self._given = given
        self.hidden = 0

    def _said(self, messages: tuple[ChatMessage, ...]) -> str:
        if messages[0].content != SYSTEM:
            return str(self._given["turn"].get("assistant") or ".")
        self.hidden += 1
        return str(self._given["hidden_call_reply"]["content"])

    async def stream(self, request: Request) -> AsyncGenerator[Piece]:
        async for piece in super().stream(request):
            if isinstance(piece, Finished) and request.messages[0].content == SYSTEM:
                piece = Finished(Finish(self._given["hidden_call_reply"].get("finish_reason", "stop")), piece.usage)
            yield piece


def _cut_off(folder: pathlib.Path, given: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Learn from a turn, twice: what failed would be tried again."""
    model = _CutOff(given)

    async def learned(vault: AsyncVault) -> list[str]:
        talk = (await vault.conversations.create()).id
        await events(vault.reply(talk, given["turn"]["user"]))
        await vault.learn()
        await vault.learn()
        return [fact.text for fact in await vault.facts.all()]

    facts = with_vault(folder, learned, model)
    for key, wanted in expected.items():
        if key in _UNSAID:
            continue
        if key == "facts_after":
            met = sorted(facts) == sorted(wanted)
        elif key == "hidden_calls_max":
            met = model.hidden <= wanted
        else:
            return None, f"nothing here shows {key}"
        if not met:
            return False, f"{key} should be {json.dumps(wanted)}; facts {facts}, {model.hidden} hidden calls"
    return True, ""
