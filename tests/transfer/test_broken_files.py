"""Files that are broken, odd or something else: a sentence or a part that is named, never a trace, and nothing half-imported."""

import asyncio
import copy
import io
import json
import pathlib
import tempfile
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some

from ricordo.errors import ImportFailed, InvalidInput
from ricordo.store.connection import Database
from ricordo.transfer import importing, json_stream, kinds, whole
from ricordo.transfer.source import Upload
from ricordo.vault import AsyncVault
from tests import filled
from tests.transfer import files
from tests.transfer.shelf import LOW, NOW, PASSPHRASE, ROME
from tests.vaults import with_vault

JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
EXPORTS: dict[str, Any] = {
    "chatgpt": [files.simple("one", "Hello", "Hi", "And now?"), files.simple("two", "Ünïcode 日記")],
    "claude": [files.claude("one", ("human", "Hello"), ("assistant", "Hi")), files.claude("two", ("human", "Ünïcode 日記"))],
    "dayone": files.journal(files.entry("E1", "Rain.", tags=["a"], photos=[{"identifier": "A"}]), files.entry("E2", "Sun 日記.")),
}
KINDS = sorted(EXPORTS)


@pytest.fixture(scope="module")
def vault() -> Iterator[Database]:
    """A vault that takes whatever comes."""
    with tempfile.TemporaryDirectory() as folder:
        made, _ = Database.create(pathlib.Path(folder) / "v.ricordo", PASSPHRASE, cost=LOW)
        yield made
        asyncio.run(made.close())


def take(vault: Database, source: Upload, as_: str) -> None:
    """Import something; only what is meant for the person may be raised, and then nothing came."""
    before = count(vault)
    try:
        asyncio.run(importing.bring(vault, source, kinds.recognise(source, as_), zone=ROME, now=NOW))
    except ImportFailed as error:
        assert str(error).endswith(".") and "Traceback" not in str(error)
        assert count(vault) == before


def count(vault: Database) -> int:
    """Return how many messages and conversations there are."""
    sql = "select (select count(*) from messages) + (select count(*) from conversations)"
    return asyncio.run(vault.read(lambda c: int(c.execute(sql).get)))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each part of a value."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


@pytest.mark.req("I6")
@pytest.mark.parametrize("kind", KINDS)
@given(data=some.data())
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_part_of_an_export_may_be_anything(vault: Database, kind: str, data: some.DataObject) -> None:
    """A field, a message, a list replaced by whatever JSON can hold."""
    value = copy.deepcopy(EXPORTS[kind])
    for _ in range(data.draw(some.integers(1, 3))):
        path = data.draw(some.sampled_from(list(places(value))))
        odd = data.draw(JSON)
        if not path:
            value = odd
            break
        inside = value
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = odd
    take(vault, Upload("x.json", (("x.json", json.dumps(value).encode()),)), kind)


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """An export of Ricordo with a little of everything."""

    async def out(vault: AsyncVault) -> bytes:
        await filled.fill(vault)
        return b"".join([piece async for piece in vault.data.json()])

    return dict(json.loads(with_vault(tmp_path_factory.mktemp("whole"), out, filled.model())))


@pytest.mark.req("I6", "V5")
@given(data=some.data())
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_part_of_an_export_of_ricordo_may_be_anything(vault: Database, export: dict[str, Any], data: some.DataObject) -> None:
    """Then all of it comes in, or nothing, beside what is there."""
    value = copy.deepcopy(export)
    path = data.draw(some.sampled_from([way for way in places(value) if way]))
    inside: Any = value
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = data.draw(JSON)
    source = Upload("x.json", (("x.json", json.dumps(value).encode()),))
    before = count(vault)
    try:
        asyncio.run(whole.bring(vault, source, kinds.recognise(source, "ricordo"), NOW))
    except ImportFailed as error:
        assert str(error).endswith(".")
        assert count(vault) == before


@pytest.mark.req("I6")
@pytest.mark.parametrize("kind", KINDS)
@given(data=some.data())
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bytes_may_be_missing_changed_or_too_many(vault: Database, kind: str, data: some.DataObject) -> None:
    """In the file itself, and in a zip around it."""
    raw = json.dumps(EXPORTS[kind], ensure_ascii=False).encode()
    if data.draw(some.booleans()):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("conversations.json", raw)
        raw = packed.getvalue()
    start = data.draw(some.integers(0, len(raw)))
    stop = data.draw(some.integers(start, len(raw)))
    changed = raw[:start] + data.draw(some.binary(max_size=8)) + raw[stop:]
    take(vault, Upload("x.json", (("x.json", changed),)), kind)


