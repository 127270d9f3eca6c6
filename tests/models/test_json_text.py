"""Replacing something in a JSON text: what is replaced is read as the new value, and every other byte stays."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ricordo.models.json_text import items, members, replaced, with_messages

pytestmark = pytest.mark.req("I4")

VALUES = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False, allow_infinity=False) | some.text(),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(), inner, max_size=4),
    max_leaves=12,
)


@given(some.dictionaries(some.text(), VALUES, max_size=6), some.sampled_from([None, 0, 3]), some.booleans())
def test_members_are_where_they_are_said_to_be(value: dict[str, Any], indent: int | None, escaped: bool) -> None:
    """However the text is laid out."""
    text = json.dumps(value, indent=indent, ensure_ascii=escaped)
    found = members(f"\n {text}")
    assert {name: json.loads(f"\n {text}"[slice(*place)]) for name, place in found.items()} == value


@given(some.lists(VALUES, max_size=6), some.sampled_from([None, 0, 3]))
def test_items_are_where_they_are_said_to_be(value: list[Any], indent: int | None) -> None:
    """However the text is laid out."""
    text = json.dumps(value, indent=indent)
    assert [json.loads(text[slice(*place)]) for place in items(text)] == value


@given(some.lists(VALUES, min_size=1, max_size=6), some.data())
def test_one_thing_is_replaced_and_nothing_else(value: list[Any], data: some.DataObject) -> None:
    """The bytes ahead of it and behind it are the same."""
    text = json.dumps(value)
    at = data.draw(some.integers(0, len(value) - 1))
    start, stop = items(text)[at]
    made = replaced(text, {(start, stop): '"new"'})
    assert json.loads(made) == [*value[:at], "new", *value[at + 1 :]]
    assert made.startswith(text[:start]) and made.endswith(text[stop:])


def test_messages_are_changed_where_they_differ() -> None:
    """A message is put ahead of all, another gets another content; odd space and unknown members stay."""
    text = '{ "x":1.0,\n"messages" :[ {"role":"user" , "content":"A","n":1e2},{"role":"tool","content":"B"}],"y":[ ] }'
    made = with_messages(text, '{"role": "system"}', {0: {"role": "user", "content": "M A"}, 1: {"role": "tool"}}, ("content",))
    assert made == text.replace('[ {"role":"user" , "content":"A"', '[ {"role": "system"}, {"role":"user" , "content":"M A"')


@pytest.mark.parametrize("text", ["", "[", "{", "7", '{"a" 1}', '{"a":1,,}', "{1:2}", '{"a":1'])
def test_what_is_no_object_is_refused(text: str) -> None:
    """With the error that every reader of JSON raises."""
    with pytest.raises(ValueError):
        members(text)


@pytest.mark.parametrize("text", ["{}", "[1", "[1 2]", "[,]"])
def test_what_is_no_list_is_refused(text: str) -> None:
    """With the error that every reader of JSON raises."""
    with pytest.raises(ValueError):
        items(text)
