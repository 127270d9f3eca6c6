"""What the documentation must not forget."""

import json
import pathlib
import re
import tomllib
from typing import Any

import pytest
import typer.main

from ricordo.cli.main import app
from ricordo.cli.serve import PORT
from ricordo.server.guard import MCP
from ricordo.server.mcp.tools import TOOLS, Tool
from ricordo.settings import Settings

ROOT = pathlib.Path(__file__).parents[2]


def test_every_decision_has_a_number_of_its_own() -> None:
    """One page a decision, numbered without doubles, each with a title."""
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [page.name[:4] for page in pages]
    assert len(set(numbers)) == len(numbers)
    assert all(page.read_text().startswith(f"# {int(page.name[:4])}. ") for page in pages)


@pytest.mark.parametrize("name", list(Settings.model_fields))
def test_every_setting_says_what_it_does(name: str) -> None:
    """In words for the person: no names of the code, no ids of the specification."""
    text = Settings.model_fields[name].description or ""
    assert len(text) > 10
    assert "_" not in text
    assert "(" not in text


def test_there_are_at_most_twenty_settings() -> None:
    """More would be a cockpit."""
    assert len(Settings.model_fields) <= 20


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: pathlib.Path) -> None:
    """Every relative link names a file or folder that is there."""
    links = [part.split(")")[0].split("#")[0] for part in page.read_text().split("](")[1:]]
    for link in links:
        if link and not link.startswith("http"):
            assert page.parent.joinpath(link).exists(), link


def test_each_picture_is_there_in_light_and_in_dark() -> None:
    """So that a page looks at home on either screen."""
    light, dark = ({path.name for path in (ROOT / "docs" / "pictures" / theme).glob("*.png")} for theme in ("light", "dark"))
    assert light == dark


@pytest.mark.req("I5")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_mcp_tool_is_explained_with_its_arguments(tool: Tool) -> None:
    """Under a title of its own, which names no argument that the tool does not have."""
    page = (ROOT / "docs" / "mcp.md").read_text()
    sections = re.split(r"^#+ ", page, flags=re.MULTILINE)
    (section,) = (part for part in sections if part.startswith(f"`{tool.name}`\n"))
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`(\w+)`", "".join(rows))) == set(tool.asked.model_fields)


@pytest.mark.req("I5")
def test_no_mcp_tool_is_explained_that_is_not_there() -> None:
    """A title in code on that page is a tool."""
    page = (ROOT / "docs" / "mcp.md").read_text()
    assert set(re.findall(r"^### `(\w+)`", page, re.MULTILINE)) == {tool.name for tool in TOOLS}


@pytest.mark.req("I5")
def test_the_settings_for_mcp_clients_can_be_copied() -> None:
    """They are JSON, start the real command with a name of the environment that it reads, and ask at the real address."""
    page = (ROOT / "docs" / "mcp.md").read_text()
    by_pipes, by_http = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    started: dict[str, Any] = by_pipes["mcpServers"]["ricordo"]
    assert started["command"] in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert started["args"][0] in typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert all(name in (ROOT / "src" / "ricordo" / "cli" / "mcp.py").read_text() for name in started["env"])
    asked = by_http["servers"]["ricordo"]
    assert asked["url"] == f"http://127.0.0.1:{PORT}{MCP}"
    assert f"${{input:{by_http['inputs'][0]['id']}}}" in asked["headers"]["Authorization"]
