"""The window is asked where each kind of server tells it."""

import asyncio
from typing import Any

import pytest

from ricordo.models.openai_api import OpenAIModel
from tests.fake_server import FakeServer

OLLAMA = {"model_info": {"qwen3.context_length": 40960}}


def window_of(server: FakeServer, **options: Any) -> int:
    async def story() -> int:
        model = OpenAIModel(server.url, **options)
        try:
            return await model.window()
        finally:
            await model.aclose()

    return asyncio.run(story())


@pytest.mark.req("B6", "I7")
@pytest.mark.parametrize(
    ("server", "window"),
    [
        (FakeServer(offers={"/props": {"default_generation_settings": {"n_ctx": 12288}}}), 12288),  # llama.cpp
        (FakeServer(model_fields={"meta": {"n_ctx": 6144, "n_ctx_train": 32768}}), 6144),
        (FakeServer(model_fields={"max_model_len": 16384}), 16384),  # vLLM
        (FakeServer(offers={"/api/v0/models": {"data": [{"id": "fake-chat", "loaded_context_length": 5000}]}}), 5000),
        (FakeServer(offers={"/api/show": OLLAMA}), 4096),  # it could read more and will not
        (FakeServer(offers={"/api/show": {**OLLAMA, "parameters": "stop x\nnum_ctx 16000"}}), 16000),
        (FakeServer(offers={"/api/show": OLLAMA, "/api/ps": {"models": [{"name": "fake-chat", "context_length": 9000}]}}), 9000),
        (FakeServer(offers={"/api/show": {"model_info": {"tiny.context_length": 2048}}}), 2048),
        (FakeServer(offers={}), 8192),
    ],
)
def test_the_window_is_read_where_the_server_tells_it(server: FakeServer, window: int) -> None:
    """llama.cpp, vLLM, LM Studio and Ollama each have a place of their own; else 8,192."""
    with server:
        assert window_of(server) == window


def test_a_window_in_the_settings_is_taken_unasked() -> None:
    """The person knows best."""
    with FakeServer() as server:
        assert window_of(server, window=3000) == 3000
        assert server.requests == []


def test_the_window_is_asked_once() -> None:
    """And remembered."""

    async def story(server: FakeServer) -> int:
        model = OpenAIModel(server.url)
        await model.window()
        before = len(server.requests)
        await model.window()
        await model.aclose()
        return len(server.requests) - before

    with FakeServer() as server:
        assert asyncio.run(story(server)) == 0


def test_a_server_that_is_down_is_asked_again_later() -> None:
    """A guess made without an answer is not remembered."""

    async def story() -> list[int]:
        with FakeServer() as server:
            model = OpenAIModel(server.url, model="fake-chat")
            server.key = "another"  # nothing can be asked yet
            before = await model.window()
            server.key, server.model_fields = "", {"max_model_len": 16384}
            after = await model.window()
            await model.aclose()
            return [before, after]

    assert asyncio.run(story()) == [8192, 16384]
