"""What a token opens: which requests a program may make with it, and where a token for one Space ends.

The one rule: what could lead the person's words elsewhere, or let others in, takes a person who has come in by the passphrase.
"""

from __future__ import annotations

from ricordo.errors import NotFound
from ricordo.fact import Home, InSpace
from ricordo.token import Token, TokenScope
from ricordo.vault import AsyncVault

# The passphrase, tokens, and what replaces or erases everything.
_PERSON = ("/api/vault/", "/api/tokens", "/api/data/restore", "/api/data/erase", "/api/data/import/json")
# Where the model is and its key, which a program could point at a server of its own.
_PERSON_CHANGES = ("/api/settings", "/api/models")
_READS = ("GET", "HEAD", "OPTIONS")
_ASKS = ("/api/search", "/api/prompt")  # posts, so that what is looked for stands in no address; they change nothing
_OF_CLIENTS = "/v1/"  # of the proxy, which stores nothing for a token that may only read
_TOOLS = "/mcp"  # whose tools each keep to what a token allows
_IN_A_SPACE = ("/api/search", "/api/facts")  # routes that keep to a token's Space


def refused(token: Token, method: str, path: str) -> str | None:
    """Return why a token does not allow a request, as a sentence; None when it does."""
    if path.startswith(_PERSON) or (path.startswith(_PERSON_CHANGES) and method not in _READS):
        return "No token may do this. Do it in Ricordo itself, where the passphrase was typed."
    if path.startswith(_OF_CLIENTS) or path == _TOOLS:
        return None
    if token.space is not None and path not in _IN_A_SPACE:
        return "This token is for one Space: it opens /v1, /mcp, /api/search and /api/facts, and nothing else."
    if token.scope is TokenScope.READ and method not in _READS and path not in _ASKS:
        return "This token may only read. Make one that may write, in Settings or with `ricordo tokens new`."
    return None


def in_sight(token: Token | None, home: Home) -> bool:
    """Say whether a fact that is at home there is for who asks; a token for one Space sees no other's, shared ones neither."""
    return token is None or token.space is None or home == InSpace(token.space)


async def within(vault: AsyncVault, token: Token | None, space: int | None, conversation: int | None) -> int | None:
    """Return the Space that a search keeps to. Raises NotFound for what lies outside the Space of the token."""
    if token is None or token.space is None:
        return space
    if conversation is not None and (await vault.conversations.get(conversation)).space != token.space:
        raise NotFound(f"There is no conversation {conversation} in the Space of this token.")
    if space not in (None, token.space):
        raise NotFound("This token is for another Space.")
    return token.space
