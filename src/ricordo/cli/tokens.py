"""What lets programs in: the command `ricordo tokens`. A token is printed once, when it is made."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ricordo.cli import output
from ricordo.cli.session import number, unlocked
from ricordo.token import Token, TokenScope

app = typer.Typer(help="List the tokens by which programs come in; make or revoke one.", rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def tokens(context: typer.Context) -> None:
    """List the tokens by which programs come in; make or revoke one."""
    if context.invoked_subcommand is None:
        list_tokens(context)


@app.command("list")
def list_tokens(context: typer.Context) -> None:
    """List the tokens, the newest first: what each may do, and when it was used last."""
    with unlocked(context) as at:
        found = at.call(at.vault.tokens.all())
        names = {each.id: each.name for each in at.call(at.vault.spaces.all())}
    if at.options.json:
        output.data([_json(token) for token in found])
        return
    rows = [
        (
            token.id,
            token.name,
            token.scope.value,
            names.get(token.space or 0, "") if token.space else "",
            output.day(token.created),
            output.day(token.last_used) if token.last_used else "never",
        )
        for token in found
    ]
    output.table(("id", "name", "may", "only in Space", "made", "last used"), rows)
    if not found:
        output.note("There is no token yet. `ricordo tokens new NAME` makes one.")


@app.command("new")
def new_token(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is for, like the program's name.")],
    scope: Annotated[
        TokenScope, typer.Option(help="read: memories are used, nothing is stored. write: conversations are kept, too.")
    ] = TokenScope.WRITE,
) -> None:
    """Make a token and print it, this once. With --space NAME it is for that Space alone."""
    with unlocked(context) as at:
        token, secret = at.call(at.vault.tokens.create(name, scope=scope, space=at.space()))
    if at.options.json:
        output.data({**_json(token), "token": secret})
        return
    output.say(secret)
    output.note("Copy it now: it is never shown again. It works while the vault is unlocked, until you revoke it.")


@app.command("revoke")
def revoke_token(
    context: typer.Context, token: Annotated[str, typer.Argument(metavar="ID", help="The token's id, as the list shows it.")]
) -> None:
    """Let a token's program in no more."""
    with unlocked(context) as at:
        revoked = at.call(at.vault.tokens.revoke(number(token, "tokens")))
    if at.options.json:
        output.data(_json(revoked))
    else:
        output.say(f"Revoked: {revoked.name}")


def _json(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "name": token.name,
        "scope": token.scope.value,
        "space": token.space,
        "created": output.when(token.created),
        "last_used": output.when(token.last_used) if token.last_used else None,
    }
