"""Planning: rules first, then one question after the same messages; whatever comes back, a plan comes of it."""

import asyncio
import time
from datetime import UTC, datetime

import pytest

from ricordo.conversation import Moment
from ricordo.errors import ModelUnreachable
from ricordo.models.openai_api import OpenAIModel
from ricordo.models.pace import pace_of
from ricordo.models.scripted import ScriptedModel
from ricordo.prompt import ChatMessage
from ricordo.recall.planner import MOST_SEARCHES, Plan, own_searches, plan
from ricordo.recall.references import find
from tests.fake_server import Asked, FakeServer, Reply

TALK = (
    ChatMessage("system", "You are the companion in a diary."),
    ChatMessage("user", "[2026-05-20 12:00] I tried the rye bread of the little shop by the harbour."),
    ChatMessage("assistant", "That sounds lovely."),
)
BAKERY = "Which bakery did I like in Riga?"


def planned(answer: str | Exception, text: str = BAKERY, messages: tuple[ChatMessage, ...] = TALK) -> tuple[Plan, ScriptedModel]:
    """Plan with a model that says just this."""
    model = ScriptedModel(answer)
    return asyncio.run(plan(model, messages, text, 5.0)), model


def over_http(server: FakeServer, text: str = BAKERY, patience: float = 5.0) -> Plan:
    """Plan with a model behind a server."""

    async def run() -> Plan:
        model = OpenAIModel(server.url, "fake")
        try:
            return await plan(model, TALK, text, patience)
        finally:
            await model.aclose()

    return asyncio.run(run())


@pytest.mark.req("R1")
def test_the_model_adds_what_the_message_only_points_to() -> None:
    """The message itself stays the first search."""
    made, model = planned("rye bread harbour\nbread shop", "Should I buy more of it?")
    assert made.searches == ("Should I buy more of it?", "rye bread harbour", "bread shop")
    assert made.asked
    assert len(model.requests) == 1


@pytest.mark.req("R1", "R3")
@pytest.mark.parametrize("text", ["thanks!", "ok", "3", "👍", "Guten Morgen", "What is 17 times 23?"])
def test_small_talk_asks_no_model_and_searches_nothing(text: str) -> None:
    """By rule, in no time."""
    made, model = planned("bakery", text)
    assert (made.searches, made.asked, model.requests) == ((), False, [])


@pytest.mark.req("R3")
@pytest.mark.parametrize(
    "answer", ["NONE", "", "<think>Okay, so the user", '{"queries": null}', "[]", "No search needed.", "I cannot."]
)
def test_without_a_usable_answer_the_message_itself_is_searched(answer: str) -> None:
    """And the reason says why."""
    made, _ = planned(answer)
    assert made.searches == (BAKERY,)
    assert made.asked
    assert "the message itself was searched" in made.reason


@pytest.mark.req("R1")
def test_at_most_three_searches_of_the_model_count() -> None:
    """More would only find the same again."""
    made, _ = planned('{"queries": ["rye bread", "harbour shop", "Latvia trip", "market hall", "old town"]}')
    assert made.searches == (BAKERY, "rye bread", "harbour shop", "Latvia trip")
    assert len(made.searches) == 1 + MOST_SEARCHES


@pytest.mark.req("R1")
def test_what_only_says_the_message_again_is_left_out() -> None:
    """A second search for the same words finds the same."""
    made, _ = planned("bakery Riga\nWhich bakery did I like in Riga?\nbread shop")
    assert made.searches == (BAKERY, "bread shop")


@pytest.mark.req("R1")
def test_a_message_that_only_points_is_looked_for_by_what_the_model_names() -> None:
    """Where nothing was said before it, there is nothing to point to."""
    made, _ = planned("rye bread shop", "Where was that?")
    assert made.searches == ("rye bread shop",)
    alone, model = planned("rye bread shop", "Where was that?", TALK[:1])
    assert (alone.searches, alone.asked, model.requests) == ((), False, [])


