"""The memory editor in its four places, and the Memory screen."""

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.web.browser import context_of, create_vault, watched, write

pytestmark = pytest.mark.web


def call(page: Page, method: str, path: str, body: Any = None) -> Any:
    """Call the API from within the page."""
    return page.evaluate(
        "([method, path, body]) => fetch('/api' + path, { method, headers: { 'content-type': 'application/json' }, body: "
        "JSON.stringify(body) }).then((answer) => answer.json())",
        [method, path, body or {}],
    )


def keep(page: Page, *texts: str, home: Any = None) -> None:
    """Keep some facts."""
    for text in texts:
        call(page, "POST", "/facts", {"text": text, "home": home or {"kind": "global"}})


def ready(page: Page, address: str) -> None:
    """Make a vault with global memories on."""
    create_vault(page, address)
    call(page, "PATCH", "/settings", {"global_memories": True})
    page.wait_for_function("import('/state.js').then(({ state }) => state.settings.global_memories)")  # the page is told of it


def go(page: Page, address: str) -> None:
    """Go to a place of the page."""
    page.evaluate("address => { location.hash = address }", address)


def facts(place: Locator) -> Locator:
    """Return the texts of the facts that are listed in a place."""
    return place.locator(".memory-list .fact-text")


def accessible(page: Page, where: str) -> None:
    """Fail on anything that axe finds."""
    found = Axe().run(page)
    assert found.violations_count == 0, f"{where}: {found.generate_report()}"


