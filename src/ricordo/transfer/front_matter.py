"""The head of a Markdown note: names and values between two lines of dashes, written and read as the plain part of YAML.

The one rule: what cannot be read is said, with its line, and never costs the note.
"""

from __future__ import annotations

import json
import re

Value = str | list[str]

_PAIR = re.compile(r"(?P<name>[^\s:#'\"\[\]{}-][^:]*?)\s*:(?:\s+(?P<value>.*))?")
_ITEM = re.compile(r"\s*-\s+(.*)")
_UNPRINTED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")  # which YAML allows only as escapes
_COMMENT = re.compile(r"(?:^|\s)#.*$")


def read(lines: list[str]) -> tuple[dict[str, Value], str]:
    """Return the values of a head, its dashes left off, by lower-case name; and what is wrong with it, empty where nothing is."""
    found: dict[str, Value] = {}
    name, wrong = "", ""
    for number, line in enumerate(lines, 2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        item = _ITEM.fullmatch(line)
        pair = _PAIR.fullmatch(line.rstrip())
        try:
            if item and name:
                before = found.get(name)
                found[name] = [*(before if isinstance(before, list) else []), _scalar(item[1])]
            elif pair and not line[0].isspace():
                name = pair["name"].casefold()
                found[name] = _value((pair["value"] or "").strip())
            elif not line[0].isspace():  # what is indented belongs to the value above, of a kind that is not needed here
                raise ValueError("it is no name with a value")
        except ValueError as error:
            wrong = wrong or f"line {number}: {error}"
    return found, wrong


def written(values: dict[str, str]) -> str:
    """Return a head; texts are quoted, so that any YAML reader gives back the same."""
    return "".join(["---\n", *(f"{name}: {_quoted(value)}\n" for name, value in values.items()), "---\n"])


def _quoted(value: str) -> str:
    return _UNPRINTED.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))


def _value(text: str) -> Value:
    if not text.startswith("["):
        if text.startswith("{") and not text.endswith("}"):
            raise ValueError("a { is not closed")
        return _scalar(text)
    if not (text := _COMMENT.sub("", text).rstrip()).endswith("]"):
        raise ValueError("a [ is not closed")
    return [_scalar(part) for part in re.findall(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^,\s][^,]*", text[1:-1])]


def _scalar(text: str) -> str:
    text = text.strip()
    if text.startswith('"'):
        try:
            value, end = json.JSONDecoder().raw_decode(text)
        except ValueError:
            raise ValueError("a quotation mark is not closed") from None
        if _COMMENT.sub("", text[end:]).strip():
            raise ValueError("something follows a quotation mark")
        return str(value)
    if text.startswith("'"):
        if not (match := re.fullmatch(r"'((?:[^']|'')*)'\s*(?:#.*)?", text)):
            raise ValueError("a quotation mark is not closed")
        return match[1].replace("''", "'")
    return _COMMENT.sub("", text).strip()