@pytest.mark.req("R1", "R3")
def test_where_no_model_names_it_what_was_said_before_is_searched() -> None:
    """Names first, without stamps and memories; a message that names all itself needs none of it."""
    memory = "<memory>\nThe time now: Friday.\n<entry: 2024-01-01>\nOld Saint Petersburg\n</entry>\n</memory>\n"
    talk = (TALK[0], ChatMessage("user", f"{memory}[2026-05-20 12:00] I had rye bread with Marta Lindqvist in Riga."), TALK[2])
    made, _ = planned("NONE", "Should I ask her again?", talk)
    assert made.searches == ("Marta Lindqvist Riga rye bread",)
    assert "what was said before" in made.reason
    assert planned("NONE", "Does she bake?", talk)[0].searches == ("Does she bake?", "Marta Lindqvist Riga rye bread")
    assert planned("NONE", "Which bakery did I like in Oslo?", talk)[0].searches == ("Which bakery did I like in Oslo?",)


@pytest.mark.req("R1", "R6")
def test_what_is_looked_up_outright_is_not_searched_for() -> None:
    """The day's words would only find other days."""
    now = Moment.of(datetime(2026, 5, 20, 12, 0, tzinfo=UTC))
    text = "What did I write on 2026-05-02 about the dentist?"
    (search,) = own_searches(text, find(text, now, UTC))
    assert "2026" not in search
    assert search.endswith("about the dentist?")
    only = "What did I write on 2026-05-02?"
    assert own_searches(only, find(only, now, UTC)) == ()


@pytest.mark.req("R1")
def test_words_copied_from_the_examples_are_taken_off() -> None:
    """A small model mixes what it was shown into what it writes."""
    made, _ = planned("Marta, broken tiles, old clocks, harbour", "Did she like it?")
    assert "Marta" in made.searches[-1]
    assert not any(word in made.searches[-1] for word in ("tiles", "clocks", "broken"))
    assert planned("roofer tiles", "Did she like it?")[0].searches[-1] != "roofer tiles"
    assert planned("roofer tiles", "What did the roofer say of the tiles on the porch?")[0].asked


@pytest.mark.req("R3")
def test_the_questions_of_a_long_entry_are_searched_by_themselves() -> None:
    """Among three hundred words they would drown."""
    entry = "We walked along the canal and the children fed the ducks. " * 8 + "Did the roofer ever call back? It is late now."
    assert own_searches(entry)[0] == "Did the roofer ever call back?"
    assert len(own_searches(entry)) == 2


@pytest.mark.req("B7")
def test_the_question_follows_the_same_messages() -> None:
    """So that a server's cache holds all but the question; it has little room to answer in."""
    _, model = planned("rye bread")
    request = model.requests[0]
    assert request.messages[: len(TALK)] == TALK
    assert len(request.messages) == len(TALK) + 1
    assert request.messages[-1].role == "user"
    assert request.messages[-1].content.endswith(f"| Message: {BAKERY} | Search:")
    assert "rye bread of the little shop" in request.messages[-1].content
    assert request.max_tokens <= 64


@pytest.mark.req("B7")
def test_no_two_messages_of_the_person_stand_in_a_row() -> None:
    """Many chat templates refuse them: a message without a reply before it is joined."""
    _, model = planned("rye bread", messages=TALK[:2])
    assert [message.role for message in model.requests[0].messages] == ["system", "user"]
    assert model.requests[0].messages[1].content.startswith(TALK[1].content)


@pytest.mark.req("R8", "B7")
def test_a_page_of_diary_is_shown_to_the_planner_by_its_ends() -> None:
    """Reading it twice would cost more than the plan is worth."""
    _, model = planned("rye bread", "The bread was dark. " * 400 + "What was the shop called?")
    asked = model.requests[0].messages[-1].content
    assert len(asked) < 2000
    assert "What was the shop called?" in asked


@pytest.mark.req("R8")
def test_a_slow_model_costs_its_patience_and_no_more() -> None:
    """The reply goes on with the message itself; the server learns that nobody waits."""
    with FakeServer() as server:
        server.script(Reply("rye bread", delay=30))
        begun = time.perf_counter()
        made = over_http(server, patience=0.3)
        assert time.perf_counter() - begun < 3
        assert made.searches == (BAKERY,)
        assert "time was over" in made.reason
        assert server.wait_for_disconnect()


