"""Secrets: a labelled list, the reported failures, and the laws that hold for any text."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
import string
import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.texts import diary
from ricordo.learn.secret_numbers import card, iban, luhn
from ricordo.learn.secrets import Kind, redacted, secret_in, secrets_in
from tests.cases import secrets as reported
from tests.conftest import data_folder
from tests.learn.secret_texts import Text, labelled, whole

CASES = data_folder.parent / "cases" / "open.yaml"
# Kinds of the list → what the filter may call them.
NAMED = {
    "key": {Kind.KEY, Kind.TOKEN, Kind.PASSWORD},
    "password": {Kind.PASSWORD, Kind.KEY, Kind.CODE, Kind.PHRASE},
    "code": {Kind.CODE, Kind.PASSWORD, Kind.CARD},
    "card": {Kind.CARD},
    "bank": {Kind.BANK, Kind.IDENTITY},
    "identity": {Kind.IDENTITY},
    "phrase": {Kind.PHRASE},
}


def put_together(value: Any) -> Any:
    match value:
        case str():
            return whole(value)
        case dict():
            return {key: put_together(part) for key, part in value.items()}
        case list():
            return [put_together(part) for part in value]
        case _:
            return value


@pytest.mark.req("E8")
@pytest.mark.parametrize("line", [line for line in labelled() if line.secret], ids=lambda line: f"{line.half}-{line.text[:40]!a}")
def test_a_secret_is_found_and_cut_out(line: Text) -> None:
    """Every secret of the list is found, under a fitting kind; redacted, nothing of it is left, in the reason neither."""
    found = secret_in(line.text)
    assert found
    assert found.kind in NAMED[line.kind]
    secret = line.text[found.start : found.stop]
    assert secret
    assert secret not in redacted(line.text)
    assert secret not in found.reason
    assert secret_in(redacted(line.text)) is None


@pytest.mark.req("E8")
@pytest.mark.parametrize(
    "line", [line for line in labelled() if not line.secret], ids=lambda line: f"{line.half}-{line.text[:40]!a}"
)
def test_what_gives_nothing_away_stays_as_it_is(line: Text) -> None:
    """No other text of the list is taken for a secret, and a log may show it whole."""
    assert secret_in(line.text) is None
    assert redacted(line.text) == line.text


@pytest.mark.req("E8")
def test_the_list_is_large_and_has_both_sides() -> None:
    """Each part of the list has texts of either side, two hundred and more in all."""
    lines = labelled()
    assert sum(line.secret for line in lines) >= 200
    assert sum(not line.secret for line in lines) >= 200
    assert {line.half for line in lines if line.secret} == set("ABCDEGHIJKLM")


def cases() -> list[dict[str, Any]]:
    whole_file = yaml.safe_load(CASES.read_text(encoding="utf-8"))
    return [put_together(case) for case in whole_file if case["area"] in reported.AREAS]


@pytest.mark.req("E8")
@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case["id"]))
def test_reported_failure_does_not_happen_here(case: dict[str, Any]) -> None:
    """No failure that was reported of other filters is one of this."""
    met, why = reported.run(case)
    assert met, why


@pytest.mark.req("E8")
def test_known_formats_are_found(data: Path) -> None:
    """Of the keys of another scanner's tests at least 95 in 100 are found."""
    literals = json.loads(gzip.decompress((data / "secrets" / "gitleaks_literals.json.gz").read_bytes()))
    keys = [base64.b64decode(one["b64"]).decode() for one in literals if one["secret"]]
    assert len(keys) == 75
    assert sum(secret_in(key) is not None for key in keys) >= 0.95 * len(keys)


