"""A server's /v1/embeddings, over real HTTP: whatever form its vectors come in, they are right or an error, never mixed up."""

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import numpy as np
import pytest

from ricordo.errors import ContextOverflow, ModelGarbled, ModelMissing, ModelRefused, ModelTimeout, ModelUnreachable
from ricordo.models.server_embedder import ServerEmbedder
from tests.fake_replies import embedding, error
from tests.fake_server import FakeServer, Reply

T = TypeVar("T")


def with_embedder(url: str, work: Callable[[ServerEmbedder], Awaitable[T]], model: str = "m", **more: Any) -> T:
    """Run some work with an embedder of that server and let it go."""

    async def run() -> T:
        embedder = ServerEmbedder(url, model, **more)
        try:
            return await work(embedder)
        finally:
            await embedder.aclose()

    return asyncio.run(run())


def embedded(url: str, *texts: str, **more: Any) -> np.ndarray:
    return with_embedder(url, lambda embedder: embedder.embed(texts), **more)


def says(*rows: dict[str, Any]) -> Reply:
    return Reply(raw=json.dumps({"data": rows}).encode())


def calls(server: FakeServer) -> list[dict[str, Any]]:
    return [asked.body for asked in server.requests if asked.path == "/v1/embeddings"]


@pytest.mark.req("I7", "R2")
def test_texts_are_embedded_in_batches_and_in_order(server: FakeServer) -> None:
    """Seventy texts take three calls; each vector stands where its text stood."""
    texts = [f"entry {number}" for number in range(70)]
    vectors = embedded(server.url, *texts)
    assert [len(body["input"]) for body in calls(server)] == [32, 32, 6]
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, [embedding(text) for text in texts], atol=1e-6)


@pytest.mark.req("I7")
def test_vectors_come_in_any_form(server: FakeServer) -> None:
    """By index and not by place, as numbers or in base64, of any length: put in order and made one long."""
    packed = base64.b64encode(np.array([0, 5], "<f4").tobytes()).decode()
    server.embeddings = [says({"index": 1, "embedding": packed}, {"index": 0, "embedding": [3, 4]})]
    assert np.allclose(embedded(server.url, "a", "b"), [[0.6, 0.8], [0, 1]])
    server.embeddings = [says({"embedding": [1, 0]}, {"embedding": [0, 2]})]
    assert np.allclose(embedded(server.url, "a", "b"), [[1, 0], [0, 1]])


@pytest.mark.req("R2", "I7")
def test_another_length_is_an_error(server: FakeServer) -> None:
    """The first answer tells the length, before any text is embedded if need be; a later one of another length is refused."""

    async def work(embedder: ServerEmbedder) -> None:
        assert embedder.dimension == 0
        assert (await embedder.embed(())).shape == (0, 64)
        assert embedder.dimension == 64
        server.embeddings = [says({"index": 0, "embedding": [1.0, 0.0]})]
        with pytest.raises(ModelGarbled, match="vectors of 2 numbers where they had 64 before"):
            await embedder.embed(["a"])
        assert (await embedder.embed(["a"])).shape == (1, 64)

    with_embedder(server.url, work)


@pytest.mark.req("X3")
@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0]}],
        [{"index": 0, "embedding": [0.0, 0.0]}],
        [{"index": 0, "embedding": [float("nan"), 1.0]}],
        [{"index": 0, "embedding": []}],
        [{"index": 0, "embedding": "no base64!"}],
        [{"index": 0, "embedding": "QUJD"}],
        [{"index": 0, "embedding": {"a": 1}}],
        [{"index": 0, "embedding": [[1.0], [1.0, 2.0]]}],
        ["text"],
    ],
)
def test_what_is_no_vector_is_an_error(server: FakeServer, rows: list[Any]) -> None:
    """Too few, too many, none, pointing nowhere, or something else altogether: a sentence, never a vector made up."""
    server.embeddings = [says(*rows)]
    with pytest.raises(ModelGarbled, match="The model server at"):
        embedded(server.url, "a")


