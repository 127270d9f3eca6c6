"""How things stand: `ricordo doctor`. Each thing is well, could be better, or is wrong; then its line says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ricordo.cli import exits, output
from ricordo.cli.session import Unlocked, unlocked
from ricordo.errors import ModelError, VaultError

if TYPE_CHECKING:
    from ricordo.standing import Ability, Soundness
    from ricordo.vault import Skill

_SIGNS = {True: "✓", False: "✗", None: "not tried"}
_ROOM = 200 << 20  # bytes that should be free besides those of a whole copy of the vault
_SMALL_WINDOW = 4096  # tokens, below which memory and conversation are in each other's way
_AHEAD = timedelta(minutes=5)  # by which the newest entry may lie after now: two computers' clocks differ a little


class State(StrEnum):
    """How a thing stands."""

    OK = "ok"
    HINT = "hint"  # it could be better
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Check:
    """A thing that was looked at; `says` is what there is to say, with what to do where it is not well."""

    name: str
    state: State
    says: str
    code: int = exits.OK  # of the whole command, where this is wrong


def doctor(
    context: typer.Context,
    test: Annotated[bool, typer.Option("--test", help="Try out what the model can do; takes a minute or two.")] = False,
) -> None:
    """Look at the vault, its disk, the model, finding by meaning, learning and the clock; say what to do where one is not well.

    The exit code is 0 when nothing is wrong, 4 for the vault and its disk, 5 for the model, 1 for the clock.
    """
    try:
        with unlocked(context) as at:
            found = _looked_at(at, test)
            checks = list(_checks(found))
        as_json = at.options.json
    except VaultError as error:  # then there is nothing more to look at
        found, checks = {}, [Check("vault", State.WRONG, str(error), exits.code_of(error))]
        as_json = context.find_root().params.get("json", False)
    wrong = [check for check in checks if check.state is State.WRONG]
    if as_json:
        told = [{"name": check.name, "state": check.state.value, "says": check.says} for check in checks]
        output.data({"ok": not wrong, "checks": told, **found})
    else:
        signs = {State.OK: "OK", State.HINT: "–", State.WRONG: "✗"}
        output.table(("", "", ""), [(signs[check.state], check.name, check.says) for check in checks])
    if wrong:
        raise typer.Exit(wrong[0].code)


def _looked_at(at: Unlocked, test: bool) -> dict[str, Any]:
    """Return all that is known, as JSON has it."""
    vault = at.vault
    sound = at.call(vault.data.soundness())
    ability, failure = None, ""
    try:
        ability = at.call(vault.probe())
        if test:
            output.note("Trying out what the model can do…")
            at.call(vault.try_out())
    except ModelError as error:
        failure = str(error)
    name, skill = at.call(vault.skill())
    by_meaning = at.call(vault.by_meaning())
    last, now, zone = at.call(vault.diary.last()), vault.now(), vault.zone()
    return {
        "vault": {
            "path": vault.path,
            **_soundness_json(sound),
            "messages": sum(talk.messages for talk in at.call(vault.conversations.all())),
        },
        "model": {"name": name, "failure": failure, **_ability_json(ability), **_skill_json(skill)},
        "by_meaning": {"off": by_meaning.off, "model": by_meaning.model, "done": by_meaning.done, "total": by_meaning.total},
        "learning": {
            "on": vault.settings.remember,
            "waiting": at.call(vault.changes.waiting()),
            "unread": len(at.call(vault.changes.unread())),
        },
        "clock": {
            "now": output.when(now),
            "zone": getattr(zone, "key", None),  # a mere offset has none
            "newest_entry": output.when(last.message.at) if last else None,
            "behind": bool(last and last.message.at.local - now.local > _AHEAD),
        },
    }


def _checks(found: dict[str, Any]) -> Iterator[Check]:
    yield from _of_vault(found["vault"])
    yield from _of_model(found["model"])
    meaning = found["by_meaning"]
    done, total = f"{meaning['done']:,}", f"{meaning['total']:,}"
    by = f"{done} of {total} excerpts and memories are found by meaning, too, by {meaning['model']}"
    yield Check("meaning", State.HINT, meaning["off"]) if meaning["off"] else Check("meaning", State.OK, by)
    yield _of_learning(found["learning"])
    yield _of_clock(found["clock"])


def _of_vault(vault: dict[str, Any]) -> Iterator[Check]:
    size = f"{vault['bytes'] / 1e6:,.1f} MB, {vault['messages']:,} messages, tables of version {vault['version']}"
    yield Check("vault", State.OK, f"{vault['path']}, {size}")
    if vault["damage"]:
        todo = "Put a backup in its place with `ricordo restore`; it keeps this file beside it."
        yield Check("file", State.WRONG, f"The file is damaged: {vault['damage']}. {todo}", exits.VAULT)
    else:
        yield Check("file", State.OK, "every page is sound")
    free = f"{vault['free'] / 1e9:,.1f} GB free"
    if vault["free"] < _ROOM:
        yield Check("disk", State.WRONG, f"Only {free}. Make room, or what you write may soon not be kept.", exits.VAULT)
    elif vault["free"] < vault["bytes"] + _ROOM:
        yield Check("disk", State.HINT, f"Only {free}, which is too little for a backup beside the vault. Make room.")
    else:
        yield Check("disk", State.OK, free)


def _of_model(model: dict[str, Any]) -> Iterator[Check]:
    if model["failure"]:
        yield Check("model", State.WRONG, f"{model['name']}: {model['failure']}", exits.MODEL)
        return
    yield Check("model", State.OK, f"{model['name']}: replies in {model['seconds']} s")
    cached = "✗" if model["cached"] is None else f"✓ ({model['cached']:,} of a prompt's beginning)"
    can = (
        f"JSON by schema {_SIGNS[model['json']]}, probabilities {_SIGNS[model['probabilities']]}, "
        f"tokenizer {_SIGNS[model['tokenizer']]}, tells cached tokens {cached}, window {model['window']:,}"
    )
    if model["window"] < _SMALL_WINDOW:
        todo = "That is small for a conversation with memory. Give the model a larger one where it runs, if it can."
        yield Check("it can", State.HINT, f"{can}. {todo}")
    else:
        yield Check("it can", State.OK, can)
    if model["tested"] is None:
        yield Check("it learns", State.HINT, f"{_learns(model)}. `ricordo doctor --test` tries it out.")
    elif not model["remembers"]:
        yield Check("it learns", State.HINT, f"{_learns(model)}. Choose a larger model if facts are to be learned.")
    else:
        yield Check("it learns", State.OK, _learns(model))


def _of_learning(learning: dict[str, Any]) -> Check:
    says = f"{'on' if learning['on'] else 'off'}, {learning['waiting']:,} turns wait, {learning['unread']:,} could not be read"
    if learning["unread"]:
        todo = "`ricordo unread` says why, and `ricordo unread --again` lets them be tried again."
        return Check("learning", State.HINT, f"{says}. {todo}")
    return Check("learning", State.OK, says)


def _of_clock(clock: dict[str, Any]) -> Check:
    if clock["behind"]:
        says = f"It is {clock['now']} here, but the newest entry is of {clock['newest_entry']}. Set this computer's clock."
        return Check("clock", State.WRONG, says, exits.NOTHING)
    if clock["zone"] is None:
        todo = "Name it, so that summers count: `ricordo settings time_zone Europe/Rome`."
        return Check("clock", State.HINT, f"{clock['now']}, but this computer's time zone has no name. {todo}")
    return Check("clock", State.OK, f"{clock['now']}, {clock['zone']}")


def _soundness_json(sound: Soundness) -> dict[str, Any]:
    return {"bytes": sound.bytes, "free": sound.free, "version": sound.version, "damage": sound.damage}


def _ability_json(ability: Ability | None) -> dict[str, Any]:
    if ability is None:
        return dict.fromkeys(("seconds", "window", "json", "probabilities", "tokenizer", "cached"))
    return {
        "seconds": round(ability.seconds, 1),
        "window": ability.window,
        "json": ability.json,
        "probabilities": ability.probabilities,
        "tokenizer": ability.tokenizer,
        "cached": ability.cached,
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


def _learns(model: dict[str, Any]) -> str:
    """Return what the self-test showed."""
    remembers = _SIGNS[model["remembers"]] + (f" ({model['right']} of {model['cases']})" if model["right"] is not None else "")
    tested = f", tested {model['tested'][:10]}" if model["tested"] else ""
    return f"remembers {remembers}, summarises {_SIGNS[model['summarises']]}{tested}"
