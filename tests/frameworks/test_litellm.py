"""LiteLLM as a client of the proxy, over real HTTP from an environment of its own: memory comes along, nothing else changes."""

import asyncio
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from ricordo.fact import Global
from tests.docs.pages import DOCS, blocks
from tests.docs.reader import APP
from tests.fake_server import Reply, error
from tests.frameworks.programs import LITELLM, Program, running
from tests.frameworks.tools import CALLED, TOOLS
from tests.server.proxied import Proxied, through

pytestmark = [pytest.mark.req("I4"), pytest.mark.slow]

HI = [{"role": "user", "content": "Hi there"}]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The program, running; it takes its time to import LiteLLM."""
    with running(LITELLM, "litellm_program.py", tmp_path_factory.mktemp("litellm") / "log.txt") as started:
        started.ask("ready")
        yield started


async def ask(program: Program, here: Proxied, do: str, **asked: Any) -> dict[str, Any]:
    """Have the program ask the proxy something; it must reach nothing else."""
    given = {"model": "openai/fake-chat", "api_base": here.url, "api_key": here.token, **asked}
    answer = await asyncio.to_thread(program.ask, do, **given)
    assert answer.pop("reached") == []
    return answer


def test_whole_and_streamed(program: Program, tmp_path: pathlib.Path) -> None:
    """With memory, the usage that the server reports, and one conversation of it all."""

    async def work(here: Proxied) -> None:
        await here.vault.set(global_memories=True)
        await here.vault.facts.add("The user sails a small boat.", Global())
        first = (await ask(program, here, "whole", messages=HI, temperature=0.5))["gave"]
        sent = here.last()
        assert first == {"text": "Hello to you.", "finish": "stop", "tools": [], "usage": [counted(here), 4]}
        assert "The user sails a small boat." in sent.messages[0]["content"]
        assert (sent.body["temperature"], "stream" in sent.body) == (0.5, False)
        more = [*HI, {"role": "assistant", "content": "Hello to you."}, {"role": "user", "content": "And Sunday?"}]
        second = (await ask(program, here, "streamed", messages=more, stream_options={"include_usage": True}))["gave"]
        assert (second["text"], second["usage"], second["finish"]) == ("Go sailing then.", [counted(here), 4], "stop")
        assert second["pieces"] >= 4
        assert here.last().body["stream_options"] == {"include_usage": True}
        assert await here.shown() == [
            ("user", "complete", "Hi there"), ("model", "complete", "Hello to you."),
            ("user", "complete", "And Sunday?"), ("model", "complete", "Go sailing then."),
        ]  # fmt: skip
        assert len(await here.vault.conversations.all()) == 1

    through(tmp_path, work, "Hello to you.", "Go sailing then.")


def counted(here: Proxied) -> int:
    """Return how many tokens the model's server counted in the last prompt."""
    return len(here.upstream._previous)


def test_how_it_names_a_conversation(program: Program, tmp_path: pathlib.Path) -> None:
    """By a header, or by metadata in `extra_body`: LiteLLM keeps `metadata` and `user` to itself, as docs/proxy.md says."""

    async def work(here: Proxied) -> None:
        await ask(program, here, "whole", messages=HI, metadata={"conversation_id": "a"}, user="ann")
        assert not {"metadata", "user"} & set(here.last().body)
        await ask(program, here, "whole", messages=HI, extra_headers={"X-Ricordo-Conversation": "kitchen"})
        assert not [name for name in here.last().headers if "ricordo" in name]
        other = [{"role": "user", "content": "What can I cook?"}]
        named = {"metadata": {"conversation_id": "kitchen"}, "user": "ann"}
        await ask(program, here, "whole", messages=other, extra_body=named)
        assert {name: here.last().body[name] for name in named} == named
        (kitchen,) = await here.vault.conversations.all()
        assert [text for _, _, text in await here.shown(kitchen.id)] == ["Hi there", "ok then", "What can I cook?", "ok then"]

    through(tmp_path, work)


