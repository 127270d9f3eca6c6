"""What a reply is made with: planned, gathered, checked and shortened, over real HTTP, and told in the trace."""

import json
import pathlib

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ricordo.conversation import Message, Moment, Reach, Role, Status
from ricordo.fact import Global, InConversation, Origin
from ricordo.learn.extractor import SYSTEM
from ricordo.models.tokens import TokenCounter
from ricordo.prompt import Budget, Trace
from ricordo.recall.assemble import Epoch, assemble
from ricordo.recall.material import Material
from ricordo.recall.parts import Excerpted, Found
from ricordo.recall.recalling import NOTHING
from ricordo.store import facts
from ricordo.vault import AsyncVault
from tests.fake_server import FakeServer
from tests.recalls import FILLER, HARP, NO, NOW, answering, asides, last_prompt, step, steps, turn, with_server, written
from tests.vaults import NOON, with_vault

COUNT = TokenCounter().count
MEMORY = ("memories", "pinned", "summary", "names", "references", "recalled")


def in_block(trace: Trace) -> int:
    """The tokens that memory took."""
    return sum(tokens for name, tokens in trace.layers if name in MEMORY)


@pytest.mark.req("R1", "R4", "B8")
def test_what_left_the_window_comes_back_when_it_matters(tmp_path: pathlib.Path) -> None:
    """The entry is planned for, found, checked, sent, and the trace names it by its id, without its words."""
    with FakeServer() as server:
        answering(server, plan="harpsichord dealer")

        async def work(vault: AsyncVault) -> None:
            message, trace = await turn(vault, await written(vault, HARP), "Who bought the harpsichord?")
            assert message.text == "So it was."
            assert 1 not in trace.shown.window
            assert trace.shown.recalled == (1,)
            assert step(trace, "plan")["searches"] == ["Who bought the harpsichord?", "harpsichord dealer"]
            assert step(trace, "plan")["asked"] is True
            candidate = step(trace, "gather")["candidates"][0]
            assert (candidate["message"], candidate["score"] > 0, 0 < candidate["fit"] <= 1) == (1, True, True)
            verdict = step(trace, "check")["verdicts"][0]
            assert (verdict["kept"], verdict["by"]) == (True, "model")
            assert verdict["probability"] > 0.9
            assert "Ysolde" not in json.dumps(trace.steps)
            assert "recalled" in trace.timings
            assert in_block(trace) <= trace.budget.block

        with_server(tmp_path, server, work)
        assert HARP in last_prompt(server).partition("</memory>")[0]
        assert len(asides(server)) == 3  # a plan, and two notes: the entry after it stands beside the one that fits


@pytest.mark.req("R4", "B8")
def test_what_the_model_finds_irrelevant_stays_out(tmp_path: pathlib.Path) -> None:
    """Keeping none is valid, and the trace says what was rejected."""
    with FakeServer() as server:
        answering(server, check=NO)

        async def work(vault: AsyncVault) -> None:
            _, trace = await turn(vault, await written(vault, HARP), "Who bought the harpsichord?")
            assert trace.shown.recalled == ()
            assert step(trace, "gather")["candidates"][0]["message"] == 1
            assert not any(verdict["kept"] for verdict in step(trace, "check")["verdicts"])
            assert "recalled" not in dict(trace.layers)

        with_server(tmp_path, server, work)
        assert HARP not in last_prompt(server)


@pytest.mark.req("R1", "R3")
@pytest.mark.parametrize(
    "said", ["Hello!", "thanks a lot 😊", "ok", "3", "Danke dir!", "👍", "buonanotte", "What is 19 percent of 260?"]
)
def test_small_talk_recalls_nothing_and_asks_nothing(tmp_path: pathlib.Path, said: str) -> None:
    """The reply is the one call that is made."""
    with FakeServer() as server:
        answering(server)

        async def work(vault: AsyncVault) -> None:
            _, trace = await turn(vault, await written(vault, HARP), said)
            assert (step(trace, "plan")["searches"], step(trace, "plan")["asked"]) == ([], False)
            assert not steps(trace, "gather")

        with_server(tmp_path, server, work)
        assert len(server.chats()) == 1


