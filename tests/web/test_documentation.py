"""The documentation in a real browser: nothing is asked of any host, nothing sticks out, everybody can read it."""

import pathlib
import subprocess
import sys
import threading
from collections.abc import Generator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.web.browser import context_of, watched

pytestmark = pytest.mark.web
ROOT = pathlib.Path(__file__).parents[2]


class Quiet(SimpleHTTPRequestHandler):
    """Hands out files and writes no log."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """The address of the built site."""
    folder = tmp_path_factory.mktemp("site") / "built"
    config = ROOT / "scripts" / "site" / "properdocs.yml"
    subprocess.run([sys.executable, "-m", "properdocs", "build", "--quiet", "-f", str(config), "-d", str(folder)], check=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.req("X1")
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)])
def test_the_documentation_reads_well_and_asks_no_host(browser: Browser, site: str, width: int, dark: bool) -> None:
    """Wide and light, narrow and dark: axe finds nothing, no page is wider than the window, every request is for a file."""
    context = context_of(browser, width, dark)
    page = context.new_page()
    wrong = watched(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name in ("index", "memory", "library", "rest", "how-it-works", "threat-model"):
        page.goto(f"{site}{name}.html")
        found = Axe().run(page)
        assert found.violations_count == 0, f"{name}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    assert asked
    assert not [url for url in asked if not url.startswith(site)]
    assert not wrong
    context.close()
