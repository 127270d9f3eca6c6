"""Files of every kind that can be imported, almost right: what can be read comes in, or a sentence says why nothing does."""

import io
import json
import pathlib
import random
import zipfile
from typing import Any

import pytest

from ricordo.errors import ImportFailed, InvalidInput
from ricordo.transfer.source import Upload
from ricordo.vault import AsyncVault
from tests import filled
from tests.faults import often
from tests.faults.sound import sound
from tests.fuzz.mutation import ODD, damaged, mutated, written
from tests.transfer import files
from tests.vaults import with_vault

pytestmark = [pytest.mark.slow, pytest.mark.req("I6", "X3"), pytest.mark.timeout(3600)]

TRIES = often.often(40, 1500)  # of each kind
Files = dict[str, Any]


def _chatgpt() -> Files:
    parts = {"content_type": "multimodal_text", "parts": [{"asset_pointer": "file://a", "width": 3}, "What is on this picture?"]}
    code = {"content_type": "code", "language": "python", "text": "print(1)"}
    asked = files.said("user", parts, metadata={"attachments": [{"name": "a.png", "mime_type": "image/png"}]})
    talk = files.chatgpt(
        "one",
        ("root", None, None),
        ("sys", "root", files.said("system", "", metadata={"is_visually_hidden_from_conversation": True})),
        ("q", "sys", asked),
        ("a", "q", files.said("assistant", "A harbour, with boats.", metadata={"model_slug": "m"})),
        ("b", "q", files.said("assistant", code)),
        ("t", "b", files.said("tool", "1", None, recipient="python")),
        current="a",
    )
    return {"conversations.json": [talk, files.simple("two", "Ünïcode 日記", "Ja.")], "user.json": {"id": "x"}}


def _claude() -> Files:
    page = {"file_name": "a.txt", "file_type": "txt", "extracted_content": "A page."}
    talk = files.claude("one", ("human", "Hello there"), ("assistant", "Hi"), summary="", project=None)
    talk["chat_messages"][0]["attachments"] = [page]
    talk["chat_messages"][1]["content"].append({"type": "tool_use", "name": "x", "input": {"code": "1"}})
    return {"conversations.json": [talk, files.claude("two", ("human", "日記"))], "projects.json": [{"uuid": "p"}]}


def _dayone() -> Files:
    photo = {"identifier": "A", "md5": "b", "type": "jpeg"}
    place = {"placeName": "Padua", "latitude": 45.4, "longitude": 11.9}
    one = files.entry("E1", "# Rain\n\n![](dayone-moment://A)", tags=["a"], photos=[photo], location=place, starred=True)
    return {"Journal.json": files.journal(one, files.entry("E2", "Sun 日記.", "2024-05-04T10:00:00Z", "Asia/Tokyo"))}


def _markdown() -> Files:
    head = "---\ntitle: A day\ndate: 2024-05-03\ntags: [a, b]\naliases:\n  - x\n---\n"
    body = "# Morning\n\nWalked with [[Ada|her]].\n\n- [ ] call\n\n```py\nx = 1\n```\n\n> said"
    return {
        "notes/a.md": head + body,
        "notes/2024-05-04.md": "Sun all day.",
        "notes/.obsidian/app.json": "{}",
        "notes/b.txt": "x" * 300,
    }


def _diary() -> Files:
    lines = [
        {"date": "2024-05-03", "text": "Rain."},
        {"date": "2024-05-04T10:00", "text": "Sun 日記."},
        {"date": None, "text": "x"},
    ]
    return {"d.jsonl": "\n".join(json.dumps(line) for line in lines)}


def _dated() -> Files:
    return {
        "2024-05-03.txt": "Rain.",
        "d/2024-05-04.md": "# 2024-05-04\n\nSun.\n\n## 2024-05-05 10:30\n\nFog.",
        "x.txt": "3 May 2024\n\nA",
    }


KINDS = {"chatgpt": _chatgpt, "claude": _claude, "dayone": _dayone, "markdown": _markdown, "diary": _diary, "dated": _dated}


def almost(named: Files, chance: random.Random) -> Upload:
    """Return the files with one of them almost right: open, or in a zip."""
    which = chance.choice(sorted(named))
    raw = {name: value.encode() if isinstance(value, str) else written(value, random.Random(0)) for name, value in named.items()}
    if not isinstance(named[which], str) and chance.random() < 0.8:
        raw[which] = written(mutated(named[which], chance), chance)
    elif isinstance(named[which], str) and chance.random() < 0.6:
        part = str(chance.choice([odd for odd in ODD if odd is not None])).encode("utf-8", "surrogatepass")
        at = chance.randrange(len(raw[which]) + 1)
        raw[which] = raw[which][:at] + part + raw[which][at:]
    if chance.random() < 0.4:
        raw[which] = damaged(raw[which], chance)
    if chance.random() < 0.3:
        raw[chance.choice(["a/../b.md", "x" * 200 + ".json", "💥.md", "__MACOSX/._a.json", "a.md/"])] = raw[which]
    if chance.random() < 0.4:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in raw.items():
                archive.writestr(name, data)
        data = packed.getvalue()
        return Upload("x.zip", (("x.zip", damaged(data, chance) if chance.random() < 0.3 else data),))
    return Upload("x", tuple(raw.items()))


async def took(vault: AsyncVault, source: Upload, as_: str | None, where: str) -> bool:
    """Look through and bring in; only a sentence may be raised, and then nothing came."""
    count = "select (select count(*) from messages) + (select count(*) from conversations) + (select count(*) from facts)"
    before = await vault._database.read(lambda c: c.execute(count).get)
    try:
        await vault.imports.preview(source, as_)
        await vault.imports.bring(source, as_)
    except (ImportFailed, InvalidInput) as error:
        assert str(error).rstrip().endswith("."), (where, str(error))
        str(error).encode()
        assert await vault._database.read(lambda c: c.execute(count).get) == before, where
        return False
    except Exception as error:
        raise AssertionError(f"{where}: {error!r}") from error
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_any_file_comes_in_or_a_sentence_says_why_not(tmp_path: pathlib.Path, kind: str) -> None:
    """In the end the vault is sound, and some of the files did come in."""

    async def work(vault: AsyncVault) -> None:
        chance, came = random.Random(kind), 0
        for number in range(TRIES):
            as_ = chance.choice([None, None, kind if kind != "dated" else "diary"])
            came += await took(vault, almost(KINDS[kind](), chance), as_, f"{kind} {number}")
        assert came
        await sound(vault._database)

    with_vault(tmp_path, work)
    often.told(f"files to import ({kind})", TRIES, "in, or a sentence")


@pytest.mark.req("V5")
def test_any_export_of_ricordo_comes_in_or_a_sentence_says_why_not(tmp_path: pathlib.Path) -> None:
    """Whole or not at all."""

    async def out(vault: AsyncVault) -> Any:
        await filled.fill(vault)
        return json.loads(b"".join([piece async for piece in vault.data.json()]))

    async def work(vault: AsyncVault) -> None:
        chance = random.Random(9)
        for number in range(TRIES):
            raw = written(mutated(export, chance), chance)
            raw = damaged(raw, chance) if chance.random() < 0.2 else raw
            await took(vault, Upload("x.json", (("x.json", raw),)), chance.choice([None, "ricordo"]), f"ricordo {number}")
        await sound(vault._database)

    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    export = with_vault(tmp_path / "one", out, filled.model())
    with_vault(tmp_path / "other", work)
    often.told("files to import (ricordo)", TRIES, "in whole, or a sentence")
