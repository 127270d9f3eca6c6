"""The page about the proxy: its examples run as they stand there, against a real proxy, in processes of their own."""

import asyncio
import os
import pathlib
import re
import sys

import pytest
import yaml

from ricordo import Vault
from tests.server.proxied import Proxied, through
from tests.vaults import CHEAP

pytestmark = pytest.mark.req("I4")

PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "proxy.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:7373/v1"


def example(kind: str, holding: str = "") -> str:
    """Return the page's one example of a kind, or of those the one that holds a word."""
    (found,) = (each for each in re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL) if holding in each)
    assert isinstance(found, str)
    return found


async def run(here: Proxied, *command: str) -> str:
    """Run an example, pointed at the proxy of the test; return what it prints."""
    environment = {**os.environ, "RICORDO_TOKEN": here.token, "NO_PROXY": "127.0.0.1"}
    pointed = [part.replace(ADDRESS, here.url) for part in command]
    process = await asyncio.create_subprocess_exec(
        *pointed, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, wrong = await process.communicate()
    assert process.returncode == 0, wrong.decode()
    return out.decode()


def test_the_example_with_the_official_sdk(tmp_path: pathlib.Path) -> None:
    """Two turns, the second streamed, of one conversation."""

    async def work(here: Proxied) -> None:
        assert await run(here, sys.executable, "-c", example("python")) == "Sun and water.\nA blanket."
        assert [text for _, _, text in await here.shown()] == [
            "I planted seven fig trees. What do they need?", "Sun and water.", "And in winter?", "A blanket.",
        ]  # fmt: skip

    through(tmp_path, work, "Sun and water.", "A blanket.")


def test_the_example_with_curl(tmp_path: pathlib.Path) -> None:
    """A reply, and a conversation of that name: the next call with it goes on there."""

    async def work(here: Proxied) -> None:
        assert '"A tart."' in await run(here, "sh", "-c", example("sh"))
        await here.say("And with plums?", headers={"x-ricordo-conversation": "kitchen"})
        assert [text for _, _, text in await here.shown()][::2] == ["What can I cook with figs?", "And with plums?"]

    through(tmp_path, work, "A tart.", "Jam.")


@pytest.mark.req("I1")
def test_the_example_without_http(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a function for a model; the turn waits to be learned from."""
    monkeypatch.chdir(tmp_path)
    Vault.create("diary.ricordo", "my passphrase", cost=CHEAP).close()
    exec(example("py", "my_model"), {"my_model": lambda messages: f"Sun, and {len(messages)} buckets of water."})  # noqa: S102
    with Vault.open("diary.ricordo", "my passphrase") as vault:
        (talk,) = vault.conversations.all()
        assert [message.text for message in vault.conversations.messages(talk.id)][1] == "Sun, and 2 buckets of water."
        assert vault.changes.waiting() == 1


def test_the_example_for_a_chat_program_names_just_the_address(tmp_path: pathlib.Path) -> None:
    """What is told there is YAML, with the base URL of this page."""
    (endpoint,) = yaml.safe_load(example("yaml"))["endpoints"]["custom"]
    assert (endpoint["baseURL"], endpoint["apiKey"], endpoint["titleConvo"]) == (ADDRESS, "${RICORDO_TOKEN}", False)


def test_every_header_of_ours_is_on_the_page() -> None:
    """And every address that is passed on."""
    source = (pathlib.Path(__file__).parents[2] / "src" / "ricordo" / "server" / "proxy.py").read_text(encoding="utf-8")
    headers = re.findall(r'"(x-ricordo-[a-z]+)"', source)
    assert headers
    assert not [name for name in headers if name not in PAGE.lower()]
    assert not [path for path in re.findall(r'@router\.\w+\("(/[a-z/]+)"', source) if f"/v1{path}" not in PAGE]
