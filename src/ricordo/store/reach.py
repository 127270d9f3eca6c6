"""How a scope stands in SQL and in the full-text index: which conversations it may read."""

from __future__ import annotations

from typing import assert_never

from ricordo.conversation import Reach, Scope


def condition(scope: Scope, column: str = "conversation") -> tuple[str, dict[str, int]]:
    """Return an SQL condition on a column that holds conversation ids, and its values."""
    match scope.reach:
        case Reach.VAULT:
            return "1", {}
        case Reach.SPACE if scope.space is not None:
            return f"{column} in (select id from conversations where space = :reach_space)", {"reach_space": scope.space}
        case Reach.SPACE | Reach.CONVERSATION:
            return f"{column} = :reach_talk", {"reach_talk": scope.conversation or 0}
        case _:
            assert_never(scope.reach)


def tokens(scope: Scope) -> tuple[str, ...]:
    """Return the reach tokens to search excerpts with; none means the whole vault."""
    match scope.reach:
        case Reach.VAULT:
            return ()
        case Reach.SPACE if scope.space is not None:
            return (f"s{scope.space}",)
        case Reach.SPACE | Reach.CONVERSATION:
            return (f"c{scope.conversation or 0}",)
        case _:
            assert_never(scope.reach)