@pytest.mark.req("I6")
@given(
    name=some.sampled_from(["a.md", "2024-05-03.md", "b.txt"]),
    text=some.binary(max_size=200) | some.text(max_size=200).map(str.encode),
)
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_note_may_hold_anything(vault: Database, name: str, text: bytes) -> None:
    """Any bytes, with dashes ahead or without."""
    take(vault, Upload("notes", ((f"notes/{name}", text), ("notes/head.md", b"---\n" + text + b"\n---\nx"))), "markdown")


@pytest.mark.req("I6", "V1")
@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("conversations.json", b"", "nothing"),
        ("conversations.json", b"[]", "ChatGPT"),
        ("conversations.json", b"<html>", "not JSON"),
        ("conversations.json", b'[{"mapping": {}}, {"mapp', "cut off"),
        ("conversations.json", b'[{"mapping": {}} {"mapping": {}}]', "comma"),
        ("conversations.json", b'[{"mapping": {}}]\xff', "UTF-8"),
        ("conversations.json", b'[{"mapping": {}}] x', "follows its end"),
        ("conversations.json", b"[" * 100_000, "nested"),
        ("conversations.zip", b"PK\x03\x04 and no more", "cannot be read"),
        ("user.json", b'{"id": 1}', "ChatGPT"),
    ],
)
def test_what_is_no_export_ends_in_a_sentence(tmp_path: pathlib.Path, name: str, data: bytes, said: str) -> None:
    """Each says what is wrong and what to do; nothing is stored, no import is listed."""
    source = tmp_path / name
    source.write_bytes(data)

    async def work(vault: AsyncVault) -> None:
        with pytest.raises(ImportFailed, match=said):
            await vault.imports.bring(source, "chatgpt")
        with pytest.raises(ImportFailed):
            await vault.imports.preview(source, "chatgpt")
        assert (await vault.imports.all(), await vault.conversations.all()) == ([], [])

    with_vault(tmp_path, work)


@pytest.mark.req("I6")
def test_a_file_that_breaks_at_its_end_brings_nothing_of_its_beginning(tmp_path: pathlib.Path) -> None:
    """Although it is far larger than what is read at once."""
    whole = json.dumps([files.simple(f"{number}", "Hello " * 200, "Hi " * 200) for number in range(600)])
    source = tmp_path / "conversations.json"
    source.write_text(whole[:-5])

    async def work(vault: AsyncVault) -> None:
        with pytest.raises(ImportFailed, match="cut off"):
            await vault.imports.bring(source)
        assert await vault.conversations.all() == []
        source.write_text(whole)
        assert (await vault.imports.bring(source)).messages == 1200

    with_vault(tmp_path, work)


@pytest.mark.req("I6")
def test_a_format_that_is_not_known_and_a_conversation_for_several_are_refused(tmp_path: pathlib.Path) -> None:
    """Before anything is read or stored."""
    source = files.written(tmp_path / "conversations.json", EXPORTS["chatgpt"])

    async def work(vault: AsyncVault) -> None:
        talk = await vault.conversations.create("Mine")
        with pytest.raises(InvalidInput, match="There are: chatgpt, claude"):
            await vault.imports.bring(source, "myspace")
        with pytest.raises(InvalidInput, match="of their own"):
            await vault.imports.bring(source, conversation=talk.id)
        with pytest.raises(ImportFailed, match="an export of Claude"):
            await vault.imports.bring(source, "claude")

    with_vault(tmp_path, work)


@given(JSON, some.integers(1, 60))
@example(0.5, 1)
@example(1e300, 2)
def test_json_is_read_in_pieces_as_it_is_read_whole(value: Any, size: int) -> None:
    """Wherever the pieces end: in a number, in a letter of several bytes, in an escape."""
    text = json.dumps([value, {"a": value}], ensure_ascii=False).encode("utf-8", "surrogatepass")
    expected = json.loads(text.decode("utf-8", "surrogatepass"))
    if "\ud800" <= max(json.dumps(value, ensure_ascii=False), default="") <= "\udfff":
        return

    class Dripping(io.BytesIO):
        def read(self, _: int | None = -1, /) -> bytes:
            return super().read(size)

    found = [each.value for each in json_stream.found(Dripping(text), "x") if isinstance(each, json_stream.Element)]
    assert json.dumps(found) == json.dumps(expected)