@pytest.mark.req("B2", "R1")
def test_facts_that_are_not_sent_are_searched_where_there_is_nothing_else(tmp_path: pathlib.Path) -> None:
    """In a new conversation, over a list too long to be sent whole."""

    async def work(vault: AsyncVault) -> None:
        await vault.set(global_memories=True)

        def tell(connection: apsw.Connection) -> int:
            first = facts.insert(connection, "The user sold a harpsichord to Bramble.", Origin.USER, Global(), Moment.of(NOON))
            for number in range(70):
                facts.insert(connection, f"The user has read book number {number}.", Origin.USER, Global(), Moment.of(NOON))
            return first.id

        old = await vault._database.write(tell)
        prompt = await vault.prompt("Who bought the harpsichord?", (await vault.conversations.create()).id)
        assert old not in prompt.shown.facts
        assert prompt.shown.recalled_facts == (old,)

    with_vault(tmp_path, work)


@pytest.mark.req("R1", "W3", "R8")
def test_with_nothing_to_search_no_model_is_asked(tmp_path: pathlib.Path) -> None:
    """A new conversation costs one call, whatever is told in others and whatever the global list holds while it is off."""
    with FakeServer() as server:
        answering(server)

        async def work(vault: AsyncVault) -> None:
            await written(vault, HARP, lines=3)
            await vault._database.write(
                lambda c: facts.insert(c, "The user sold a harpsichord.", Origin.USER, Global(), vault.now())
            )
            talk = (await vault.conversations.create()).id
            _, trace = await turn(vault, talk, "Who bought the harpsichord?")
            assert step(trace, "plan")["reason"] == "There is nothing to search but what the prompt shows."
            _, trace = await turn(vault, talk, "And which harpsichord was it?")
            assert not step(trace, "plan")["asked"]

        with_server(tmp_path, server, work)
        assert len(server.chats()) == 2


@pytest.mark.req("R5")
def test_what_the_window_shows_is_not_recalled(tmp_path: pathlib.Path) -> None:
    """An entry of the recent turns stands there once."""
    with FakeServer() as server:
        answering(server)

        async def work(vault: AsyncVault) -> None:
            talk = await written(vault, f"Before that, {HARP}", lines=100)
            await vault.write(talk, f"Again: {HARP}")
            _, trace = await turn(vault, talk, "Who bought the harpsichord?")
            newest = trace.shown.window[-1]
            assert newest not in [candidate["message"] for candidate in step(trace, "gather")["candidates"]]
            assert trace.shown.recalled == (1,)

        with_server(tmp_path, server, work)


@pytest.mark.req("B2", "R2", "W4")
def test_notes_and_facts_over_the_sending_limit_come_back(tmp_path: pathlib.Path) -> None:
    """The oldest fact of a long list and a note of this conversation are found; another conversation's note is not."""
    with FakeServer() as server:
        answering(server)

        async def work(vault: AsyncVault) -> None:
            await vault.set(global_memories=True)
            talk, other = await written(vault, HARP, lines=2), (await vault.conversations.create()).id
            old = await vault.facts.add("The user's tortoise is called Archie.", Global())
            for number in range(90):
                await vault.facts.add(f"The user has walked stage {number} of the long way round the coast.", Global())

            notes = ((talk, "The user's tortoise eats dandelions."), (other, "The user's tortoise bites the postman."))
            here, _ = await vault._database.write(
                lambda c: [facts.insert(c, text, Origin.MODEL, InConversation(home), vault.now()) for home, text in notes]
            )
            _, trace = await turn(vault, talk, "What did I tell you about the tortoise?")
            assert set(trace.shown.recalled_facts) == {old.id, here.id}
            assert old.id not in trace.shown.facts

        with_server(tmp_path, server, work)
        assert "Archie" in last_prompt(server)
        assert "dandelions" in last_prompt(server)
        assert "postman" not in last_prompt(server)