def test_private(program: Program, tmp_path: pathlib.Path) -> None:
    """By a header: just the client's own message goes on, and nothing is kept."""

    async def work(here: Proxied) -> None:
        await ask(program, here, "whole", messages=HI, extra_headers={"X-Ricordo-Private": "1"})
        assert here.last().messages == HI
        assert await here.vault.conversations.all() == []

    through(tmp_path, work)


def test_tools(program: Program, tmp_path: pathlib.Path) -> None:
    """The call comes as the server sent it, its result goes there, and only what was said is kept."""

    async def work(here: Proxied) -> None:
        first = (await ask(program, here, "whole", messages=HI, tools=TOOLS))["gave"]
        assert first["finish"] == "tool_calls"
        assert here.last().body["tools"] == TOOLS
        back = [*HI, {"role": "assistant", "content": None, "tool_calls": first["tools"]},
                {"role": "tool", "tool_call_id": "c1", "content": "21 C"}]  # fmt: skip
        second = (await ask(program, here, "streamed", messages=back, tools=TOOLS))["gave"]
        assert second["text"] == "It is 21 degrees."
        assert here.last().messages[-1] == {"role": "tool", "tool_call_id": "c1", "content": "21 C"}
        assert [text for _, _, text in await here.shown()] == ["Hi there", "It is 21 degrees."]

    through(tmp_path, work, Reply(raw=CALLED), "It is 21 degrees.")


def test_structured_output(program: Program, tmp_path: pathlib.Path) -> None:
    """A schema goes to the server as LiteLLM made it of a model of Pydantic's."""

    async def work(here: Proxied) -> None:
        assert (await ask(program, here, "structured", messages=HI))["gave"] == {"name": "fig", "pieces": 3}
        wanted = here.last().body["response_format"]
        assert (wanted["type"], wanted["json_schema"]["name"]) == ("json_schema", "Fruit")

    through(tmp_path, work, '{"name": "fig", "pieces": 3}')


# What LiteLLM makes of a status, and how often the server is asked: a 400 once more by us, without memory, the last three by it.
STATUSES = {
    400: ("BadRequestError", 2),
    401: ("AuthenticationError", 1),
    404: ("NotFoundError", 1),
    429: ("RateLimitError", 3),
    503: ("ServiceUnavailableError", 3),
}


def test_errors_of_the_server(program: Program, tmp_path: pathlib.Path) -> None:
    """Each is LiteLLM's own for that status, with what the server said; it tries again by itself, and nothing is kept twice."""

    async def work(here: Proxied) -> None:
        for number, (status, (failure, tries)) in enumerate(STATUSES.items(), start=1):
            asked = len(here.upstream.chats())
            here.upstream.script(*[error(status, "no way")] * tries)
            told = await ask(program, here, "whole", messages=[{"role": "user", "content": f"Try {status}"}])
            assert (told["failed"], told["status"]) == (failure, status)
            assert "no way" in told["said"]
            assert len(here.upstream.chats()) - asked == tries
            assert await here.stored() == number

    through(tmp_path, work)


def test_what_it_tries_again_is_kept_once(program: Program, tmp_path: pathlib.Path) -> None:
    """The message and the reply that came in the end."""

    async def work(here: Proxied) -> None:
        assert (await ask(program, here, "streamed", messages=HI, num_retries=2))["gave"]["text"] == "Hello."
        assert len(here.upstream.chats()) == 3
        assert await here.shown() == [("user", "complete", "Hi there"), ("model", "complete", "Hello.")]
        assert await here.stored() == 2

    through(tmp_path, work, error(503, "busy"), error(503, "busy"), "Hello.")