@pytest.mark.req("R8")
def test_what_was_written_before_the_time_was_over_counts() -> None:
    """A whole line is a search; one that broke off is none."""
    with FakeServer() as server:
        server.script(Reply(chunks=("rye bread harbour\n", "market", " hall"), hang_after=2))
        made = over_http(server, patience=1.0)
    assert made.searches == (BAKERY, "rye bread harbour")
    assert "time was over" in made.reason


@pytest.mark.req("R3", "R8")
@pytest.mark.parametrize("reply", [Reply(status=503), Reply(drop=True), Reply(raw=b"<html>no</html>", content_type="text/html")])
def test_a_failing_server_costs_no_reply(reply: Reply) -> None:
    """Whatever it does, the message itself is searched and the reason names the failure."""
    with FakeServer() as server:
        server.script(reply)
        made = over_http(server)
    assert made.searches == (BAKERY,)
    assert made.asked


@pytest.mark.req("R3")
def test_a_model_that_is_not_there_is_no_error() -> None:
    """The reply itself will say so."""
    made, _ = planned(ModelUnreachable("Nothing answers there."))
    assert made.searches == (BAKERY,)
    assert "Nothing answers there" in made.reason


@pytest.mark.req("R8")
def test_without_time_the_model_is_not_asked() -> None:
    """Rules alone make the plan."""
    model = ScriptedModel("rye bread")
    made = asyncio.run(plan(model, TALK, BAKERY, 0.0))
    assert (made.searches, made.asked, model.requests) == ((BAKERY,), False, [])


@pytest.mark.req("R8")
@pytest.mark.parametrize(("text", "asked"), [("Which bakery did I like in Riga?", False), ("Did she like it?", True)])
def test_a_slow_model_is_asked_where_the_message_only_points(text: str, asked: bool) -> None:
    """What names all itself is searched as it is, and the time is left to checking."""
    model = ScriptedModel("rye bread")
    pace_of(model).reading = 0.01  # a hundred tokens a second
    made = asyncio.run(plan(model, TALK, text, 2.0))
    assert made.asked is asked
    assert bool(model.requests) is asked


@pytest.mark.req("R8", "E2")
def test_a_plan_that_is_given_up_stops_the_model() -> None:
    """When the person stops the turn while it is planned, nothing goes on in the server."""
    with FakeServer() as server:
        server.on(lambda asked: Reply("rye bread", delay=30))

        async def run() -> None:
            model = OpenAIModel(server.url, "fake")
            task = asyncio.create_task(plan(model, TALK, BAKERY, 20.0))
            await asyncio.to_thread(server.wait_for_chat)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await model.aclose()
            assert task.cancelled()

        asyncio.run(run())
        assert server.wait_for_disconnect()


def test_the_answer_is_stopped_once_it_says_enough() -> None:
    """A model that goes on and on would use up the time that checking needs."""
    lines = "".join(f"rye bread number {word}\n" for word in "one two three four five six".split())

    def rule(asked: Asked) -> Reply:
        return Reply(chunks=tuple(line + "\n" for line in lines.splitlines()), pause=0.05)

    with FakeServer() as server:
        server.on(rule)
        made = over_http(server)
    assert len(made.searches) == 1 + MOST_SEARCHES


@pytest.mark.req("R3", "E17")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Could you please forget my phone number?", ""),
        ("Vergiss bitte meine Adresse.", ""),
        ("Forget my phone number. What did I plant on the balcony?", "balcony"),
        ("I forgot where I put the blue notebook", "notebook"),
        ("Don't forget that I like figs, what fruit did I buy?", "fruit"),
    ],
)
def test_what_is_to_be_forgotten_is_not_looked_up(text: str, words: str) -> None:
    """It would be brought back into the very prompt that is to do without it."""
    made = asyncio.run(plan(ScriptedModel("phone number\naddress"), [ChatMessage("system", "Be kind.")], text, 5.0))
    if words:
        assert any(words in search for search in made.searches), made
        assert not any("phone" in search for search in own_searches(text)), made
    else:
        assert made.searches == ()
        assert "forget" in made.reason
