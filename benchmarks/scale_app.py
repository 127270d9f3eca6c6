"""The whole app over a large vault: the real server in its own process, over HTTP, and the Memory screen in a real Chromium."""

from __future__ import annotations

import asyncio
import pathlib
import tempfile
import time
from dataclasses import dataclass

import httpx2
from playwright.sync_api import expect, sync_playwright

from benchmarks import scale_vault, texts
from benchmarks.health import resident
from benchmarks.serving import Served, running
from benchmarks.tables import bar, percentile, show
from ricordo.store.file import VaultFile
from tests.web.browser import context_of, launch

_PROMPTS, _OPENINGS = 100, 5
_ROWS = "#memories .memory-row"


@dataclass(frozen=True, slots=True)
class App:
    """Seconds of unlocking beside the key derivation; milliseconds of prompts and of opening the Memory screen; megabytes."""

    unlock: float
    prompts: list[float]
    memory_screen: list[float]
    megabytes: float


def measure(vault: pathlib.Path, loading: float) -> App:
    """Measure the app over a vault; `loading` is how many seconds its vectors take to be in RAM."""
    with tempfile.TemporaryDirectory() as folder, running(pathlib.Path(folder), vault=vault) as served:
        unlock, prompts, megabytes = asyncio.run(_over_http(served, vault, loading))
        return App(unlock, prompts, _screen(served), max(megabytes, resident(served.pid)))


async def _over_http(served: Served, vault: pathlib.Path, loading: float) -> tuple[float, list[float], float]:
    begun = time.perf_counter()
    VaultFile.unlock(str(vault), scale_vault.PASSPHRASE)
    derivation = time.perf_counter() - begun
    async with httpx2.AsyncClient(base_url=served.address, timeout=120, trust_env=False) as client:
        begun = time.perf_counter()
        answer = await client.post("/api/vault/unlock", json={"passphrase": scale_vault.PASSPHRASE})
        unlock = time.perf_counter() - begun - derivation
        answer.raise_for_status()
        settings = {"whole_diary": True, "auto_lock_minutes": 0, "foreground_seconds": 0}
        (await client.patch("/api/settings", json=settings)).raise_for_status()
        talk = (await client.post("/api/conversations", json={"title": "Asked"})).json()["id"]
        await asyncio.sleep(1 + 2 * loading)
        spent = []
        for number, words in enumerate(texts.queries(_PROMPTS + 5)):
            day = f"19{70 + number % 7}-0{1 + number % 9}-1{number % 9}"
            text = f"What did I write on {day}?" if number % 4 == 0 else f"I wonder about {words}"
            begun = time.perf_counter()
            (await client.post("/api/prompt", json={"text": text, "conversation": talk})).raise_for_status()
            spent.append((time.perf_counter() - begun) * 1000)
        await client.delete(f"/api/conversations/{talk}")
    return unlock, spent[5:], resident(served.pid)


def _screen(served: Served) -> list[float]:
    """Return the milliseconds from a click on *Memory* until its first rows are there, excerpts of the whole vault."""
    spent = []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = context_of(browser).new_page()
        page.goto(served.address)
        page.locator("#unlock-passphrase").fill(scale_vault.PASSPHRASE)
        page.get_by_role("button", name="Unlock").click()
        expect(page.locator("#app")).to_be_visible(timeout=60_000)
        for _ in range(_OPENINGS):
            page.wait_for_timeout(300)
            begun = time.perf_counter()
            page.locator("#places").get_by_role("link", name="Memory").click()
            page.locator(_ROWS).first.wait_for(timeout=60_000)
            spent.append((time.perf_counter() - begun) * 1000)
            page.goto(f"{served.address}/#/")
            page.locator(_ROWS).first.wait_for(state="hidden")
        browser.close()
    return spent


def bars(size: int, app: App) -> None:
    """Print what a person waits for, and which of the bars hold."""
    rows = [
        (what, percentile(spent, 0.5), percentile(spent, 0.95), max(spent))
        for what, spent in (("prompt ready, over HTTP", app.prompts), ("Memory screen, in Chromium", app.memory_screen))
    ]
    show(f"The app over {size:,} excerpts, ms", ("what", "p50", "p95", "most"), rows)
    bar(f"unlock, {size:,} excerpts, seconds beside the key derivation", app.unlock, 3)
    bar(f"prompt ready, {size:,} excerpts, ms p95 over HTTP", percentile(app.prompts, 0.95), 80)
    bar(f"RAM of the server, {size:,} excerpts, MB", app.megabytes, 1229)
    bar(f"Memory screen, {size:,} excerpts, ms until its rows are there, median", percentile(app.memory_screen, 0.5), 500)
