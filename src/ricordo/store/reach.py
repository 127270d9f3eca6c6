"""How a scope stands in SQL and in the full-text index: which conversations it may read."""

from __future__ import annotations

from typing import assert_never

from apsw import Connection

from ricordo.conversation import Reach, Scope

ALL = "1"  # the condition that everything meets


def condition(scope: Scope, column: str = "conversation") -> tuple[str, dict[str, int]]:
    """Return an SQL condition on a column that holds conversation ids, and its values."""
    match scope.reach:
        case Reach.VAULT:
            return ALL, {}
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


def fact_condition(scope: Scope) -> tuple[str, dict[str, int]]:
    """Return an SQL condition on facts, and its values: at home where the scope reads or in its Space, global, or shared."""
    talks, values = condition(scope, "home_id")
    if talks == ALL:
        return ALL, {}
    return (
        "(shared = 1 or home_kind = 'global' or (home_kind = 'space' and home_id = :home_space)"
        f" or (home_kind = 'conversation' and {talks}))",
        {**values, "home_space": scope.space or 0},
    )


def fact_tokens(connection: Connection, scope: Scope) -> tuple[str, ...]:
    """Return the reach tokens to search facts with, as `fact_condition` has them; none means all."""
    talks, values = condition(scope, "id")
    if talks == ALL:
        return ()
    own = [f"c{row[0]}" for row in connection.execute(f"select id from conversations where {talks}", values)]
    return ("g", "all", *([f"s{scope.space}"] if scope.space is not None else []), *own)
