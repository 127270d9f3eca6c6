"""The proxy: what clients send and get passes through as it is, memory comes along, what was said is kept."""

import pathlib

import httpx2
import pytest

from ricordo.fact import Global
from tests.fake_server import Reply
from tests.server.proxied import Proxied, through

pytestmark = pytest.mark.req("I4")


def test_a_reply_comes_with_memory_and_what_was_said_is_kept(tmp_path: pathlib.Path) -> None:
    """The facts stand in the system message, the time with the newest message; stored is what was said, and nothing else."""

    async def work(here: Proxied) -> None:
        await here.vault.set(global_memories=True)
        await here.vault.facts.add("The user sails a small boat.", Global())
        answer = await here.say("What shall I do on Sunday?", temperature=0.5, seed=7)
        assert answer.json()["choices"][0]["message"]["content"] == "Go sailing."
        sent = here.last()
        assert [each["role"] for each in sent.messages] == ["system", "user"]
        assert "The user sails a small boat." in sent.messages[0]["content"]
        assert sent.messages[1]["content"].endswith("</memory>\nWhat shall I do on Sunday?")
        assert "The time now:" in sent.messages[1]["content"]
        assert (sent.body["temperature"], sent.body["seed"]) == (0.5, 7)
        assert await here.shown() == [
            ("user", "complete", "What shall I do on Sunday?"),
            ("model", "complete", "Go sailing."),
        ]
        (talk,) = await here.vault.conversations.all()
        assert talk.title == "What shall I do on Sunday?"

    through(tmp_path, work, "Go sailing.")


def test_a_client_that_sends_all_again_goes_on_with_its_conversation(tmp_path: pathlib.Path) -> None:
    """Only what is new is stored, however the client trims what it shows; a system message may change from turn to turn."""

    async def work(here: Proxied) -> None:
        await here.say("I planted figs.")
        await here.say({"role": "system", "content": "At 9:00"}, _user("I planted figs."), _model("Lovely."), _user("And plums."))
        await here.say(
            {"role": "system", "content": "At 9:05"},
            *(_user("I planted figs."), _model("Lovely. "), _user("And plums.\n"), _model(" Fine."), _user("And pears.")),
        )
        assert [text for _, _, text in await here.shown()] == [
            "I planted figs.", " Lovely.".strip(), "And plums.", "Fine.", "And pears.", "Good.",
        ]  # fmt: skip
        assert await here.stored() == 6
        assert len(await here.vault.conversations.all()) == 1

    through(tmp_path, work, "Lovely.", "Fine.", "Good.")


def test_what_was_added_to_a_message_is_added_again_in_the_same_words(tmp_path: pathlib.Path) -> None:
    """So that each request begins with all of the one before, but for what the client itself changed."""

    async def work(here: Proxied) -> None:
        await here.say("One.")
        first = here.last().messages
        await here.say("One.", "A", "Two.")
        second = here.last().messages
        await here.say("One.", "A", "Two.", "B", "Three.")
        third = here.last().messages
        assert second[: len(first)] == first
        assert third[: len(second)] == second
        assert second[1]["content"] != "One."

    through(tmp_path, work, "A", "B", "C")


def test_the_clients_own_system_message_stays_first(tmp_path: pathlib.Path) -> None:
    """What memory adds stands behind it, in the same message; in parts it is a part of its own."""

    async def work(here: Proxied) -> None:
        await here.say({"role": "system", "content": "You are a pirate."}, _user("Hi"))
        (system, _) = here.last().messages
        assert system["content"].startswith("You are a pirate.\n\n")
        parts = [{"type": "text", "text": "You are a pirate."}]
        await here.say({"role": "system", "content": parts}, _user("Hello there"))
        (system, _) = here.last().messages
        assert system["content"][0] == parts[0]
        assert len(system["content"]) == 2

    through(tmp_path, work)


