"""Tokens of programs."""

from __future__ import annotations

from ricordo.server.schemas.wire import Asked, Id, Shown, Title, When
from ricordo.token import TokenScope


class Token(Shown):
    """A token: what it may do, the one Space it is for if there is one, and when it was used last."""

    id: int
    name: str
    scope: TokenScope
    space: int | None
    created: When
    last_used: When | None


class NewToken(Asked):
    """A token to make; with `space` it is for that Space alone."""

    name: Title
    scope: TokenScope = TokenScope.WRITE
    space: Id | None = None


class MadeToken(Token):
    """A token that was made, with the secret itself, which is in this answer and nowhere else."""

    token: str
