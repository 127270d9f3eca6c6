"""The library's types, as a caller's checker sees them."""

import pathlib
import subprocess
import sys

import pytest

import ricordo
from ricordo import Vault

HERE = pathlib.Path(__file__).parent
USES = HERE / "public.py"
CACHE = HERE.parents[1] / ".mypy_cache" / "callers"


def checked(path: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """Have mypy read a caller's file strictly, with no settings of the project."""
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        f"--cache-dir={CACHE}",
        "--no-error-summary",
        str(path),
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=path.parent)


@pytest.mark.slow
@pytest.mark.req("I1")
def test_a_caller_that_uses_every_public_name_passes_a_strict_checker() -> None:
    """Arguments, results and events; a match over all events is complete."""
    done = checked(USES)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.req("I1")
def test_no_public_name_is_left_out() -> None:
    """Every name of the package and every method of the vault stands in the file that is checked."""
    text = USES.read_text()
    methods = [name for name in dir(Vault) if not name.startswith("_")]
    assert not [name for name in (*ricordo.__all__, *methods) if name not in text]


@pytest.mark.slow
@pytest.mark.req("I1")
def test_wrong_use_is_seen(tmp_path: pathlib.Path) -> None:
    """Were the package untyped for its callers, the checker would let this pass."""
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from ricordo import Vault\nVault.open('diary.ricordo', 5).ask(b'Hello')\n")
    done = checked(wrong)
    assert done.returncode == 1
    assert done.stdout.count("error:") == 2, done.stdout
