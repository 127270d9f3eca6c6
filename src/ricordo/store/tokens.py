"""Tokens of programs: their hashes, never the tokens. They are 256 random bits, so that one plain hash is enough."""

from __future__ import annotations

from typing import Any

import apsw

from ricordo.conversation import Moment
from ricordo.errors import InvalidInput, NotFound
from ricordo.store import conversations
from ricordo.token import Token, TokenScope

_COLUMNS = "id, name, scope, space, created, created_offset, last_used, last_used_offset"


def _of_row(row: tuple[Any, ...]) -> Token:
    key, name, scope, space, created, created_offset, used, used_offset = row
    last_used = None if used is None else Moment(used, used_offset or 0)
    return Token(key, name, TokenScope(scope), space, Moment(created, created_offset), last_used)


def listed(connection: apsw.Connection) -> list[Token]:
    """Return all tokens, the newest first."""
    return [_of_row(row) for row in connection.execute(f"select {_COLUMNS} from tokens order by id desc")]


def by_digest(connection: apsw.Connection) -> dict[bytes, Token]:
    """Return all tokens by their hashes."""
    rows = connection.execute(f"select {_COLUMNS}, hash from tokens").fetchall()
    return {bytes(row[-1]): _of_row(row[:-1]) for row in rows}  # type: ignore[arg-type]


def create(connection: apsw.Connection, name: str, scope: TokenScope, space: int | None, digest: bytes, now: Moment) -> Token:
    """Keep a token's hash under a name. Raises InvalidInput without a name or with one that is taken, NotFound for the Space."""
    name = " ".join(name.split())
    if not name:
        raise InvalidInput("A token needs a name, so that you know later which program has it.")
    if any(one.name.casefold() == name.casefold() for one in listed(connection)):
        raise InvalidInput(f"There is a token called {name} already. Choose another name, or revoke that one first.")
    if space is not None:
        conversations.get_space(connection, space)
    connection.execute(
        "insert into tokens (name, hash, scope, space, created, created_offset) values (?, ?, ?, ?, ?, ?)",
        (name, digest, scope, space, now.utc, now.offset),
    )
    return Token(connection.last_insert_rowid(), name, scope, space, now, None)


def revoke(connection: apsw.Connection, key: int) -> Token:
    """Forget a token, and return what it was; raises NotFound."""
    row = connection.execute(f"select {_COLUMNS} from tokens where id = ?", (key,)).fetchone()
    if row is None:
        raise NotFound(f"There is no token {key}. `ricordo tokens list` shows them.")
    connection.execute("delete from tokens where id = ?", (key,))
    return _of_row(row)


def used(connection: apsw.Connection, key: int, now: Moment) -> None:
    """Take note of when a token was used last."""
    connection.execute("update tokens set last_used = ?, last_used_offset = ? where id = ?", (now.utc, now.offset, key))