@pytest.mark.req("F1")
def test_the_editor_is_worked_by_keyboard_alone(page: Page, address: str) -> None:
    """Add by Enter, edit, cancel, delete; the newest first; the focus is never lost."""
    ready(page, address)
    page.keyboard.press("Control+j")
    field = page.get_by_label("New fact")
    expect(field).to_be_focused()
    for text in ("Has a cat", "Likes figs", "Plays chess"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(facts(page.locator("#memory")).first).to_have_text(text)
    expect(facts(page.locator("#memory"))).to_have_text(["Plays chess", "Likes figs", "Has a cat"])
    today = page.locator("#facts time").first
    expect(today).to_have_text(re.compile(r"\d{4}-\d\d-\d\d"))
    page.get_by_role("button", name="Edit: Plays chess").focus()
    page.keyboard.press("Enter")
    page.keyboard.type(" never mind")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Edit: Plays chess")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="Edit: Likes figs")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.type("Likes plums")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Edit: Likes plums")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Delete: Likes plums")).to_be_focused()
    page.keyboard.press("Enter")
    expect(facts(page.locator("#memory"))).to_have_text(["Plays chess", "Has a cat"])
    expect(page.get_by_role("button", name="Delete: Has a cat")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Delete: Plays chess").press("Enter")
    expect(page.locator("#fact-filter")).to_be_focused()


@pytest.mark.req("F1")
def test_clicking_away_saves_and_esc_closes_no_dialog(page: Page, address: str) -> None:
    """In the dialog of global memories, which other tabs follow."""
    ready(page, address)
    keep(page, "Has a cat")
    page.evaluate("import('/memory_editor.js').then((editor) => editor.openGlobalMemories())")
    dialog = page.get_by_role("dialog", name="Global memories")
    dialog.get_by_role("button", name="Edit: Has a cat").click()
    dialog.get_by_label("Edit fact").fill("Has no cat")
    page.keyboard.press("Escape")
    expect(facts(dialog)).to_have_text("Has a cat")
    facts(dialog).click()
    dialog.get_by_label("Edit fact").fill("Has two cats")
    dialog.get_by_role("heading", name="Global memories").click()
    expect(facts(dialog)).to_have_text("Has two cats")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.req("F1", "W3", "W2")
def test_nothing_is_added_to_a_memory_that_is_off(page: Page, address: str) -> None:
    """The reason stands below; as soon as it is on, something can be added."""
    create_vault(page, address)
    space = call(page, "POST", "/spaces", {"name": "Garden"})["id"]
    call(page, "PATCH", f"/spaces/{space}", {"memory": False})
    page.reload()
    page.locator("#toggle-memory").click()
    expect(page.locator("#fact-off")).to_have_text("Global memories are off. Turn them on in Settings.")
    expect(page.get_by_label("New fact")).to_be_disabled()
    go(page, f"#/space/{space}/memory")
    panel = page.get_by_role("tabpanel", name="Memory")
    expect(panel).to_contain_text("The memory of this Space is off.")
    expect(panel.get_by_role("button", name="Add")).to_be_disabled()
    call(page, "PATCH", f"/spaces/{space}", {"memory": True})
    expect(panel.get_by_role("button", name="Add")).to_be_enabled()
    panel.get_by_label("New fact").fill("Has a pond")
    panel.get_by_role("button", name="Add").click()
    expect(facts(panel)).to_have_text("Has a pond")


@pytest.mark.req("F1", "B2")
def test_rows_over_the_sending_limit_are_marked(page: Page, address: str) -> None:
    """Sixty are sent; the oldest two are not, till a newer one goes."""
    ready(page, address)
    keep(page, *(f"Fact {number}" for number in range(62)))
    go(page, "#/memory")
    page.get_by_label("Search memory").fill("Fact 1")
    expect(page.locator("#memories").get_by_text("12 entries")).to_have_count(0)
    expect(page.locator("#memories .fact", has_text="Fact 1").last.get_by_text("not sent")).to_be_visible()
    expect(page.locator("#memories .unsent")).to_have_count(1)
    page.get_by_role("button", name="Delete: Fact 19").click()
    expect(page.locator("#memories .unsent")).to_have_count(0)


@pytest.mark.req("F1")
def test_a_fact_links_to_the_conversation_it_came_from_while_that_is_there(page: Page, address: str) -> None:
    """The link opens it; when the conversation goes, the fact stays without a link."""
    ready(page, address)
    write(page, "I play the cello")
    expect(page.locator("#toasts")).to_contain_text("The user plays the cello.")
    page.keyboard.press("Control+j")
    row = page.locator("#facts .fact")
    expect(row.get_by_role("link", name="from I play the cello")).to_have_attribute("href", "#/c/1")
    page.locator("#edit-conversation").click()
    page.get_by_role("button", name="Delete…").click()
    page.locator("#ask").get_by_role("button", name="Delete").click()
    expect(row.get_by_role("link")).to_have_count(0)
    expect(row).to_contain_text("The user plays the cello.")


@pytest.mark.req("F1", "X3")
def test_a_fact_typed_while_one_is_saved_is_not_lost(page: Page, address: str) -> None:
    """The next one may be typed at once; one that does not arrive comes back into the field."""
    ready(page, address)
    page.keyboard.press("Control+j")
    field = page.get_by_label("New fact")
    expect(field).to_be_focused()
    held: list[Route] = []
    page.route("**/api/facts", lambda route: held.append(route))
    for text in ("Has a cat", "Likes figs"):
        with page.expect_request("**/api/facts"):
            page.keyboard.type(text)
            page.keyboard.press("Enter")
    page.keyboard.type("Plays")
    held[0].abort()
    expect(field).to_have_value("Has a cat Plays")
    held[1].continue_()
    expect(facts(page.locator("#memory"))).to_have_text(["Likes figs"])
    expect(field).to_have_value("Has a cat Plays")


@pytest.mark.req("F2")
def test_clearing_asks_first_and_with_words_clears_only_what_is_shown(page: Page, address: str) -> None:
    """The button counts, the dialog says that there is no undo; cancelled, nothing goes."""
    ready(page, address)
    keep(page, "Likes figs", "Likes plums", "Has a cat")
    page.keyboard.press("Control+j")
    panel = page.locator("#memory")
    panel.get_by_label("Search facts").fill("LIKES")
    panel.get_by_role("button", name="Clear 2 shown").click()
    asked = page.locator("#ask")
    expect(asked).to_contain_text("Delete 2 facts?")
    expect(asked).to_contain_text("Those that hold “LIKES”. All others stay. They are deleted for good; this cannot be undone.")
    page.keyboard.press("Escape")
    expect(facts(panel)).to_have_count(2)
    panel.get_by_role("button", name="Clear 2 shown").click()
    asked.get_by_role("button", name="Delete").click()
    expect(panel.get_by_text("Nothing matches.")).to_be_visible()
    panel.get_by_label("Search facts").fill("")
    expect(facts(panel)).to_have_text(["Has a cat"])
    panel.get_by_role("button", name="Clear all").click()
    asked.get_by_role("button", name="Delete").click()
    expect(panel.get_by_text("Nothing kept here yet.")).to_be_visible()
    assert call(page, "POST", "/memory/count", {"kinds": ["fact"]}) == {"fact": 0}


@pytest.mark.req("F4", "F3", "V8")
def test_the_memory_screen_holds_every_kind_and_each_can_be_filtered_shared_pinned_and_deleted(page: Page, address: str) -> None:
    """Pinned, facts, notes and excerpts; deleting an excerpt says that its message goes."""
    create_vault(page, address)
    write(page, "I play the cello")
    expect(page.locator("#toasts")).to_contain_text("The user plays the cello.")
    page.get_by_label("Just write").check()
    write(page, "The blue kayak lies in the shed")
    expect(page.locator("#messages .user")).to_have_count(2)
    page.get_by_role("button", name="Remember this").first.click()
    expect(page.locator("#notices")).to_contain_text("Remembered")
    page.get_by_role("link", name="Memory").click()
    screen = page.locator("#memories")
    expect(screen.get_by_role("heading", name="Memory")).to_be_focused()
    expect(screen.locator(".group")).to_have_text(["Pinned", "Notes", "Excerpts"])
    screen.get_by_text("Notes", exact=True).first.click()
    expect(facts(screen)).to_have_text(["The user plays the cello."])
    shared = screen.get_by_role("checkbox", name="Use in all conversations: The user plays the cello.")
    shared.check()
    screen.get_by_role("button", name="Pin: The user plays the cello.").click()
    expect(screen.get_by_text("Nothing kept here yet.")).to_be_visible()
    screen.get_by_text("Pinned", exact=True).first.click()
    expect(facts(screen)).to_have_count(2)
    expect(shared).to_be_checked()
    screen.get_by_text("Excerpts", exact=True).click()
    expect(facts(screen).first).to_have_text("The blue kayak lies in the shed")
    screen.get_by_label("Search memory").fill("kayak")
    expect(facts(screen)).to_have_count(1)
    screen.get_by_label("At home in").select_option("global")
    expect(screen.get_by_text("Nothing matches.")).to_be_visible()
    screen.get_by_label("At home in").select_option("conversation 1")
    screen.get_by_role("button", name="Delete: The blue kayak").click()
    expect(page.locator("#ask")).to_contain_text("Deleting it deletes the message from its conversation")
    page.locator("#ask").get_by_role("button", name="Delete").click()
    expect(screen.get_by_text("Nothing matches.")).to_be_visible()
    go(page, "#/c/1")
    expect(page.locator("#messages .user")).to_have_count(1)


@pytest.mark.req("F1", "F4")
def test_an_open_edit_outlives_what_changes_elsewhere(page: Page, address: str) -> None:
    """What is learned or deleted in another tab is shown; what is being typed here stays."""
    ready(page, address)
    keep(page, "Has a cat", "Likes figs")
    go(page, "#/memory")
    page.get_by_role("button", name="Edit: Has a cat").click()
    page.get_by_label("Edit fact").fill("Has a dog, too")
    keep(page, "Plays chess")
    expect(page.locator("#memories")).to_contain_text("Plays chess")
    expect(page.get_by_label("Edit fact")).to_have_value("Has a dog, too")
    expect(page.get_by_label("Edit fact")).to_be_focused()
    page.keyboard.press("Enter")
    expect(facts(page.locator("#memories"))).to_have_text(["Plays chess", "Likes figs", "Has a dog, too"])


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True), (1280, True), (360, False)])
@pytest.mark.req("F1", "F4", "S1")
def test_the_screens_of_memory_are_accessible(browser: Browser, address: str, width: int, dark: bool) -> None:
    """Axe finds nothing on the Memory screen, in the dialog of global memories, in the panel and on a Space's page."""
    context = context_of(browser, width, dark)
    page = context.new_page()
    wrong = watched(page)
    ready(page, address)
    space = call(page, "POST", "/spaces", {"name": "Garden"})["id"]
    keep(page, *(f"Fact {number}" for number in range(62)))
    keep(page, "Has a pond", home={"kind": "space", "space": space})
    title = "A title that is longer than a narrow page is wide, and says a great deal"
    call(page, "POST", "/conversations", {"title": title, "space": space})
    page.reload()
    for place in ("#/memory", *(f"#/space/{space}/{tab}" for tab in ("conversations", "memory", "settings"))):
        go(page, place)
        expect(page.locator(".screen:not([hidden]) h2")).to_be_visible()
        page.wait_for_load_state("networkidle")
        accessible(page, place)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        shown = "document.querySelector('.screen:not([hidden])')"
        assert page.evaluate(f"{shown}.scrollWidth - {shown}.clientWidth") <= 0, f"{place} is wider than the page"
    go(page, "#/memory")
    page.get_by_role("button", name="Edit: Has a pond").click()
    accessible(page, "an edit")
    page.keyboard.press("Escape")
    page.evaluate("import('/memory_editor.js').then((editor) => editor.openGlobalMemories())")
    expect(page.locator("#global-memories .fact").first).to_be_visible()
    accessible(page, "global memories")
    context.close()
    assert not wrong, wrong
