"""init, passphrase, settings, model: a vault's beginning, and how errors end a command."""

import asyncio
import pathlib

import pytest

from ricordo import errors
from ricordo.cli import exits
from ricordo.models.files import chat_model
from ricordo.vault import AsyncVault
from tests.cli.terminal import Terminal, make_vault
from tests.fake_server import FakeServer
from tests.vaults import PASSPHRASE


@pytest.mark.req("I2", "V2")
def test_init_makes_a_vault_and_shows_its_recovery_key_once(tmp_path: pathlib.Path) -> None:
    """With a plain warning; the key opens the vault; a second vault never takes its place."""
    ricordo = Terminal(tmp_path / "new" / "diary.ricordo")
    made = ricordo("init", "--json")
    assert set(made.json) == {"path", "recovery_key"}
    assert made.json["path"] == str(ricordo.vault)
    assert ricordo("memories", RICORDO_PASSPHRASE=made.json["recovery_key"]).code == 0
    again = ricordo("init")
    assert (again.code, again.out) == (4, "")
    assert "already something" in again.err
    other = Terminal(tmp_path / "other.ricordo")("init")
    assert "Recovery key:" in other.out
    assert "never shown again" in other.err
    assert PASSPHRASE not in other.out + other.err + made.out


@pytest.mark.req("I2", "V2")
def test_the_passphrase_is_changed_from_the_environment(ricordo: Terminal) -> None:
    """For scripts; a wrong old one changes nothing."""
    refused = ricordo("passphrase", RICORDO_PASSPHRASE="wrong", RICORDO_NEW_PASSPHRASE="a new one")
    assert refused.code == 3
    changed = ricordo("passphrase", RICORDO_NEW_PASSPHRASE="a new one")
    assert changed.code == 0
    assert "a new one" not in changed.out + changed.err
    assert ricordo("memories").code == 3
    assert ricordo("memories", RICORDO_PASSPHRASE="a new one").code == 0


@pytest.mark.req("I2")
def test_without_a_terminal_and_without_a_passphrase_the_way_out_is_told(ricordo: Terminal) -> None:
    """Exit code 3, at once, for opening and for making a vault."""
    for arguments in (("memories",), ("--vault", str(ricordo.vault.with_name("new.ricordo")), "init")):
        refused = ricordo(*arguments, RICORDO_PASSPHRASE="")
        assert refused.code == 3
        assert "Set RICORDO_PASSPHRASE" in refused.err
    assert not ricordo.vault.with_name("new.ricordo").exists()


@pytest.mark.req("I2", "V2", "V4")
def test_each_trouble_has_its_exit_code_and_a_sentence(ricordo: Terminal, tmp_path: pathlib.Path) -> None:
    """Missing, wrong passphrase, damaged, in use, no model, no such command."""
    (tmp_path / "damaged.ricordo").write_bytes(b"not a vault" * 1000)
    used = make_vault(tmp_path / "used.ricordo")

    async def hold() -> None:
        async with await AsyncVault.open(used, PASSPHRASE):
            told[4] = [*told[4], ricordo("memories", "--vault", str(used))]

    told = {
        4: [ricordo("memories", "--vault", str(tmp_path / name)) for name in ("none.ricordo", "damaged.ricordo")],
        3: [ricordo("memories", RICORDO_PASSPHRASE="wrong")],
        2: [ricordo("nope"), ricordo("search"), ricordo("settings", "nope"), ricordo("settings", "window", "wide")],
        1: [ricordo("forget", "9")],
    }
    asyncio.run(hold())
    for code, ends in told.items():
        for end in ends:
            assert (end.code, end.out) == (code, "")
            assert end.err.strip()
            assert "Traceback" not in end.err
    assert len(told[4]) == 3
    assert "ricordo" in told[4][2].err  # names the owner