@pytest.mark.req("W6")
def test_reach_decides_whose_memories_are_recalled(tmp_path: pathlib.Path) -> None:
    """Its own conversation; the Space that says so; the whole diary while that is on, and not a moment longer."""
    with FakeServer() as server:
        answering(server)

        async def work(vault: AsyncVault) -> None:
            space = (await vault.spaces.create("Music")).id
            await written(vault, HARP, lines=1)
            in_space = await written(vault, "The harpsichord tuner Bram came from Leuven on a bicycle.", lines=1, space=space)
            first = (await vault.conversations.messages(in_space))[0].id

            async def recalled(question: str, within: int | None = None) -> set[int]:
                talk = (await vault.conversations.create(space=within)).id
                return {1, first} & set((await turn(vault, talk, question))[1].shown.recalled)

            assert await recalled("Who has to do with the harpsichord?") == set()
            assert await recalled("Who has to do with the harpsichord?", space) == set()
            await vault.spaces.change(space, reach=Reach.SPACE)
            assert await recalled("Who is it about the harpsichord?", space) == {first}
            await vault.set(whole_diary=True)
            assert await recalled("What about that harpsichord of old?") == {1, first}
            await vault.set(whole_diary=False)
            assert await recalled("Whose was the harpsichord in the end?") == set()

        with_server(tmp_path, server, work)


@pytest.mark.req("E14")
def test_what_was_recalled_is_not_learned_as_if_it_had_been_said(tmp_path: pathlib.Path) -> None:
    """The hidden call that learns is shown the question and the reply, not the memory that came with them."""
    with FakeServer() as server:
        answering(server, reply="He was from Belgium.")

        async def work(vault: AsyncVault) -> None:
            _, trace = await turn(vault, await written(vault, HARP), "Who bought the harpsichord?")
            assert trace.shown.recalled == (1,)
            await vault.learn()

        with_server(tmp_path, server, work)
        learning = [asked for asked in server.chats() if asked.messages[0]["content"] == SYSTEM]
        assert learning
        assert not any("Ghent" in str(message["content"]) for asked in learning for message in asked.messages)


LONG = (
    "The boiler man came at eight, an hour late, and found that the pump had failed; a new one costs 310 euros and he will fit "
    "it on Thursday. "
)
ASIDE = "In the afternoon there was tea with cake on the terrace and a long talk of the weather and of what to plant in spring. "


@pytest.mark.req("B4", "B8")
@pytest.mark.parametrize(
    ("short", "by"),
    [
        ("The boiler man found that the pump had failed; a new one costs 310 euros, on Thursday.", "model"),
        ("The boiler man fixed everything for 31 euros.", "cut"),
        ("", "cut"),
    ],
)
def test_a_long_memory_is_shortened_faithfully_or_cut(tmp_path: pathlib.Path, short: str, by: str) -> None:
    """One or two sentences of its own words; what is not true to it is refused, and what is asked for is cut out, marked."""
    with FakeServer() as server:
        answering(server, short=short)
        entry = f"{LONG}{ASIDE * 4}"

        async def work(vault: AsyncVault) -> None:
            _, trace = await turn(vault, await written(vault, entry), "What did the boiler man find?")
            assert trace.shown.recalled == (1,)
            done = step(trace, "shorten")
            assert (done["message"], done["by"]) == (1, by)
            assert in_block(trace) <= trace.budget.block

        with_server(tmp_path, server, work, window=1024)
        memory = last_prompt(server).partition("</memory>")[0]
        assert (short in memory) if by == "model" else ("[…]" in memory and "boiler man came" in memory)


@pytest.mark.req("R8")
def test_without_time_no_model_is_asked(tmp_path: pathlib.Path) -> None:
    """The message itself is searched and the score decides."""
    with FakeServer() as server:
        answering(server)

        async def work(vault: AsyncVault) -> None:
            _, trace = await turn(vault, await written(vault, HARP), "Who bought the harpsichord?")
            assert trace.shown.recalled == (1,)
            assert step(trace, "plan")["asked"] is False
            assert step(trace, "check")["asked"] == 0
            assert {verdict["by"] for verdict in step(trace, "check")["verdicts"]} == {"score"}

        with_server(tmp_path, server, work, foreground_seconds=0)
        assert len(server.chats()) == 1


