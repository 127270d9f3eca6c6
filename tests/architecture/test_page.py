"""How the page's modules hang together: what is imported is there and used, texts and style sheets too."""

import pathlib
import re

import pytest

import ricordo.server.app

WEB = ricordo.server.app.WEB
MODULES = {path.name: path.read_text() for path in sorted(WEB.glob("*.js"))}
_IMPORT = re.compile(r'import \{([^}]*)\} from "\./([a-z_]+\.js)";\n')


def imported(text: str) -> list[tuple[str, str, str]]:
    """Return what a module imports: the name there, the name here, the module."""
    found = []
    for names, module in _IMPORT.findall(text):
        for each in filter(None, (name.strip() for name in names.split(","))):
            there, _, here = each.partition(" as ")
            found.append((there, here or there, module))
    return found


def exported(text: str) -> set[str]:
    """Return what a module exports."""
    return set(re.findall(r"^export (?:async )?(?:function\*?|const|let) ([\w$]+)", text, re.MULTILINE))


@pytest.mark.parametrize("name", MODULES)
def test_what_is_imported_is_there_and_used(name: str) -> None:
    """Without a bundler nothing else would tell before a person meets it."""
    text = MODULES[name]
    body = _IMPORT.sub("", text).replace("...", " ")  # spread
    for there, here, module in imported(text):
        assert there in exported(MODULES[module]), f"{module} exports no {there}"
        assert re.search(rf"(?<![\w$.]){re.escape(here)}(?![\w$])", body), f"{here} is not used"
    for module in re.findall(r'import\("\./([a-z_]+\.js)"\)', text):
        assert module in MODULES


def test_every_style_sheet_is_there() -> None:
    """Those that the page names, and those that its modules load; they themselves name no further file."""
    named = re.findall(r'"([a-z_]+\.css)"', (WEB / "index.html").read_text() + "".join(MODULES.values()))
    assert set(named) == {path.name for path in WEB.glob("*.css")}
    assert not [path.name for path in WEB.glob("*.css") if re.search(r"url\(|@import", path.read_text())]


def test_every_module_is_reached_from_the_first() -> None:
    """A module that nothing imports any more is gone."""
    reached, due = set(), ["main.js"]
    while due:
        name = due.pop()
        if name not in reached:
            reached.add(name)
            due += re.findall(r'(?:from |import\()"\./([a-z_]+\.js)"', MODULES[name])
    assert reached == set(MODULES)


def test_the_page_asks_at_once_for_all_modules_that_it_begins_with() -> None:
    """Those that the first one imports, directly or not; what is loaded when it is first used is not fetched with them."""
    needed, due = set(), ["main.js"]
    while due:
        name = due.pop()
        if name not in needed:
            needed.add(name)
            due += [module for _, _, module in imported(MODULES[name])]
    page = (WEB / "index.html").read_text()
    named = re.findall(r'<link rel="modulepreload" href="(\w+\.js)">|<script type="module" src="(\w+\.js)"', page)
    assert sorted(preloaded or first for preloaded, first in named) == sorted(needed)


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("texts")])
def test_every_text_is_said_somewhere(name: str) -> None:
    """A sentence that no module and no element of the page asks for is gone."""
    others = "".join(text for other, text in MODULES.items() if other != name) + pathlib.Path(WEB / "index.html").read_text()
    (table,) = re.findall(r"^export const \w+ = \{\n(.*?)^\};", MODULES[name], re.MULTILINE | re.DOTALL)
    keys = re.findall(r"^  (\w+): ", table, re.MULTILINE)
    assert keys
    unsaid = [key for key in keys if not re.search(rf"(?:\.|=\"){key}\b", others)]
    assert not unsaid
