"""A client's call of the model: what is in it, and the same call with memory.

The one rule: in its text just what is added to is replaced; every other byte is as the client sent it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ricordo.clients.prepared import Client, Prepared
from ricordo.letters import whole
from ricordo.models.json_text import parsed, with_messages

CHAT = "/chat/completions"
# Servers whose models take the role developer as such; others refuse it, or pass over what it says.
_TAKE_DEVELOPER = ("api.openai.com", ".openai.azure.com")


@dataclass(frozen=True, slots=True)
class Call:
    """What a client asks of the model's server: `path` is below its /v1.

    `private` adds no memory and keeps nothing (S2); without `keep` memory is added and nothing is kept.
    """

    method: str
    path: str
    body: bytes
    headers: Mapping[str, str]
    asked: dict[str, Any] | None = None  # the body as `request_of` reads it
    client: Client = field(default_factory=Client)
    private: bool = False
    keep: bool = True


def request_of(body: bytes) -> dict[str, Any] | None:
    """Return a request as JSON, None where it is no object: then its server says so."""
    try:
        value = parsed(body.decode())
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def messages(request: dict[str, Any] | None) -> list[dict[str, Any]] | None:
    """Return the messages of a request, None where it has none."""
    found = (request or {}).get("messages")
    return found if isinstance(found, list) and all(isinstance(message, dict) for message in found) else None


def as_taken(sent: list[dict[str, Any]], host: str) -> list[dict[str, Any]]:
    """Return messages with the role developer as the server at `host` takes it."""
    if host.split(":")[0].endswith(_TAKE_DEVELOPER):
        return sent
    return [{**each, "role": "system"} if each.get("role") == "developer" else each for each in sent]


def plain(body: bytes, host: str) -> bytes:
    """Return a request as its client sent it, but for a role that the server would refuse."""
    if b"developer" not in body or (sent := messages(request_of(body))) is None:
        return body
    changed = {at: each for at, each in enumerate(as_taken(sent, host)) if each is not sent[at]}
    return with_messages(body.decode(), None, changed, ("role",)).encode() if changed else body


def with_memory(body: bytes, prepared: Prepared, host: str) -> bytes:
    """Return a request with memory; every other byte is as its client sent it."""
    first = json.dumps(prepared.first, ensure_ascii=False) if prepared.first else None
    try:
        return whole(with_messages(plain(body, host).decode(), first, prepared.changed, ("content",))).encode()
    except (ValueError, KeyError):  # a message without the member that is to be changed
        return whole(json.dumps({**json.loads(body), "messages": prepared.messages}, ensure_ascii=False)).encode()
