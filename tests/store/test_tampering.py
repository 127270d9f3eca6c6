"""Somebody changed the file: bit by bit, page by page, end to end. It is noticed, or it is a moment the vault once was in.

RICORDO_TAMPERED sets how many places are tried; the figures go where RICORDO_FIGURES says.
"""

import asyncio
import os
import pathlib
import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from benchmarks.figures import note
from ricordo.errors import RicordoError, VaultDamaged
from ricordo.store.backup import _check, verify
from ricordo.store.connection import Database
from ricordo.store.faults import told_plainly
from ricordo.store.file import VaultFile
from ricordo.store.header import FRONT_BYTES
from ricordo.store.restoring import restore
from tests.store.box import LOW, PASSPHRASE, new_vault, said, say, shut

PLACES = int(os.environ.get("RICORDO_TAMPERED", "200"))
PAGE = 4096
TABLE = "A changed file"


@dataclass(frozen=True)
class Left:
    """A vault's file at three moments, its journal at two of them, and all that was ever written into it, in order."""

    path: pathlib.Path
    first: bytes
    main: bytes
    journal: bytes
    last: bytes
    last_journal: bytes
    texts: tuple[str, ...]
    kept: int  # texts that the main file has without its journal

    def put(self, main: bytes, journal: bytes = b"") -> pathlib.Path:
        """Put a file and a journal in place."""
        self.path.write_bytes(main)
        self.path.with_name(f"{self.path.name}-wal").write_bytes(journal)
        return self.path


def long(number: int) -> str:
    """A text over several pages."""
    return f"Entry {number} about the harbour. " + f"{number} sails, " * 400


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    """A vault that was written, closed, opened again and, twice, killed."""
    folder = tmp_path_factory.mktemp("tampered")
    path, journal = folder / "diary.ricordo", folder / "diary.ricordo-wal"
    vault, _ = new_vault(path)
    texts = [f"Line {number} about the harbour and the sea." for number in range(200)]
    asyncio.run(say(vault, *texts))
    shut(vault)
    first = path.read_bytes()
    vault = Database.open(path, PASSPHRASE)
    moments = []
    for start in (0, 20):
        for number in range(start, start + 20):
            texts.append(long(number))
            asyncio.run(say(vault, texts[-1]))
        moments.append((path.read_bytes(), journal.read_bytes()))
        asyncio.run(vault.checkpoint())
    shut(vault)
    (main, before), (last, after) = moments
    return Left(folder / "changed.ricordo", first, main, before, last, after, tuple(texts), 200)


def changed(data: bytes, place: int, bit: int) -> bytearray:
    """Return bytes with one bit flipped."""
    new = bytearray(data)
    new[place] ^= 1 << bit
    return new


def found_in(path: pathlib.Path) -> list[str] | None:
    """Open the vault and read all texts and check all tables; None where any of that says that it is damaged."""
    try:
        vault = Database.open(path, PASSPHRASE)
    except VaultDamaged:
        return None
    try:
        texts = asyncio.run(vault.read(said))
        whole = asyncio.run(vault.write(lambda connection: connection.pragma("integrity_check")))
        return texts if whole == "ok" else None
    except VaultDamaged:
        return None
    finally:
        shut(vault)


@pytest.mark.req("V5", "V1")
def test_one_flipped_bit_anywhere_in_the_pages_is_noticed(left: Left) -> None:
    """By the check of a whole file, wherever it stands: each page is sealed, and the seal knows the page's number."""
    chance = random.Random(7)
    file = VaultFile.unlock(str(left.put(left.last)), PASSPHRASE)
    places = [FRONT_BYTES + at for at in (0, 15, 16, 23, 24, 39, 40, PAGE - 32, PAGE - 1, PAGE)]
    places += [chance.randrange(FRONT_BYTES, len(left.last)) for _ in range(PLACES)]
    for place in places:
        left.path.write_bytes(changed(left.last, place, chance.randrange(8)))
        with pytest.raises(VaultDamaged), told_plainly("it"):
            _check(file)
    note(TABLE, "one bit of a page flipped, then checked", len(places), "each noticed", kept=True)


