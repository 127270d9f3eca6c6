"""LangChain's OpenAI client at the proxy, and LangChain's messages in `prepare` and `record`: nothing but memory is added."""

import asyncio
import pathlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import openai
import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolMessage, convert_to_openai_messages
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from pydantic import BaseModel

from ricordo import Vault
from ricordo.fact import Global
from ricordo.models.openai_api import OpenAIModel
from tests.fake_server import FakeServer, Reply, error
from tests.frameworks.tools import CALLED
from tests.server.proxied import Proxied, through
from tests.vaults import CHEAP, PASSPHRASE

pytestmark = pytest.mark.req("I4")

Chat = Callable[..., ChatOpenAI]


class Fruit(BaseModel):
    """A fruit."""

    name: str
    pieces: int


@tool
def weather(place: str) -> str:
    """Say the weather."""
    return f"21 C in {place}"


@asynccontextmanager
async def chats(here: Proxied) -> AsyncGenerator[Chat, None]:
    """Make clients of the proxy as a program does, with a base URL and a key; their connections are closed in the end."""
    async with httpx2.AsyncClient(trust_env=False, timeout=20) as connections:

        def chat(**more: Any) -> ChatOpenAI:
            given = {"model": "fake-chat", "base_url": here.url, "api_key": here.token, "http_async_client": connections, **more}
            return ChatOpenAI(**given)

        yield chat


async def streamed(stream: Any) -> AIMessageChunk:
    """Put a stream together."""
    whole: AIMessageChunk | None = None
    async for piece in stream:
        whole = piece if whole is None else whole + piece
    assert whole is not None
    return whole


def test_whole_and_streamed(tmp_path: pathlib.Path) -> None:
    """With memory; usage in a stream is asked for and passed on."""

    async def work(here: Proxied) -> None:
        await here.vault.set(global_memories=True)
        await here.vault.facts.add("The user sails a small boat.", Global())
        async with chats(here) as chat:
            first = await chat(temperature=0.5).ainvoke([("user", "Hi there")])
            assert (first.text, here.last().body["temperature"]) == ("Hello to you.", 0.5)
            assert "The user sails a small boat." in here.last().messages[0]["content"]
            talk = [("user", "Hi there"), first, ("user", "And Sunday?")]
            second = await streamed(chat(stream_usage=True).astream(talk))
            assert (second.text, here.last().body["stream_options"]) == ("Go sailing then.", {"include_usage": True})
            assert second.usage_metadata is not None
            assert second.usage_metadata["input_tokens"] == len(here.upstream._previous)
            assert await here.shown() == [
                ("user", "complete", "Hi there"), ("model", "complete", "Hello to you."),
                ("user", "complete", "And Sunday?"), ("model", "complete", "Go sailing then."),
            ]  # fmt: skip

    through(tmp_path, work, "Hello to you.", "Go sailing then.")


def test_how_it_names_a_conversation(tmp_path: pathlib.Path) -> None:
    """By a header or by metadata in `extra_body`; its own `metadata` stays with it."""

    async def work(here: Proxied) -> None:
        async with chats(here) as chat:
            await chat(metadata={"conversation_id": "a"}).ainvoke("Hi there")
            assert "metadata" not in here.last().body
            await chat(default_headers={"X-Ricordo-Conversation": "kitchen"}).ainvoke("What can I cook?")
            assert not [name for name in here.last().headers if "ricordo" in name]
            await chat(extra_body={"metadata": {"conversation_id": "kitchen"}}, model_kwargs={"user": "ann"}).ainvoke("And now?")
            assert here.last().body["user"] == "ann"
            assert [text for _, _, text in await here.shown()] == ["What can I cook?", "ok then", "And now?", "ok then"]
            await chat(default_headers={"X-Ricordo-Private": "1"}).ainvoke("A secret.")
            assert [each["content"] for each in here.last().messages] == ["A secret."]
            assert len(await here.vault.conversations.all()) == 2

    through(tmp_path, work)


@pytest.mark.parametrize("method", ["json_schema", "json_mode"])
def test_structured_output(tmp_path: pathlib.Path, method: str) -> None:
    """What it asks for goes to the server."""

    async def work(here: Proxied) -> None:
        async with chats(here) as chat:
            got = await chat().with_structured_output(Fruit, method=method).ainvoke("A fruit as JSON")
            assert got == Fruit(name="fig", pieces=3)
            assert here.last().body["response_format"]["type"] in ("json_schema", "json_object")

    through(tmp_path, work, '{"name": "fig", "pieces": 3}')


def test_an_agent_calls_a_tool_through_the_proxy(tmp_path: pathlib.Path) -> None:
    """A graph of LangGraph's: the model calls, the tool answers, the model replies; kept is what was said."""

    async def work(here: Proxied) -> None:
        async with chats(here) as chat:
            model = chat().bind_tools([weather])

            async def talk(state: MessagesState) -> dict[str, Any]:
                return {"messages": [await model.ainvoke(state["messages"])]}

            done = await agent(talk).ainvoke({"messages": [HumanMessage("What is the weather in Lucca?")]})
            assert done["messages"][-1].text == "It is warm."
            assert here.last().body["tools"][0]["function"]["name"] == "weather"
            first, second = (asked.messages for asked in here.upstream.chats())
            assert second[:2] == first  # the same memory in the same words
            assert second[-1]["content"] == "21 C in Lucca"
            assert [text for _, _, text in await here.shown()] == ["What is the weather in Lucca?", "It is warm."]

    through(tmp_path, work, Reply(raw=CALLED), "It is warm.")


