"""The first run in a real browser: a passphrase judged honestly, a key to keep, three steps that can all be skipped."""

import pathlib
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.fake_server import FakeServer
from tests.vaults import PASSPHRASE
from tests.web.browser import context_of, watched

pytestmark = pytest.mark.web


def make(page: Page, address: str) -> None:
    """Make the vault and keep the recovery key."""
    page.goto(address)
    page.locator("#create-first").fill(PASSPHRASE)
    page.locator("#create-second").fill(PASSPHRASE)
    page.get_by_role("button", name="Make the vault").click()
    page.get_by_label("I have kept it").check()


def steps(page: Page, address: str) -> None:
    """Make the vault and go on to the steps."""
    make(page, address)
    page.get_by_role("button", name="Set up in three steps").click()
    expect(page.get_by_role("heading", name="Where replies come from")).to_be_focused()


@pytest.mark.req("V2")
@pytest.mark.parametrize(
    ("passphrase", "said"),
    [
        ("123456", "Very weak"), ("password1", "Very weak"), ("summer2024", "Very weak"), ("aaaaaaaaaaaa", "Very weak"),
        ("qwertyuiop", "Very weak"), ("love love love love", "Very weak"), ("correct horse battery", "Weak"),
        ("river copper lantern", "Weak"), ("river copper lantern melon", "Good"), ("k7#Qv!9zR2", "Strong"),
        ("seven grey herons sang quietly tonight", "Strong"),
    ],
)  # fmt: skip
def test_a_passphrase_is_judged_in_honest_words(page: Page, address: str, passphrase: str, said: str) -> None:
    """While it is typed, and without a word to the server."""
    page.goto(address)
    page.locator("#create-first").click()
    page.keyboard.type(passphrase[:1])
    with_meter = page.locator("#create .strength")
    expect(with_meter).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#create-first").fill(passphrase)
    expect(with_meter.get_by_role("status")).to_have_text(re.compile(f"^{said}"))
    assert not asked


@pytest.mark.req("V2")
def test_the_recovery_key_is_saved_and_must_be_kept(page: Page, address: str) -> None:
    """There is no way on before it is said to be kept; saved as a file it is the key that was shown."""
    page.goto(address)
    page.locator("#create-first").fill(PASSPHRASE)
    page.locator("#create-second").fill(PASSPHRASE)
    page.get_by_role("button", name="Make the vault").click()
    expect(page.get_by_role("button", name="Begin writing")).to_be_disabled()
    expect(page.get_by_role("button", name="Set up")).to_be_disabled()
    key = page.locator("#recovery-key").inner_text()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    assert key in pathlib.Path(saved.value.path()).read_text()
    page.get_by_label("I have kept it").check()
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("heading", name="Where replies come from")).to_be_focused()
    assert key not in page.content()


@pytest.mark.req("I7", "I8")
def test_a_server_that_runs_here_is_tested_and_chosen(page: Page, address: str) -> None:
    """Found on its usual port over real HTTP; tried before it is taken; from then on it is the one in the settings."""
    with FakeServer(models=("some-model",), port=1234):
        steps(page, address)
        expect(page.get_by_text("LM Studio at http://127.0.0.1:1234/v1")).to_be_visible()
        page.locator(".boxed").get_by_role("button", name="Test").click()
        expect(page.locator(".boxed [role=status]").first).to_have_text(re.compile(r"/some-model replied in "))
        page.get_by_role("button", name="Use it").click()
        expect(page.get_by_role("button", name="In use")).to_be_disabled()
        page.get_by_role("button", name="Begin writing").click()
        expect(page.get_by_label("Message", exact=True)).to_be_focused()
        page.get_by_role("button", name="Settings").click()
        expect(page.get_by_label("Address of the server")).to_have_value("http://127.0.0.1:1234/v1")
        expect(page.get_by_label("Model", exact=True)).to_have_value("some-model")


@pytest.mark.req("I8")
def test_a_server_elsewhere_says_what_goes_there(page: Page, address: str) -> None:
    """Before it is chosen: messages, facts already saved, the calls that learn, global facts with every conversation."""
    steps(page, address)
    page.get_by_text("A model elsewhere").click()
    page.get_by_label("Address of the server").fill("https://api.example.com/v1")
    note = page.locator("details .warning")
    for part in ("api.example.com is not this computer", "Facts already saved", "learn facts", "global facts go with every"):
        expect(note).to_contain_text(part)
    page.get_by_label("Address of the server").fill("ftp://x")
    page.get_by_role("button", name="Use this server").click()
    expect(page.locator("details [role=alert]")).to_contain_text("http://")


@pytest.mark.req("W3", "V3")
def test_the_defaults_are_kept_as_they_are_picked(page: Page, address: str) -> None:
    """Each at once, by keyboard alone; nothing is asked again after a reload."""
    steps(page, address)
    page.get_by_role("button", name="Next").press("Enter")
    expect(page.get_by_role("heading", name="Pick your defaults")).to_be_focused()
    expect(page.get_by_label("Global memories", exact=True)).not_to_be_checked()
    with page.expect_response("**/api/settings"):
        page.get_by_label("Global memories", exact=True).press("Space")
    with page.expect_response("**/api/settings"):
        page.get_by_label("Lock when nobody is there").press("Space")
    page.reload()
    expect(page.get_by_label("Message", exact=True)).to_be_focused()
    settings = page.evaluate("fetch('/api/settings').then((answer) => answer.json())")
    assert (settings["global_memories"], settings["auto_lock_minutes"]) == (True, 0)
    expect(page.locator("#examples li")).to_have_count(3)


@pytest.mark.req("I6")
def test_a_diary_is_imported_in_the_last_step(page: Page, address: str, tmp_path: pathlib.Path) -> None:
    """Looked through first, then imported; then the conversation is there."""
    diary = tmp_path / "notes.md"
    diary.write_text("# 2024-05-03\n\nRain.\n\n# 2024-05-05\n\nSun.\n")
    steps(page, address)
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Import files").click()
    chooser.value.set_files(diary)
    expect(page.locator("#steps")).to_contain_text(
        "Diary: 2 messages, 1 new conversation, written from 2024-05-03 to 2024-05-05."
    )
    page.get_by_role("button", name="Import them").click()
    expect(page.locator("#steps")).to_contain_text("2 messages, 1 new conversation came in.")
    page.get_by_role("button", name="Begin writing").click()
    expect(page.locator("#conversations a")).to_have_count(1)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)], ids=["wide-light", "narrow-dark"])
def test_every_step_is_accessible(browser: Browser, address: str, width: int, dark: bool) -> None:
    """No finding of axe in any step, and nothing is wider than the page."""
    context = context_of(browser, width, dark)
    page = context.new_page()
    wrong = watched(page)
    page.goto(address)
    page.locator("#create-first").fill("river copper")
    expect(page.locator("#create .strength")).to_be_visible()
    accessible(page, "passphrase")
    make(page, address)
    accessible(page, "recovery")
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("button", name="Look again")).to_be_visible()
    page.get_by_text("A model elsewhere").click()
    page.get_by_label("Address of the server").fill("https://api.example.com/v1")
    accessible(page, "model")
    for name in ("defaults", "import"):
        page.get_by_role("button", name="Next").click()
        accessible(page, name)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
    assert not wrong, wrong


def accessible(page: Page, where: str) -> None:
    """Fail on anything that axe finds."""
    found = Axe().run(page)
    assert found.violations_count == 0, f"{where}: {found.generate_report()}"
