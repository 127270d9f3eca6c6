"""Keys: what opens a vault, what does not, and what a stranger's file may ask for."""

import os
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ricordo.errors import InvalidInput, VaultError, WrongPassphrase
from ricordo.store import keys
from ricordo.store.keys import KdfCost, new_recovery_key, read_recovery_key, unwrap, wipe
from tests.store.box import LOW

CONTEXT = b"a vault"


def slots(data_key: bytearray, passphrase: str, recovery: str) -> tuple[keys.Slot, ...]:
    return (
        keys.wrap_with_passphrase(data_key, passphrase, LOW, CONTEXT),
        keys.wrap_with_recovery(data_key, recovery, CONTEXT),
    )


@pytest.mark.req("V2")
def test_both_the_passphrase_and_the_recovery_key_give_the_data_key() -> None:
    """The data key comes out of either slot as it went in."""
    data_key, recovery = keys.new_data_key(), new_recovery_key()
    made = slots(data_key, "correct horse", recovery)
    assert unwrap(made, "correct horse", CONTEXT) == data_key
    assert unwrap(made, recovery, CONTEXT) == data_key


@pytest.mark.req("V2")
@pytest.mark.parametrize("wrong", ["correct horse ", "Correct horse", "x", "0000-0000-0000-0000-0000-0000-0000-0000"])
def test_another_secret_opens_nothing(wrong: str) -> None:
    """Passphrases are taken letter by letter; a recovery key of another vault is no key."""
    made = slots(keys.new_data_key(), "correct horse", new_recovery_key())
    with pytest.raises(WrongPassphrase, match="Nothing was changed"):
        unwrap(made, wrong, CONTEXT)


@pytest.mark.req("V2")
@pytest.mark.parametrize("empty", ["", "   ", "\n\t"])
def test_an_empty_passphrase_is_refused(empty: str) -> None:
    """Neither a new vault nor an unlocking takes nothing for a passphrase."""
    data_key = keys.new_data_key()
    with pytest.raises(InvalidInput, match="empty"):
        keys.wrap_with_passphrase(data_key, empty, LOW, CONTEXT)
    with pytest.raises(InvalidInput, match="empty"):
        unwrap(slots(data_key, "correct horse", new_recovery_key()), empty, CONTEXT)


@pytest.mark.req("V2")
def test_bytes_that_are_no_text_are_refused() -> None:
    """What a terminal could not decode is an error of its own, not a wrong passphrase."""
    with pytest.raises(InvalidInput, match="no text"):
        keys.wrap_with_passphrase(keys.new_data_key(), "caf\udce9", LOW, CONTEXT)


@pytest.mark.req("V2")
def test_the_same_letters_open_however_they_are_composed() -> None:
    """An é of one code point and an e with an accent are the same passphrase, as are wide and narrow letters."""
    made = slots(data_key := keys.new_data_key(), "caf\u00e9 \uff21", new_recovery_key())
    assert unwrap(made, "cafe\u0301 A", CONTEXT) == data_key


@pytest.mark.req("V2")
def test_a_slot_opens_only_in_its_own_vault_with_its_own_parameters() -> None:
    """Moved into another vault, or with a cheaper derivation written beside it, a slot opens nothing."""
    passphrase, recovery = slots(keys.new_data_key(), "correct horse", code := new_recovery_key())
    assert isinstance(passphrase, keys.PassphraseSlot)
    with pytest.raises(WrongPassphrase):
        unwrap([passphrase, recovery], "correct horse", b"another vault")
    with pytest.raises(WrongPassphrase):
        unwrap([recovery], code, b"another vault")
    cheaper = keys.PassphraseSlot(KdfCost(38_912, 1, 1), passphrase.salt, passphrase.nonce, passphrase.wrapped)
    with pytest.raises(WrongPassphrase):
        unwrap([cheaper], "correct horse", CONTEXT)


