"""The whole API against its own description: requests made from it, good and bad, to a real server over a real vault."""

import asyncio
import json
import pathlib
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema

from ricordo.models.scripted import ScriptedModel
from ricordo.server import sessions
from tests import filled
from tests.server.served import Served, over, served

pytestmark = pytest.mark.req("I3")

_MINUTES = json.dumps({"decisions": ["The user will paint the fence blue."], "facts": ["Otto lends the user a ladder."]})
_NOWHERE = "http://127.0.0.1:9"
# Nothing ends the one but the other side, and the other fetches a gigabyte from elsewhere.
_LEFT_OUT = {"GET /api/events", "POST /api/models/fetch"}
# These lock, erase and replace what all others need, so they come last.
_LAST = r"^/api/(vault/.*|data/(erase|restore|import/.*))$"
_LOCK = "POST /api/vault/lock"
_OFF = {"enabled": False}
_MODEL = {"not_a_server_error": {"expected-statuses": ["2xx", "4xx", "502"]}}  # 502: a model that is not there, or talks nonsense
_APART: dict[str, dict[str, Any]] = {
    "/api/models/test": _MODEL,
    "/api/conversations/{conversation}/summary": {**_MODEL, "use_after_free": _OFF},  # the conversation is still there
    "/api/settings": {"negative_data_rejection": _OFF},  # they are typed in a terminal, too, where `"1"` is a number
    # With another method it is an address of the fact called count, which is none.
    "/api/facts/count": {"unsupported_method": _OFF, "allow_header_conformance": _OFF},
}
# What says that a request was understood, and makes no sense where nothing is as it was before.
_OF_REQUESTS = ("negative_data_rejection", "unsupported_method", "allow_header_conformance", "use_after_free")


@contextmanager
def running(folder: pathlib.Path) -> Iterator[dict[str, Any]]:
    """Run a server over a filled vault in a thread of its own; yields its description, its address and the cookie."""
    model = ScriptedModel(lambda told: _MINUTES if "You keep the minutes" in told[0].content else "A reply about zanzibar.")
    found: dict[str, Any] = {}
    ready = threading.Event()

    async def run() -> None:
        stop = asyncio.Event()
        async with served(folder, model) as one:
            client = await one.enter()
            await filled.fill(one.door.vault)
            found.update(
                openapi=(await client.get("/api/openapi.json")).json(),
                address=f"http://127.0.0.1:{one.port}",
                cookie="; ".join(f"{each.name}={each.value}" for each in client.cookies.jar),
                stop=(asyncio.get_running_loop(), stop),
            )
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert ready.wait(60)
    try:
        yield found
    finally:
        loop, stop = found["stop"]
        loop.call_soon_threadsafe(stop.set)
        thread.join()


def schema_of(found: dict[str, Any], seconds: int, examples: int, *off: str, token: str = "") -> Any:
    """Return what requests are made from, by the session or with a token; `off` are checks that are not made."""
    # How one comes in is tested by itself, and the session is there throughout.
    operations = {
        path: {name: {**each, "security": []} for name, each in methods.items()}
        for path, methods in found["openapi"]["paths"].items()
    }
    # That every request that fits its description succeeds is too much to ask of a vault: what it names must be there.
    without = dict.fromkeys(("positive_data_acceptance", "ensure_resource_availability", "ignored_auth", *off), _OFF)
    config = {
        "seed": 11,
        "max-time": seconds,
        "continue-on-failure": True,
        "request-timeout": 20,
        "base-url": found["address"],
        "headers": {"Authorization": f"Bearer {token}"} if token else {"Cookie": found["cookie"]},
        "generation": {"max-examples": examples, "database": "none", "no-shrink": True},
        "phases": {"stateful": {"enabled": not off}},  # one request with what another gave
        "checks": without,
        "operations": [{"include-path": path, "checks": {**without, **checks}} for path, checks in _APART.items()],
    }
    schema = schemathesis.openapi.from_dict(
        {**found["openapi"], "paths": operations}, config=SchemathesisConfig.from_dict(config)
    )

    @schema.hook
    def map_body(context: Any, body: Any) -> Any:
        """Lead no request to another computer."""
        return {**body, "server": _NOWHERE} if isinstance(body, dict) and body.get("server") else body

    # Only what is Ricordo's own: what clients of model servers send to /v1 is passed on as it is.
    return schema.exclude(name=list(_LEFT_OUT)).exclude(path_regex="^/v1/")


def _others(context: Any) -> bool:
    # Not by `include`: what is said of single operations above would include all of them again.
    return re.match(_LAST, context.operation.path) is None


@dataclass
class Walk:
    """What came of many requests: what was wrong with answers, which operations were asked, which let in, and all answers."""

    wrong: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    said: list[bytes] = field(default_factory=list)


