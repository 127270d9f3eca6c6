"""What the API says of itself, as OpenAPI: completed with what the framework cannot know.

The one rule: nothing is written down here a second time. Who may ask comes from the guard and from what tokens permit.
"""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from ricordo.conversation import Moment
from ricordo.server import permits
from ricordo.server.guard import OPEN
from ricordo.token import Token, TokenScope

_TOKEN = Token(0, "", TokenScope.WRITE, None, Moment(0, 0), None)  # one that may do whatever a token may
_WAYS_IN = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "ricordo_7373",
        "description": "The cookie that unlocking sets. Its name holds the port.",
    },
    "token": {"type": "http", "scheme": "bearer", "description": "A token, which `ricordo tokens new NAME` makes."},
}
# What a route reads that takes whole files: it counts them as they come, past the framework.
FILE = {"requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}}


def describe(app: FastAPI) -> None:
    """Have an app describe itself in full: errors as the JSON that they are, and by which way each route lets in."""
    described = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            whole = described()
            whole["components"]["securitySchemes"] = _WAYS_IN
            for path, methods in whole["paths"].items():
                for method, operation in methods.items():
                    _complete(operation, method.upper(), path)
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # as the framework has it done


def _complete(operation: dict[str, Any], method: str, path: str) -> None:
    for status, answer in operation["responses"].items():
        # The framework takes the route's own kind for its errors, too: of a stream of events or a file.
        for shape in list(answer.get("content", {}).values()) if int(status) >= 400 else ():
            answer["content"] = {"application/json": shape}
    ways: list[dict[str, list[str]]] = [{"session": []}]
    if (method, path) in OPEN:
        ways = []
    elif permits.refused(_TOKEN, method, path) is None:
        ways.append({"token": []})
    operation["security"] = ways
