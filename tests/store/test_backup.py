"""Backups: whole, encrypted, of one moment, checked before they are trusted."""

import asyncio
import pathlib
import stat

import apsw
import pytest

from ricordo.errors import InvalidInput, VaultDamaged, VaultExists, VaultInUse, VaultMissing, WrongPassphrase
from ricordo.store import schema
from ricordo.store.backup import verify
from ricordo.store.connection import Database
from ricordo.store.header import FRONT_BYTES
from tests.store.box import LOW, PASSPHRASE, child, end, line, new_vault, read_back, said, say, shut


@pytest.mark.req("V5")
def test_a_copy_opens_with_the_same_secrets_and_holds_the_same(tmp_path: pathlib.Path) -> None:
    """For its owner alone, without leftovers, while the vault goes on."""
    vault, recovery = new_vault(tmp_path / "diary.ricordo")
    target = tmp_path / "backup.ricordo"
    told: list[tuple[int, int]] = []

    async def story() -> None:
        await say(vault, "In the backup.")
        await vault.copy_to(target, lambda done, total: told.append((done, total)))
        await say(vault, "After the backup.")
        assert await vault.read(said) == ["In the backup.", "After the backup."]
        await vault.close()

    asyncio.run(story())
    assert verify(target, PASSPHRASE) == verify(target, recovery) == len(schema.MIGRATIONS)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.ricordo", "diary.ricordo"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert asyncio.run(read_back(target)) == ["In the backup."]
    done, total = told[-1]
    assert done == total > 0


@pytest.mark.req("V5")
def test_a_copy_made_beside_writes_is_of_one_moment(tmp_path: pathlib.Path) -> None:
    """Two rows that change together are never seen apart, however much is written meanwhile."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")

    def both(connection: apsw.Connection) -> None:
        for name in ("left", "right"):
            connection.execute("insert into settings values (?, 1) on conflict (name) do update set value = value + 1", (name,))

    def fill(connection: apsw.Connection) -> None:
        for number in range(300):
            connection.execute("insert into settings values (?, hex(randomblob(50000)))", (f"filling {number}",))

    async def story() -> int:
        await vault.write(fill)
        copied = asyncio.Event()

        async def go_on_writing() -> int:
            count = 0
            while not copied.is_set():
                await vault.write(both)
                count += 1
            return count

        writing = asyncio.create_task(go_on_writing())
        await vault.copy_to(tmp_path / "backup.ricordo", lambda done, total: steps.append(done))
        copied.set()
        await writing
        await vault.close()
        return writing.result()

    steps: list[int] = []
    assert asyncio.run(story()) > 3
    assert len(steps) > 3
    verify(tmp_path / "backup.ricordo", PASSPHRASE)
    copy = Database.open(tmp_path / "backup.ricordo", PASSPHRASE)
    query = "select count(*), min(value) = max(value) from settings where name in ('left', 'right')"
    assert asyncio.run(copy.read(lambda connection: connection.execute(query).fetchone())) in ((2, 1), (0, None))
    shut(copy)


@pytest.mark.req("V5")
def test_a_copy_never_writes_over_anything(tmp_path: pathlib.Path) -> None:
    """Least of all over the vault itself."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")
    (tmp_path / "letter").write_text("precious")
    with pytest.raises(VaultInUse):
        asyncio.run(vault.copy_to(tmp_path / "diary.ricordo"))
    with pytest.raises(VaultExists, match="Choose another name"):
        asyncio.run(vault.copy_to(tmp_path / "letter"))
    shut(vault)
    assert (tmp_path / "letter").read_text() == "precious"
    verify(tmp_path / "diary.ricordo", PASSPHRASE)


@pytest.mark.req("V5")
def test_two_copies_to_the_same_name_do_not_meet(tmp_path: pathlib.Path) -> None:
    """One is written whole; the other is told that it is being written, or is there."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")
    target = tmp_path / "copy.ricordo"

    async def story() -> list[BaseException | None]:
        await say(vault, "Once. " * 100_000)
        results = await asyncio.gather(vault.copy_to(target), vault.copy_to(target), return_exceptions=True)
        await vault.close()
        return results

    results = asyncio.run(story())
    assert results.count(None) == 1
    assert all(result is None or isinstance(result, VaultInUse | VaultExists) for result in results)
    verify(target, PASSPHRASE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.ricordo", "diary.ricordo"]


@pytest.mark.req("V2", "V5")
def test_an_old_copy_keeps_its_old_passphrase(tmp_path: pathlib.Path) -> None:
    """A copy made after the change has the new one."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")

    async def story() -> None:
        await vault.copy_to(tmp_path / "old")
        await vault.change_passphrase(PASSPHRASE, "new one", cost=LOW)
        await vault.copy_to(tmp_path / "new")
        await vault.close()

    asyncio.run(story())
    verify(tmp_path / "old", PASSPHRASE)
    verify(tmp_path / "new", "new one")
    with pytest.raises(WrongPassphrase):
        verify(tmp_path / "new", PASSPHRASE)


@pytest.mark.req("V5")
def test_a_check_changes_nothing_and_finds_a_single_flipped_bit_anywhere(tmp_path: pathlib.Path) -> None:
    """In the first page, in the middle, in the last, and where pages are missing."""
    vault, _ = new_vault(tmp_path / "diary.ricordo")
    asyncio.run(say(vault, *(f"Line {number} about the harbour and the sea." for number in range(200))))
    shut(vault)
    whole = (tmp_path / "diary.ricordo").read_bytes()
    copy = tmp_path / "copy.ricordo"
    for place in (FRONT_BYTES + 50, FRONT_BYTES + 3000, len(whole) // 2, len(whole) - 10):
        broken = bytearray(whole)
        broken[place] ^= 1
        copy.write_bytes(broken)
        with pytest.raises(VaultDamaged):
            verify(copy, PASSPHRASE)
        assert copy.read_bytes() == broken
    for length in (FRONT_BYTES, FRONT_BYTES + 4096, len(whole) - 4096):
        copy.write_bytes(whole[:length])
        with pytest.raises(VaultDamaged):
            verify(copy, PASSPHRASE)
    copy.write_bytes(whole)
    verify(copy, PASSPHRASE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.ricordo", "diary.ricordo"]


@pytest.mark.req("V5")
def test_a_check_needs_a_file_that_is_closed(tmp_path: pathlib.Path) -> None:
    """Missing, in use here, in use elsewhere, cut off in use: each says what to do."""
    path = tmp_path / "diary.ricordo"
    with pytest.raises(VaultMissing):
        verify(path, PASSPHRASE)
    vault, _ = new_vault(path)
    with pytest.raises(VaultInUse):
        verify(path, PASSPHRASE)
    asyncio.run(say(vault, "In the journal."))
    with pytest.raises(InvalidInput, match="Open it once"):
        verify(path, PASSPHRASE)
    shut(vault)
    other = child("owner", str(path), PASSPHRASE, "ricordo serve")
    try:
        assert line(other) == "open"
        with pytest.raises(VaultInUse, match="ricordo serve"):
            verify(path, PASSPHRASE)
    finally:
        end(other)
    verify(path, PASSPHRASE)
