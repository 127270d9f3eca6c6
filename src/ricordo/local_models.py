"""What models this computer has: servers that answer on their usual ports, and the embedded model's file."""

from __future__ import annotations

from ricordo.models.discover import FoundServer, found_servers
from ricordo.models.fetch import fetch as fetch_model
from ricordo.models.files import chat_model, model_file

__all__ = ["FoundServer", "fetch_model", "found_servers", "model_bytes", "model_file"]


def model_bytes() -> int:
    """Return the size of the embedded model's file."""
    return chat_model().bytes
