"""ask, prompt and chat, with a model server over real HTTP."""

import pytest

from tests.cli.terminal import Terminal
from tests.fake_server import FakeServer, Reply


@pytest.mark.req("I2", "S3")
def test_ask_prints_the_reply_and_nothing_else_to_stdout(ricordo: Terminal, model: FakeServer) -> None:
    """The note that the model is waited for goes to stderr; both messages are kept in a new conversation."""
    model.script("Hello, it is good to hear of you.")
    asked = ricordo("ask", "I am", "back.")
    assert (asked.code, asked.out) == (0, "Hello, it is good to hear of you.\n")
    assert "Loading the model" in asked.err
    (talk,) = ricordo("conversations", "--json").json
    assert (talk["title"], talk["messages"]) == ("I am back.", 2)


@pytest.mark.req("I2")
def test_ask_as_json_has_just_these_names(ricordo: Terminal, model: FakeServer) -> None:
    """And goes on in the conversation that is named, by its id or as the last one."""
    model.script("One.", "Two.", "Three.")
    first = ricordo("ask", "First", "--json").json
    assert set(first) == {"conversation", "message", "reply", "status", "usage", "reason"}
    assert (first["reply"], first["status"], first["reason"]) == ("One.", "complete", None)
    assert set(first["usage"]) == {"prompt", "cached", "reply"}
    assert first["usage"]["prompt"] > 0
    second = ricordo("--json", "ask", "--conversation", "last", "Second").json
    third = ricordo("ask", "--json", f"--conversation={first['conversation']}", "--", "--json").json
    assert first["conversation"] == second["conversation"] == third["conversation"]
    shown = ricordo("conversations", "show", str(first["conversation"]), "--json").json["messages"]
    assert [message["text"] for message in shown] == ["First", "One.", "Second", "Two.", "--json", "Three."]
    assert set(shown[0]) == {"id", "author", "at", "text", "status", "model"}
    assert shown[1]["id"] == first["message"]


@pytest.mark.req("I2")
def test_a_text_can_be_piped_in(ricordo: Terminal, model: FakeServer) -> None:
    """Where no list of processes shows it."""
    ricordo("ask", "-", stdin="Two lines\nof a diary.\n")
    assert "Two lines\nof a diary." in model.chats()[-1].text


@pytest.mark.req("I2", "S1")
def test_a_conversation_begins_in_the_space_that_is_named(ricordo: Terminal, model: FakeServer) -> None:
    """With the instructions of that Space."""
    ricordo("spaces", "create", "Work", "--instructions", "Answer in one word.")
    ricordo("ask", "Well?", "--space", "Work")
    assert "Answer in one word." in model.chats()[-1].text
    assert len(ricordo("conversations", "--space", "Work", "--json").json) == 1


@pytest.mark.req("I2", "S3", "X3")
def test_when_the_model_fails_the_message_is_kept_and_the_reason_told(ricordo: Terminal, model: FakeServer) -> None:
    """Exit code 5, also with a half reply, which is kept too."""
    model.script(Reply(status=401, raw=b'{"error": {"message": "no"}}'))
    failed = ricordo("ask", "Are you there?", "--json")
    assert (failed.code, failed.json["status"], failed.json["message"], failed.json["reply"]) == (5, "error", None, "")
    assert failed.json["reason"] == failed.err.splitlines()[-1]
    model.script(Reply("one two three four", cut_after=3))
    half = ricordo("ask", "And now?", "--conversation", "last")
    assert half.code == 5
    assert half.out.startswith("one two")
    shown = ricordo("conversations", "show", "1", "--json").json["messages"]
    assert [message["text"] for message in shown if message["author"] == "user"] == ["Are you there?", "And now?"]


@pytest.mark.req("I2")
def test_an_empty_message_is_refused_before_a_conversation_begins(ricordo: Terminal, model: FakeServer) -> None:
    """Nothing is sent and nothing is stored."""
    assert ricordo("ask", " ").code == 2
    assert ricordo("conversations", "--json").json == []
    assert model.chats() == []


