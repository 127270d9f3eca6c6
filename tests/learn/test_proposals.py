"""The shapes in which models propose changes are read for what they mean, and never for more."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.learn.proposals import Remove, Rewrite, Save, read_proposals

KNOWN = ["The user lives in Ghent.", "The user plays cello.", "The user's name is Chad."]
FIGS = Save("The user likes figs.")
ROME = "The user lives in Rome."


@pytest.mark.req("E12", "E9")
@pytest.mark.parametrize(
    ("answer", "proposals"),
    [
        ({"add": [FIGS.text], "rewrite": [{"id": 1, "text": ROME}], "remove": [2]}, [FIGS, Rewrite(1, ROME), Remove(2)]),
        ({"add": [{"text": "The user likes figs.", "quote": "I like figs"}]}, [Save("The user likes figs.", "I like figs")]),
        ({"remove": [{"id": 2, "quote": "no more cello"}]}, [Remove(2, "no more cello")]),
        (["The user likes figs."], [FIGS]),
        ([["The user likes figs."]], [FIGS]),
        ([{"text": "The user likes figs."}], [FIGS]),
        ({"add": "The user likes figs."}, [FIGS]),
        ({"add": {"text": "The user likes figs."}}, [FIGS]),
        ({"Facts": ["The user likes figs."]}, [FIGS]),
        ({"result": {"add": ["The user likes figs."]}}, [FIGS]),
        ({"facts": [{"fact": "The user likes figs.", "evidence": ["figs!"]}]}, [Save("The user likes figs.", "figs!")]),
        ([{"op": "add", "text": "The user likes figs."}, {"op": "delete", "id": "2"}], [FIGS, Remove(2)]),
        ({"actions": [{"action": "update", "id": 1, "new_text": ROME}]}, [Rewrite(1, ROME)]),
        ({"memory": [{"id": "1", "text": ROME, "event": "UPDATE"}]}, [Rewrite(1, ROME)]),
        ({"memory": [{"id": "2", "event": "DELETE"}]}, [Remove(2)]),
        ({"memory": [{"id": "9", "text": "The user likes figs.", "event": "ADD"}, {"id": "1", "event": "NONE"}]}, [FIGS]),
        ({"name": "add_memory", "arguments": {"text": "The user likes figs."}}, [FIGS]),
        ({"function": {"name": "deleteMemory", "arguments": '{"id": 2}'}}, [Remove(2)]),
        ([{"name": "save", "arguments": {"add": ["The user likes figs."]}}], [FIGS]),
        ({"rewrite": {"1": ROME}}, [Rewrite(1, ROME)]),
        ({"rewrite": ["1: The user lives in Rome."]}, [Rewrite(1, ROME)]),
        ({"rewrite": [{"old": "The user lives in Ghent", "new": ROME}]}, [Rewrite(1, ROME)]),
        ({"rewrite": [{"old": "Human: Chad", "new": "The user's name is Sarah."}]}, [Rewrite(3, "The user's name is Sarah.")]),
        ({"rewrite": [{"old": "The user", "new": ROME}]}, [Rewrite(0, ROME)]),
        ({"rewrite": [{"id": 2, "old": "The user lives in Ghent.", "new": ROME}]}, [Rewrite(0, ROME)]),
        ({"rewrite": [{"id": 1}], "add": [{}], "remove": [None, ""]}, [Rewrite(1, "")]),
        ({"add": "none", "rewrite": None, "remove": "N/A"}, []),
        ({"type": "object", "properties": {"add": {"type": "array", "items": {"type": "string"}}}}, []),
        ({"thought": "nothing new", "done": True}, []),
        (7, []),
    ],
)  # fmt: skip
def test_shapes_of_proposals(answer: Any, proposals: list[Any]) -> None:
    """Lists, single values, operations, tool calls, wrappers; what names no text and no fact is passed over."""
    assert list(read_proposals(answer, KNOWN)) == proposals


@pytest.mark.req("E12")
@pytest.mark.parametrize(
    ("ids", "meant"),
    [
        ([2, "2", "#2", "fact 2", "[2]", "2.", 2.0, "id: 2"], [2] * 8),
        (["1, 2", "1 and 2"], [1, 2, 1, 2]),
        (["The user plays cello."], [2]),
        (["2: The user plays cello.", "2: The user lives in Ghent."], [2, 0]),
        ([0, -1, 4, 9999, 1.5, float("inf"), "12", "figs"], [0] * 8),
        ([True, None, {}, []], []),
    ],
)
def test_ids_are_read_however_they_are_written(ids: list[Any], meant: list[int]) -> None:
    """An id that does not exist, or that its own words contradict, means no fact."""
    assert [proposal.id for proposal in read_proposals({"remove": ids}, KNOWN) if isinstance(proposal, Remove)] == meant


KEYS = st.sampled_from(["add", "rewrite", "remove", "id", "text", "quote", "old", "op", "name", "arguments", "memory", "1", "x"])
TEXTS = st.sampled_from(["add", "2", "#1", "{", '{"add": ["a b"]}', ""]) | st.text(max_size=8)
LEAVES = st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | TEXTS
ANSWERS = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=15
)


@pytest.mark.req("E12")
@given(ANSWERS)
def test_any_json_can_be_read(answer: Any) -> None:
    """Whatever comes, ids are those of known facts or 0, and new facts have a text."""
    for proposal in read_proposals(answer, KNOWN):
        match proposal:
            case Save(text):
                assert text.strip()
            case Rewrite(id) | Remove(id):
                assert 0 <= id <= len(KNOWN)