@pytest.mark.req("V5")
def test_pages_that_changed_places_are_noticed(left: Left) -> None:
    """A page is sealed with its number; one of another place, of another vault, of zeros or of noise is none."""
    chance = random.Random(8)
    other, _ = new_vault(left.path.with_name("other.ricordo"))
    shut(other)
    foreign = left.path.with_name("other.ricordo").read_bytes()
    file = VaultFile.unlock(str(left.put(left.last)), PASSPHRASE)
    pages = (len(left.last) - FRONT_BYTES) // PAGE
    tried = 0
    for _ in range(PLACES // 10):
        one, two = (FRONT_BYTES + PAGE * page for page in chance.sample(range(pages), 2))
        there = left.last[two : two + PAGE]
        start = chance.randrange(FRONT_BYTES, len(foreign) - PAGE)
        for put in (there, foreign[start : start + PAGE], bytes(PAGE), chance.randbytes(PAGE)):
            data = bytearray(left.last)
            data[one : one + PAGE] = put
            if put is there:
                data[two : two + PAGE] = left.last[one : one + PAGE]
            left.path.write_bytes(data)
            with pytest.raises(VaultDamaged), told_plainly("it"):
                _check(file)
            tried += 1
    note(TABLE, "pages swapped, or others put in their place", tried, "each noticed", kept=True)


@pytest.mark.req("V5", "X3")
def test_a_file_cut_or_grown_anywhere_is_noticed_or_whole(left: Left) -> None:
    """Wherever it ends: an error in a sentence, or all that was written; what is put behind the end is never read."""
    chance = random.Random(9)
    lengths = [0, 1, 27, 28, PAGE, FRONT_BYTES - 1, FRONT_BYTES, FRONT_BYTES + 1, FRONT_BYTES + PAGE, len(left.last) - PAGE]
    lengths += [len(left.last) - 1, *(chance.randrange(len(left.last)) for _ in range(PLACES // 10))]
    for length in lengths:
        with pytest.raises(VaultDamaged):
            verify(left.put(left.last[:length]), PASSPHRASE)
    whole = found_in(left.put(left.last))
    for more in (b"\0", bytes(PAGE), left.last[-PAGE:], chance.randbytes(3 * PAGE)):
        assert found_in(left.put(left.last + more)) in (None, whole)
    note(TABLE, "files cut short", len(lengths), "each noticed", kept=True)


@pytest.mark.req("V4", "V5")
@pytest.mark.parametrize("how", ["flipped", "cut", "emptied in part", "frames swapped"])
def test_a_changed_journal_never_shows_what_was_not_written(left: Left, how: str) -> None:
    """What a kill leaves in the journal ends before the change, at a whole write: no text is half there, none is another."""
    chance = random.Random(how)
    frame, ends = PAGE + 24, set[int]()
    for _ in range(max(4, PLACES // 20)):
        data = bytearray(left.journal)
        place = chance.randrange(len(data))
        match how:
            case "flipped":
                data[place] ^= 1 << chance.randrange(8)
            case "cut":
                del data[place:]
            case "emptied in part":
                data[place : place + 5000] = bytes(len(data[place : place + 5000]))
            case _:
                one, two = (32 + frame * at for at in chance.sample(range((len(data) - 32) // frame), 2))
                data[one : one + frame], data[two : two + frame] = data[two : two + frame], data[one : one + frame]
        found = found_in(left.put(left.main, bytes(data)))
        if found is not None:
            assert found == list(left.texts[: len(found)])
            assert len(found) >= left.kept
            ends.add(len(found))
    assert len(ends) > 1, "the changes fell into different writes"
    note(TABLE, f"journal of a killed process {how}", max(4, PLACES // 20), "whole writes only", kept=True)


def old_pages(left: Left) -> list[tuple[bytes, bytes]]:
    """Each page that changed, as it stood before, in the file of today."""
    made = []
    for start in range(FRONT_BYTES, len(left.first), PAGE):
        old = left.first[start : start + PAGE]
        if left.last[start : start + PAGE] != old:
            made.append((left.last[:start] + old + left.last[start + PAGE :], b""))
    return made


OLDER: dict[str, Callable[[Left], list[tuple[bytes, bytes]]]] = {
    "the whole file": lambda left: [(left.first, b""), (left.main, left.journal)],
    "one page": old_pages,
    "the first pages": lambda left: [(left.first[: PAGE * n] + left.last[PAGE * n :], b"") for n in range(3, 30, 6)],
    "the journal": lambda left: [(left.last, left.journal), (left.first, left.last_journal), (left.main, left.last_journal)],
}


@pytest.mark.req("V5")
@pytest.mark.parametrize("what", OLDER)
def test_what_is_older_is_noticed_or_is_what_was_once_written(left: Left, what: str) -> None:
    """The format cannot tell a moment of its past from the present, but nobody can put in what never was there.

    The threat model says so. A page of another moment contradicts the others as a rule, and the check finds that.
    """
    noticed = 0
    for main, journal in OLDER[what](left):
        found = found_in(left.put(main, journal))
        noticed += found is None
        assert set(found or ()) <= set(left.texts)
    if what in ("one page", "the first pages"):
        assert noticed >= len(OLDER[what](left)) * 2 // 3
    note(TABLE, f"older: {what}, tried", len(OLDER[what](left)), "noticed, or once written", kept=True)


@pytest.mark.req("V4", "V5")
def test_a_journal_of_another_vault_is_refused(left: Left) -> None:
    """Nothing of it gets into this one, and without it the vault is as it was."""
    path = left.path.with_name("stranger.ricordo")
    other, _ = new_vault(path)
    asyncio.run(say(other, *("A stranger's words. " * 500 for _ in range(20))))
    foreign = path.with_name("stranger.ricordo-wal").read_bytes()
    shut(other)
    for main in (left.first, left.last):
        assert found_in(left.put(main, foreign)) is None
        assert left.path.read_bytes()[FRONT_BYTES:] == main[FRONT_BYTES:]
        assert found_in(left.put(main)) is not None


@pytest.mark.req("V2", "V5")
def test_an_older_header_opens_with_its_own_passphrase_alone(tmp_path: pathlib.Path) -> None:
    """Known limit: the data key stays, so whoever kept the old key slots and knows the old passphrase still gets in."""
    path = tmp_path / "diary.ricordo"
    vault, _ = new_vault(path)
    asyncio.run(say(vault, "Before."))
    old = path.read_bytes()[:FRONT_BYTES]
    asyncio.run(vault.change_passphrase(PASSPHRASE, "another one", cost=LOW))
    asyncio.run(say(vault, "After."))
    shut(vault)
    path.write_bytes(old + path.read_bytes()[FRONT_BYTES:])
    with pytest.raises(RicordoError, match="neither the passphrase nor"):
        Database.open(path, "another one")
    assert found_in(path) == ["Before.", "After."]
    other, _ = new_vault(tmp_path / "other.ricordo")
    shut(other)
    slots_of_another = (tmp_path / "other.ricordo").read_bytes()[:FRONT_BYTES]
    path.write_bytes(slots_of_another + path.read_bytes()[FRONT_BYTES:])
    with pytest.raises(VaultDamaged):
        Database.open(path, PASSPHRASE)


@pytest.mark.req("V5")
def test_no_changed_backup_is_ever_restored(left: Left, tmp_path: pathlib.Path) -> None:
    """Whatever was done to it: the vault that is there stays to the last byte, and nothing is left beside it."""
    chance = random.Random(11)
    vault = tmp_path / "diary.ricordo"
    vault.write_bytes(left.first)
    spoilt = [
        changed(left.last, chance.randrange(FRONT_BYTES, len(left.last)), chance.randrange(8))
        for _ in range(max(6, PLACES // 20))
    ]
    spoilt += [left.last[: chance.randrange(len(left.last))] for _ in range(max(3, PLACES // 40))]
    spoilt.append(left.first[: PAGE * 20] + left.last[PAGE * 20 :])
    for data in spoilt:
        with pytest.raises(VaultDamaged):
            restore(vault, left.put(bytes(data)), PASSPHRASE)
        assert vault.read_bytes() == left.first
        assert [each.name for each in tmp_path.iterdir()] == ["diary.ricordo"]
    note(TABLE, "changed backups, then restored", len(spoilt), "each refused, nothing touched", kept=True)
