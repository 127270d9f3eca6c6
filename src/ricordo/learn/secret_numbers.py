"""Numbers that prove themselves: bank cards, accounts and identity numbers, each by its check digits or its fixed form.

A number whose form is common (ten digits, a date) counts only beside its name: see secret_labels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ricordo.learn.secret import Kind, Reading, Secret, near_digits

# Digits with blanks, dashes or points between some of them; no phone numbers of the form +32 …
_DIGITS = re.compile(r"(?<![\w+.,-])(?<!\+ )\d(?:[ .\-]{0,2}\d){11,39}(?!\w|[.,-]\d)")
_GROUP = re.compile(r"\d+")
# First digits and lengths of the schemes in use (ISO/IEC 7812; UATP and 13-digit Visa are left out: time stamps and bar codes).
_CARD = re.compile(
    r"4\d{15}(?:\d{3})?|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}"
    r"|(?:6011|64[4-9]\d|65\d\d|62\d\d|81\d\d|508\d|60\d\d|35(?:2[89]|[3-8]\d)|220[0-4]|9792)\d{12}|62\d{14,17}"
    r"|(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{12}(?:\d{2,3})?"
)


def luhn(digits: str) -> bool:
    """Say whether the last digit is the check digit of a card (ISO/IEC 7812-1)."""
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (doubled + sum(map(int, digits[-1::-2]))) % 10 == 0


def card(digits: str) -> bool:
    """Say whether digits are a card's number."""
    return bool(_CARD.fullmatch(digits)) and luhn(digits) and len(set(digits)) > 1


