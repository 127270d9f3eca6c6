"""How a fact's home stands in a row: a kind and an id."""

from __future__ import annotations

from typing import assert_never

from ricordo.errors import VaultDamaged
from ricordo.fact import Global, Home, InConversation, InSpace


def columns(home: Home) -> tuple[str, int | None]:
    """Return home_kind and home_id."""
    match home:
        case Global():
            return "global", None
        case InSpace(space):
            return "space", space
        case InConversation(conversation):
            return "conversation", conversation
        case _:
            assert_never(home)


def home(kind: str, key: int | None) -> Home:
    """Return the home that two columns name."""
    match kind, key:
        case "global", None:
            return Global()
        case "space", int(space):
            return InSpace(space)
        case "conversation", int(conversation):
            return InConversation(conversation)
        case _:
            raise VaultDamaged(f"A memory has no known home ({kind}). Restore a backup, or report this.")
