"""The header: two copies, of which one always survives, and nothing in them is believed unchecked."""

import json
import pathlib
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.errors import InvalidInput, VaultDamaged, VaultTooNew, WrongPassphrase
from ricordo.store import keys
from ricordo.store.header import COPY_BYTES, FRONT_BYTES, Header, first_front, parse_front, read_front
from tests.store.box import LOW

DATA_KEY = keys.new_data_key()


def header(passphrase: str = "old") -> Header:
    bare = Header("ab" * 16, "chacha20", ())
    return replace(bare, slots=(keys.wrap_with_passphrase(DATA_KEY, passphrase, LOW, bare.context),))


OLD, FRONT = first_front(header())
NEW = replace(OLD, slots=header("new").slots)


def forged(change: Callable[[dict[str, Any]], None], version: int = 1) -> bytes:
    """Return a front with a right checksum over content that Ricordo would not write."""
    copies = []
    for generation in (2, 1):
        length = struct.unpack_from("<I", FRONT, 20)[0]
        content = json.loads(FRONT[28 : 28 + length])
        change(content)
        payload = json.dumps(content).encode()
        checksum = zlib.crc32(struct.pack("<IQ", version, generation) + payload)
        fixed = struct.pack("<8sIQII", b"RICORDO\0", version, generation, len(payload), checksum)
        copies.append((fixed + payload).ljust(COPY_BYTES, b"\0"))
    return b"".join(copies)


@pytest.mark.req("V2")
def test_a_new_front_is_two_whole_copies() -> None:
    """It fills its 8 KiB and reads back as it was written."""
    front = parse_front(FRONT, "x")
    assert len(FRONT) == FRONT_BYTES
    assert front.header == OLD
    assert not front.behind


@pytest.mark.req("V2", "V4")
@pytest.mark.parametrize("written", range(0, COPY_BYTES + 1, 512))
@pytest.mark.parametrize("step", [1, 2])
def test_a_write_torn_anywhere_leaves_a_whole_copy(step: int, written: int) -> None:
    """At each sector of either write the vault opens: with the old slots until the first copy is whole, then the new."""
    front = bytearray(FRONT)
    first, second = NEW.next(), NEW.next().next()
    if step == 2:
        front[first.offset : first.offset + COPY_BYTES] = first.encoded()
    torn = first if step == 1 else second
    front[torn.offset : torn.offset + written] = torn.encoded()[:written]
    found = parse_front(bytes(front), "x")
    longest = 28 + struct.unpack_from("<I", torn.encoded(), 20)[0]
    whole = step == 2 or written >= longest
    assert found.header.slots == (NEW.slots if whole else OLD.slots)
    assert found.behind == (not (step == 2 and written >= longest) and (step == 2 or written > 0))


@pytest.mark.req("V4", "V2")
@given(place=st.integers(0, 27 + struct.unpack_from("<I", FRONT, 20)[0]), bit=st.integers(0, 7), copy=st.sampled_from([0, 1]))
def test_a_flipped_bit_in_one_copy_is_noticed_and_harmless(place: int, bit: int, copy: int) -> None:
    """The other copy is taken, and the damaged one is known to want writing."""
    front = bytearray(FRONT)
    front[copy * COPY_BYTES + place] ^= 1 << bit
    found = parse_front(bytes(front), "x")
    assert found.behind
    assert found.header.slots == OLD.slots


@pytest.mark.req("V5")
def test_with_both_copies_damaged_the_person_is_told_to_restore(tmp_path: pathlib.Path) -> None:
    """Nothing can open it, and the sentence says what can be done."""
    front = bytearray(FRONT)
    front[100] ^= 1
    front[COPY_BYTES + 100] ^= 1
    (tmp_path / "v").write_bytes(front)
    with pytest.raises(VaultDamaged, match=r"Restore your latest backup"):
        read_front(str(tmp_path / "v"))


@pytest.mark.req("V7")
def test_a_newer_format_is_refused_by_name() -> None:
    """It says that the program is too old, not that the file is broken."""
    with pytest.raises(VaultTooNew, match="file format is 2"):
        parse_front(forged(lambda content: None, version=2), "x")


def weaker(content: dict[str, Any]) -> None:
    content["slots"][0].update(memory_kib=8, passes=1, lanes=1)