def test_what_it_does_not_own_passes_through_byte_for_byte(tmp_path: pathlib.Path) -> None:
    """Odd numbers, escapes, unknown fields, tools: all but the two messages that memory is added to."""
    body = (
        '{"model":"fake-chat" , "x_unknown":{"a":1.50,"b":"\\u00e9\\/","big":123456789012345678901},"tools":[{"type":"function",'
        '"function":{"name":"weather","parameters":{"type":"object"}}}],"tool_choice":"auto","response_format":{"type":"text"},'
        '"n":1,"logprobs":true,\n "messages":[{"role":"user","content":"Weather?","name":"ann"},{"role":"assistant",'
        '"content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"weather","arguments":"{ }"}}]},'
        '{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"21\\u00b0 C"}]}],"stream":false}'
    )

    async def work(here: Proxied) -> None:
        headers = {"content-type": "application/json", "openai-organization": "org-1"}
        answer = await here.program.post("/chat/completions", content=body.encode(), headers=headers)
        assert answer.status_code == 200, answer.text
        before, _, after = body.partition('[{"role":"user","content":"Weather?"')
        sent = here.last().raw.decode()
        assert sent.startswith(before + '[{"role": "system"')
        assert sent.endswith(after)
        assert sent.count("Weather?") == 1

    through(tmp_path, work, "It is 21.")


def test_an_answer_passes_back_byte_for_byte(tmp_path: pathlib.Path) -> None:
    """Comments, unknown events and fields, several choices: the client gets what the server sent."""
    lines = (
        b": OPENROUTER PROCESSING\n\n",
        b'event: odd\ndata: {"choices":[{"index":1,"delta":{"content":"Or"}},{"index":0,"delta":{"content":"Hel"}}],"x":1.0}\n\n',
        b'data:{"choices":[{"index":0,"delta":{"content":"lo","custom":[]},"logprobs":null,"finish_reason":"stop"}]}\r\n\r\n',
        b"data: [DONE]\n\n",
    )

    async def work(here: Proxied) -> None:
        answer = await here.say("Hi", stream=True, n=2)
        assert answer.content == b"".join(lines)
        assert await here.shown() == [("user", "complete", "Hi"), ("model", "complete", "Hello")]

    through(tmp_path, work, Reply(lines=lines))


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
def test_an_error_of_the_server_is_the_clients(tmp_path: pathlib.Path, status: int) -> None:
    """Status, body and headers as they came; the person's message is kept, and sent again it is not stored twice."""
    refused = Reply(
        status=status, raw=b'{"error":{"message":"no","param":"x"}}', headers={"retry-after": "7", "x-request-id": "r1"}
    )

    async def work(here: Proxied) -> None:
        answer = await here.say("Hi there")
        assert (answer.status_code, answer.content) == (status, refused.raw)
        assert (answer.headers["retry-after"], answer.headers["x-request-id"]) == ("7", "r1")
        assert await here.shown() == [("user", "complete", "Hi there")]
        await here.say("Hi there")
        assert await here.stored() == 1
        assert (await here.say("Hi there")).status_code == 200
        assert await here.stored() == 2

    twice = (refused,) * (4 if status == 400 else 2)  # 400 may mean memory, so it is sent once more without
    through(tmp_path, work, *twice, "Hello")


def test_a_prompt_too_long_with_memory_is_sent_once_more_without(tmp_path: pathlib.Path) -> None:
    """The client's own messages, byte for byte; when they fit, nobody notices."""

    async def work(here: Proxied) -> None:
        answer = await here.say("Hi there")
        assert answer.json()["choices"][0]["message"]["content"] == "Hello"
        first, second = here.upstream.chats()
        assert first.messages[-1]["content"] != "Hi there"
        assert second.messages == [{"role": "user", "content": "Hi there"}]

    overflow = b'{"error":{"code":400,"message":"request (900 tokens) exceeds the available context size (512 tokens)"}}'
    through(tmp_path, work, Reply(status=400, raw=overflow), "Hello")


@pytest.mark.req("S2")
def test_private_by_a_header(tmp_path: pathlib.Path) -> None:
    """The very bytes go on, nothing is stored, and the header itself stays here."""

    async def work(here: Proxied) -> None:
        body = b'{"model": "m",  "messages": [{"role": "user", "content": "My secret."}]}'
        headers = {"content-type": "application/json", "x-ricordo-private": "1"}
        answer = await here.program.post("/chat/completions", content=body, headers=headers)
        assert answer.status_code == 200
        assert here.last().raw == body
        assert not [name for name in here.last().headers if "ricordo" in name]
        assert await here.vault.conversations.all() == []

    through(tmp_path, work)