@pytest.mark.req("E8")
def test_a_diary_raises_no_alarm() -> None:
    """Of a hundred days of a real diary, sentence by sentence, not one in a thousand is taken for a secret."""
    text = " ".join(diary()[:: len(diary()) // 100])
    sentences = [sentence for sentence in re.split(r"(?<=[.!?;])\s+", text) if len(sentence.split()) > 3]
    assert len(sentences) > 1000
    assert sum(secret_in(sentence) is not None for sentence in sentences) <= len(sentences) / 1000


DIGITS = st.text(string.digits, min_size=15, max_size=15)


def with_check_digit(start: str) -> str:
    return next(start + digit for digit in string.digits if luhn(start + digit))


@pytest.mark.req("E8")
@given(
    DIGITS.map(lambda digits: with_check_digit("4" + digits[1:])), st.sampled_from(["", " ", "-", "\u00a0", "."]), st.booleans()
)
def test_a_card_is_known_however_it_is_written(number: str, between: str, wide: bool) -> None:
    """Blanks, dashes and full-width digits hide no card; another check digit makes it none."""
    grouped = between.join(number[at : at + 4] for at in range(0, 16, 4))
    if wide:
        grouped = "".join(chr(ord(sign) + 0xFEE0) if sign.isdigit() else sign for sign in grouped)
    found = secret_in(f"mine is {grouped} as it stands")
    assert found
    assert found.kind is Kind.CARD
    assert not card(number[:-1] + str((int(number[-1]) + 1) % 10))


@pytest.mark.req("E8")
@given(st.text(string.digits, min_size=18, max_size=18), st.booleans())
def test_an_iban_is_known_by_its_check_digits(account: str, grouped: bool) -> None:
    """An account with the right check digits is found in groups or in one piece, with wrong ones it is no IBAN."""
    check = 98 - int(account + "131400") % 97  # D = 13, E = 14
    number = f"DE{check:02}{account}"
    shown = " ".join(number[at : at + 4] for at in range(0, 22, 4)) if grouped else number
    found = secret_in(f"pay to {shown}, please")
    assert found
    assert found.kind in (Kind.BANK, Kind.CARD)
    assert iban(f"DE{(check + 1) % 97:02}{account}") is None


ALPHABETS = [string.ascii_letters + string.digits, string.hexdigits[:16], string.ascii_uppercase + string.digits]


@pytest.mark.req("E8")
def test_tokens_drawn_by_lot_are_found() -> None:
    """Of 1,500 tokens of 32 signs, drawn from three alphabets, at least 98 in 100 are found without any name beside them."""
    chance = random.Random(8)
    drawn = ["".join(chance.choices(alphabet, k=32)) for alphabet in ALPHABETS for _ in range(500)]
    assert sum(secret_in(f"I noted {token} somewhere") is not None for token in drawn) >= 0.98 * len(drawn)


HIDDEN = ["\u200b", "\u200d", "\u00ad", "\ufeff", "**", "`"]


@pytest.mark.req("E8")
@given(st.sampled_from([line for line in labelled() if line.half == "A" and line.secret and line.kind != "phrase"]), st.data())
def test_signs_that_cannot_be_seen_hide_nothing(line: Text, data: st.DataObject) -> None:
    """Zero-width signs, soft hyphens and Markdown put into a text change nothing: the same stretch is found and cut out."""
    sign = data.draw(st.sampled_from(HIDDEN))
    at = data.draw(st.integers(0, len(line.text)))
    text = line.text[:at] + sign + line.text[at:]
    found = secret_in(text)
    assert found
    assert secret_in(redacted(text)) is None


@pytest.mark.req("E8")
@given(st.text(max_size=200) | st.text("password: isPIN4711/@.-'\"\u200bé密码", max_size=80))
def test_any_text_can_be_judged_and_redacted(text: str) -> None:
    """No text raises; stretches lie within it; a text without a secret is left as it is, one with is clean afterwards."""
    found = secrets_in(text)
    assert all(0 <= secret.start < secret.stop <= len(text) for secret in found)
    assert (redacted(text) == text) == (not found)
    assert not secrets_in(redacted(text))
    assert redacted(redacted(text)) == redacted(text)


@pytest.mark.req("E8")
@given(st.sampled_from([line.text for line in labelled() if line.half == "A"]))
def test_letters_apart_from_their_accents_are_read_the_same(text: str) -> None:
    """A text means the same whether its accents stand on the letters or after them."""
    assert (secret_in(unicodedata.normalize("NFD", text)) is None) == (secret_in(unicodedata.normalize("NFC", text)) is None)


ENDLESS = {
    "letters": "a",
    "digits": "1",
    "spaced digits": "1 ",
    "keys": "aB3",
    "addresses": "http://a:",
    "mail": "a@",
    "groups": "ab12-",
    "prefix": "sk-",
    "names": "password ",
    "marks": "password:",
    "quotes": 'password: "',
    "codes": "the code for the alarm ",
    "spelled": "pin is one two ",
    "commands": "curl ",
    "accounts": "DE12 3456 ",
    "words": "apple river ",
    "networks": "wifi / ",
    "users": "user a, then ",
    "set to": "changed my password to ",
    "asked for": "if it asks for a password try ",
    "locks": "the lock, it's 4471 ",
    "turns": "lock 44, 71 and 90, ",
    "serials": "serial ab12-cd34-",
    "answers": "security question? answer: ",
    "private keys": "-----BEGIN PRIVATE KEY-----",
}


@pytest.mark.slow
@pytest.mark.req("E8")
@pytest.mark.parametrize("piece", ENDLESS.values(), ids=ENDLESS)
def test_time_grows_no_faster_than_the_text(piece: str) -> None:
    """Eight times the text takes about eight times as long, whatever is repeated: no pattern goes back and forth."""

    def seconds(signs: int) -> float:
        text = piece * (signs // len(piece))
        took = []
        for _ in range(3):
            start = time.process_time()
            secret_in(text)
            took.append(time.process_time() - start)
        return min(took)

    assert seconds(160_000) < 20 * seconds(20_000) + 0.05
