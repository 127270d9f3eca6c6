"""The protocol's side, by its own SDK: a server that lists tools and calls them. Imported late, as the SDK is an extra.

The one rule: a tool never fails in silence or in code; every failure is a sentence for whoever called it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from pydantic import ValidationError

from ricordo._version import __version__
from ricordo.errors import InvalidInput, RicordoError
from ricordo.server.mcp.tools import Bounds, Tool, allowed, named
from ricordo.server.schemas.mcp import QUOTED
from ricordo.server.statuses import UNEXPECTED, log_unexpected
from ricordo.vault import AsyncVault

INSTRUCTIONS = (
    "Ricordo is a person's private diary and memory, kept on their own computer. Look there before you answer what depends on "
    f"their past, and say what you found and when it was written. What its tools return: {QUOTED}"
)

Calling = Callable[[str, dict[str, Any]], Awaitable[types.CallToolResult]]
Listing = Callable[[], Awaitable[list[types.Tool]]]

# The SDK's log holds what was asked for, which may be the person's words; they belong on no screen and in no file.
logging.getLogger("mcp").addHandler(logging.NullHandler())
logging.getLogger("mcp").propagate = False


def server(listing: Listing, calling: Calling) -> Server[Any]:
    """Return a server of the protocol that lists and calls tools by these two functions."""

    async def on_list_tools(
        context: ServerRequestContext[Any], asked: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=await listing())

    async def on_call_tool(context: ServerRequestContext[Any], asked: types.CallToolRequestParams) -> types.CallToolResult:
        return await calling(asked.name, asked.arguments or {})

    return Server(
        "ricordo",
        version=__version__,
        title="Ricordo",
        instructions=INSTRUCTIONS,
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
    )


def over(vault: AsyncVault, bounds: Bounds) -> Server[Any]:
    """Return a server whose tools work on an unlocked vault, within bounds."""

    async def listing() -> list[types.Tool]:
        return described(allowed(bounds))

    async def calling(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        return await call(vault, bounds, name, arguments)

    return server(listing, calling)


def described(tools: Sequence[Tool]) -> list[types.Tool]:
    """Return tools as the protocol describes them."""
    return [
        types.Tool(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            input_schema=tool.asked.model_json_schema(),
            output_schema=tool.answered.model_json_schema(mode="serialization"),
            annotations=types.ToolAnnotations(
                title=tool.title,
                read_only_hint=not tool.writes,
                destructive_hint=tool.removes,
                idempotent_hint=not tool.removes,
                open_world_hint=False,
            ),
        )
        for tool in tools
    ]


async def call(vault: AsyncVault, bounds: Bounds, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
    """Call a tool; what goes wrong is a result, too, whose text is a sentence."""
    try:
        tool = named(name, bounds)
        answered = await tool.work(vault, bounds, _read(tool, arguments))
    except RicordoError as error:
        return failed(str(error))
    except Exception as error:  # noqa: BLE001 - the edge of a request
        log_unexpected(error)
        return failed(UNEXPECTED)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answered.model_dump_json())],
        structured_content=answered.model_dump(mode="json"),
    )


def failed(reason: str) -> types.CallToolResult:
    """Return the result of a call that came to nothing."""
    return types.CallToolResult(content=[types.TextContent(type="text", text=reason)], is_error=True)


def _read(tool: Tool, arguments: dict[str, Any]) -> Any:
    """Return the arguments, checked. Raises InvalidInput, which says what is wrong and where, and never repeats a value."""
    try:
        return tool.asked.model_validate(arguments)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        known = ", ".join(tool.asked.model_fields)
        what = str(first["msg"]).removeprefix("Value error, ")
        raise InvalidInput(f"{where}: {what}. The arguments of {tool.name} are: {known}.") from None
