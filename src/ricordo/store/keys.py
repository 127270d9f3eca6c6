"""From a passphrase or a recovery key to the data key, which is random; a slot holds it wrapped, and can be replaced alone.

Secrets live in bytearrays and are overwritten after use; Python and the libraries below may still have made copies.
"""

from __future__ import annotations

import json
import os
import secrets
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from argon2.exceptions import HashingError
from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ricordo.errors import InvalidInput, VaultError, WrongPassphrase

KEY_BYTES = 32
SALT_BYTES = 16
NONCE_BYTES = 12
WRAPPED_BYTES = KEY_BYTES + 16
_RECOVERY_BYTES = 20
_RECOVERY_PURPOSE = b"ricordo recovery key"
# Crockford's base 32: no I, L, O, U. https://www.crockford.com/base32.html
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_FORGIVEN = str.maketrans({"O": "0", "I": "1", "L": "1"})
_MOST_WORK_KIB = 8 << 20  # memory times passes: ten times what a vault is made with


@dataclass(frozen=True, slots=True)
class KdfCost:
    """What one guess of a passphrase costs: Argon2id's memory in KiB, passes over it, lanes.

    Raises ValueError outside the bounds: below, OWASP's least for Argon2id; above, so that a file made by a stranger
    cannot keep a computer busy for longer than ten seconds or so.
    """

    memory_kib: int = 262_144
    passes: int = 3
    lanes: int = 4

    def __post_init__(self) -> None:
        for name, low, high in (("memory_kib", 19_456, 4_194_304), ("passes", 1, 16), ("lanes", 1, 16)):
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise ValueError(f"{name} is {value!r}, outside {low} to {high}")
        if self.memory_kib * self.passes < 2 * 19_456:
            raise ValueError("one pass needs at least 38912 KiB")
        if self.memory_kib * self.passes > _MOST_WORK_KIB:
            raise ValueError(f"{self.passes} passes over {self.memory_kib} KiB are more than anybody waits for")

    @classmethod
    def for_this_machine(cls) -> KdfCost:
        """Return the usual cost (0.5 s on two cores), with 64 MiB where there are less than 2 GiB of memory."""
        memory = _memory_of_this_machine()
        return cls(memory_kib=65_536) if memory is not None and memory < 2 << 30 else cls()


@dataclass(frozen=True, slots=True)
class PassphraseSlot:
    """The data key wrapped under a passphrase."""

    cost: KdfCost
    salt: bytes
    nonce: bytes
    wrapped: bytes


@dataclass(frozen=True, slots=True)
class RecoverySlot:
    """The data key wrapped under the recovery key."""

    salt: bytes
    nonce: bytes
    wrapped: bytes


Slot = PassphraseSlot | RecoverySlot


def wipe(secret: bytearray) -> None:
    """Overwrite a secret with zeros, in place."""
    secret[:] = bytes(len(secret))


def new_data_key() -> bytearray:
    """Return 32 random bytes."""
    return bytearray(secrets.token_bytes(KEY_BYTES))


def new_recovery_key() -> str:
    """Return 160 random bits as eight groups of four letters and digits, to be shown once and written down."""
    number = secrets.randbits(_RECOVERY_BYTES * 8)
    digits = "".join(_ALPHABET[number >> shift & 31] for shift in range(_RECOVERY_BYTES * 8 - 5, -1, -5))
    return "-".join(digits[start : start + 4] for start in range(0, len(digits), 4))


def read_recovery_key(text: str) -> bytearray | None:
    """Return the bytes of a recovery key, or None where the text is none.

    Case, spaces and dashes do not count; O is read as 0, I and L as 1.
    """
    plain = unicodedata.normalize("NFKC", text).upper().translate(_FORGIVEN)
    digits = "".join(letter for letter in plain if not letter.isspace() and unicodedata.category(letter) != "Pd")
    if len(digits) * 5 != _RECOVERY_BYTES * 8 or any(digit not in _ALPHABET for digit in digits):
        return None
    number = 0
    for digit in digits:
        number = number << 5 | _ALPHABET.index(digit)
    return bytearray(number.to_bytes(_RECOVERY_BYTES, "big"))


