"""The house: which way imports run, how large rooms are, what they are called."""

import ast
import pathlib
import subprocess
import sys

import pytest

import ricordo

SOURCE = pathlib.Path(ricordo.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))

VALUES = {
    "conversation",
    "fact",
    "change",
    "diary",
    "prompt",
    "events",
    "explanation",
    "settings",
    "errors",
    "hit",
    "imported",
    "letters",
    "memory",
    "run",
    "said",
    "standing",
    "token",
    "wishes",
    "_version",
}
# Room → the rooms it may import, besides itself and the values. `vault` is the only place where all parts meet.
MAY_IMPORT = {
    "values": set(),
    "models": set(),
    "store": set(),
    "recall": {"store", "models"},
    "learn": {"store", "models"},
    "shelves": {"store", "transfer"},
    "desk": {"recall", "store", "models"},
    "in_use": {"desk", "store", "models"},
    "prepare": {"desk", "recall", "store", "models"},
    "speaking": {"desk", "recall", "models"},
    "turn": {"prepare", "speaking", "desk", "recall", "store", "models"},
    "private": {"speaking", "desk", "recall", "models"},
    "talking": {"turn", "private", "in_use", "background", "recall", "store"},
    "background": {"desk", "recall", "learn", "store", "models"},
    "transfer": {"store", "recall"},
    "clients": {"in_use", "background", "desk", "recall", "store", "models"},
    "keyed": {"learn", "shelves", "store"},
    "vault": {
        "clients",
        "keyed",
        "shelves",
        "in_use",
        "prepare",
        "talking",
        "background",
        "transfer",
        "recall",
        "learn",
        "store",
        "models",
    },
    "commands": {"vault"},
    "bar": set(),
    "local_models": {"models", "bar"},
    "portal": set(),
    "sync": {
        "vault",
        "sync_shelves",
        "sync_data",
        "portal",
        "private",
        "models",
        "store",
        "transfer",
    },  # the last four for types that callers see
    "sync_shelves": {"shelves", "portal", "store", "vault"},
    "sync_data": {"shelves", "portal", "store", "vault"},
    "langgraph": {"vault", "sync", "keyed"},
    "server": {"vault", "clients", "commands", "local_models", "shelves"},
    "cli": {"vault", "bar", "commands", "local_models", "portal", "private", "server", "shelves"},
    "__init__": {"vault", "sync", "local_models"},
    "__main__": {"cli"},
}


def room(module: str) -> str:
    """Name the room that a module of the package stands in."""
    name = module.split(".")[1] if "." in module else "__init__"
    return "values" if name in VALUES else name


def imports(path: pathlib.Path) -> set[str]:
    """Return the modules of the package that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("ricordo")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ricordo"):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names if node.module == "ricordo" else {str(node.module)}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_run_one_way(path: pathlib.Path) -> None:
    """Each room imports only what the house allows it to."""
    own = room("ricordo." + ".".join(path.relative_to(SOURCE).with_suffix("").parts))
    assert own in MAY_IMPORT, f"say in MAY_IMPORT what {own} may import"
    wrong = {name for name in imports(path) if room(name) not in MAY_IMPORT[own] | {own, "values"}}
    assert not wrong, f"{own} may not import {sorted(wrong)}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_rooms_stay_small(path: pathlib.Path) -> None:
    """No file over 400 lines, no function over 60, and each module says what lives in it."""
    text = path.read_text()
    tree = ast.parse(text)
    assert text.count("\n") <= 400
    assert ast.get_docstring(tree) or not tree.body, "open the module with what lives here"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or node.lineno) - node.lineno < 60, f"{node.name} is too long"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_names_say_what_a_thing_does(path: pathlib.Path) -> None:
    """No class is called after a pattern instead of its job."""
    banned = ("Manager", "Service", "Helper", "Handler", "Factory", "Util", "Utils")
    classes = [node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)]
    assert not [name for name in classes if name.endswith(banned) or name.startswith("Base")]


def test_exports_are_what_all_says() -> None:
    """The package's public names are those of __all__, sorted, and all are there."""
    assert list(ricordo.__all__) == sorted(ricordo.__all__)
    assert all(hasattr(ricordo, name) for name in ricordo.__all__)


@pytest.mark.req("X1")
def test_importing_opens_no_socket() -> None:
    """Importing every module of the package, optional extras apart, reaches for no network."""
    names = ["ricordo." + ".".join(path.relative_to(SOURCE).with_suffix("").parts) for path in MODULES]
    modules = [
        name.removesuffix(".__init__")
        for name in names
        if not name.endswith(("__main__", "embedded_server", "ricordo.langgraph"))
    ]
    program = (
        "import sys, importlib\n"
        "def guard(event, args):\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo', 'socket.bind'): raise SystemExit(f'{event} {args}')\n"
        "sys.addaudithook(guard)\n"
        f"[importlib.import_module(name) for name in {modules!r}]\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