sizes = st.integers(0, 6000)
entries = st.lists(sizes, max_size=12)


@pytest.mark.req("B3")
@settings(deadline=None, max_examples=60)
@given(st.integers(1000, 1_000_000), entries, entries, st.integers(1, 3000), st.integers(0, 40))
def test_the_block_keeps_its_limit_at_any_window(
    window: int, references: list[int], recalled: list[int], length: int, turns: int
) -> None:
    """With found things of any size and number, at the first turn and at the next, which goes on with the first's prefix."""
    start = Moment.of(NOW)

    def found(lengths: list[int], first: int) -> tuple[Found, ...]:
        texts = [(FILLER * 80)[:length] for length in lengths]
        return (Found("Looked up:", tuple(Excerpted(text, Role.USER, start, key=first + at) for at, text in enumerate(texts))),)

    def message(key: int, text: str) -> Message:
        role = Role.USER if key % 2 else Role.MODEL
        return Message(key, 1, None, role, text, Moment(start.utc + key * 60_000_000, 0), Status.COMPLETE)

    history = tuple(message(key, FILLER) for key in range(1, 2 * turns + 1))
    budget = Budget(window, min(1024, window // 4))
    epoch: Epoch | None = None
    for more in (1, 3):
        newest = message(2 * turns + more, ("and so on " * 300)[:length].strip() or "so")
        material = Material(
            "", (), (), (), "", (), history, newest, newest.at, references=found(references, 1000), recalled=found(recalled, 2000)
        )
        prompt, epoch = assemble(material, budget, COUNT, "m", epoch)
        assert sum(layer.tokens for layer in prompt.layers if layer.name in MEMORY) <= budget.block
        assert prompt.tokens <= budget.prompt
        assert TokenCounter().count_messages(prompt.messages) <= budget.prompt
        history = (*history, newest, message(2 * turns + more + 1, "Yes."))


@pytest.mark.req("R6", "R4")
def test_where_nothing_is_found_of_ones_own_past_that_is_said(tmp_path: pathlib.Path) -> None:
    """A model that is told nothing makes something up; a question about the world gets no such line."""
    with FakeServer() as server:
        answering(server, check=NO)

        async def work(vault: AsyncVault) -> None:
            talk = await written(vault, HARP)
            _, trace = await turn(vault, talk, "Did I ever learn to play the harpsichord?")
            assert NOTHING in last_prompt(server)
            assert trace.shown.recalled == ()
            await turn(vault, talk, "How many keys does a harpsichord have?")
            assert NOTHING not in last_prompt(server)

        with_server(tmp_path, server, work)


@pytest.mark.req("R6", "X2")
def test_a_new_vault_is_said_to_know_nothing_of_the_past(tmp_path: pathlib.Path) -> None:
    """Asked about the person's past where nothing was written, the prompt says so; of what is told now it says nothing."""

    async def work(vault: AsyncVault) -> None:
        talk = (await vault.conversations.create()).id

        async def sent(text: str) -> str:
            return (await vault.prompt(text, talk)).messages[-1].content

        assert "so nothing of it is known. Say so; make nothing up." in await sent("Do you remember the name of my dentist?")
        assert "make nothing up" not in await sent("My dentist is called Rossi, and I liked him.")
        assert "make nothing up" not in await sent("How many teeth has a cat?")
        await vault.write(talk, "My dentist is called Rossi, and I liked him.")
        asked = (await vault.prompt("Do you remember the name of my dentist?", talk)).messages
        assert "Rossi" in "".join(message.content for message in asked)
        assert "make nothing up" not in asked[-1].content, "what stands in the conversation is no unknown"
        day = (await vault.prompt("What did I do last Christmas?", talk)).messages[-1].content
        assert "Unless it is told above" in day, "it may have been told on another day"

    with_vault(tmp_path, work)
