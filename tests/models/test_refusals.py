"""Errors of every server and shape end in the right place of the tree, with a sentence."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.errors import ContextOverflow, ModelError, ModelRefused
from ricordo.models.refusals import as_error, read_error, read_refusal


def error(status: int, body: object, **headers: str) -> ModelError:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return as_error(read_refusal(status, data, {k.replace("_", "-"): v for k, v in headers.items()}), "The server", "m", "k-1")


# As the servers word it: llama.cpp, OpenAI, vLLM (three ages), LM Studio (two), Ollama, Anthropic, Mistral, others.
OVERFLOWS: list[tuple[int, object, int | None, int | None]] = [
    (
        400,
        {
            "error": {
                "code": 400,
                "message": "request (6030 tokens) exceeds the available context size (4096 tokens), try increasing it",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 6030,
                "n_ctx": 4096,
            }
        },
        6030,
        4096,
    ),
    (
        400,
        {
            "error": {
                "message": "This model's maximum context length is 8192 tokens. However, your messages resulted in 10234 tokens.",
                "type": "invalid_request_error",
                "param": "messages",
                "code": "context_length_exceeded",
            }
        },
        10234,
        8192,
    ),
    (
        400,
        {
            "object": "error",
            "message": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens "
            "(4500 in the messages, 500 in the completion).",
            "code": 400,
        },
        4500,
        4096,
    ),
    (
        400,
        {
            "error": {
                "message": "You passed 4097 input tokens and requested 10 output tokens. However, the model's context length "
                "is only 4096 tokens"
            }
        },
        4097,
        4096,
    ),
    (
        400,
        {"error": {"message": "The decoder prompt (length 5001) is longer than the maximum model length of 4096."}},
        5001,
        4096,
    ),
    (
        400,
        {
            "error": "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with "
            "context length of only 4096 tokens, which is not enough."
        },
        5000,
        4096,
    ),
    (
        400,
        {"error": "The number of tokens to keep from the initial prompt is greater than the context length."},
        None,
        None,
    ),
    (400, {"error": {"message": "the input length exceeds the context length", "type": "api_error"}}, None, None),
    (400, {"type": "error", "error": {"message": "prompt is too long: 205000 tokens > 200000 maximum"}}, 205000, 200000),
    (
        400,
        {"message": "Prompt contains 40000 tokens, too large for model with 32768 maximum context length"},
        40000,
        32768,
    ),
    (413, b"<html><title>413 Request Entity Too Large</title></html>", None, None),
    (500, {"error": {"message": "context size exceeded"}}, None, None),
]


@pytest.mark.req("B6")
@pytest.mark.parametrize(("status", "body", "prompt", "window"), OVERFLOWS)
def test_a_prompt_that_is_too_long_is_known_in_every_wording(
    status: int, body: object, prompt: int | None, window: int | None
) -> None:
    """With the counts wherever they are given."""
    found = error(status, body)
    assert isinstance(found, ContextOverflow)
    assert (found.prompt_tokens, found.window) == (prompt, window)


@pytest.mark.parametrize(
    "said",
    [
        "Rate limit reached: limit 6000 tokens per minute, requested 8000",
        "Invalid value for context",
        "max_tokens is too large",
        "The model is overloaded",
    ],
)
def test_other_errors_are_no_overflow(said: str) -> None:
    """A shorter prompt would not help there."""
    assert isinstance(error(429 if "Rate" in said else 400, {"error": {"message": said}}), ModelRefused)


@pytest.mark.req("X3")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "bad"}}, "bad"),
        ({"error": "bad"}, "bad"),
        ({"detail": [{"msg": "bad", "loc": ["body"]}]}, "bad"),
        ({"errors": [{"message": "bad"}]}, "bad"),
        ([{"error": {"message": "bad"}}], "bad"),
        (b"bad", "bad"),
        (b"<html><body><h1>bad</h1></body></html>", "bad"),
    ],
)
def test_the_servers_own_words_are_shown_at_the_end(body: object, said: str) -> None:
    """Whatever shape they come in."""
    assert str(error(400, body)).endswith(f"It said: {said}")


@pytest.mark.req("X3")
@pytest.mark.parametrize("body", [b"", b"null", b"{}", b"[]", b'{"error": {}}', b"\xff\xfe"])
@pytest.mark.parametrize("status", [302, 400, 401, 402, 404, 418, 429, 500, 503])
def test_an_empty_error_is_still_a_sentence(status: int, body: bytes) -> None:
    """It says who refused, and what to do."""
    sentence = str(error(status, body))
    assert sentence.startswith("The server ")
    assert any(word in sentence for word in ("Settings", "Try again", "Top it up"))


def test_long_errors_are_shortened_and_the_key_is_blotted_out() -> None:
    """What a server repeats of a prompt or a key does not spread."""
    sentence = str(error(400, {"error": {"message": "key k-1\n" + "x" * 5000}}))
    assert "k-1" not in sentence
    assert len(sentence) < 400
    assert "\n" not in sentence


def test_retry_after_is_read_as_seconds_and_as_a_date() -> None:
    """Both forms that HTTP has; nonsense is nothing."""
    assert read_refusal(429, b"", {"retry-after": "2.5"}).retry_after == 2.5
    assert read_refusal(429, b"", {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}).retry_after == 0.0
    assert read_refusal(429, b"", {"retry-after": "soon"}).retry_after is None


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["error", "message", "code", "detail", "n_ctx"]), inner),
    )
)
def test_no_shape_of_error_breaks_the_reader(value: object) -> None:
    """Anything a server can say becomes an error with a sentence."""
    assert str(as_error(read_error(value, 400), "The server", "m"))
