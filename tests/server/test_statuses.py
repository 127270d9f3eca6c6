"""Errors over HTTP: each has its status and one shape, and none tells what the person wrote."""

import logging
import pathlib

import pytest

from ricordo import errors
from ricordo.models.scripted import ScriptedModel
from ricordo.server.statuses import STATUS, UNEXPECTED
from tests.server.served import Served, over


def _all(kind: type[errors.RicordoError]) -> set[type[errors.RicordoError]]:
    return {kind}.union(*(_all(below) for below in kind.__subclasses__()))


def test_every_error_has_a_status() -> None:
    """The table names every error of the tree, and nothing else."""
    assert set(STATUS) == _all(errors.RicordoError)
    assert all(status >= 400 for status in STATUS.values())


def test_errors_have_one_shape(tmp_path: pathlib.Path) -> None:
    """Kind and a sentence, whether the vault, the routes or the reading of the request say no."""

    async def work(one: Served) -> None:
        client = await one.enter()
        for method, path, body, status, kind in (
            ("GET", "/api/conversations/7/messages", None, 404, "NotFound"),
            ("GET", "/api/nothing", None, 404, "NotFound"),
            ("PUT", "/api/conversations", {}, 405, "InvalidInput"),
            ("POST", "/api/facts", {"text": "x"}, 422, "InvalidInput"),
            ("POST", "/api/facts", {"text": " ", "home": {"kind": "global"}}, 422, "InvalidInput"),
            ("POST", "/api/commands", {"text": "/remember I like tea"}, 409, "SwitchedOff"),
            ("POST", "/api/commands", {"text": "/dance"}, 422, "InvalidInput"),
            ("GET", f"/api/conversations/{1 << 70}/messages", None, 422, "InvalidInput"),
            ("PATCH", "/api/settings", {"windowe": 3}, 422, "InvalidInput"),
            ("POST", "/api/vault/create", {"passphrase": "again"}, 409, "VaultExists"),
        ):
            answer = await client.request(method, path, json=body)
            assert (answer.status_code, answer.json()["error"]["kind"]) == (status, kind), path
            assert answer.json()["error"]["message"].endswith((".", "?")), answer.text

    over(tmp_path, work)


@pytest.mark.req("V1")
def test_an_unexpected_error_tells_nothing(tmp_path: pathlib.Path, caplog: pytest.LogCaptureFixture) -> None:
    """The answer is a plain sentence, the log says what kind of error and where, never what was in it."""
    secret = "my dog is called Argo"

    class Broken(ScriptedModel):
        async def window(self) -> int:
            raise RuntimeError(secret)

    async def work(one: Served) -> None:
        client = await one.enter()
        with caplog.at_level(logging.DEBUG):
            answer = await client.post("/api/prompt", json={"text": secret})
        assert answer.status_code == 500
        assert answer.json()["error"] == {"kind": "Unexpected", "message": UNEXPECTED}
        assert (await client.get("/api/conversations")).status_code == 200

    over(tmp_path, work, Broken())
    assert "RuntimeError" in caplog.text and secret not in caplog.text


@pytest.mark.req("V1")
def test_a_request_that_cannot_be_read_is_not_echoed(tmp_path: pathlib.Path) -> None:
    """The error says which field and what is wrong with it, not its content."""

    async def work(one: Served) -> None:
        client = await one.enter()
        answer = await client.post("/api/facts", json={"text": ["my dog is called Argo"], "home": {"kind": "global"}})
        assert answer.json()["error"]["message"] == "text: Input should be a valid string."

    over(tmp_path, work)
