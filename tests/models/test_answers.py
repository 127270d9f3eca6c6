"""Reasoning and reply are told apart the same way however the reply is cut into pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.models.answers import ThoughtSplitter, spoken
from ricordo.models.base import Text, Thought


def split(*pieces: str) -> tuple[str, str]:
    splitter = ThoughtSplitter()
    found = [part for piece in pieces for part in splitter.feed(piece)] + splitter.finish()
    thought = "".join(part.text for part in found if isinstance(part, Thought))
    return thought, "".join(part.text for part in found if isinstance(part, Text))


@pytest.mark.req("E12")
@pytest.mark.parametrize(
    ("reply", "thought", "text"),
    [
        ("Four.", "", "Four."),
        ("<think>2+2</think>Four.", "2+2", "Four."),
        ("\n<think>\n2+2\n</think>\n\nFour.\n", "\n2+2\n", "\nFour.\n"),
        ("<Thinking>a</THINKING> b", "a", "b"),
        ("<think>a</think><think>b</think>c", "ab", "c"),
        ("Yes.\n<think>a</think>\nNo.", "a", "Yes.\nNo."),
        ("<think>cut off", "cut off", ""),
        ("The `<think>` tag is written inline.", "", "The `<think>` tag is written inline."),
        ("<thin air", "", "<thin air"),
        ("<think>a < b </thin </think>ok", "a < b </thin ", "ok"),
        ("  indented\n   more", "", "  indented\n   more"),
        ("", "", ""),
    ],
)
def test_reasoning_is_told_from_reply(reply: str, thought: str, text: str) -> None:
    """Tags count where models put them; a reply that talks about the tag stays whole."""
    assert split(reply) == (thought, text)


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<", ">", "th", "a", " ", "\n", "</thin", "k>", "<thinking>"])),
    st.data(),
)
def test_the_cuts_between_pieces_change_nothing(parts: list[str], data: st.DataObject) -> None:
    """One law for every stream: only the whole text counts."""
    reply = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(reply)), max_size=8)))
    pieces = [reply[start:end] for start, end in zip([0, *cuts], [*cuts, len(reply)], strict=True)]
    assert split(*pieces) == split(reply)


def test_only_what_may_become_a_tag_is_held_back() -> None:
    """A person who watches the reply is never more than a tag behind."""
    splitter = ThoughtSplitter()
    assert splitter.feed("A <thi") == [Text("A <thi")]
    assert splitter.feed("\n<thi") == [Text("\n")]
    assert splitter.feed("n air") == [Text("<thin air")]
    assert splitter.feed("\n<think>a </thi") == [Text("\n"), Thought("a ")]


def test_only_what_follows_an_unopened_tag_is_the_reply() -> None:
    """Some templates open the tag inside the prompt."""
    assert spoken("so it is four\n</think>\n\n4") == "4"
    assert spoken("plain") == "plain"
