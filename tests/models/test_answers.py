"""Reasoning and reply are told apart the same way however the reply is cut into pieces."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.models.answers import Nothing, Read, ThoughtSplitter, Unreadable, read_json, spoken
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


FIGS = "The user likes figs."
CELLO = "The user plays cello."


@pytest.mark.req("E12")
@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ('{"add": ["The user likes figs."]}', {"add": [FIGS]}),
        ('```json\n{"add": ["The user likes figs."]}\n```', {"add": [FIGS]}),
        ('Here it is:\n```\n{"add": ["The user likes figs."]}', {"add": [FIGS]}),
        ('Sure!\n{"add": ["The user likes figs."]}\nTell me if you need {details} [1].', {"add": [FIGS]}),
        ('<think>{"add": ["The user is rich."]}</think>{"add": ["The user likes figs."]}', {"add": [FIGS]}),
        ('{"add": ["The user is rich."]}</think>\n["The user likes figs."]', [FIGS]),
        ('\ufeff\x00{"add": ["The user likes figs."]}', {"add": [FIGS]}),
        ("{'add': ['The user likes figs.'], 'done': True, 'note': None}", {"add": [FIGS], "done": True, "note": None}),
        ("{'add': ['The user's surname is O'Hara.']}", {"add": ["The user's surname is O'Hara."]}),
        ('{“add”: [“The user likes figs.”]}', {"add": [FIGS]}),
        ('{"add": ["The user likes “figs”, and “plums”."]}', {"add": ["The user likes “figs”, and “plums”."]}),
        ('{"add": ["The user is called "Fig" by friends."]}', {"add": ['The user is called "Fig" by friends.']}),
        ('{"add": ["The user likes figs.",], // one\n "remove": [3, /* two */],}', {"add": [FIGS], "remove": [3]}),
        ('{add: ["The user likes figs."]\n "remove": [#2, fact 3]}', {"add": [FIGS], "remove": ["#2", "fact 3"]}),
        ('["The user likes figs."\n"The user plays cello."]', [FIGS, CELLO]),
        ('["The user likes figs.", ...]', [FIGS]),
        ('"add": ["The user likes figs."], "remove": [1]}', {"add": [FIGS], "remove": [1]}),
        ('{"add": ["The user likes figs."', {"add": [FIGS]}),
        ('{"add": ["The user likes figs."}', {"add": [FIGS]}),
        ('{"add": ["The user likes figs."]]}', {"add": [FIGS]}),
        (r'"{\"add\": [\"The user likes figs.\"]}"', {"add": [FIGS]}),
        (r'{\"add\": [\"The user likes figs.\"]}', {"add": [FIGS]}),
        ('{"add": ["The user likes figs."], "add": ["The user plays cello."]}', {"add": [FIGS, CELLO]}),
        ('{"add": ["The user likes figs."]}\n{"remove": [2]}', [{"add": [FIGS]}, {"remove": [2]}]),
        ('For example {"add": ["The user is rich."]}. So:\n{"add": ["The user likes figs."]}', {"add": [FIGS]}),
        ('{"add": ["The user likes figs."]}<|im_end|>\n{"add": ["The user is rich."]}', {"add": [FIGS]}),
        ('{"add": ["The user likes figs."]}\nUser: hello\nAssistant: {"add": ["The user is rich."]}', {"add": [FIGS]}),
        (r'{"add": ["🌶 \ud83c\udf36 and \ud83c"]}', {"add": ["🌶 🌶 and "]}),
        ("{'add': ['caf\\u00e9 \\'x\\' y']}", {"add": ["café 'x' y"]}),
    ],
)  # fmt: skip
def test_the_json_is_found_in_what_small_models_send(answer: str, value: object) -> None:
    """Whatever stands around it, and however it is quoted, closed and separated."""
    assert read_json(answer) == Read(value)


@pytest.mark.req("E12")
@pytest.mark.parametrize(
    ("answer", "value", "lost"),
    [
        ('{"add": ["The user likes figs.", "The user likes figs.", "The user li', {"add": [FIGS, FIGS]}, 1),
        ('{"add": ["The user likes figs.", {"text": "The user plays cello.", "quote": "I pl', {"add": [FIGS]}, 2),
        ('{"remove": [1, 12', {"remove": [1]}, 1),
        ('["The user likes figs.", "The user plays" "cello."]', [FIGS], 1),
        ('["The user likes figs.", "The user plays cello.,\n "The user is tall."]', [FIGS], 1),
        ("['The user likes figs.', 'The user said 'figs', 'plums'']", [FIGS], 1),
        (r'["The user likes figs.", "The user lives in K\u00f"]', [FIGS], 1),
    ],
)
def test_what_is_not_whole_is_left_out(answer: str, value: object, lost: int) -> None:
    """A value that was cut, or that may be two, is counted and never kept in part."""
    assert read_json(answer) == Read(value, lost)


@pytest.mark.req("E12")
@pytest.mark.parametrize("answer", ["{}", "[]", "null", '{"add": []}', '{"add": null, "remove": [""]}', "None.", "No new facts."])
def test_nothing_to_say_is_an_answer(answer: str) -> None:
    """A model that found nothing is not asked again."""
    assert read_json(answer) == Nothing()


@pytest.mark.req("E12")
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "empty"),
        ("<think>I could store {\"add\": [\"The user is rich.\"]}", "empty"),
        ("I'm sorry, but I can't help with extracting personal information.", "prose"),
        ("Très bien ! Je m'en souviendrai : cheveux bruns, yeux bleus :)", "prose"),
        ("- The user likes figs.\n- The user plays cello.", "prose"),
        ('{"add":["🌶️ The user\'s rule for curry:', "broke off"),
        ('["The user likes figs." "The user plays cello."]', "broke off"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(answer: str, reason: str) -> None:
    """It is not the same as having nothing to say: it is worth another try."""
    reading = read_json(answer)
    assert isinstance(reading, Unreadable)
    assert reason in reading.reason


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff<"), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
ANSWERS = st.dictionaries(TEXTS.filter(bool), VALUES, min_size=1, max_size=3).map(lambda value: {"add": [FIGS], **value})


@pytest.mark.req("E12")
@given(ANSWERS, st.sampled_from(["{}", "Sure:\n{}\nDone.", "```json\n{}\n```"]), st.sampled_from([None, 1]))
def test_what_is_json_is_read_as_json(value: dict[str, object], frame: str, indent: int | None) -> None:
    """Tolerance costs nothing: whole JSON keeps its meaning, within prose and fences too."""
    text = json.dumps(value, indent=indent)
    assert read_json(frame.replace("{}", text)) == Read(value)


@pytest.mark.req("E12")
@given(st.lists(st.text("abc äß,:'’“”[]{}", min_size=1, max_size=12), min_size=1, max_size=5), st.data())
def test_a_cut_answer_holds_no_cut_fact(facts: list[str], data: st.DataObject) -> None:
    """Wherever the answer ends, what is read of it are facts as they were written, in order."""
    text = json.dumps({"add": facts}, ensure_ascii=False)
    reading = read_json(text[: data.draw(st.integers(0, len(text)))])
    found = reading.value["add"] if isinstance(reading, Read) else []
    assert found == facts[: len(found)]


@given(st.text(st.sampled_from("{}[]\"'“,: \n\\u#/*ab1") , max_size=60))  # fmt: skip
def test_any_answer_can_be_read(answer: str) -> None:
    """No answer raises, however broken."""
    assert isinstance(read_json(answer), Read | Nothing | Unreadable)


@pytest.mark.parametrize("piece", ["[", '{"', "<think>", "/*", '"\n', '", "', "{'a': ", "\\", "``` \n"])
def test_reading_stays_quick(piece: str) -> None:
    """A loop of forty thousand letters costs less than a second of the processor."""
    started = time.process_time()
    read_json('{"add": ["' + piece * (40_000 // len(piece)))
    read_json(piece * (40_000 // len(piece)))
    assert time.process_time() - started < 1
