"""Imports that do not come to their end: what was stored stays, and the next run brings the rest."""

import asyncio
import pathlib
import random
import subprocess
import sys
import time

import pytest

from ricordo.errors import StorageFull
from ricordo.store import messages
from ricordo.store.connection import Database
from ricordo.transfer import diary
from tests.transfer.shelf import LOW, PASSPHRASE, bring, entries, titles, write_lines

pytestmark = pytest.mark.slow


@pytest.mark.req("I6", "X3")
def test_a_full_disk_keeps_the_batches_before(vault: Database, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second run brings the rest."""
    rows: list[tuple[str | None, str]] = [("2024-05-03", f"Entry {n}.") for n in range(1200)]
    path = write_lines(tmp_path / "d.jsonl", rows)
    store, calls = messages.insert, []

    def full(*args: object, **options: object) -> object:
        calls.append(args)
        if len(calls) == 2:
            raise StorageFull("The disk is full.")
        return store(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(messages, "insert", full)
    with pytest.raises(StorageFull):
        bring(vault, path)
    done = bring(vault, path)
    assert (done.already_there, done.messages) == (diary.BATCH, 700)


@pytest.mark.req("I6", "V4")
def test_an_import_that_is_killed_again_and_again_ends_complete_and_without_doubles(tmp_path: pathlib.Path) -> None:
    """Ten children die at random moments, each where the last one left off; then one run brings the rest."""
    rng = random.Random(20241129)
    rows: list[tuple[str | None, str]] = [
        (f"{1660 + n // 365}-01-{n % 28 + 1:02}", f"Entry {n % 5000}: " + "and so to bed. " * rng.randint(1, 40))
        for n in range(12_000)
    ]
    path = write_lines(tmp_path / "d.jsonl", rows)
    made, _ = Database.create(tmp_path / "v.ricordo", PASSPHRASE, cost=LOW)
    asyncio.run(made.close())
    counts = [0]
    for _ in range(10):
        command = [sys.executable, "-W", "error", "-m", "tests.transfer.importer", str(made.path), str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=pathlib.Path(__file__).parents[2]) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == b"open\n"
            time.sleep(rng.uniform(0, 0.25))  # not waiting for anything: this is the random moment
            child.kill()
        opened = Database.open(made.path, PASSPHRASE)
        counts.append(len(entries(opened)))
        asyncio.run(opened.close())
    assert counts == sorted(counts)
    assert counts[-1] > 0
    assert all(count % diary.BATCH == 0 for count in counts)
    opened = Database.open(made.path, PASSPHRASE)
    done = bring(opened, path)
    assert done.already_there == counts[-1]
    assert done.already_there + done.messages == len(rows)
    assert sorted(entries(opened)) == sorted((f"{day} 12:00", text) for day, text in rows)
    assert titles(opened) == ["Diary: d"]
    asyncio.run(opened.close())