def _cards(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield where among these groups of digits cards stand: groups of one length (the last may be shorter), or 4-6-5."""
    groups = [match.span() for match in _GROUP.finditer(text, start, stop)]
    first = 0
    while first < len(groups):
        sizes: list[int] = []
        for last in range(first, len(groups)):
            sizes.append(groups[last][1] - groups[last][0])
            if sum(sizes) > 19 or sizes[:2] == [2, 2] or not (sizes[:-1] == sizes[:1] * (len(sizes) - 1) or sizes[:2] == [4, 6]):
                break
            # 14 digits in one piece are as often a company's number, with the same check digit.
            if sum(sizes) >= 14 and sizes != [14] and card("".join(text[begin:end] for begin, end in groups[first : last + 1])):
                yield groups[first][0], groups[last][1]
                first = last
                break
        # Digits that stand one by one are one number, not many that overlap.
        first = len(groups) if sizes[:2] == [1, 1] else first + 1


# Countries by the length of their numbers (ISO 13616 registry).
_IBAN_COUNTRIES = {
    15: "NO", 16: "BE", 18: "DK FI FO GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK", 21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HU LB NI PL SV",
    29: "BR EG PS QA UA", 30: "JO KW MU", 31: "MT SC", 32: "LC", 33: "RU",
}  # fmt: skip
_IBAN_LENGTH = {country: length for length, countries in _IBAN_COUNTRIES.items() for country in countries.split()}
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[ ]?\d{2}(?:[ \-.]?[A-Za-z0-9]){11,31}")


def iban(text: str) -> str | None:
    """Return the part of a text, from its start, that is an IBAN with right check digits (ISO 7064, mod 97-10)."""
    length = _IBAN_LENGTH.get(text[:2].upper(), 0)
    signs = 0
    for at, sign in enumerate(text):
        signs += sign.isalnum()
        if signs == length:
            bare = "".join(filter(str.isalnum, text[: at + 1])).upper()
            whole = length > 0 and not text[at + 1 : at + 2].isalnum()
            return text[: at + 1] if whole and int("".join(str(int(one, 36)) for one in bare[4:] + bare[:4])) % 97 == 1 else None
    return None


def _weighted(digits: str, weights: str, modulus: int = 11) -> int:
    return sum(int(digit) * int(weight, 16) for digit, weight in zip(digits, weights, strict=False)) % modulus


def _cpf(bare: str) -> bool:
    first = _weighted(bare, "A98765432") * -1 % 11 % 10
    second = _weighted(bare, "BA98765432") * -1 % 11 % 10
    return bare[9:] == f"{first}{second}" and len(set(bare)) > 1


def _french(bare: str) -> bool:
    number = bare[:13].upper().replace("2A", "19").replace("2B", "18")
    return number.isdigit() and (97 - int(number) % 97) == int(bare[13:])


def _chinese(bare: str) -> bool:
    return bare[17].upper() == "10X98765432"[_weighted(bare, "79A584216379A5842")]


def _belgian(bare: str) -> bool:
    return int(bare[9:]) in (97 - int(bare[:9]) % 97, 97 - int("2" + bare[:9]) % 97)


def _spanish(bare: str) -> bool:
    number = bare[:-1].upper().translate(str.maketrans("XYZ", "012"))
    return bare[-1].upper() == "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23]


# What a sign in an odd place counts for: by digit, and by place in the alphabet.
_ODD_DIGITS = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
_ODD_LETTERS = (*_ODD_DIGITS, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)


def _odd(sign: str) -> int:
    return _ODD_DIGITS[int(sign)] if sign.isdigit() else _ODD_LETTERS[ord(sign) - 65]


def _italian(bare: str) -> bool:
    upper = bare.upper()
    even = sum(int(sign) if sign.isdigit() else ord(sign) - 65 for sign in upper[1:15:2])
    return upper[15] == chr(65 + (even + sum(map(_odd, upper[0:15:2]))) % 26)


# Identity numbers: what it is, its form, and its check over the bare signs.
_IDENTITIES: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = tuple(
    (what, re.compile(form, re.IGNORECASE), check)
    for what, form, check in (
        # No check digit: its form, with the areas and groups that are never given out, has to do.
        ("a social security number", r"(?<![\w-])(?!000|666|9)\d{3}([- ])(?!00)\d\d\1(?!0000)\d{4}(?![\w-])", lambda bare: True),
        # No check digit either: letters that are never given out are left out.
        (
            "a National Insurance number",
            r"(?-i:[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]) \d\d \d\d \d\d [a-d](?!\w)",
            lambda bare: True,
        ),
        ("a Brazilian CPF", r"(?<![\w.])\d{3}\.\d{3}\.\d{3}-\d\d(?!\w)", _cpf),
        ("a French social security number", r"(?<!\w)[12] ?\d\d ?\d\d ?\d[\dab] ?\d{3} ?\d{3} ?\d\d(?!\w)", _french),
        (
            "a Chinese identity number",
            r"(?<![a-z0-9])[1-9]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])[0-3]\d{4}[\dx](?![a-z0-9])",
            _chinese,
        ),
        ("a Belgian national number", r"(?<![\w.])\d\d\.[01]\d\.[0-3]\d[-. ]\d{3}[-. ]\d\d(?!\w)", _belgian),
        ("a Spanish identity number", r"(?<!\w)(?:\d{8}|[xyz]-?\d{7})-?[a-z](?!\w)", _spanish),
        ("an Italian codice fiscale", r"(?<!\w)[a-z]{6}\d\d[a-ehlmprst]\d\d[a-z]\d{3}[a-z](?!\w)", _italian),
    )
)
_BARE = re.compile(r"[^A-Za-z0-9]+")
_AROUND = 80  # signs; no number has as many without two digits side by side


def proven_numbers(reading: Reading) -> Iterator[Secret]:
    """Yield numbers of cards, accounts and persons that hold by themselves."""
    for begin, end in near_digits(reading.text, _AROUND, _AROUND):
        yield from _proven(reading.text, begin, end)


def _proven(text: str, begin: int, end: int) -> Iterator[Secret]:
    for match in _DIGITS.finditer(text, begin, end):
        for start, stop in _cards(text, *match.span()):
            yield Secret(Kind.CARD, start, stop, "It holds the number of a bank card: its check digit is right.")
    for match in _IBAN.finditer(text, begin, end):
        if found := iban(match[0]):
            yield Secret(Kind.BANK, match.start(), match.start() + len(found), "It holds an IBAN: its check digits are right.")
    for what, form, check in _IDENTITIES:
        for match in form.finditer(text, begin, end):
            if check(_BARE.sub("", match[0])):
                yield Secret(Kind.IDENTITY, *match.span(), f"It holds {what}.")
