"""Which model replies: `ricordo model`. Finding and fetching one needs no vault, choosing and testing one does."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from ricordo.cli import output
from ricordo.cli.session import options, unlocked

_THIS_COMPUTER = {None, "localhost", "127.0.0.1", "::1"}  # None: the embedded model has no address

app = typer.Typer(help="Find, fetch, choose and test the model.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def model() -> None:
    """Find, fetch, choose and test the model."""


@app.command("list")
def list_models(context: typer.Context) -> None:
    """List the model servers that run on this computer, and whether the embedded model is there."""
    # Here and below only when it runs, so that `--help` does not wait for an HTTP client.
    import asyncio

    from ricordo import local_models

    file = local_models.model_file()
    servers = asyncio.run(local_models.found_servers())
    if options(context).json:
        found: list[dict[str, Any]] = [
            {"name": server.name, "base_url": server.base_url, "models": list(server.models)} for server in servers
        ]
        output.data({"embedded": str(file) if file else None, "servers": found})
        return
    rows = [("embedded", str(file) if file else "not fetched yet: ricordo model fetch", "")]
    rows += [(server.name, server.base_url, ", ".join(server.models)) for server in servers]
    output.table(("model", "where", "names"), rows)


@app.command()
def fetch(
    context: typer.Context,
    if_needed: Annotated[bool, typer.Option("--if-needed", help="Only where no model server runs on this computer.")] = False,
) -> None:
    """Fetch the embedded model (1.1 GB); goes on where it was stopped."""
    import asyncio

    from ricordo import local_models

    if if_needed and local_models.model_file() is None:
        servers = [server for server in asyncio.run(local_models.found_servers()) if server.models]
        if servers:
            named = ", ".join(f"{server.name} at {server.base_url}" for server in servers)
            output.note(f"A model server runs here already: {named}. Choose it on the page, or with `ricordo model use`.")
            return
    with output.progress("Fetching the model") as progress:
        path = local_models.fetch_model(progress)
    if options(context).json:
        output.data({"embedded": str(path)})
    else:
        output.say(f"The embedded model is at {path}.")


@app.command()
def use(
    context: typer.Context,
    server: Annotated[str, typer.Argument(metavar="embedded|URL", help="The embedded model, or a server's base URL.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The model's name at that server; its first when left away.")] = "",
) -> None:
    """Choose the model that replies. To a server that is not on this computer goes what you write and what is remembered."""
    with unlocked(context) as at:
        chosen = at.call(at.vault.set(server=server, model=name))
    if at.options.json:
        output.data({"server": chosen.server, "model": chosen.model})
    else:
        output.say(f"Replies come from {chosen.server}{f', {chosen.model}' if chosen.model else ''}.")
    if urlsplit(chosen.server).hostname not in _THIS_COMPUTER:
        output.note(
            "That server is not on this computer: your messages, the memories and the entries that are looked up for a reply go "
            "there from now on. `ricordo model use embedded` keeps them here."
        )


@app.command()
def test(context: typer.Context) -> None:
    """Ask the chosen model for one word, to see that it replies."""
    with unlocked(context) as at:
        output.note("Asking the model for one word…")
        name, seconds = at.call(at.vault.try_model())
    if at.options.json:
        output.data({"model": name, "seconds": round(seconds, 3)})
    else:
        output.say(f"{name} replied after {seconds:.1f} s.")
