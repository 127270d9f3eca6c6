"""The documentation as a site: whole, strict, and with nothing in it that comes from another host."""

import pathlib
import re
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

from tests.docs.pages import DOCS, ROOT

CONFIG = ROOT / "scripts" / "site" / "properdocs.yml"


class Page(HTMLParser):
    """What a built page names: its anchors, its links, and what a browser would load with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.without_words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        self.ids.add(has.get("id", ""))
        if tag == "a":
            self.links.add(has.get("href", ""))
        elif "href" in has:
            self.loaded.add(has["href"])
        if tag == "img" and not has.get("alt"):
            self.without_words.append(has["src"])
        self.loaded |= {has[name] for name in ("src", "srcset", "data", "action", "poster", "style") if name in has}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The site, built strictly: a page that is not in the navigation, or a link that leads nowhere, ends it."""
    folder = tmp_path_factory.mktemp("site") / "built"
    command = [sys.executable, "-m", "properdocs", "build", "--strict", "-f", str(CONFIG), "-d", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: pathlib.Path) -> dict[pathlib.Path, Page]:
    """Every page of the site."""
    return {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


def test_every_page_of_the_documentation_is_built_and_in_the_navigation(site: pathlib.Path) -> None:
    """From the first page each one is a click away, the decisions too."""
    first = Page((site / "index.html").read_text(encoding="utf-8"))
    for path in DOCS.rglob("*.md"):
        built = str(path.relative_to(DOCS).with_suffix(".html"))
        assert (site / built).is_file()
        assert built in first.links or built == "index.html", f"{built} is not in the navigation"


def test_every_link_within_the_site_leads_somewhere(site: pathlib.Path, pages: dict[pathlib.Path, Page]) -> None:
    """To a file that is there, and to a heading that is there."""
    for path, page in pages.items():
        for link in page.links | page.loaded:
            if urlsplit(link).scheme or link.startswith("//"):
                continue
            to, anchor = urldefrag(link)
            target = (path.parent / unquote(to)).resolve() if to else path
            assert target.is_file(), f"{path.name}: {link}"
            assert not anchor or target not in pages or anchor in pages[target].ids, f"{path.name}: {link}"


@pytest.mark.req("X1")
def test_a_readers_browser_asks_no_other_host(site: pathlib.Path, pages: dict[pathlib.Path, Page]) -> None:
    """No picture, style, script or font comes from elsewhere, and there is no script at all."""
    for path, page in pages.items():
        assert not [name for name in page.loaded if re.search(r"(?i)^\s*(https?:)?//|url\(", name)], path.name
    assert not list(site.rglob("*.js"))
    assert not [path for path in pages if "<script" in path.read_text(encoding="utf-8").lower()]
    for path in [*site.rglob("*.css"), *site.rglob("*.svg")]:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
        assert not re.search(r"(?i)https?://|@import|url\(", text), path.name


def test_every_picture_has_words(pages: dict[pathlib.Path, Page]) -> None:
    """For those who do not see it."""
    assert not {path.name: page.without_words for path, page in pages.items() if page.without_words}
