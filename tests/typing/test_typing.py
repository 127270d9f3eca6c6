"""The library's types, as a caller's checker sees them."""

import ast
import pathlib
import subprocess
import sys

import pytest

import ricordo
from ricordo import Vault, sync

HERE = pathlib.Path(__file__).parent
USES = (HERE / "public.py", HERE / "shelves.py")
CACHE = HERE.parents[1] / ".mypy_cache" / "callers"


def checked(*paths: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """Have mypy read a caller's files strictly, with no settings of the project."""
    options = ["--strict", "--config-file=", f"--cache-dir={CACHE}", "--no-error-summary"]
    command = [sys.executable, "-m", "mypy", *options, *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=paths[0].parent)


@pytest.mark.slow
@pytest.mark.req("I1")
def test_a_caller_that_uses_every_public_name_passes_a_strict_checker() -> None:
    """Arguments, results and events; a match over all events is complete."""
    done = checked(*USES)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.req("I1")
def test_no_public_name_is_left_out() -> None:
    """Every name of the package, every method of the vault and of each of its shelves stands in the files that are checked."""
    text = "".join(path.read_text() for path in USES)
    wanted = [*ricordo.__all__, *(name for name in dir(Vault) if not name.startswith("_"))]
    built = ast.parse(pathlib.Path(sync.__file__).read_text())
    for node in ast.walk(built):
        match node:  # self.facts = Facts(…)
            case ast.Assign(targets=[ast.Attribute(attr=shelf)], value=ast.Call(func=ast.Name(id=kind), args=[_, _])):
                wanted += [f"vault.{shelf}.{name}(" for name in dir(getattr(sync, kind)) if not name.startswith("_")]
    assert len(wanted) > 100
    assert not [name for name in wanted if name not in text]


@pytest.mark.slow
@pytest.mark.req("I1")
def test_wrong_use_is_seen(tmp_path: pathlib.Path) -> None:
    """Were the package untyped for its callers, the checker would let this pass."""
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from ricordo import Vault\nVault.open('diary.ricordo', 5).ask(b'Hello')\n")
    done = checked(wrong)
    assert done.returncode == 1
    assert done.stdout.count("error:") == 2, done.stdout
