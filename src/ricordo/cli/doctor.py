"""How things stand: `ricordo doctor`. What is wrong is said in a sentence, beside what to do about it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ricordo.cli import output
from ricordo.cli.session import Unlocked, unlocked
from ricordo.errors import ModelError

if TYPE_CHECKING:
    from ricordo.vault import Skill

_SIGNS = {True: "✓", False: "✗", None: "not tried"}


def doctor(
    context: typer.Context,
    test: Annotated[bool, typer.Option("--test", help="Try out what the model can do; takes a minute or two.")] = False,
) -> None:
    """Say how the vault and the model stand: what the model can do, what waits to be learned, what went wrong."""
    with unlocked(context) as at:
        found = _looked_at(at, test)
    if at.options.json:
        output.data(found)
        return
    vault, model, learning = found["vault"], found["model"], found["learning"]
    waits = f"{learning['waiting']:,} turns wait, {learning['unread']:,} could not be read"
    output.table(
        ("", ""),
        [
            ("vault", f"{vault['path']}, {vault['bytes'] / 1e6:,.1f} MB, {vault['messages']:,} messages"),
            ("model", f"{model['name']}: {model['failure'] or 'replies in ' + str(model['seconds']) + ' s'}"),
            ("", _can(model)),
            ("meaning", _by_meaning(found["by_meaning"])),
            ("learning", f"{'on' if learning['on'] else 'off'}, {waits}"),
        ],
    )
    if model["tested"] is None and not model["failure"]:
        output.note("`ricordo doctor --test` tries out what the model can do.")
    if learning["unread"]:
        output.note("`ricordo unread` says why, and `ricordo unread --again` lets them be tried again.")


def _looked_at(at: Unlocked, test: bool) -> dict[str, Any]:
    vault = at.vault
    seconds, failure = None, ""
    try:
        _, taken = at.call(vault.try_model())
        seconds = round(taken, 1)
        if test:
            output.note("Trying out what the model can do…")
            at.call(vault.try_out())
    except ModelError as error:
        failure = str(error)
    name, skill = at.call(vault.skill())
    by_meaning = at.call(vault.by_meaning())
    return {
        "vault": {
            "path": vault.path,
            "bytes": os.path.getsize(vault.path),
            "messages": sum(talk.messages for talk in at.call(vault.conversations.all())),
        },
        "model": {"name": name, "seconds": seconds, "failure": failure, **_skill_json(skill)},
        "by_meaning": {"off": by_meaning.off, "done": by_meaning.done, "total": by_meaning.total},
        "learning": {
            "on": vault.settings.remember,
            "waiting": at.call(vault.changes.waiting()),
            "unread": len(at.call(vault.changes.unread())),
        },
    }


def _skill_json(skill: Skill | None) -> dict[str, Any]:
    if skill is None:
        return {"way": None, "remembers": None, "summarises": None, "right": None, "cases": None, "tested": None}
    return {
        "way": skill.way.value,
        "remembers": skill.remembers,
        "summarises": skill.summarises,
        "right": skill.right,
        "cases": skill.cases,
        "tested": output.when(skill.at) if skill.at else None,
    }


def _by_meaning(found: dict[str, Any]) -> str:
    """Return the line that says how far finding by meaning is, or why words alone are searched."""
    done, total = found["done"], found["total"]
    return found["off"] or f"{done:,} of {total:,} excerpts and memories are found by meaning, too"


def _can(model: dict[str, Any]) -> str:
    """Return the line that says what the model can do."""
    remembers = _SIGNS[model["remembers"]] + (f" ({model['right']} of {model['cases']})" if model["right"] is not None else "")
    tested = f", tested {model['tested'][:10]}" if model["tested"] else ""
    return f"remembers {remembers}, summarises {_SIGNS[model['summarises']]}{tested}"
