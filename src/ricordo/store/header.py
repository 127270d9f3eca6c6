"""The 8 KiB in front of the database: which vault, which cipher, the key slots. Two copies; the newest valid one counts.

Copies are written one at a time, never both unsynced, so a torn write leaves the other. The first 28 bytes of a copy
(magic, format, generation, length, checksum) stay as they are in every format to come.
"""

from __future__ import annotations

import base64
import json
import struct
import zlib
from dataclasses import dataclass, replace
from typing import Any, assert_never

from ricordo.errors import InvalidInput, VaultDamaged, VaultTooNew
from ricordo.store.keys import (
    NONCE_BYTES,
    SALT_BYTES,
    WRAPPED_BYTES,
    KdfCost,
    PassphraseSlot,
    RecoverySlot,
    Slot,
)

FORMAT = 1
COPY_BYTES = 4096
FRONT_BYTES = 2 * COPY_BYTES
CIPHERS = ("chacha20", "aegis")  # SQLite3MultipleCiphers' names; nothing else ever reaches a pragma
_MAGIC = b"RICORDO\0"
_FIXED = struct.Struct("<8sIQII")  # magic, format, generation, length, checksum
_SPARE = "Restore your latest backup; the damaged file stays where it is."


@dataclass(frozen=True, slots=True)
class Header:
    """What stands in front of the database. `generation` grows by one with each copy written."""

    vault: str
    cipher: str
    slots: tuple[Slot, ...]
    generation: int = 0

    @property
    def context(self) -> bytes:
        """What the slots are bound to, besides their own parameters."""
        return json.dumps([self.vault, FORMAT, self.cipher]).encode()

    def next(self) -> Header:
        """Return the same content for the next copy to be written."""
        return replace(self, generation=self.generation + 1)

    @property
    def offset(self) -> int:
        """Where in the file a copy of this generation stands: in turn, so that it never replaces the newest."""
        return self.generation % 2 * COPY_BYTES

    def encoded(self) -> bytes:
        """Return one copy, 4 KiB."""
        content = {"vault": self.vault, "cipher": self.cipher, "slots": [_slot_as_data(slot) for slot in self.slots]}
        payload = json.dumps(content).encode()
        fixed = _FIXED.pack(_MAGIC, FORMAT, self.generation, len(payload), _checksum(FORMAT, self.generation, payload))
        copy = fixed + payload
        assert len(copy) <= COPY_BYTES, "a vault has two or three slots of 250 bytes"
        return copy.ljust(COPY_BYTES, b"\0")


@dataclass(frozen=True, slots=True)
class Front:
    """The header as read; `behind` when the other copy is torn or older than it should be."""

    header: Header
    behind: bool


def first_front(header: Header) -> tuple[Header, bytes]:
    """Return a new vault's header as it stands after both copies are written, and its 8 KiB."""
    one, two = header.next(), header.next().next()
    return two, two.encoded() + one.encoded()


def read_front(path: str) -> Front:
    """Read the header of a file that SQLite does not have open: closing a second descriptor would drop its locks.

    Raises VaultTooNew, VaultDamaged, and InvalidInput for what never was a vault.
    """
    with open(path, "rb") as file:
        return parse_front(file.read(FRONT_BYTES), path)


def parse_front(data: bytes, path: str) -> Front:
    """Choose the newest valid copy among the first 8 KiB of a file; `path` is for the error's sentence."""
    copies = [data[start : start + COPY_BYTES] for start in range(0, FRONT_BYTES, COPY_BYTES)]
    headers = [_parse(copy, path) for copy in copies]
    valid = [header for place, header in enumerate(headers) if header is not None and header.offset == place * COPY_BYTES]
    if not valid:
        raise _unreadable(data, path)
    newest = max(valid, key=lambda header: header.generation)
    whole = len(valid) == 2 and valid[0].slots == valid[1].slots
    return Front(newest, behind=not whole)


def _unreadable(data: bytes, path: str) -> Exception:
    if not data:
        return VaultDamaged(f"{path} is empty. {_SPARE}")
    if data.startswith(b"SQLite format 3\0"):
        return InvalidInput(f"{path} is an ordinary SQLite database, not a vault. Choose another file.")
    if _MAGIC in (data[: len(_MAGIC)], data[COPY_BYTES : COPY_BYTES + len(_MAGIC)]):
        return VaultDamaged(f"Both copies of the key slots in {path} are damaged, so nothing can open it. {_SPARE}")
    return VaultDamaged(f"{path} is not a vault, or its beginning was overwritten. If it was one: {_SPARE.lower()}")


def _parse(copy: bytes, path: str) -> Header | None:
    """Return the header of one copy, None when it is torn or no copy at all."""
    if len(copy) < _FIXED.size:
        return None
    magic, version, generation, length, checksum = _FIXED.unpack_from(copy)
    payload = copy[_FIXED.size : _FIXED.size + length]
    if magic != _MAGIC or len(payload) != length or checksum != _checksum(version, generation, payload):
        return None
    if version > FORMAT:
        raise VaultTooNew(
            f"{path} was written by a newer Ricordo (its file format is {version}, this one knows {FORMAT}). "
            "Install the newest Ricordo to open it; nothing was changed."
        )
    try:
        content = json.loads(payload)
        slots = tuple(_slot_from_data(slot) for slot in content["slots"])
        if not slots or len({type(slot) for slot in slots}) < len(slots):  # each more would cost one more derivation
            raise ValueError("slots")
        if content["cipher"] not in CIPHERS or generation >= 1 << 63:
            raise ValueError("cipher or generation")
        return Header(str(content["vault"]), content["cipher"], slots, generation)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        # Its checksum is right, so it was written like this: by somebody who wants weak keys, or a very long wait.
        raise VaultDamaged(f"The key slots in {path} are not such as Ricordo writes ({error}). {_SPARE}") from error


def _checksum(version: int, generation: int, payload: bytes) -> int:
    return zlib.crc32(struct.pack("<IQ", version, generation) + payload)


def _slot_as_data(slot: Slot) -> dict[str, Any]:
    common = {"salt": _text(slot.salt), "nonce": _text(slot.nonce), "wrapped": _text(slot.wrapped)}
    match slot:
        case PassphraseSlot(cost):
            numbers = {"memory_kib": cost.memory_kib, "passes": cost.passes, "lanes": cost.lanes}
            return {"kind": "passphrase", "kdf": "argon2id", **numbers, **common}
        case RecoverySlot():
            return {"kind": "recovery", "kdf": "hkdf-sha256", **common}
        case _:
            assert_never(slot)


def _slot_from_data(data: dict[str, Any]) -> Slot:
    salt = _bytes(data["salt"], SALT_BYTES)
    nonce = _bytes(data["nonce"], NONCE_BYTES)
    wrapped = _bytes(data["wrapped"], WRAPPED_BYTES)
    match data["kind"], data["kdf"]:
        case "passphrase", "argon2id":
            return PassphraseSlot(KdfCost(data["memory_kib"], data["passes"], data["lanes"]), salt, nonce, wrapped)
        case "recovery", "hkdf-sha256":
            return RecoverySlot(salt, nonce, wrapped)
        case kind:
            raise ValueError(f"unknown slot {kind}")


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _bytes(text: str, length: int) -> bytes:
    value = base64.b64decode(text, validate=True)
    if len(value) != length:
        raise ValueError(f"{len(value)} bytes where {length} belong")
    return value
