"""What a browser shows of this page: nothing of a reply runs, nothing is loaded from elsewhere, anyone can use it."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import ricordo.server.app
from tests.web.browser import context_of, create_vault, unlock, watched, write

pytestmark = pytest.mark.web
WEB = ricordo.server.app.WEB


@pytest.mark.req("X2")
def test_hostile_markdown_is_harmless(page: Page, address: str) -> None:
    """Scripts and event attributes in a reply are shown as text, images as links, and no other host is asked."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    create_vault(page, address)
    write(page, "HOSTILE, please")
    reply = page.locator("#messages .model")
    expect(reply.locator("table")).to_be_visible()
    expect(reply).to_contain_text("<script>document.title = 'hit'</script>")
    assert page.title() == "Ricordo"
    assert reply.locator("script, img, [onerror], [style]").count() == 0
    expect(reply.get_by_role("link", name="a picture")).to_have_attribute("rel", "noreferrer noopener")
    assert all(url.startswith(address) for url in asked)


@pytest.mark.req("X2", "X1")
def test_the_page_holds_nothing_inline_and_writes_html_in_one_place() -> None:
    """No inline script or style, and `innerHTML` stands once: where the server's blocks are put in."""
    page = (WEB / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page)
    scripts = {path: path.read_text() for path in WEB.glob("*.js")}
    unsafe = [
        path.name for path, text in scripts.items() for _ in re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|eval\(", text)
    ]
    assert unsafe == ["dom.js"]


@pytest.mark.req("V1")
def test_nothing_of_the_vault_is_kept_by_the_browser() -> None:
    """No storage of the browser is used, no field is restored by it, and the title tells nothing."""
    text = "".join(path.read_text() for path in WEB.glob("*.js"))
    assert not re.search(r"localStorage|sessionStorage|indexedDB|caches\.|document\.title", text)
    page = (WEB / "index.html").read_text()
    for field in re.findall(r"<(?:input|textarea|select)[^>]*>", page):
        assert "autocomplete=" in field, field


def imported(name: str, found: set[str]) -> set[str]:
    """Collect a module and what it imports outright, not what it loads when it is needed."""
    if name not in found:
        found.add(name)
        for below in re.findall(r'^(?:import|export) .*?from "\./([\w.]+)";', (WEB / name).read_text(), re.MULTILINE):
            imported(below, found)
    return found


def test_every_file_of_the_page_is_small_and_what_is_there_from_the_start_preloaded() -> None:
    """No module has over 250 lines; the page names each that the first one needs, so that none waits for another, and no more."""
    for path in WEB.glob("*.js"):
        assert path.read_text().count("\n") <= 250, path.name
    named = re.findall(r'(?:href|src)="([\w.]+\.js)"', (WEB / "index.html").read_text())
    assert sorted(named) == sorted(imported("main.js", set()))


def finished(page: Page, replies: int) -> None:
    """Wait until so many replies are whole."""
    expect(page.locator("#messages .model:not([aria-busy]) time")).to_have_count(replies)


def accessible(page: Page, where: str) -> None:
    """Fail on anything that axe finds."""
    found = Axe().run(page)
    assert found.violations_count == 0, f"{where}: {found.generate_report()}"


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)], ids=["wide-light", "narrow-dark"])
def test_every_screen_is_accessible(browser: Browser, address: str, width: int, dark: bool) -> None:
    """Each state of the page passes axe without a finding; between them the two walks cover both themes and both layouts."""
    context = context_of(browser, width, dark)
    page = context.new_page()
    wrong = watched(page)
    page.goto(address)
    expect(page.locator("#create")).to_be_visible()
    accessible(page, "create")
    create_vault(page, address)
    accessible(page, "empty")
    write(page, "I went swimming in the pool by the station")
    finished(page, 1)
    write(page, "HOSTILE text")
    finished(page, 2)
    write(page, "FAIL now")
    expect(page.locator(".failed")).to_be_visible()
    accessible(page, "conversation")
    page.locator("#meter > summary").click()
    page.locator("#meter .layers summary").first.click()
    accessible(page, "meter")
    page.locator("#meter > summary").click()
    page.locator("#toggle-memory").click()
    page.get_by_label("New fact").fill("Has a cat")
    page.keyboard.press("Enter")
    expect(page.locator("#facts .fact")).to_have_count(1)
    accessible(page, "memory")
    page.locator("#memory-close").click()
    page.keyboard.press("Control+.")
    page.locator("#server-kind").select_option("address")
    page.get_by_label("Address of the server").fill("https://api.example.com/v1")
    expect(page.locator("#cloud-note")).to_contain_text("api.example.com is not this computer")
    accessible(page, "settings")
    page.keyboard.press("Shift+Escape")
    page.keyboard.press("Control+k")
    page.get_by_label("Search messages and facts").fill("pool")
    expect(page.locator("#found li").first).to_be_visible()
    accessible(page, "search")
    page.keyboard.press("Escape")
    if width < 500:
        page.get_by_role("button", name="Show conversations").click()
        accessible(page, "list")
    page.get_by_role("button", name="New Space").click()
    accessible(page, "Space")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Shift+L")
    expect(page.locator("#unlock")).to_be_visible()
    accessible(page, "unlock")
    unlock(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
    assert not wrong, wrong