def test_what_a_chat_program_asks_for_by_itself_is_no_conversation(tmp_path: pathlib.Path) -> None:
    """A title for a talk that is kept already: passed on as it is, and forgotten."""

    async def work(here: Proxied) -> None:
        task = "### Task:\nGenerate a title for:\n<chat_history>USER: I like figs.</chat_history>"
        await here.say(task)
        assert here.last().messages == [{"role": "user", "content": task}]
        assert await here.vault.conversations.all() == []

    through(tmp_path, work)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"messages": "Hi"}',
        b'{"messages": [1, null]}',
        b'{"messages": []}',
        b'{"messages": [{"role": "system", "content": "Be kind."}]}',
        b'{"messages": [{"role": "user"}, {"content": "x"}, {"role": "user", "content": [1, {}]}, {"role": "user"}]}',
        b'{"messages": [{"role": "user", "content": "\xff"}]}',
        b'{"user": 7, "metadata": ["x"], "messages": [{"role": ["user"], "content": {}}]}',
    ],
)
def test_what_is_no_conversation_is_the_servers_to_judge(tmp_path: pathlib.Path, body: bytes) -> None:
    """The very bytes go on; nothing is stored, and nothing goes wrong here."""

    async def work(here: Proxied) -> None:
        headers = {"content-type": "application/json"}
        answer = await here.program.post("/chat/completions", content=body, headers=headers)
        assert answer.status_code == 418
        assert here.last().raw == body
        assert await here.vault.conversations.all() == []

    through(tmp_path, work, Reply(status=418, raw=b"{}"))


def test_messages_of_odd_shapes_do_not_keep_the_others_from_memory(tmp_path: pathlib.Path) -> None:
    """A message without a content, a system message without one, a name, an empty text."""

    async def work(here: Proxied) -> None:
        odd = [{"role": "system"}, {"role": "user", "content": ""}, {"role": "assistant"}, {"role": "odd", "content": "x"}]
        answer = await here.say(*odd, _user("I like figs."))
        assert answer.status_code == 200
        sent = here.last().messages
        assert sent[0]["content"].startswith("The following is from Ricordo")
        assert sent[1:4] == odd[1:]
        assert [text for _, _, text in await here.shown()] == ["I like figs.", "ok then"]

    through(tmp_path, work)


def test_neither_the_token_nor_a_cookie_goes_on(tmp_path: pathlib.Path) -> None:
    """The server gets its own key from the vault, and nothing that would let it in here."""

    async def work(here: Proxied) -> None:
        await here.say("Hi", headers={"cookie": "ricordo_1=x", "x-ricordo-conversation": "a", "origin": "app://desk"})
        headers = here.last().headers
        assert here.token not in str(headers)
        assert not {"authorization", "cookie", "origin"} & set(headers)

    through(tmp_path, work)


def test_models_and_embeddings_pass_through(tmp_path: pathlib.Path) -> None:
    """As the server tells them; of the texts nothing is kept."""

    async def work(here: Proxied) -> None:
        listed = await here.program.get("/models")
        assert [each["id"] for each in listed.json()["data"]] == ["fake-chat"]
        embedded = await here.program.post("/embeddings", json={"model": "e", "input": ["a", "b"]})
        assert len(embedded.json()["data"]) == 2
        assert await here.vault.conversations.all() == []
        assert (await here.program.post("/nothing", json={})).status_code == 404

    through(tmp_path, work)


def test_a_token_that_only_reads_gives_memory_and_keeps_nothing(tmp_path: pathlib.Path) -> None:
    """Not the conversation, not a reply."""

    async def work(here: Proxied) -> None:
        await here.say("Hi there")
        await here.say("Hi there", "Hello", "And now?")
        assert "<memory>" in here.last().messages[-1]["content"]
        assert await here.vault.conversations.all() == []

    through(tmp_path, work, "Hello", scope="read")


@pytest.mark.req("X3")
def test_no_server_is_an_error_in_the_clients_own_language(tmp_path: pathlib.Path) -> None:
    """With a status, and a sentence where clients look for one."""

    async def work(here: Proxied) -> None:
        here.upstream.__exit__()
        answer = await here.say("Hi")
        assert answer.status_code == 502
        assert "No model server answers" in answer.json()["error"]["message"]
        async with httpx2.AsyncClient(base_url=here.url, trust_env=False) as stranger:
            refused = await stranger.post("/chat/completions", json={"messages": []})
            assert (refused.status_code, refused.json()["error"]["type"]) == (401, "NoSession")

    through(tmp_path, work)


def _user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def _model(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}
