"""Servers that run on this computer are found by asking their usual ports."""

import asyncio
import socket
import time

import pytest

from ricordo.models.discover import USUAL_PORTS, FoundServer, found_servers
from ricordo.models.openai_api import OpenAIModel
from tests.fake_server import FakeServer, Reply


@pytest.mark.req("I7")
def test_a_running_server_is_found_with_its_models() -> None:
    """Its base URL is one that works as it stands."""
    with FakeServer(models=("one", "two"), model_fields={"owned_by": "llamacpp"}) as server:
        found = asyncio.run(found_servers({server.port: "Something"}))
        assert found == [FoundServer("llama.cpp", f"{server.url}/v1", ("one", "two"))]
        assert OpenAIModel(found[0].base_url).name == f"127.0.0.1:{server.port}"


@pytest.mark.req("I7")
def test_what_is_no_model_server_is_passed_over() -> None:
    """A closed port, one that is silent, one that wants a key, one that has no models."""
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        FakeServer(key="needed") as guarded,
        FakeServer(models=()) as empty,
        FakeServer() as gone,
    ):
        ports = {silent.getsockname()[1]: "silent", guarded.port: "guarded", empty.port: "empty"}
        start = time.perf_counter()
        assert asyncio.run(found_servers(ports)) == []
        assert time.perf_counter() - start < 1
    assert asyncio.run(found_servers({gone.port: "gone"})) == []


def test_the_page_of_another_program_is_no_server() -> None:
    """Port 8000 and 8080 are anybody's."""
    page = Reply(raw=b"<html>A page</html>", content_type="text/html")
    with FakeServer(offers={"/v1/models": page}) as server:
        assert asyncio.run(found_servers({server.port: "page"})) == []


@pytest.mark.req("I7")
def test_the_usual_ports_are_those_of_the_usual_servers() -> None:
    """The four that the specification names."""
    assert {USUAL_PORTS[11434], USUAL_PORTS[8080], USUAL_PORTS[1234], USUAL_PORTS[8000]} == {
        "Ollama",
        "llama.cpp",
        "LM Studio",
        "vLLM",
    }
