"""One owner: who comes second is told who is first, and an owner that was killed is in nobody's way."""

import os
import pathlib
import stat
import threading

import pytest

from ricordo.errors import VaultError, VaultInUse
from ricordo.store.connection import Database
from ricordo.store.ownership import address_of, claim
from tests.store.box import PASSPHRASE, child, end, line, new_vault, shut, tell


@pytest.mark.req("V4")
def test_a_second_process_is_refused_and_told_who_is_first(tmp_path: pathlib.Path) -> None:
    """The sentence has the program, its process and since when; after the first closes, the second may."""
    path = tmp_path / "diary.ricordo"
    shut(new_vault(path)[0])
    first = child("owner", str(path), PASSPHRASE, "ricordo serve")
    second = None
    try:
        assert line(first) == "open"
        with pytest.raises(VaultInUse, match=rf"in use by `ricordo serve` \(process {first.pid}, since \d\d:\d\d\)"):
            Database.open(path, PASSPHRASE)
        second = child("owner", str(path), PASSPHRASE, "ricordo chat")
        assert line(second).startswith("VaultInUse")
        tell(first, "close")
        assert line(first) == "closed"
        shut(Database.open(path, PASSPHRASE))
    finally:
        end(first)
        if second is not None:
            end(second)


@pytest.mark.req("V4")
def test_a_killed_owner_blocks_nobody(tmp_path: pathlib.Path) -> None:
    """Its lock file stays behind, with its name, and means nothing."""
    path = tmp_path / "diary.ricordo"
    shut(new_vault(path)[0])
    first = child("owner", str(path), PASSPHRASE, "ricordo serve")
    try:
        assert line(first) == "open"
    finally:
        end(first)
    assert b"ricordo serve" in (tmp_path / "diary.ricordo.lock").read_bytes()
    shut(Database.open(path, PASSPHRASE))
    assert [each.name for each in tmp_path.iterdir()] == ["diary.ricordo"]


@pytest.mark.req("V4")
def test_the_same_program_cannot_open_a_vault_twice_not_even_by_another_path(tmp_path: pathlib.Path) -> None:
    """A symbolic link to the file or its folder leads to the same vault."""
    (tmp_path / "real").mkdir()
    (tmp_path / "folder").symlink_to("real")
    (tmp_path / "link.ricordo").symlink_to("real/diary.ricordo")
    vault, _ = new_vault(tmp_path / "real" / "diary.ricordo")
    for path in ("real/diary.ricordo", "folder/diary.ricordo", "link.ricordo", "real/../folder/diary.ricordo"):
        with pytest.raises(VaultInUse, match="already open in this program"):
            Database.open(tmp_path / path, PASSPHRASE)
    shut(vault)
    shut(Database.open(tmp_path / "link.ricordo", PASSPHRASE))


@pytest.mark.req("V4")
def test_failing_to_get_a_vault_leaves_the_owners_name(tmp_path: pathlib.Path) -> None:
    """Whoever comes second reads the lock file and never writes it."""
    owned = claim(str(tmp_path / "v"), "ricordo serve")
    before = (tmp_path / "v.lock").read_bytes()
    for _ in range(3):
        with pytest.raises(VaultInUse):
            claim(str(tmp_path / "v"), "ricordo chat")
    assert (tmp_path / "v.lock").read_bytes() == before
    owned.release()


@pytest.mark.req("V4")
def test_released_is_free_again_and_twice_is_once(tmp_path: pathlib.Path) -> None:
    """A second release does not take the vault from the next owner."""
    first = claim(str(tmp_path / "v"), "one")
    first.release()
    second = claim(str(tmp_path / "v"), "two")
    first.release()
    with pytest.raises(VaultInUse):
        claim(str(tmp_path / "v"), "three")
    second.release()
    assert not (tmp_path / "v.lock").exists()


@pytest.mark.req("V4")
def test_an_owner_that_has_not_signed_yet_still_owns(tmp_path: pathlib.Path) -> None:
    """Without a name to tell, the sentence does without."""
    owned = claim(str(tmp_path / "v"), "one")
    (tmp_path / "v.lock").write_bytes(b"")
    with pytest.raises(VaultInUse, match="another program"):
        claim(str(tmp_path / "v"), "two")
    owned.release()


@pytest.mark.req("V4")
def test_a_lock_file_that_is_a_link_is_not_followed(tmp_path: pathlib.Path) -> None:
    """In a folder that others may write, the owner's name must not end up in a file of their choice."""
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "v.lock").symlink_to("precious")
    with pytest.raises(VaultError, match="cannot be written"):
        claim(str(tmp_path / "v"), "one")
    assert (tmp_path / "precious").read_text() == "precious"


@pytest.mark.req("V1")
def test_everything_beside_the_vault_is_for_its_owner_alone(tmp_path: pathlib.Path) -> None:
    """Vault, journal, shared memory, lock and the folders made for it, even where the umask would let others in."""
    before = os.umask(0)
    try:
        vault, _ = new_vault(tmp_path / "new" / "folder" / "diary.ricordo")
    finally:
        os.umask(before)
    files = list((tmp_path / "new" / "folder").iterdir())
    assert len(files) == 4
    assert {stat.S_IMODE(each.stat().st_mode) for each in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "new" / "folder").stat().st_mode) == 0o700
    shut(vault)


@pytest.mark.req("I5", "X1")
def test_where_a_vault_is_served_is_told_only_while_its_owner_lives(tmp_path: pathlib.Path) -> None:
    """A lock file that was left behind, or one that names another host, leads nobody to a program that poses as the owner."""
    path = str(tmp_path / "v")
    assert address_of(path) is None
    for program, address in (
        ("ricordo serve at http://127.0.0.1:7373/", "http://127.0.0.1:7373/"),
        ("ricordo ask", None),
        ("ricordo serve at http://127.0.0.1:7373.evil.example/", None),
        ("ricordo serve at http://evil.example:7373/", None),
    ):
        owned = claim(path, program)
        link = tmp_path / "link"
        link.unlink(missing_ok=True)
        link.symlink_to(path)
        assert (address_of(path), address_of(str(link))) == (address, address)
        left = (tmp_path / "v.lock").read_bytes()
        owned.release()
        assert address_of(path) is None
        (tmp_path / "v.lock").write_bytes(left)  # as after a kill
        assert address_of(path) is None


@pytest.mark.req("V4")
def test_who_only_looks_is_in_nobodys_way(tmp_path: pathlib.Path) -> None:
    """A vault is claimed at the first try, though others keep asking where it is served."""
    path, looked, over = str(tmp_path / "v"), 0, threading.Event()

    def look() -> None:
        nonlocal looked
        while not over.is_set():
            address_of(path)
            looked += 1

    looking = [threading.Thread(target=look) for _ in range(2)]
    for each in looking:
        each.start()
    try:
        for _ in range(200):
            owned = claim(path, "ricordo serve")
            left = (tmp_path / "v.lock").read_bytes()
            owned.release()
            (tmp_path / "v.lock").write_bytes(left)  # as after a kill, so that there is something to look at
    finally:
        over.set()
        for each in looking:
            each.join()
    assert looked > 100
