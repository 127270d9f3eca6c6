"""Finding the model servers that already run on this computer. Only loopback is asked, only for the list of models."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from ricordo.models.connection import trusted
from ricordo.models.json_text import parsed

# Where each server listens unless told otherwise.
USUAL_PORTS: Mapping[int, str] = {
    11434: "Ollama",
    1234: "LM Studio",
    8080: "llama.cpp",
    8000: "vLLM",
    1337: "Jan",
    4891: "GPT4All",
    5001: "KoboldCpp",
    5000: "text-generation-webui",
}
# `owned_by` of its models tells what a server really is.
_OWNERS = {"llamacpp": "llama.cpp", "vllm": "vLLM", "library": "Ollama", "koboldcpp": "KoboldCpp"}
_MOST_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server that answers, its base URL and the names of its models."""

    name: str
    base_url: str
    models: tuple[str, ...]


async def found_servers(ports: Mapping[int, str] = USUAL_PORTS) -> list[FoundServer]:
    """Return the servers that list models, in the order of `ports`; all are asked at once, for 0.3 seconds at the most."""
    limits = httpx2.Timeout(_MOST_SECONDS)
    async with httpx2.AsyncClient(timeout=limits, trust_env=False, follow_redirects=False, verify=trusted(tls=False)) as client:
        answers = await asyncio.gather(*(_ask(client, port, name) for port, name in ports.items()))
    return [server for server in answers if server is not None]


async def _ask(client: httpx2.AsyncClient, port: int, usual: str) -> FoundServer | None:
    url = f"http://127.0.0.1:{port}/v1"
    try:
        async with asyncio.timeout(_MOST_SECONDS):
            response = await client.get(f"{url}/models")
        answer = parsed(response.content) if response.status_code == 200 else None
    except (httpx2.HTTPError, TimeoutError, ValueError):
        return None
    listed = answer.get("data") if isinstance(answer, dict) else None
    entries: list[dict[str, Any]] = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    models = tuple(entry["id"] for entry in entries if isinstance(entry.get("id"), str))
    if not models:
        return None
    owner = str(entries[0].get("owned_by", "")).lower()
    return FoundServer(_OWNERS.get(owner, usual), url, models)
