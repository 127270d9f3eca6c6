"""Events are read from any bytes that servers send."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.errors import ModelGarbled
from ricordo.models.event_stream import MOST_BYTES, EventStream


def read(*chunks: bytes) -> list[dict[str, Any]]:
    stream = EventStream()
    return [event for chunk in chunks for event in stream.feed(chunk)] + stream.finish()


@pytest.mark.req("X3")
@pytest.mark.parametrize(
    "data",
    [
        b'data: {"a": 1}\n\ndata: {"a": 2}\n\ndata: [DONE]\n\n',
        b'data:{"a":1}\r\n\r\ndata:{"a":2}\r\n\r\n',
        b'data: {"a": 1}\r\rdata: {"a": 2}\r\r',
        b': ping\n\nevent: x\nid: 7\ndata: {"a": 1}\n\n: ping\ndata: {"a": 2}',
        b'data: {"a": 1}\ndata: {"a": 2}\n',
        b'data: {"a":\ndata:  1}\n\ndata: {"a": 2}\n\n',
        b'\xef\xbb\xbfdata: {"a": 1}\n\n\n\ndata:\n\ndata: {"a": 2}\n\n',
        b'data: {"a": 1}\n\ndata: 17\n\ndata: {"a": 2}\n\n',
    ],
)
def test_every_form_of_stream_gives_its_events(data: bytes) -> None:
    """Line ends, comments, other fields, missing spaces and missing empty lines."""
    assert read(data) == [{"a": 1}, {"a": 2}]
    assert read(*(data[i : i + 1] for i in range(len(data)))) == [{"a": 1}, {"a": 2}]


@pytest.mark.req("X3")
@given(st.lists(st.dictionaries(st.text(), st.text()), min_size=1), st.sampled_from(["\n", "\r\n"]), st.data())
def test_the_cuts_between_chunks_change_nothing(events: list[dict[str, str]], end: str, data: st.DataObject) -> None:
    """Also in the middle of a character."""
    whole = "".join(f"data: {json.dumps(event, ensure_ascii=False)}{end}{end}" for event in events).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=10)))
    chunks = [whole[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert read(*chunks) == events


def test_the_end_is_known_when_it_comes() -> None:
    """`done` turns true at [DONE]."""
    stream = EventStream()
    stream.feed(b'data: {"a": 1}\n\n')
    assert not stream.done
    stream.feed(b"data: [DONE]\n\n")
    assert stream.done


def test_an_event_that_is_no_json_is_garbled() -> None:
    """Whether it is closed by an empty line or by the end."""
    for data in (b"data: {half\n\n", b"data: {half"):
        with pytest.raises(ModelGarbled, match="no JSON"):
            read(data)


def test_a_line_without_end_is_given_up() -> None:
    """Memory is not filled by a server gone mad."""
    with pytest.raises(ModelGarbled, match="endless line"):
        read(b"data: " + b"x" * MOST_BYTES)