def agent(talk: Any) -> Any:
    """A model and a tool, one after the other until the model replies."""
    graph = StateGraph(MessagesState)
    graph.add_node("talk", talk)
    graph.add_node("tools", ToolNode([weather]))
    graph.add_edge(START, "talk")
    graph.add_conditional_edges("talk", tools_condition)
    graph.add_edge("tools", "talk")
    return graph.compile()


STATUSES: dict[int, tuple[type[openai.APIStatusError], int]] = {
    400: (openai.BadRequestError, 2),  # once more by us, without memory
    401: (openai.AuthenticationError, 1),
    429: (openai.RateLimitError, 3),
    503: (openai.InternalServerError, 3),
}


@pytest.mark.slow
def test_errors_of_the_server(tmp_path: pathlib.Path) -> None:
    """Each is the client's own for that status; what it tries again is kept once."""

    async def work(here: Proxied) -> None:
        async with chats(here) as chat:
            for number, (status, (kind, tries)) in enumerate(STATUSES.items(), start=1):
                asked = len(here.upstream.chats())
                here.upstream.script(*[error(status, "no way")] * tries)
                with pytest.raises(kind, match="no way"):
                    await chat().ainvoke(f"Try {status}")
                assert len(here.upstream.chats()) - asked == tries
                assert await here.stored() == number
            here.upstream.script(error(503, "busy"), "Hello.")
            assert (await chat().ainvoke("Try again")).text == "Hello."
            assert await here.stored() == len(STATUSES) + 2

    through(tmp_path, work)


@pytest.mark.req("X3", "E3")
def test_a_stream_that_breaks_off(tmp_path: pathlib.Path) -> None:
    """Is an error for the program, and kept as broken off."""

    async def work(here: Proxied) -> None:
        async with chats(here) as chat:
            with pytest.raises((openai.APIError, httpx2.TransportError)):
                await streamed(chat().astream("Hi there"))
            assert (await here.shown())[-1] == ("model", "error", "One two")

    through(tmp_path, work, Reply("One two three four", cut_after=2))


def test_the_responses_api_is_refused_with_a_sentence(tmp_path: pathlib.Path) -> None:
    """A program that asks by it is told what there is."""

    async def work(here: Proxied) -> None:
        async with chats(here) as chat:
            with pytest.raises(openai.NotFoundError, match="passes on /v1/chat/completions"):
                await chat(use_responses_api=True).ainvoke("Hi there")

    through(tmp_path, work)


def test_embeddings(tmp_path: pathlib.Path) -> None:
    """As texts, once the client is kept from counting OpenAI's tokens, for which it fetches a list from elsewhere."""

    async def work(here: Proxied) -> None:
        async with httpx2.AsyncClient(trust_env=False) as connections:
            client = OpenAIEmbeddings(
                model="e", base_url=here.url, api_key=here.token, check_embedding_ctx_length=False, http_async_client=connections
            )
            assert [len(vector) for vector in await client.aembed_documents(["a", "b"])] == [64, 64]
            assert here.upstream.requests[-1].body["input"] == ["a", "b"]

    through(tmp_path, work)


@pytest.mark.req("I1")
def test_prepare_and_record_in_a_graph(tmp_path: pathlib.Path) -> None:
    """Without the proxy: the steps of one turn are one turn, the next goes on, and a call of a tool is no reply."""
    with FakeServer() as server, Vault.create(
        tmp_path / "diary.ricordo", PASSPHRASE, cost=CHEAP, model=OpenAIModel(server.url, "fake-chat")
    ) as vault, httpx2.Client(trust_env=False) as connections:  # fmt: skip
        vault.set(foreground_seconds=0, embedder="off", global_memories=True)
        vault.facts.add("The user lives in Lucca.", Global())
        model = ChatOpenAI(model="fake-chat", base_url=f"{server.url}/v1", api_key="unused", http_client=connections)
        with_tools = model.bind_tools([weather])

        def talk(state: MessagesState) -> dict[str, Any]:
            prepared = vault.prepare(convert_to_openai_messages(state["messages"]))
            answer = with_tools.invoke(list(prepared.messages))
            if not answer.tool_calls:
                vault.record(prepared, answer.text)
            return {"messages": [answer]}

        app = agent(talk)
        server.script(Reply(raw=CALLED), "It is warm.", "Swim.")
        done = app.invoke({"messages": [HumanMessage("What is the weather here?")]})
        kinds: list[type[BaseMessage]] = [HumanMessage, AIMessage, ToolMessage, AIMessage]
        assert [type(each) for each in done["messages"]] == kinds
        first, second = (asked.messages for asked in server.chats())
        assert "The user lives in Lucca." in first[0]["content"]
        assert second[:2] == first
        done = app.invoke({"messages": [*done["messages"], HumanMessage("What shall I do then?")]})
        assert done["messages"][0].text == "What is the weather here?"  # what is added stays out of the graph's state
        (kept,) = vault.conversations.all()
        assert [message.text for message in vault.conversations.messages(kept.id)] == [
            "What is the weather here?", "It is warm.", "What shall I do then?", "Swim.",
        ]  # fmt: skip
        assert type(vault.conversations.messages(kept.id)[1].text) is str


def test_many_at_once(tmp_path: pathlib.Path) -> None:
    """As `abatch` asks; none gets another's words."""

    async def work(here: Proxied) -> None:
        here.upstream.on(lambda asked: Reply(f"Yes, {asked.messages[-1]['content'].split('Number ')[1]}.", pause=0.02))
        async with chats(here) as chat:
            model = chat()
            said = await asyncio.gather(*(streamed(model.astream(f"Number {number}")) for number in range(8)))
            assert [each.text for each in said] == [f"Yes, {number}." for number in range(8)]
            assert await here.stored() == 16

    through(tmp_path, work)