@pytest.mark.req("I2", "B5", "B8")
def test_prompt_prints_exactly_what_would_be_sent_and_calls_no_model(ricordo: Terminal, model: FakeServer) -> None:
    """Three names, as the specification of the command says; nothing is stored."""
    ricordo("settings", "global_memories", "on")
    ricordo("remember", "I like figs.")
    shown = ricordo("prompt", "What do I like?", "--json")
    assert set(shown.json) == {"messages", "layers", "window"}
    assert {tuple(message) for message in shown.json["messages"]} == {("role", "content")}
    assert {tuple(layer) for layer in shown.json["layers"]} == {("name", "tokens", "text")}
    assert "I like figs." in shown.json["messages"][0]["content"]
    assert shown.json["messages"][-1]["content"].endswith("What do I like?")
    assert isinstance(shown.json["window"], int)
    assert model.chats() == []
    assert ricordo("conversations", "--json").json == []
    assert "== memories (" in ricordo("prompt", "What do I like?").out


@pytest.mark.req("I2", "B5")
def test_what_prompt_shows_is_what_ask_sends(ricordo: Terminal, model: FakeServer) -> None:
    """Message for message, but for the minute that may turn in between."""
    shown = ricordo("prompt", "Good morning", "--json").json["messages"]
    ricordo("ask", "Good morning")
    sent = model.chats()[-1].messages
    assert [message["role"] for message in sent] == [message["role"] for message in shown]
    assert sent[0] == shown[0]


@pytest.mark.req("I2", "F5")
def test_chat_talks_and_takes_commands(ricordo: Terminal, model: FakeServer) -> None:
    """Commands never reach the model; a wrong one is told and the chat goes on, learning beside it."""
    replies = iter(["One.", "Two.", "Two again."])
    model.on(lambda asked: "{}" if "lasting facts" in asked.text else next(replies))
    lines = [
        "Hello",
        "/space Work",
        "/remember I lead the north team.",
        "/list memories",
        "/nope",
        " /not a command",
        "/retry",
        "/quit",
    ]
    ricordo("spaces", "create", "Work")
    talked = ricordo("chat", stdin="\n".join([*lines, "never sent"]))
    assert talked.code == 0
    for text in ("One.", "Working in Work.", "Remembered: I lead the north team.", "#1 I lead", "Two.", "Two again."):
        assert text in talked.out
    assert "There is no command /nope" in talked.err
    sent = [chat.messages[-1]["content"] for chat in model.chats() if "lasting facts" not in chat.text]
    assert [text.rpartition("] ")[2] for text in sent] == ["Hello", "/not a command", "/not a command"]
    (talk,) = ricordo("conversations", "--json").json
    assert (talk["title"], talk["messages"]) == ("Hello", 4)


@pytest.mark.req("I2", "F5")
def test_help_in_a_chat_lists_its_own_commands_too(ricordo: Terminal) -> None:
    """And leaving without a word stores nothing."""
    talked = ricordo("chat", stdin="/help\n/retry\n")
    assert "/remember FACT" in talked.out
    assert "/quit" in talked.out
    assert "nothing to try again" in talked.err
    assert ricordo("conversations", "--json").json == []


@pytest.mark.req("I2", "S3")
def test_chat_goes_on_after_a_failure(ricordo: Terminal, model: FakeServer) -> None:
    """The reason is told, and /retry asks again."""
    model.script(Reply(status=401, raw=b'{"error": {"message": "no"}}'), "There you are.")
    talked = ricordo("chat", stdin="Hello?\n/retry\n")
    assert talked.code == 0
    assert "/retry asks again" in talked.err
    assert talked.out == "There you are.\n"


@pytest.mark.req("I2", "X2")
def test_a_reply_does_not_command_the_terminal(ricordo: Terminal, model: FakeServer) -> None:
    """Whatever a model was made to write."""
    model.script("\x1b]52;c;aGk=\x07Fine.")
    assert ricordo("ask", "Hm?").out == "]52;c;aGk=Fine.\n"


@pytest.mark.req("S2", "I2")
def test_a_private_chat_leaves_nothing(ricordo: Terminal, model: FakeServer) -> None:
    """It says so, replies, asks again, refuses commands, and is in no list afterwards."""
    model.script("Hello.", "Hello again.")
    talked = ricordo("chat", "--private", stdin="I am Quixalorn.\n/retry\n/remember I am Quixalorn\n/quit\n")
    assert talked.out == "Hello.\nHello again.\n"
    assert "nothing of this is stored" in talked.err
    assert "Nothing is remembered from here." in talked.err
    assert ricordo("conversations", "--json").json == []
    assert ricordo("search", "Quixalorn", "--json").json == []
    refused = ricordo("chat", "--private", "--space", "Work")
    assert (refused.code, "in no Space" in refused.err) == (2, True)