@pytest.mark.req("I2")
def test_every_error_has_an_exit_code() -> None:
    """One table from the error tree; what is locked is told apart from what is broken."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.RicordoError)]
    made = {kind.__name__: exits.code_of(kind("x", 500) if kind is errors.ModelRefused else kind("x")) for kind in kinds}
    assert made["WrongPassphrase"] == made["VaultLocked"] == 3
    assert made["StorageFull"] == made["VaultTooNew"] == made["VaultMissing"] == 4
    assert made["ModelRefused"] == made["ContextOverflow"] == made["ModelMissing"] == 5
    assert made["NotFound"] == 1
    assert made["SwitchedOff"] == made["InvalidInput"] == made["ImportFailed"] == made["RicordoError"] == 2


@pytest.mark.req("I2", "W6")
@pytest.mark.parametrize(("said", "kept"), [("on", True), ("yes", True), ("true", True), ("off", False), ("no", False)])
def test_a_switch_is_set_in_the_words_people_use(ricordo: Terminal, said: str, kept: bool) -> None:
    """And shown as on or off."""
    assert ricordo("settings", "whole_diary", said, "--json").json == {"whole_diary": kept}
    assert ricordo("settings", "whole_diary").out == ("on\n" if kept else "off\n")
    assert ricordo("settings", "--json").json["whole_diary"] is kept


@pytest.mark.req("I2", "V1")
def test_the_servers_key_is_read_from_stdin_and_never_shown(ricordo: Terminal) -> None:
    """Only that there is one."""
    assert ricordo("settings", "api_key", "-", stdin="sk-very-secret\n").out == "api_key is now set.\n"
    shown = ricordo("settings")
    assert "sk-very-secret" not in shown.out + shown.err
    assert ricordo("settings", "api_key", "--json").json == {"api_key": "set"}


@pytest.mark.req("I2", "I7")
def test_a_model_is_chosen_and_tested(ricordo: Terminal) -> None:
    """By its server's address; one that does not answer is exit code 5."""
    with FakeServer(models=("small", "large")) as server:
        assert ricordo("model", "use", server.url, "large", "--json").json == {"server": server.url, "model": "large"}
        tested = ricordo("model", "test", "--json").json
        assert set(tested) == {"model", "seconds"}
        assert "large" in tested["model"]
        assert server.chats()[-1].body["model"] == "large"
    gone = ricordo("model", "test")
    assert gone.code == 5
    assert "answers" in gone.err
    assert ricordo("model", "use", "ftp://somewhere").code == 2
    assert ricordo("model", "use", "embedded").out == "Replies come from embedded.\n"


@pytest.mark.req("I2", "I8")
def test_choosing_a_server_elsewhere_says_what_goes_there(ricordo: Terminal) -> None:
    """For one on this computer there is nothing to say."""
    assert "go there from now on" in ricordo("model", "use", "https://models.example.org/v1").err
    assert ricordo("model", "use", "http://localhost:11434/v1").err == ""
    assert ricordo("model", "use", "embedded").err == ""


@pytest.mark.req("I2", "I7")
def test_without_the_embedded_model_the_way_to_it_is_told(ricordo: Terminal, tmp_path: pathlib.Path) -> None:
    """The message is kept, the exit code is 5."""
    failed = ricordo("ask", "Hello", RICORDO_MODELS=str(tmp_path))
    assert failed.code == 5
    assert "ricordo model fetch" in failed.err
    assert ricordo("conversations", "show", "1", "--json").json["messages"][0]["text"] == "Hello"


@pytest.mark.req("I2", "I7")
def test_fetching_a_model_that_is_there_only_says_where(tmp_path: pathlib.Path) -> None:
    """Without a vault and without a download."""
    file = tmp_path / chat_model().name
    with file.open("wb") as sparse:
        sparse.truncate(chat_model().bytes)
    ricordo = Terminal(tmp_path / "none.ricordo")
    assert ricordo("model", "fetch", RICORDO_MODELS=str(tmp_path)).out == f"The embedded model is at {file}.\n"
    assert ricordo("model", "list", "--json", RICORDO_MODELS=str(tmp_path)).json["embedded"] == str(file)


@pytest.mark.req("I2", "I7")
def test_listing_models_needs_no_vault(tmp_path: pathlib.Path) -> None:
    """On a fresh machine it says how to fetch the embedded one."""
    ricordo = Terminal(tmp_path / "none.ricordo")
    listed = ricordo("model", "list", RICORDO_MODELS=str(tmp_path))
    assert listed.code == 0
    assert "ricordo model fetch" in listed.out
    found = ricordo("model", "list", "--json", RICORDO_MODELS=str(tmp_path)).json
    assert found["embedded"] is None
    assert isinstance(found["servers"], list)


@pytest.mark.req("I2", "I7")
def test_init_says_which_models_run_here(tmp_path: pathlib.Path) -> None:
    """With the command that chooses one; the vault is made all the same."""
    with FakeServer(models=("some-model",), port=1234):
        made = Terminal(tmp_path / "new.ricordo")("init")
    assert made.code == 0
    assert "ricordo model use http://127.0.0.1:1234/v1 some-model" in made.err


@pytest.mark.req("I7")
def test_nothing_is_fetched_where_a_server_runs(ricordo: Terminal, tmp_path: pathlib.Path) -> None:
    """`make run` fetches the embedded model only where nothing else is there."""
    with FakeServer(models=("some-model",), port=1234):
        told = ricordo("model", "fetch", "--if-needed", RICORDO_MODELS=str(tmp_path / "none"))
    assert (told.code, "LM Studio" in told.err) == (0, True)
    assert not (tmp_path / "none").exists()