def endless(content: dict[str, Any]) -> None:
    content["slots"][0].update(memory_kib=1 << 31, passes=1 << 20)


def another_cipher(content: dict[str, Any]) -> None:
    content["cipher"] = "chacha20'; drop table messages; --"


def another_kind(content: dict[str, Any]) -> None:
    content["slots"][0]["kind"] = "none"


def short_nonce(content: dict[str, Any]) -> None:
    content["slots"][0]["nonce"] = "AAAA"


def no_slots(content: dict[str, Any]) -> None:
    content["slots"] = []


def a_slot_twice(content: dict[str, Any]) -> None:
    content["slots"] += content["slots"][:1]


def dear(content: dict[str, Any]) -> None:
    content["slots"][0].update(memory_kib=4_194_304, passes=16)


def one_pass(content: dict[str, Any]) -> None:
    content["slots"][0].update(memory_kib=19_456, passes=1)


def another_derivation(content: dict[str, Any]) -> None:
    content["slots"][0]["kdf"] = "pbkdf2"


def no_number(content: dict[str, Any]) -> None:
    content["slots"][0].update(passes=3.0, lanes=True)


@pytest.mark.req("V2")
@pytest.mark.parametrize(
    "change",
    [
        weaker, endless, dear, one_pass, no_number, another_derivation, another_cipher, another_kind, short_nonce,
        no_slots, a_slot_twice, dict.clear,
    ],
)  # fmt: skip
def test_a_header_with_a_right_checksum_is_still_not_believed(change: Callable[[dict[str, Any]], None]) -> None:
    """Weak keys, an endless derivation, a pragma in the cipher's name: refused before anything is tried."""
    with pytest.raises(VaultDamaged, match="not such as Ricordo writes"):
        parse_front(forged(change), "x")


@pytest.mark.req("V2")
def test_no_cheaper_parameters_within_the_bounds_help_a_guesser() -> None:
    """With the least that is believed written into both copies the right passphrase opens nothing: they are sealed in."""
    for memory, passes, lanes in ((38_912, 1, 1), (19_456, 2, 2), (65_536, 3, 4)):
        front = forged(lambda content, new=(memory, passes, lanes): content["slots"][0].update(  # type: ignore[misc]
            zip(("memory_kib", "passes", "lanes"), new, strict=True)))  # fmt: skip
        read = parse_front(front, "x").header
        with pytest.raises(WrongPassphrase):
            keys.unwrap(read.slots, "old", read.context)
    plain = parse_front(forged(lambda content: None), "x").header
    assert keys.unwrap(plain.slots, "old", plain.context) == DATA_KEY


@pytest.mark.req("V2")
@pytest.mark.parametrize("payload", [b"[" * 4000, b"null", b"[]", b'{"slots": 3}', b'{"slots": [null]}', b"\xff", b""])
def test_no_content_of_a_header_crashes_the_reader(payload: bytes) -> None:
    """Whatever stands there under a right checksum, the answer is a sentence."""
    checksum = zlib.crc32(struct.pack("<IQ", 1, 2) + payload)
    copy = struct.pack("<8sIQII", b"RICORDO\0", 1, 2, len(payload), checksum) + payload
    with pytest.raises(VaultDamaged, match="not such as Ricordo writes"):
        parse_front(copy, "x")


@pytest.mark.req("X3")
@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (b"", VaultDamaged, "is empty"),
        (b"Dear diary, " * 2000, VaultDamaged, "not a vault"),
        (b"SQLite format 3\0".ljust(9000, b"\0"), InvalidInput, "ordinary SQLite"),
        (FRONT[:100], VaultDamaged, "Restore"),
        (bytes(FRONT_BYTES), VaultDamaged, "not a vault"),
    ],
    ids=["empty", "a text", "another database", "a cut front", "nothing but zeros"],
)
def test_what_is_no_vault_is_called_what_it_is(content: bytes, error: type[Exception], words: str) -> None:
    """Empty, text, a plain database, cut off, zeros: each a sentence."""
    with pytest.raises(error, match=words):
        parse_front(content, "x")


@given(st.binary(max_size=FRONT_BYTES + 10))
def test_any_bytes_are_read_without_a_crash(noise: bytes) -> None:
    """Noise is refused with a sentence, whatever it is."""
    with pytest.raises((VaultDamaged, InvalidInput)):
        parse_front(noise, "x")
