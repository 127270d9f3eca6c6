"""What the model saw for a reply, and why: `ricordo why`. The same that the page shows under *What did the model see?*"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ricordo.cli import output
from ricordo.cli.session import number, unlocked
from ricordo.conversation import Role
from ricordo.errors import NotFound
from ricordo.explanation import Candidate, Explanation, Mention

if TYPE_CHECKING:
    from ricordo.cli.session import Unlocked

_SHOWN = 6  # messages of the window, the latest; --json has all
_SHORT = {"piece": "its best piece", "model": "shortened by the model", "cut": "cut"}
_BY = {"model": "the model", "score": "its score", "rule": "a rule"}


def why(
    context: typer.Context,
    message: Annotated[
        str,
        typer.Argument(metavar="ID|last", help="The reply's id, as `ricordo conversations show` has it, or `last`."),
    ] = "last",
) -> None:
    """Show what the model saw for a reply, and why: what was sent, searched for, found and dropped, with tokens and times."""
    with unlocked(context) as at:
        told = at.call(at.vault.conversations.explain(_reply(at, message)))
    if at.options.json:
        output.data(explanation_json(told))
        return
    output.say(f"Reply {told.message} of {output.day(told.at)}, by {told.model or 'a model'}")
    for title, rows in _sections(told):
        if rows:
            output.say(f"\n{title}")
            output.table([""] * len(rows[0]), rows)


def _reply(at: Unlocked, message: str) -> int:
    """Return the reply that is meant. Raises NotFound, InvalidInput."""
    if message != "last":
        return number(message, "conversations show")
    conversation = at.conversation()
    if conversation is None:
        every = at.call(at.vault.conversations.all())
        if not every:
            raise NotFound("There is no reply yet. `ricordo ask` gets one.")
        conversation = every[0].id
    found = [each.id for each in at.call(at.vault.conversations.messages(conversation)) if each.role is Role.MODEL]
    if not found:
        raise NotFound("That conversation has no reply yet. Name another with --conversation, or give a reply's id.")
    return found[-1]


def _sections(told: Explanation) -> Iterator[tuple[str, Sequence[tuple[str, ...]]]]:
    """Yield titles with their rows; those of one title are equally long."""
    used = sum(tokens for name, tokens in told.layers if name not in ("reply room", "free"))
    yield f"What was sent, about {used:,} of {told.budget.window:,} tokens", [(n, f"{t:,}") for n, t in told.layers if t]
    yield "Tokens as the model counted them", _tokens(told)
    yield "Memories that are always sent", [_mention(each) for each in told.facts]
    yield "Looked up by date or place", [_mention(each) for each in told.references]
    yield "Recalled", [_mention(each) for each in told.recalled]
    left = len(told.window) - _SHOWN
    more = f", and {left:,} before them" if left > 0 else ""
    yield f"The conversation, {min(len(told.window), _SHOWN)} messages{more}", [_mention(each) for each in told.window[-_SHOWN:]]
    yield "Searched for", [(text,) for text in searches(told)]
    yield "Found", [row for each in told.candidates for row in _candidate(each)]
    yield "How it went", [(step.name, f"{step.seconds:.2f} s", step.reason) for step in told.steps]
    yield "Seconds since the message was stored", [(name, f"{seconds:.2f}") for name, seconds in told.timings]


def searches(told: Explanation) -> tuple[str, ...]:
    """Return what was searched for, or the sentence that says why that is not known."""
    if told.searches is None:
        return ("No longer kept, because something that was shown here has been deleted.",)
    return told.searches


def _tokens(told: Explanation) -> list[tuple[str, str]]:
    usage = told.usage
    counts = (
        ("prompt", usage.prompt),
        ("known from before", usage.cached),
        ("read anew", told.evaluated),
        ("reply", usage.reply),
    )
    return [(name, f"{tokens:,}") for name, tokens in counts if tokens is not None]


def _mention(found: Mention) -> tuple[str, str, str]:
    return _name(found), f"{found.at.local:%Y-%m-%d}" if found.at else "", _text(found)


def _name(found: Mention) -> str:
    kind = {Role.USER: "entry", Role.MODEL: "reply", None: found.kind}[found.author]
    return f"{kind} {found.id}"


def _text(found: Mention) -> str:
    match found.state:
        case "deleted":
            return "(deleted since)"
        case "changed":
            return f"{found.text} (changed since)"
        case "there":
            return found.text


def _candidate(each: Candidate) -> Iterator[tuple[str, str]]:
    """Yield what became of a candidate beside its text, and below that what spoke for it."""
    yield each.fate, f"{_name(each.found)}: {_text(each.found)}"
    by = f"{'kept' if each.fate != 'dropped' else 'dropped'} by {_BY.get(each.by, each.by)}" if each.by else ""
    sure = f" ({each.probability:.0%} yes)" if each.probability is not None else ""
    points = ", ".join(f"{name} {value:.1f}" for name, value in each.speaks)
    speaks = f"score {each.score:.1f}" + (f": {points}" if points else "")
    short = _SHORT.get(each.shortened, "")
    share = f" to {each.share:,} tokens" if short and each.share else ""
    because = f" ({each.why})" if short and each.why else ""
    yield "", "; ".join(part for part in (f"{by}{sure}", speaks, f"fit {each.fit:.2f}", f"{short}{share}{because}") if part)


def _mention_json(found: Mention) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "id": found.id,
        "state": found.state,
        "text": found.text,
        "at": output.when(found.at) if found.at else None,
        "author": found.author.value if found.author else None,
        "conversation": found.conversation,
    }


def explanation_json(told: Explanation) -> dict[str, Any]:
    """Return an explanation as the REST API has it."""
    usage = told.usage
    parts = {
        name: [_mention_json(each) for each in getattr(told, name)] for name in ("window", "facts", "references", "recalled")
    }
    return {
        "message": told.message,
        "asked": told.asked,
        "conversation": told.conversation,
        "model": told.model,
        "at": output.when(told.at),
        "window_tokens": told.budget.window,
        "reply_room": told.budget.reply,
        "layers": [{"name": name, "tokens": tokens} for name, tokens in told.layers],
        "usage": {"prompt": usage.prompt, "cached": usage.cached, "evaluated": told.evaluated, "reply": usage.reply},
        "timings": dict(told.timings),
        **parts,
        "searches": list(told.searches) if told.searches is not None else None,
        "by_meaning": told.by_meaning,
        "candidates": [
            {
                "found": _mention_json(each.found),
                "search": each.search,
                "score": each.score,
                "fit": each.fit,
                "speaks": dict(each.speaks),
                "fate": each.fate,
                "by": each.by,
                "probability": each.probability,
                "shortened": each.shortened,
                "share": each.share,
                "why": each.why,
            }
            for each in told.candidates
        ],
        "steps": [
            {"name": step.name, "seconds": step.seconds, "asked": step.asked, "reason": step.reason} for step in told.steps
        ],
    }
