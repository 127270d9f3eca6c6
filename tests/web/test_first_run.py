"""The first run in a real browser: what this computer has is offered, before the first conversation."""

import pytest
from playwright.sync_api import Page, expect

from tests.fake_server import FakeServer
from tests.web.browser import create_vault, write

pytestmark = pytest.mark.web


@pytest.mark.req("I7", "I8")
def test_a_server_that_runs_here_is_offered_and_chosen_with_one_click(page: Page, address: str) -> None:
    """Found on its usual port over real HTTP; from then on it is the one in the settings, and the offer is gone."""
    with FakeServer(models=("some-model",), port=1234):
        create_vault(page, address)
        offer = page.get_by_role("button", name="Use some-model of LM Studio")
        expect(offer).to_be_visible()
        offer.click()
        expect(page.locator("#first")).to_be_hidden()
        expect(page.get_by_label("Message", exact=True)).to_be_focused()
        page.get_by_role("button", name="Settings").click()
        expect(page.get_by_label("Address of the server")).to_have_value("http://127.0.0.1:1234/v1")
        expect(page.get_by_label("Model", exact=True)).to_have_value("some-model")


@pytest.mark.req("S3")
def test_the_offer_goes_with_the_first_conversation(page: Page, address: str) -> None:
    """It is for the first run; later the model is chosen in Settings."""
    with FakeServer(models=("some-model",), port=1234):
        create_vault(page, address)
        expect(page.locator("#first")).to_be_visible()
        write(page, "Today I went to the pool.")
        expect(page.locator("#first")).to_be_hidden()
