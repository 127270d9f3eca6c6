"""Backup, restore, export, import and erase in a terminal."""

import json
import os
import pathlib

import pytest

from tests.cli.terminal import Terminal, make_vault
from tests.vaults import PASSPHRASE


@pytest.mark.req("I2", "V5")
def test_a_backup_is_made_and_restored(ricordo: Terminal) -> None:
    """The old vault is kept beside the new one, and both are named."""
    folder = ricordo.vault.parent
    ricordo("spaces", "create", "Garden")
    assert ricordo("backup", str(folder / "copy.ricordo")).code == 0
    assert ricordo("backup", str(folder / "copy.ricordo")).code == 4  # there is something already
    ricordo("spaces", "create", "Later")
    done = ricordo("restore", str(folder / "copy.ricordo"), "--json")
    assert (done.code, os.path.basename(done.json["aside"])) == (0, f"{ricordo.vault.stem}.before-restore.ricordo")
    assert [space["name"] for space in ricordo("spaces", "--json").json] == ["Garden"]
    refused = ricordo("restore", str(folder / "copy.ricordo"), RICORDO_PASSPHRASE="wrong")
    assert refused.code == 3


@pytest.mark.req("I2", "V5")
def test_an_export_is_written_and_imported(ricordo: Terminal, tmp_path: pathlib.Path) -> None:
    """JSON for a new vault, Markdown to be read; each for its owner alone."""
    ricordo("spaces", "create", "Garden")
    ricordo("settings", "global_memories", "on")
    ricordo("remember", "Ida is my sister")
    out = tmp_path / "out.json"
    assert ricordo("export", str(out)).code == 0
    assert out.stat().st_mode & 0o077 == 0
    assert json.loads(out.read_text())["format"] == "ricordo"
    assert ricordo("export", str(tmp_path / "notes")).code == 0
    assert "Ida is my sister" in (tmp_path / "notes" / "Memories.md").read_text()
    assert ricordo("export", str(tmp_path / "notes")).code == 4
    other = Terminal(make_vault(tmp_path / "other.ricordo"))
    assert other("import", "--as", "ricordo", str(out), "--json").json["facts"] == 1
    assert [fact["text"] for fact in other("memories", "--json").json] == ["Ida is my sister"]
    assert other("export", str(tmp_path / "again.json")).code == 0
    assert (tmp_path / "again.json").read_bytes() == out.read_bytes()
    again = other("import", str(out), "--json").json
    assert (again["messages"], again["facts"], again["import"]) == (0, 0, None)
    assert other("import", "ricordo", str(tmp_path / "nowhere.json")).code == 2


@pytest.mark.req("I2", "V6")
def test_erasing_asks_for_its_word(ricordo: Terminal) -> None:
    """Typed, or given where nobody is there; the wrong one erases nothing."""
    ricordo("spaces", "create", "Garden")
    assert ricordo("erase", "data", stdin="yes\n").code == 2
    assert ricordo("erase", "data", "--confirm", "reset").code == 2
    assert len(ricordo("spaces", "--json").json) == 1
    assert ricordo("erase", "data", stdin="remove\n").code == 0
    assert ricordo("spaces", "--json").json == []
    assert ricordo("erase", "everything", "--confirm", "reset").code == 0
    assert not ricordo.vault.exists()


@pytest.mark.req("I2", "V2")
def test_a_new_recovery_key_is_printed_once(ricordo: Terminal) -> None:
    """It opens the vault as the passphrase does."""
    key = ricordo("recovery-key", "--json").json["recovery_key"]
    assert key != PASSPHRASE
    assert ricordo("spaces", "--json", RICORDO_PASSPHRASE=key).code == 0
