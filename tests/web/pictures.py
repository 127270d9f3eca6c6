"""The pictures of the documentation, every screen in light and in dark: `python -m tests.web.pictures [FOLDER]`.

They tell one made-up evening after a year of writing. The dates in them are those of the day on which they are made.
"""

import datetime
import pathlib
import sys
import tempfile

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.browser import context_of, launch, server, write

FOLDER = pathlib.Path("docs/pictures")
_WIDTH, _HEIGHT = 1120, 720
_STRONG = "seven grey herons sang quietly tonight"

# Entries as days before today, and what was written then.
_WRITTEN = (
    (731, "First evening in the new flat. The boxes can wait; the balcony faces south."),
    (366, "Rain all day. Bought a blue notebook and began to sketch the harbour from memory."),
    (365, "Ida visited from Padua. We cooked for nine people and burnt the rice. Best evening of the year."),
    (200, "Swam forty lengths, the first time since the operation. The knee held."),
    (62, "Paul wants to move to Trieste. I said I would help with the boxes, and meant it."),
    (40, "The tomatoes are over. Next year fewer of them, and beans along the wall."),
    (21, "A bad week, but the walk along the river with Ida put things right."),
    (12, "The harbour picture is done. I gave it to Paul; he went quiet, which is praise from him."),
    (9, "Dentist. Nothing found. Bought seeds on the way home to celebrate."),
    (5, "Choir in the evening. We sing in San Giusto in March."),
    (2, "Ida has her last exam on Monday. Call her in the evening."),
    (1, "Could not sleep, so I read the old notebook. It is all about boats."),
)


