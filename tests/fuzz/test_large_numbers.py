"""Numbers beyond any float or int that Python reads, where models and servers send numbers: they mean nothing, break nothing."""

import json
import time
from typing import Any

import pytest

from ricordo.learn.proposals import Remove, read_proposals
from ricordo.models.dialect import read_event
from ricordo.models.overflow import counts
from ricordo.models.refusals import as_error, read_refusal
from ricordo.recall.relevance_answers import kept_in

pytestmark = pytest.mark.req("X3", "E12")
DIGITS = "9" * 5000
HUGE: tuple[Any, ...] = (10**400, float("inf"), float("nan"), DIGITS, f"{DIGITS}, 1{DIGITS}", -(10**400))


@pytest.mark.parametrize("value", HUGE, ids=range(len(HUGE)))
def test_an_id_of_no_fact_means_none(value: Any) -> None:
    """Whether it comes as a number or in digits."""
    for answer in ({"remove": [{"id": value}]}, {"remove": [value]}, {"rewrite": {str(value): "The user rows."}}):
        assert all(each.id == 0 for each in read_proposals(answer, ("The user sings.",)) if isinstance(each, Remove))


@pytest.mark.parametrize("value", ["1e999", "[1e999, 2]", f"[{'9' * 400}, 2]", f'["{DIGITS}"]', f'{{"{DIGITS}": "yes"}}'])
def test_a_number_of_no_note_keeps_none(value: str) -> None:
    """The others count."""
    assert (kept_in(f'{{"relevant": {value}}}', 3) or frozenset()) <= {2}


@pytest.mark.parametrize("value", [10**400, float("inf"), float("nan"), -(10**400), 1e308])
def test_a_count_and_a_probability_that_are_none_are_passed_over(value: Any) -> None:
    """In the events of a stream."""
    likely = [{"token": "yes", "logprob": value}, {"token": "no", "logprob": -0.5}]
    choice = {"delta": {"content": "a"}, "logprobs": {"content": [{"top_logprobs": likely}]}}
    read = read_event({"choices": [choice], "usage": {"prompt_tokens": value, "completion_tokens": value}})
    assert [each.token for each in read.logprobs[0]] in (["no"], ["yes", "no"])
    assert all(each.logprob <= 0 for each in read.logprobs[0])
    assert read.usage is None or read.usage.prompt is None


def test_a_refusal_with_numbers_beyond_reading_is_a_refusal() -> None:
    """In its words, its fields and its headers."""
    said = f"maximum context length is {DIGITS} tokens, requested {DIGITS}"
    assert counts(said) == (None, None)
    body = f'{{"error": {{"message": "{said}", "code": "{DIGITS}", "n_ctx": "{DIGITS}"}}}}'.encode()
    for header in ("1e999", "nan", DIGITS, f"Wed, 21 Oct {DIGITS[:30]} 07:28:00 GMT"):
        refusal = read_refusal(400, body, {"retry-after": header})
        assert (refusal.window, refusal.retry_after) == (None, None)


@pytest.mark.parametrize("said", [DIGITS * 50, "maximum context length is " * 9000, "<" * 250_000, "<title" * 40_000])
def test_an_endless_error_is_read_soon(said: str) -> None:
    """It took minutes: each digit of a run was tried as its first."""
    started = time.process_time()
    as_error(read_refusal(400, said.encode(), {}), "The server", "m")
    as_error(read_refusal(400, json.dumps({"error": said}).encode(), {}), "The server", "m")
    assert time.process_time() - started < 2
