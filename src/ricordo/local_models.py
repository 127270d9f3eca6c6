"""What models this computer has: servers that answer on their usual ports, and the embedded model's file."""

from __future__ import annotations

from pathlib import Path

from ricordo.bar import bar
from ricordo.models.discover import FoundServer, found_servers
from ricordo.models.fetch import Progress, fetch
from ricordo.models.files import chat_model, model_file

__all__ = ["FoundServer", "fetch_model", "found_servers", "model_bytes", "model_file"]


def fetch_model(progress: Progress | None = None) -> Path:
    """Fetch the embedded chat model (1.1 GB) unless it is there, and return its file; goes on where it was stopped.

    `progress` is told bytes done, and of how many; without it a bar is shown where stderr is a terminal. Blocks, for minutes
    on a slow line. Raises ModelUnreachable, ModelGarbled, StorageFull, ModelMissing.
    """
    if progress is not None or model_file() is not None:
        return fetch(progress)
    with bar("Fetching the model") as shown:
        return fetch(shown)


def model_bytes() -> int:
    """Return the size of the embedded model's file."""
    return chat_model().bytes
