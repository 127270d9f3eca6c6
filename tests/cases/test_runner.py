"""The runner of reported failures: what it reads, what it prints, when it fails."""

import json
import pathlib

import pytest

from tests.cases.__main__ import cases, main

HEAD = """
- id: json-a
  area: json
  check: unit
  input: {model_output: '["The user likes fi~+~gs."]'}
  expected: {add: ["The user likes figs."]}
- {id: shoe-a, area: shoes, check: unit, input: {}, expected: {}}
- {id: json-l, area: json, check: live_model, input: {}, expected: {}}
"""
WRONG = '- {id: json-b, area: json, check: unit, input: {model_output: "[]"}, expected: {add: ["The user likes figs."]}}\n'


def write(folder: pathlib.Path, text: str) -> pathlib.Path:
    path = folder / "cases.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_each_case_is_judged_with_its_reason(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Met, without an adapter, in need of a live model: one line each, and a count an area."""
    assert main([str(write(tmp_path, HEAD))]) == 0
    shown = capsys.readouterr().out
    assert "json        1 pass, 1 unsupported" in shown
    assert "no adapter for this area yet" in shown


def test_a_gated_failure_is_an_exit_code(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And the reason shows what was there instead."""
    path = write(tmp_path, HEAD + WRONG)
    assert main([str(path), "--json", "--area", "json"]) == 1
    shown = {one["id"]: one for one in json.loads(capsys.readouterr().out)}
    assert [shown[key]["result"] for key in ("json-a", "json-l", "json-b")] == ["pass", "unsupported", "fail"]
    assert set(shown["json-b"]) == {"id", "area", "check", "result", "why"}
    assert "not ['The user likes figs.']" in shown["json-b"]["why"]
    assert main([str(path), "--area", "shoes"]) == 0


def test_marks_and_letters_are_resolved(tmp_path: pathlib.Path) -> None:
    """Marks go everywhere; written letters become letters only in fields that end in _u."""
    path = write(tmp_path, "- {id: a~+~b, input: {text_u: ['x<U+1F3F4>'], text: 'x<U+1F3F4>'}}\n")
    assert cases(path) == [{"id": "ab", "input": {"text_u": ["x🏴"], "text": "x<U+1F3F4>"}}]
