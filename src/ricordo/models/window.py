"""Asking a server how much its model can read. Each kind of server tells it in a place of its own, some nowhere."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from ricordo.models.address import Address

# Where nothing is told: small enough for every model of today, large enough to be of use.
UNKNOWN = 8192
# What Ollama gives a model unless told otherwise, whatever the model could read; longer prompts lose their start.
OLLAMA_DEFAULT = 4096

Ask = Callable[..., Awaitable[dict[str, Any] | None]]


async def ask_window(ask: Ask, address: Address, model: str) -> int | None:
    """Return the window in tokens, or None if the server does not tell.

    `ask` gets a URL (with a body: posts to it) and returns the JSON object, or None for any failure.
    """
    props = await ask(f"{address.root}/props") or {}  # llama.cpp: what one conversation gets of the whole
    settings = props.get("default_generation_settings")
    if size := _size(settings, "n_ctx"):
        return size
    if size := _listed(await ask(f"{address.base}/models"), model):
        return size
    if size := _listed(await ask(f"{address.root}/api/v0/models"), model):  # LM Studio
        return size
    shown = await ask(f"{address.root}/api/show", {"model": model})
    return await _ollama(ask, address, model, shown) if shown is not None else None


def _listed(answer: dict[str, Any] | None, model: str) -> int | None:
    """Find the window in a list of models: the loaded one before the largest possible."""
    for entry in _entries(answer, model):
        meta = entry.get("meta")
        sizes = (
            _size(meta, "n_ctx"),
            _size(entry, "loaded_context_length"),
            _size(entry, "max_model_len"),  # vLLM
            _size(entry, "context_length"),
            _size(entry, "context_window"),
            _size(entry, "max_context_length"),
        )
        return next((size for size in sizes if size), None)
    return None


def _entries(answer: dict[str, Any] | None, model: str) -> Iterator[dict[str, Any]]:
    listed = (answer or {}).get("data") or (answer or {}).get("models") or []
    entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    for entry in entries:
        if model in (entry.get("id"), entry.get("name"), entry.get("model")):
            yield entry
    if len(entries) == 1:  # the only one answers whatever name it is called by
        yield entries[0]


async def _ollama(ask: Ask, address: Address, model: str, shown: dict[str, Any]) -> int:
    """Return what Ollama will use: of the loaded model, else of its settings, else its small default."""
    running = await ask(f"{address.root}/api/ps")
    for entry in _entries(running, model):
        if model in (entry.get("name"), entry.get("model")) and (size := _size(entry, "context_length")):
            return size
    parameters = shown.get("parameters")
    if isinstance(parameters, str) and (told := re.search(r"^num_ctx\s+(\d{1,12})\b", parameters, re.MULTILINE)):
        return int(told.group(1))
    info = shown.get("model_info")
    trained = next((v for k, v in info.items() if k.endswith(".context_length")), None) if isinstance(info, dict) else None
    return min(OLLAMA_DEFAULT, trained) if isinstance(trained, int) and trained > 0 else OLLAMA_DEFAULT


def _size(values: Any, name: str) -> int | None:
    value = values.get(name) if isinstance(values, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
