"""Other programs in the settings: a token is made, shown once, listed with its last use, and revoked."""

import httpx2
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.web.test_settings import settings

pytestmark = [pytest.mark.web, pytest.mark.req("I3")]


def facts(address: str, token: str) -> int:
    """Ask as a program does; return the status."""
    with httpx2.Client(trust_env=False) as program:
        return program.get(f"{address}api/facts", headers={"authorization": f"Bearer {token}"}).status_code


def test_a_token_is_made_shown_once_and_revoked(page: Page, address: str) -> None:
    """By keyboard; the list never has the token itself, leaving the settings takes it from the page."""
    settings(page, address)
    programs = page.locator("#settings-programs")
    expect(programs).to_contain_text(f"{address.rstrip('/')}/v1")
    programs.get_by_label("What it is for").fill("Chat on the desk")
    programs.get_by_label("What it may do").select_option("read")
    programs.get_by_label("What it may do").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(programs.locator("#new-token")).to_be_visible()
    expect(programs.get_by_role("button", name="Copy")).to_be_focused()
    token = programs.locator("#new-token").inner_text()
    expect(programs.locator("#tokens li")).to_contain_text("reads · made")
    expect(programs.locator("#tokens li")).to_contain_text("never used")
    assert Axe().run(page).violations_count == 0
    assert facts(address, token) == 200
    page.keyboard.press("Shift+Escape")
    assert token not in page.content()
    page.keyboard.press("Control+.")
    expect(programs.locator("#tokens li")).to_contain_text("last used 2")
    assert token not in page.content()
    programs.get_by_role("button", name="Revoke the token of Chat on the desk").click()
    page.get_by_role("button", name="Revoke it").click()
    expect(programs.locator("#tokens li")).to_have_count(0)
    assert facts(address, token) == 401


def test_what_is_wrong_is_said_beside_the_form(page: Page, address: str) -> None:
    """A name that is taken; what was typed stays."""
    settings(page, address)
    programs = page.locator("#settings-programs")
    for _ in range(2):
        programs.get_by_label("What it is for").fill("Notes")
        programs.get_by_role("button", name="Make the token").click()
        expect(programs.locator("#tokens li")).to_have_count(1)
    expect(programs.get_by_role("alert")).to_contain_text("There is a token called Notes already.")
    expect(programs.get_by_label("What it is for")).to_have_value("Notes")
