"""What is almost right: JSON with a part replaced by something odd, doubled or left out; bytes cut, changed, swollen."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 2**63, -(2**63) - 1, 2**64, 10**400, float("inf"), float("nan"), 1e308),
    *(
        "",
        " ",
        "\ud800",
        "\udc00x",
        "\x00",
        "a\x00b",
        "\ufeff",
        "\u202e",
        "🧑\u200d🚒",
        "\n\r\u2028",
        "x" * 5000,
        "9" * 5000,
        "²³",
        "٣",
        "-1",
        "1e999",
    ),
    *("2026-13-45", "0000-00-00T00:00:00Z", "9999-12-31T23:59:59Z", "../../etc/passwd", "<script>", '"', "\\"),
    *("'; drop table messages; --", "NEAR(a b)", '"unbalanced', "words:x OR *"),
    *([], {}, [None], [[]], [{}], {"": ""}, {"a": None}, {"text": {"text": "deep"}}, [1, "a", None, {}]),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each part of a value."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


def mutated(value: Any, chance: random.Random) -> Any:
    """Return a value with one to three parts replaced, doubled, left out or nested deep."""
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        *above, last = chance.choice([way for way in places(value) if way] or [(None,)])
        if last is None:
            return copy.deepcopy(chance.choice(ODD))
        inside = value
        for key in above:
            inside = inside[key]
        match chance.randrange(8):
            case 0:
                del inside[last]
            case 1 if isinstance(inside, list):
                inside.insert(last, copy.deepcopy(inside[last]))
            case 2:
                inside[last] = [inside[last]]
            case 3:
                inside[last] = {"text": inside[last]}
            case 4 if isinstance(inside[last], str):
                inside[last] = chance.choice(
                    ["", inside[last] * 50, inside[last][::-1], f"{inside[last]}\ud800", inside[last].upper()]
                )
            case _:
                inside[last] = copy.deepcopy(chance.choice(ODD))
        if not value:
            return value
    return value


def written(value: Any, chance: random.Random) -> bytes:
    """Return JSON as some program writes it: escaped or not, with half of a character where it holds one."""
    return json.dumps(value, ensure_ascii=chance.random() < 0.5).encode("utf-8", chance.choice(["surrogatepass", "replace"]))


def damaged(raw: bytes, chance: random.Random) -> bytes:
    """Return bytes with some cut out, changed or put in."""
    start = chance.randrange(len(raw) + 1)
    stop = chance.choice([start, min(len(raw), start + chance.randint(1, 40)), len(raw)])
    return (
        raw[:start] + chance.choice([b"", b"\x00", b"\xff\xfe", b"[" * 5000, b'"', b"}", b"\\", chance.randbytes(8)]) + raw[stop:]
    )


def cut(raw: bytes, chance: random.Random) -> tuple[bytes, ...]:
    """Return bytes in pieces, cut anywhere."""
    cuts = sorted(chance.randrange(len(raw) + 1) for _ in range(chance.choice([0, 1, 3, 12])))
    pieces = [raw[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    return tuple(piece for piece in pieces if piece)
