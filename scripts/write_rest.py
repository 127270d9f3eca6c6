"""Write docs/rest.md: every route of the REST API with what it takes and gives, from the API's own description.

Run it after changing a route: python -m scripts.write_rest. A test checks that it was.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import APIRouter, FastAPI

from ricordo.server import app as server

_MOST = 10  # fields of a request that are named one by one; only the settings have more
PAGE = pathlib.Path(__file__).parents[1] / "docs" / "rest.md"
HEAD = """\
# The REST API

Everything the page does goes through this API, and other programs may use it while the app runs and the vault is unlocked.
This page is written by `scripts/write_rest.py` from the routes themselves; `GET /api/openapi.json` describes every field, for
programs that read such descriptions.

## Coming in

Make a token for each program, and send it with every request. It is shown once.

```sh
ricordo tokens new "My script"                    # reads and writes
ricordo tokens new "My reader" --scope read       # only reads
ricordo tokens new "Garden" --space Garden        # that Space alone
curl -H "Authorization: Bearer $RICORDO_TOKEN" http://127.0.0.1:7373/api/diary
```

```python
import os

import httpx2

access = {"authorization": f"Bearer {os.environ['RICORDO_TOKEN']}"}
with httpx2.Client(base_url="http://127.0.0.1:7373/api", headers=access) as api:
    talk = api.post("/conversations", json={"title": "Garden"}).json()
    api.post(f"/conversations/{talk['id']}/entries", json={"text": "The first tomatoes are ripe, a week early."})
    for hit in api.post("/search", json={"text": "tomatoes"}).json():
        print(hit["kind"])  # → message
```

No token may change the passphrase, make tokens, choose the model's server, restore, or erase: that takes somebody who typed
the passphrase.

## Answers

- JSON in, JSON out. Times are local, with their offset, as `2026-05-03T08:15:00+02:00`.
- Routes that stream answer with server-sent events; what comes is said with the route.
- An error is `{"error": {"kind", "message"}}`; the message is a sentence for a person, the kind a name of `ricordo.errors`.

| status | meaning |
|---|---|
| 400, 405, 408, 413, 415 | not a request that can be read: no JSON, another method, never at its end, too large |
| 401, 403 | no session and no token, a wrong passphrase, or a token that may not do this |
| 404 | not there |
| 409 | not as things stand: a switch is off, the vault is in use, there is no model |
| 422 | what was asked for makes no sense; or a prompt that is longer than the window |
| 423 | the vault is locked |
| 502, 504 | the model's server failed, or said nothing |
| 500, 507 | a fault of Ricordo, or of the file; no room on the disk |
"""


def described() -> dict[str, Any]:
    """Return the API's description, without a vault behind it."""
    api = FastAPI()
    for part in vars(server).values():
        router = getattr(part, "router", None)
        if isinstance(router, APIRouter):
            api.include_router(router)
    return api.openapi()


def page() -> str:
    """Return the whole page."""
    api = described()
    parts: dict[str, list[str]] = {}
    for path, methods in api["paths"].items():
        if not path.startswith("/api"):
            continue  # the proxy has a page of its own
        for method, route in methods.items():
            parts.setdefault(route["tags"][0], []).append(_row(f"{method.upper()} {path}", route, api["components"]["schemas"]))
    sections = [
        f"## {name.capitalize()}\n\n| | | takes | gives |\n|---|---|---|---|\n" + "\n".join(rows) for name, rows in parts.items()
    ]
    return "\n".join([HEAD, "\n\n".join(sections), ""])


def _row(name: str, route: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    said = " ".join(route["description"].split()).replace("|", "/")
    fields = list(_taken(route, schemas))
    taken = ", ".join(fields) if len(fields) <= _MOST else "any of the [settings](settings.md)"
    return f"| `{name}` | {said} | {taken} | {_given(route)} |"


def _taken(route: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields of a route's query and body; those that may be left away have a question mark."""
    for each in route.get("parameters", ()):
        if each["in"] == "query":
            yield f"`{each['name']}`{'' if each.get('required') else '?'}"
    body = route.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    schema = schemas.get(body.get("$ref", "").rsplit("/", 1)[-1], {})
    for field in schema.get("properties", ()):
        yield f"`{field}`{'' if field in schema.get('required', ()) else '?'}"


def _given(route: Mapping[str, Any]) -> str:
    """Return what a route answers with, by its name in the description."""
    status, answer = next((status, answer) for status, answer in route["responses"].items() if status.startswith("2"))
    kinds = answer.get("content", {})
    if not kinds:
        return "a file" if status == "200" else status
    kind, value = next(iter(kinds.items()))
    named = _name(value.get("schema", {}))
    return named or ("events" if "event-stream" in kind else "a file" if "json" not in kind else "JSON")


def _name(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if schema.get("type") == "array":
        inner = _name(schema["items"])
        return f"list of {inner}" if inner else ""
    return " or ".join(
        name for part in schema.get("anyOf", schema.get("oneOf", ())) if (name := _name(part) or str(part.get("type", "")))
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
