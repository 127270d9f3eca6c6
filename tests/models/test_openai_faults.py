"""A server that fails, over real HTTP: what came is kept, the rest is a sentence, some calls are made again."""

import time

import pytest

from ricordo.errors import ModelError, ModelGarbled, ModelRefused, ModelTimeout, ModelUnreachable
from ricordo.models.base import Finish, Finished, Text, Thought
from ricordo.prompt import Usage
from tests.fake_server import FakeServer, Reply
from tests.models.calls import asking, completed, end_of, streamed, text_of


@pytest.mark.req("X3")
def test_a_server_that_hangs_is_given_up(server: FakeServer) -> None:
    """No sign of life for the request's patience is a timeout, before the reply and in its middle."""
    server.script(Reply("late", delay=60), Reply("one two three", hang_after=2))
    with pytest.raises(ModelTimeout, match="said nothing"):
        completed(server.url, asking(timeout=0.3))
    with pytest.raises(ModelTimeout, match="middle of its reply"):
        completed(server.url, asking(timeout=0.3))


@pytest.mark.req("X3")
def test_no_server_is_said_in_a_sentence_and_soon() -> None:
    """A refused connection is tried again twice, within two seconds."""
    with FakeServer() as server:
        url = server.url
    start = time.perf_counter()
    with pytest.raises(ModelUnreachable, match=r"No model server answers at 127\.0\.0\.1:\d+\. Start it"):
        completed(url)
    assert time.perf_counter() - start < 2


@pytest.mark.req("X3")
def test_a_call_that_was_lost_before_any_answer_is_made_again(server: FakeServer) -> None:
    """Twice; once a byte of the answer has come, never: what came might be shown twice."""
    server.script(Reply(drop=True), Reply(drop=True), "at last")
    assert completed(server.url).text == "at last"
    server.script(*[Reply(drop=True)] * 3)
    with pytest.raises(ModelUnreachable, match="No model server answers"):
        completed(server.url)
    before = len(server.chats())
    server.script(Reply("one two three", cut_after=1))
    completed(server.url)
    assert len(server.chats()) == before + 1


@pytest.mark.req("X3")
def test_a_busy_server_is_asked_again_when_it_says(server: FakeServer) -> None:
    """429 and 503 with Retry-After are waited for, a bounded number of times."""
    busy = Reply(status=429, headers={"retry-after": "0.05"}, raw=b'{"error": "slow down"}')
    server.script(busy, busy, "now")
    assert completed(server.url).text == "now"
    server.script(busy, busy, busy, busy, "never reached")
    with pytest.raises(ModelRefused, match="busy") as caught:
        completed(server.url)
    assert (caught.value.status, caught.value.retry_after) == (429, 0.05)


def test_a_server_that_is_loading_its_model_is_waited_for(server: FakeServer) -> None:
    """llama.cpp answers 503 without a Retry-After meanwhile."""
    server.script(Reply(status=503, raw=b'{"error": {"message": "Loading model", "code": 503}}'), "ready")
    assert completed(server.url).text == "ready"


def test_a_wait_that_is_too_long_is_left_to_the_person(server: FakeServer) -> None:
    """An hour is not waited for: the error says when to come back."""
    server.script(Reply(status=429, headers={"retry-after": "3600"}))
    with pytest.raises(ModelRefused, match="in 3600 seconds"):
        completed(server.url)


def test_a_redirect_is_not_followed(server: FakeServer) -> None:
    """The prompt goes to the address that was set and to no other."""
    with FakeServer() as other:
        server.script(Reply(status=307, headers={"location": f"{other.url}/v1/chat/completions"}))
        with pytest.raises(ModelRefused, match="not followed"):
            completed(server.url)
        assert other.requests == []


@pytest.mark.req("X3")
@pytest.mark.parametrize(
    ("reply", "text", "finish"),
    [
        (Reply("all of it", done=False), "all of it", Finish.STOP),
        (Reply("all of it", finish=None), "all of it", Finish.STOP),
        (Reply("half of", finish=None, done=False), "half of", Finish.CUT),
        (Reply("one two three", cut_after=2), "one two", Finish.CUT),
        (Reply("too long", finish="length"), "too long", Finish.LENGTH),
        (Reply("taken away", finish="content_filter"), "taken away", Finish.CUT),
        (Reply("then silence", hang_after=3, usage=False), "then silence", Finish.STOP),
        (Reply(lines=(b'data:{"choices":[{"delta":{"content":null}}]}\n\n',)), "", Finish.CUT),
    ],
)
def test_every_way_a_stream_can_end(server: FakeServer, reply: Reply, text: str, finish: Finish) -> None:
    """What came is kept, and the end says whether it was one."""
    server.script(reply)
    pieces = streamed(server.url)
    assert (text_of(pieces), end_of(pieces).finish) == (text, finish)


@pytest.mark.req("X3")
@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (Reply(raw=b"<html><title>Login</title></html>", content_type="text/html"), ModelGarbled, "no reply of a model"),
        (Reply(raw=b""), ModelGarbled, "no reply of a model"),
        (Reply(lines=(b"data: {broken\n\n",)), ModelGarbled, "no JSON"),
        (Reply(cut_after=0, text="x"), ModelUnreachable, "closed the connection"),
        (Reply(status=500, raw=b"<html><title>Oh no</title>"), ModelRefused, "failed with status 500.*Oh no"),
        (Reply(status=404, raw=b'{"error": "model not found"}'), ModelRefused, "has no model fake-chat.*model not found"),
        (Reply(status=402), ModelRefused, "account"),
        (Reply(lines=(b'data: {"error": {"message": "out of memory", "code": 500}}\n\n',)), ModelRefused, "out of memory"),
        (Reply(raw=b'{"error": {"message": "odd"}}'), ModelRefused, "broke off.*odd"),
    ],
)
def test_every_failure_is_a_sentence(server: FakeServer, reply: Reply, kind: type[ModelError], words: str) -> None:
    """Whatever shape the failure has, the person gets a sentence that says what to do."""
    server.script(reply)
    with pytest.raises(kind, match=words):
        completed(server.url)


def test_an_answer_that_does_not_stream_is_read_all_the_same(server: FakeServer) -> None:
    """Some servers ignore `stream`."""
    body = b'{"choices": [{"message": {"content": "whole", "reasoning": "hm"}, "finish_reason": "stop"}]}'
    server.script(Reply(raw=body))
    assert streamed(server.url) == [Thought("hm"), Text("whole"), Finished(Finish.STOP, Usage())]