@pytest.mark.req("X3", "I7")
@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_server_without_embeddings_is_told_plainly(server: FakeServer, status: int) -> None:
    """The sentence says what to do, and names the model."""
    server.embeddings = [error(status, "This server does not support embeddings.")]
    with pytest.raises(ModelRefused, match=r"does not embed with m\. Start an embedding model there, or set embedder to"):
        embedded(server.url, "a")


@pytest.mark.req("X3")
def test_calls_are_made_again_as_chats_are(server: FakeServer) -> None:
    """A lost call and a busy server are tried again, a slow one is given up, a wrong key is said."""
    server.embeddings = [Reply(drop=True), Reply(status=503, headers={"retry-after": "0.01"}, raw=b"{}")]
    assert embedded(server.url, "a").shape == (1, 64)
    server.embeddings = [Reply(delay=60)]
    with pytest.raises(ModelTimeout, match="said nothing"):
        embedded(server.url, "a", patience=0.3)
    server.key = "secret"
    with pytest.raises(ModelRefused, match="did not accept the key"):
        embedded(server.url, "a")
    assert embedded(server.url, "a", api_key="secret").shape == (1, 64)


@pytest.mark.req("V3", "I7")
def test_letting_it_go_ends_its_calls(server: FakeServer) -> None:
    """Who waits for vectors gets an error of the model and is not cancelled; whoever is cancelled stays so."""

    async def work(embedder: ServerEmbedder) -> None:
        await embedder.embed(())
        server.embeddings = [Reply(delay=60), Reply(delay=60)]
        waiting, other = (asyncio.create_task(embedder.embed(["a"])) for _ in range(2))
        await asyncio.sleep(0.05)
        other.cancel()
        with pytest.raises(asyncio.CancelledError):
            await other
        await embedder.aclose()
        with pytest.raises(ModelMissing, match="was let go"):
            await waiting
        with pytest.raises(ModelMissing, match="was let go"):
            await embedder.embed(["a"])

    with_embedder(server.url, work)


@pytest.mark.req("X3")
def test_no_server_is_a_sentence() -> None:
    """As for a chat."""
    with FakeServer() as server:
        url = server.url
    with pytest.raises(ModelUnreachable, match="No model server answers"):
        embedded(url, "a")


@pytest.mark.req("R2", "X3")
def test_what_is_too_long_for_the_server_is_halved(server: FakeServer) -> None:
    """A batch first, then a text: its beginning is embedded rather than nothing; a text that is short already is not to blame."""
    long = "The river was high. " * 100
    too_long = error(500, "input (600 tokens) is too large to process. increase the physical batch size")
    server.embeddings = [too_long, too_long]
    vectors = embedded(server.url, long, "short")
    assert np.allclose(vectors, [embedding(long[: len(long) // 2]), embedding("short")], atol=1e-6)
    server.embeddings = [too_long]
    with pytest.raises(ContextOverflow):
        embedded(server.url, "short")


@pytest.mark.req("I7")
@pytest.mark.parametrize(
    ("models", "fallback", "chosen"),
    [
        (("chat", "text-embedding-b", "text-embedding-a"), "chat", "text-embedding-a"),
        (("chat",), "chat", "chat"),
        ((), "", ""),
    ],
)
def test_the_model_is_chosen_the_same_each_time(models: tuple[str, ...], fallback: str, chosen: str) -> None:
    """The first by the alphabet that is called an embedding model, else the chat's: vectors are compared under that name."""
    with FakeServer(models=models) as server:

        async def work(embedder: ServerEmbedder) -> str:
            await embedder.embed(())
            return embedder.name

        host = server.url.removeprefix("http://")
        assert with_embedder(server.url, work, "", fallback=fallback) == f"{host}/{chosen}".rstrip("/")
        assert calls(server)[0].get("model", "") == chosen
