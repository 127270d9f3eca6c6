"""Whatever a program sends to the proxy or its model's server sends back: passed on as it is, or refused in a sentence."""

import json
import pathlib
import random
from typing import Any

import pytest

from tests.fake_replies import Reply, events
from tests.faults import often
from tests.fuzz.mutation import cut, damaged, mutated, written
from tests.server.proxied import Proxied, through

ROUNDS = range(often.often(1, 20))  # each with a proxy of its own, which a test has for a minute
pytestmark = [pytest.mark.slow, pytest.mark.req("I4", "X3"), pytest.mark.timeout(3600)]

PICTURE = {"type": "image_url", "image_url": {"url": "data:,"}}
CALLED = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
BODY: dict[str, Any] = {
    "model": "fake-chat",
    "messages": [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": [{"type": "text", "text": "What is this?"}, PICTURE]},
        {"role": "assistant", "content": None, "tool_calls": [CALLED]},
        {"role": "tool", "tool_call_id": "1", "content": "A harbour."},
        {"role": "user", "name": "ada", "content": "I have lived by the harbour since April."},
    ],
    "stream": False,
    "stream_options": {"include_usage": True},
    "metadata": {"conversation_id": "abc"},
    "user": "ada",
    "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}],
}
NESTED = [
    json.dumps({"messages": [{"role": "user", "content": [{"type": "x", "x": "DEEP"}, 1, None, "text"]}]})
    .replace('"DEEP"', "[" * depth + "]" * depth)
    .encode()
    for depth in (300, 700, 900, 950, 970, 985)
]
DEEP = (*NESTED, b"[" * 100_000, b'{"messages":' + b"[" * 100_000, b'{"messages":[{"role":"user","content":' + b'{"a":' * 20_000)


@pytest.mark.parametrize("seed", ROUNDS)
def test_any_body_is_passed_on_or_refused_in_a_sentence(
    tmp_path: pathlib.Path, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    """No failure of ours, no trouble noted, and the proxy goes on: the last body is a good one."""
    tries = often.often(150, 300)

    async def work(here: Proxied) -> None:
        chance = random.Random(44 + seed)
        for number in range(tries):
            raw = DEEP[number] if number < len(DEEP) else written(mutated(BODY, chance), chance)
            if chance.random() < 0.2:
                raw = damaged(raw, chance)
            path = chance.choice(["/chat/completions"] * 4 + ["/embeddings"])
            answer = await here.program.post(path, content=raw, headers={"content-type": "application/json"})
            said = answer.text
            assert answer.status_code < 500, (number, raw[:600], said)
            if answer.status_code >= 400:
                assert json.loads(said)["error"], (number, said)
            assert not caplog.records, (number, raw[:600], caplog.text[-3000:])
        answer = await here.say("And I still do, what of it?")
        assert answer.status_code == 200
        assert ("user", "complete", "And I still do, what of it?") in await here.shown()

    through(tmp_path, work)
    often.told("bodies sent to the proxy", tries * (seed + 1), "passed on, or a sentence")


@pytest.mark.parametrize("seed", ROUNDS)
def test_any_stream_comes_back_byte_for_byte_however_it_is_cut(
    tmp_path: pathlib.Path, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    """A whole one is also kept as the reply; of a broken one the program sees what the server sent."""
    tries = often.often(60, 200)

    async def work(here: Proxied) -> None:
        chance = random.Random(1045 + seed)
        for number in range(tries):
            text = chance.choice(["Ünïcode 日記 of the harbour", "🧑‍🚒 one two", "a\n\nb", "<think>x</think>so"])
            whole = b"".join(events(Reply(text), {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}))
            broken = chance.random() < 0.5
            raw = damaged(whole, chance) if broken else whole
            pieces = cut(raw, chance)
            here.upstream.script(Reply(lines=pieces or (b"\n",)))
            asked = f"Number {number}: what of the harbour?"
            sent = {"model": "fake-chat", "messages": [{"role": "user", "content": asked}], "stream": True}
            async with here.program.stream("POST", "/chat/completions", json=sent) as answer:
                found = b"".join([piece async for piece in answer.aiter_bytes()])
            assert found == raw or not pieces, number
            shown = await here.shown()
            assert ("user", "complete", asked) in shown
            if not broken:
                assert shown[-1] == ("model", "complete", text.removeprefix("<think>x</think>")), number
            assert not caplog.records, (number, raw[:600], caplog.text[-3000:])

    through(tmp_path, work)
    often.told("streams cut anywhere through the proxy", tries * (seed + 1), "byte for byte")