def walked(schema: Any) -> Walk:
    """Make the requests."""
    walk = Walk()
    for event in from_schema(schema).execute():
        if isinstance(event, events.NonFatalError | events.FatalError):
            walk.wrong.append(str(event.info if isinstance(event, events.NonFatalError) else event.exception))
        if not isinstance(event, events.ScenarioFinished):
            continue
        for key, checks in event.recorder.checks.items():
            case = event.recorder.cases[key].value
            answer = event.recorder.interactions[key].response
            walk.asked.add(case.operation.label)
            if answer is not None:
                walk.said.append(answer.content)
                if answer.status_code < 300:
                    walk.done.add(case.operation.label)
            for check in checks:
                if check.failure_info is not None:
                    walk.wrong.append(
                        f"{case.method} {case.formatted_path} {case.query} {str(case.body)[:300]}: {check.failure_info.failure}"
                        f" -> {answer and answer.status_code} {answer and answer.content[:300]!r}"
                    )
    return walk


@pytest.mark.slow
def test_no_request_breaks_the_server_or_gets_what_is_not_described(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No error of the server, no status, type or shape that it does not describe; each operation is asked, locked too."""
    monkeypatch.setattr(sessions, "_LONGEST_WAIT", 0.0)
    asked: set[str] = set()
    with running(tmp_path) as found:
        described = {
            f"{name.upper()} {path}"
            for path, methods in found["openapi"]["paths"].items()
            for name in methods
            if path.startswith("/api/")
        }
        some = schema_of(found, 60, 10).exclude(path_regex=_LAST)
        last = schema_of(found, 15, 5, *_OF_REQUESTS).exclude(_others).exclude(name=_LOCK)
        locked = schema_of(found, 10, 1, *_OF_REQUESTS)
        for schema in (some, last, locked):
            if schema is locked:
                assert httpx2.post(f"{found['address']}/api/vault/lock", headers={"Cookie": found["cookie"]}).status_code == 200
            walk = walked(schema)
            assert not walk.wrong, "\n\n".join(walk.wrong[:20])
            assert schema is locked or not asked & walk.asked
            asked |= walk.asked if schema is not locked else set()
    assert described - asked == _LEFT_OUT | {_LOCK}


@pytest.mark.slow
@pytest.mark.req("X1")
def test_a_token_that_reads_changes_nothing_and_one_for_a_space_sees_nothing_else(tmp_path: pathlib.Path) -> None:
    """Whatever is asked with it: all that is kept stays to the byte, and no answer holds a word that stands elsewhere."""
    with running(tmp_path) as found, httpx2.Client(base_url=found["address"], headers={"Cookie": found["cookie"]}) as page:

        def token(**what: object) -> str:
            return str(page.post("/api/tokens", json=what).json()["token"])

        space = page.post("/api/spaces", json={"name": "Empty"}).json()["id"]
        before = page.get("/api/data/export.json").json()
        reading = walked(schema_of(found, 10, 2, *_OF_REQUESTS, token=token(name="Reader", scope="read")))
        within = walked(schema_of(found, 10, 2, *_OF_REQUESTS, token=token(name="Within", scope="read", space=space)))
        assert page.get("/api/data/export.json").json() == before
        assert {operation.split()[0] for operation in reading.done} == {"GET", "POST"}
        assert len(reading.done) > 15  # else it would prove little
        assert {"GET /api/facts", "POST /api/search"} <= within.done
        assert any(filled.MARK.encode() in told for told in reading.said)
        assert not [told for told in within.said if filled.MARK.encode() in told]


def test_the_api_says_who_may_ask(tmp_path: pathlib.Path) -> None:
    """Without a session only what it calls open answers; a token gets as far as it says, and no further."""

    async def work(one: Served) -> None:
        client = await one.enter()
        described = (await client.get("/api/openapi.json")).json()
        assert {"session", "token"} == set(described["components"]["securitySchemes"])
        secret = (await client.post("/api/tokens", json={"name": "Desk"})).json()["token"]
        async with httpx2.AsyncClient(base_url=client.base_url, trust_env=False) as stranger:
            for path, methods in described["paths"].items():
                for method, operation in methods.items():
                    address = path.replace("{day}", "2026-01-01").replace("{", "").replace("}", "")
                    alone = (await stranger.request(method, address)).status_code
                    assert (alone == 401) is bool(operation["security"]), (method, path)
                    if not operation["security"] or path in ("/api/events", "/api/models/fetch"):
                        continue  # the answers of these two never end, or come from elsewhere
                    told = await stranger.request(method, address, headers={"authorization": f"Bearer {secret}"})
                    assert (told.status_code != 403) is ({"token": []} in operation["security"]), (method, path)

    over(tmp_path, work)