@pytest.mark.req("V2")
@pytest.mark.parametrize(
    "cost",
    [
        (19_455, 2, 1),
        (19_456, 1, 1),
        (262_144, 0, 4),
        (262_144, 3, 0),
        (4_194_305, 1, 1),
        (65_536, 17, 1),
        (65_536, 3, 17),
        (4_194_304, 3, 4),
        (1_048_576, 9, 4),
    ],
)
def test_a_cost_out_of_bounds_cannot_be_made(cost: tuple[int, int, int]) -> None:
    """Neither weak keys nor an endless wait."""
    with pytest.raises(ValueError, match=r"outside|least|waits for"):
        KdfCost(*cost)


@pytest.mark.req("V2")
def test_a_small_machine_gets_a_cheaper_derivation(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 MiB where there is 1 GiB of memory, 256 MiB where there is more."""
    pages = {"SC_PHYS_PAGES": 1 << 18, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(os, "sysconf", pages.__getitem__)
    assert KdfCost.for_this_machine() == KdfCost(65_536, 3, 4)
    pages["SC_PHYS_PAGES"] = 1 << 20
    assert KdfCost.for_this_machine() == KdfCost(262_144, 3, 4)


@pytest.mark.req("V2")
def test_a_derivation_that_this_machine_has_no_memory_for_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would bring the computer to a standstill; the recovery key, which costs nothing, still opens."""
    data_key, recovery = keys.new_data_key(), new_recovery_key()
    made = slots(data_key, "correct horse", recovery)
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 19_456 // 4, "SC_PAGE_SIZE": 4096}.__getitem__)
    with pytest.raises(VaultError, match=r"takes 19 MiB of memory, more than this computer can spare\. Open the vault on"):
        unwrap(made, "correct horse", CONTEXT)
    assert unwrap(made, recovery, CONTEXT) == data_key


@pytest.mark.req("V2")
def test_the_dearest_file_that_is_believed_costs_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger's file may ask for the most there is and no more: ten times what a vault of ours asks for."""
    asked: list[int] = []
    monkeypatch.setattr(keys, "hash_secret_raw", lambda _p, _s, passes, memory, *_: asked.append(passes * memory) or bytes(32))
    usual = KdfCost()
    for cost in (KdfCost(4_194_304, 2, 16), KdfCost(524_288, 16, 1)):
        monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 1 << 22, "SC_PAGE_SIZE": 4096}.__getitem__)
        with pytest.raises(WrongPassphrase):
            unwrap([keys.PassphraseSlot(cost, bytes(16), bytes(12), bytes(48))], "guess", CONTEXT)
    assert max(asked) < 11 * usual.memory_kib * usual.passes


@pytest.mark.req("V2")
def test_a_recovery_key_is_eight_groups_of_four() -> None:
    """160 bits, without letters that are taken for digits; never the same twice."""
    made = {new_recovery_key() for _ in range(50)}
    assert len(made) == 50
    assert all(re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}", each) for each in made)


@pytest.mark.req("V2")
@given(number=st.integers(0, 2**160 - 1), data=st.data())
@settings(max_examples=200)
def test_a_recovery_key_is_read_as_people_write_it(number: int, data: st.DataObject) -> None:
    """Small letters, O for 0, I or l for 1, any dashes and spaces: the same key."""
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    digits = [alphabet[number >> shift & 31] for shift in range(155, -1, -5)]
    written = ""
    for digit in digits:
        forms = {"0": "0Oo", "1": "1IiLl"}.get(digit, digit + digit.lower())
        written += data.draw(st.sampled_from(forms)) + data.draw(st.sampled_from(["", "", "-", " ", "–", "\n", "\u00a0"]))
    assert read_recovery_key(written) == number.to_bytes(20, "big")


@pytest.mark.req("V2")
@pytest.mark.parametrize("text", ["", "correct horse", "0" * 31, "0" * 33, "U" * 32, "é" * 32])
def test_other_text_is_no_recovery_key(text: str) -> None:
    """Another length or a letter outside the alphabet."""
    assert read_recovery_key(text) is None


@pytest.mark.req("V3")
def test_a_wiped_secret_is_zeros() -> None:
    """The same buffer, not a new one."""
    secret = bytearray(b"secret")
    wipe(secret)
    assert secret == bytes(6)