class Story:
    """One walk through the page that takes a picture of each screen."""

    def __init__(self, page: Page, folder: pathlib.Path) -> None:
        self.page = page
        self.folder = folder

    def shoot(self, name: str) -> None:
        """Take a picture; the pointer rests where it changes nothing."""
        self.page.mouse.move(_WIDTH - 2, _HEIGHT // 2)
        self.page.screenshot(path=str(self.folder / f"{name}.png"), animations="disabled", caret="hide")

    def button(self, name: str, *, nth: int = 0) -> None:
        """Press a button by its name."""
        self.page.get_by_role("button", name=name).nth(nth).click()

    def whole(self, written: list[pathlib.Path]) -> None:
        """Take them all."""
        self.first_run(written)
        self.talking()
        self.memory()
        self.spaces()
        self.finding()
        self.settings()
        self.locked()

    def first_run(self, written: list[pathlib.Path]) -> None:
        """From the passphrase to the empty conversation, a diary brought in."""
        page = self.page
        page.locator("#create-first").fill(_STRONG)
        page.locator("#create-second").fill(_STRONG)
        self.shoot("create")
        self.button("Make the vault")
        page.get_by_label("I have kept it").check()
        self.shoot("recovery-key")
        self.button("Set up in three steps")
        expect(page.get_by_text("No model server was found")).to_be_visible()
        self.shoot("setup-model")
        self.button("Next")
        page.get_by_label("Global memories").check()
        page.get_by_label("Let the AI use your whole diary").check()
        self.shoot("setup-defaults")
        self.button("Next")
        page.locator("input[type=file]:not([webkitdirectory])").nth(0).set_input_files(written)
        expect(page.get_by_role("status").filter(has_text=f"{len(written)}")).to_be_visible()
        self.shoot("setup-import")
        self.button("Import them")
        expect(page.get_by_role("button", name="Import them")).to_be_hidden()
        self.button("Begin writing")
        expect(page.locator("#meter .figure")).to_be_visible()
        self.shoot("empty")

    def talking(self) -> None:
        """A conversation, its meter, what the model saw, versions, the queue and a private one."""
        page = self.page
        for fact in ("Ida is my sister; she studies in Padua", "Goes swimming on Wednesdays", "Sings alto in a choir"):
            write(page, f"/remember {fact}")
            expect(page.locator("#outcome")).to_contain_text(fact)
        write(page, "Long day. Ida called, her exam is over! In the evening I went to the pool.")
        expect(page.locator("#messages .model .actions")).to_contain_text("Try again")
        self.button("Conversation settings")
        page.get_by_label("Title").fill("Ida's exam, and the pool")
        page.keyboard.press("Enter")
        write(page, "I will. And what did Paul say about Trieste?")
        expect(page.locator("#messages .model .actions").nth(1)).to_contain_text("Try again")
        page.locator("#scroll").evaluate("box => { box.scrollTop = 0 }")
        self.shoot("chat")
        self.button("What did the model see?", nth=1)
        expect(page.locator("#why-dialog")).to_be_visible()
        self.shoot("why")
        page.keyboard.press("Escape")
        page.locator("#meter summary").first.click()
        self.shoot("meter")
        page.locator("#meter > summary").click()
        page.locator("#messages .user").last.get_by_role("button", name="Edit").click()
        page.get_by_label("Edit your message").fill("And what did Paul say about the boxes?")
        self.shoot("edit")
        page.keyboard.press("Enter")
        expect(page.get_by_role("group", name="Versions")).to_be_visible()
        expect(page.locator("#messages .model .actions").nth(1)).to_contain_text("Try again")
        self.shoot("versions")
        page.keyboard.press("Control+Shift+o")
        page.keyboard.press("Control+i")
        write(page, "Something that I only want to think aloud.")
        expect(page.locator("#messages .model .actions")).to_contain_text("Try again")
        self.shoot("private")
        self.button("End it")

    def memory(self) -> None:
        """The memory of a conversation, and the screen with all of it."""
        page = self.page
        page.locator("#conversations a", has_text="Ida's exam").click()
        page.locator("#toggle-memory").click()
        expect(page.locator("#facts .fact").first).to_be_visible()
        self.shoot("conversation-memory")
        self.button("Edit: Ida")
        self.shoot("edit-fact")
        page.keyboard.press("Escape")
        page.locator("#memory-close").click()
        page.locator("#places").get_by_role("link", name="Memory").click()
        expect(page.locator("#memory-rows .excerpt").first).to_be_visible()
        self.shoot("memory")

    def spaces(self) -> None:
        """A Space with its three tabs."""
        page = self.page
        self.button("New Space")
        page.get_by_label("Name").fill("Garden")
        page.get_by_label("Instructions for the model in this Space").fill("Answer as a gardener: short, practical, by season.")
        self.shoot("new-space")
        self.button("Save")
        self.button("Space settings")
        expect(page.get_by_role("tab", name="Settings")).to_be_visible()
        self.shoot("space-settings")
        page.get_by_role("tab", name="Memory").click()
        page.locator("#space-fact-text").fill("Has a balcony to the south, with tomatoes")
        page.keyboard.press("Enter")
        expect(page.locator("#space-facts .fact")).to_have_count(1)
        self.shoot("space-memory")
        page.get_by_role("tab", name="Conversations").click()
        self.button("New conversation here")
        write(page, "What can I sow on the balcony now?")
        expect(page.locator("#messages .model .actions")).to_contain_text("Try again")
        self.button("Space settings")
        page.get_by_role("tab", name="Conversations").click()
        self.shoot("space-conversations")
        page.locator("#space").select_option("")

    def finding(self) -> None:
        """The diary and the search."""
        page = self.page
        page.locator("#places").get_by_role("link", name="Diary").click()
        expect(page.locator("#diary .entry").first).to_be_visible()
        self.shoot("diary")
        page.locator("#conversations a", has_text="Ida's exam").click()
        self.button("Search")
        page.get_by_label("Search messages and facts").fill("paul harbour")
        expect(page.locator("#found li").first).to_be_visible()
        self.shoot("search")
        page.keyboard.press("Escape")

    def settings(self) -> None:
        """Each part of the settings, and what can be done for good."""
        page = self.page
        page.get_by_role("button", name="Settings", exact=True).click()
        expect(page.locator("#by-meaning")).not_to_be_empty()
        self.shoot("settings")
        for name in ("models", "programs", "privacy", "data", "vault"):
            page.evaluate(f"location.hash = '#/settings/{name}'")
            expect(page.locator(f"#settings-{name} h3")).to_be_focused()
            self.shoot(f"settings-{name}")
        self.button("Remove my data")
        self.shoot("erase")
        page.keyboard.press("Escape")
        self.button("Restore a backup")
        self.shoot("restore")
        page.keyboard.press("Escape")
        page.locator("#conversations a", has_text="Ida's exam").click()
        page.locator("#title").focus()
        page.keyboard.press("Shift+?")
        self.shoot("keyboard")
        page.keyboard.press("Escape")

    def locked(self) -> None:
        """Nothing is left to be seen."""
        self.button("Lock")
        expect(self.page.locator("#unlock")).to_be_visible()
        self.shoot("locked")


def diary(folder: pathlib.Path) -> list[pathlib.Path]:
    """Write the year as Markdown files, one a day."""
    today = datetime.date.today()
    files = []
    for ago, text in _WRITTEN:
        files.append(folder / f"{today - datetime.timedelta(ago)}.md")
        files[-1].write_text(f"{text}\n")
    return files


def walk(browser: Browser, folder: pathlib.Path, *, dark: bool) -> None:
    """Take all pictures in one colour."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, server(pathlib.Path(place)) as address:
        context = context_of(browser, _WIDTH, dark)
        page = context.new_page()
        page.set_viewport_size({"width": _WIDTH, "height": _HEIGHT})
        page.goto(address)
        written = pathlib.Path(place) / "written"
        written.mkdir()
        Story(page, folder).whole(diary(written))
        context.close()


def main() -> None:
    """Take the pictures."""
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for dark in (False, True):
            walk(browser, folder / ("dark" if dark else "light"), dark=dark)
        browser.close()


if __name__ == "__main__":
    main()
