"""The page in the browser: `ricordo serve` and `ricordo app`. The vault is unlocked, or made, in the page."""

from __future__ import annotations

from typing import Annotated

import typer

from ricordo.cli import output
from ricordo.cli.session import options

PORT = 7373

Port = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen at; the next free one is taken. 0: any.")]


def serve(context: typer.Context, port: Port = PORT) -> None:
    """Serve the page and the API on this computer only, until Ctrl+C, which locks the vault."""
    _serve(context, port, open_browser=False)


def app(context: typer.Context, port: Port = PORT) -> None:
    """Serve the page and open it in the browser. A vault is made there when there is none yet."""
    _serve(context, port, open_browser=True)


def _serve(context: typer.Context, port: int, *, open_browser: bool) -> None:
    # Only here, so that `--help` does not wait for a web server.
    import asyncio

    from ricordo.server.app import serve as run
    from ricordo.vault import harden

    harden()
    try:
        asyncio.run(run(options(context).path, port, open_browser=open_browser, announce=output.say))
    except KeyboardInterrupt:
        output.note("The vault is locked.")