@pytest.mark.req("X3")
def test_ricordos_own_refusals(program: Program, tmp_path: pathlib.Path) -> None:
    """Their sentences arrive: a vault that is locked, a token that is none, no server, an address that there is not."""

    async def work(here: Proxied) -> None:
        told = await ask(program, here, "responses", input="Hi")
        assert (told["failed"], told["status"]) == ("NotFoundError", 404)
        assert "passes on /v1/chat/completions" in told["said"]
        told = await ask(program, here, "whole", messages=HI, api_key="rcd_nothing")
        assert (told["failed"], told["status"]) == ("AuthenticationError", 401)
        here.upstream.__exit__()
        told = await ask(program, here, "whole", messages=HI, num_retries=0)
        assert told["status"] in (500, 502) and "No model server answers" in told["said"]
        await here.one.client.post("/api/vault/lock")
        told = await ask(program, here, "whole", messages=HI)
        assert "locked" in told["said"]

    through(tmp_path, work)


@pytest.mark.req("X3", "E3")
def test_a_stream_that_breaks_off(program: Program, tmp_path: pathlib.Path) -> None:
    """Is an error for the program; what came is kept as broken off, and the next try takes its place."""

    async def work(here: Proxied) -> None:
        assert "failed" in await ask(program, here, "streamed", messages=HI)
        assert await here.shown() == [("user", "complete", "Hi there"), ("model", "error", "One two")]
        assert (await ask(program, here, "streamed", messages=HI))["gave"]["text"] == "Better."
        assert await here.shown() == [("user", "complete", "Hi there"), ("model", "complete", "Better.")]

    through(tmp_path, work, Reply("One two three four", cut_after=2), "Better.")


def test_going_away_stops_the_model(program: Program, tmp_path: pathlib.Path) -> None:
    """What came by then is kept as stopped."""

    async def work(here: Proxied) -> None:
        got = (await ask(program, here, "left", messages=HI, after=12))["gave"]
        assert await asyncio.to_thread(here.upstream.wait_for_disconnect)
        async with asyncio.timeout(10):
            while len(await here.shown()) < 2:  # noqa: ASYNC110  the vault announces only what changed
                await asyncio.sleep(0.02)
        (_, (_, status, text)) = await here.shown()
        assert status == "stopped" and text.startswith(got.strip()[:12]) and "word150" not in text

    through(tmp_path, work, Reply(" ".join(f"word{number}" for number in range(200)), pause=0.02))


def test_many_at_once(program: Program, tmp_path: pathlib.Path) -> None:
    """Each conversation gets its own words and keeps them."""

    async def work(here: Proxied) -> None:
        here.upstream.on(lambda asked: Reply(f"Yes, {asked.messages[-1]['content'].split('Number ')[1]}.", pause=0.02))
        said = (await ask(program, here, "many", count=8))["gave"]
        assert said == [f"Yes, {number}." for number in range(8)]
        talks = await here.vault.conversations.all()
        kept = {tuple(text for _, _, text in await here.shown(talk.id)) for talk in talks}
        assert kept == {(f"Number {number}", f"Yes, {number}.") for number in range(8)}

    through(tmp_path, work)


def test_embeddings(program: Program, tmp_path: pathlib.Path) -> None:
    """Texts go on as they are."""

    async def work(here: Proxied) -> None:
        assert (await ask(program, here, "embedded", model="openai/e", input=["a", "b"]))["gave"] == 2
        assert here.upstream.requests[-1].body["input"] == ["a", "b"]

    through(tmp_path, work)


def test_the_example_of_the_page_runs(program: Program, tmp_path: pathlib.Path) -> None:
    """The block with LiteLLM in docs/proxy.md, as it stands."""
    (block,) = [each for each in blocks(DOCS / "proxy.md", "py") if "litellm" in each.text]

    async def work(here: Proxied) -> None:
        text = block.text.replace(APP, here.url.removesuffix("/v1"))
        printed = await ask(program, here, "example", text=text, token=here.token)
        assert printed == {"gave": "Water.\n"}
        assert (await here.shown())[-1] == ("model", "complete", "Water.")

    through(tmp_path, work, "Water.")