def wrap_with_passphrase(data_key: bytearray, passphrase: str, cost: KdfCost, context: bytes) -> PassphraseSlot:
    """Return a new slot; `context` names the vault it belongs to. Takes half a second. Raises InvalidInput when empty."""
    salt, nonce = os.urandom(SALT_BYTES), os.urandom(NONCE_BYTES)
    slot = PassphraseSlot(cost, salt, nonce, b"")
    key = _stretch(_passphrase_bytes(passphrase), slot)
    wrapped = ChaCha20Poly1305(key).encrypt(nonce, data_key, _bound(slot, context))
    return PassphraseSlot(cost, salt, nonce, wrapped)


def wrap_with_recovery(data_key: bytearray, recovery_key: str, context: bytes) -> RecoverySlot:
    """Return a new slot for a key that `new_recovery_key` made."""
    secret = read_recovery_key(recovery_key)
    if secret is None:
        raise InvalidInput("A recovery key is eight groups of four letters and digits.")
    salt, nonce = os.urandom(SALT_BYTES), os.urandom(NONCE_BYTES)
    slot = RecoverySlot(salt, nonce, b"")
    wrapped = ChaCha20Poly1305(_expand(secret, slot)).encrypt(nonce, data_key, _bound(slot, context))
    return RecoverySlot(salt, nonce, wrapped)


def unwrap(slots: Iterable[Slot], secret: str, context: bytes) -> bytearray:
    """Return the data key, from a passphrase or a recovery key. Takes half a second for a passphrase.

    Raises WrongPassphrase when the secret opens no slot, InvalidInput when it is empty.
    """
    typed = _passphrase_bytes(secret)
    recovery = read_recovery_key(secret)
    # What looks like a recovery key is tried as one first, because that costs nothing.
    for slot in sorted(slots, key=lambda slot: isinstance(slot, PassphraseSlot)):
        match slot:
            case PassphraseSlot():
                key = _stretch(typed, slot)
            case RecoverySlot():
                if recovery is None:
                    continue
                key = _expand(recovery, slot)
            case _:
                assert_never(slot)
        try:
            return bytearray(ChaCha20Poly1305(key).decrypt(slot.nonce, slot.wrapped, _bound(slot, context)))
        except InvalidTag:
            continue
    raise WrongPassphrase("That is neither the passphrase nor the recovery key of this vault. Nothing was changed.")


def _passphrase_bytes(passphrase: str) -> bytes:
    """Return the same bytes for the same text, however a keyboard composed its accents."""
    if not passphrase.strip():
        raise InvalidInput("The passphrase is empty. Choose one of a few words that you will not forget.")
    try:
        return unicodedata.normalize("NFKC", passphrase).encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("The passphrase holds bytes that are no text. Type it again.") from error


def _memory_of_this_machine() -> int | None:
    """Return bytes; None on Windows, which has no sysconf, and no supported version of it runs in little."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _stretch(passphrase: bytes, slot: PassphraseSlot) -> bytes:
    cost = slot.cost
    memory = _memory_of_this_machine()
    # Where memory is promised freely, asking for too much is no error: the system stands still, then ends some program.
    if memory is not None and cost.memory_kib << 10 > memory // 4 * 3:
        raise VaultError(
            f"Checking the passphrase takes {cost.memory_kib >> 10} MiB of memory, more than this computer can spare. "
            "Open the vault on another one, or with its recovery key."
        )
    try:
        return hash_secret_raw(passphrase, slot.salt, cost.passes, cost.memory_kib, cost.lanes, KEY_BYTES, Type.ID)
    except (HashingError, MemoryError) as error:
        raise VaultError(
            f"Checking the passphrase takes {cost.memory_kib >> 10} MiB of memory, more than is free. "
            "Close other programs and try again."
        ) from error


def _expand(recovery: bytearray, slot: RecoverySlot) -> bytes:
    return HKDF(hashes.SHA256(), KEY_BYTES, slot.salt, _RECOVERY_PURPOSE).derive(recovery)


def _bound(slot: Slot, context: bytes) -> bytes:
    """Return what the wrapping vouches for: a slot moved to another vault, or with other parameters, opens nothing."""
    match slot:
        case PassphraseSlot(cost, salt):
            parts = ["passphrase", "argon2id", cost.memory_kib, cost.passes, cost.lanes, salt.hex()]
        case RecoverySlot(salt):
            parts = ["recovery", "hkdf-sha256", salt.hex()]
        case _:
            assert_never(slot)
    return context + json.dumps(parts).encode()
