"""What looks drawn by lot: long random tokens, the words of a wallet, and what only stands in for a secret.

Letters and digits change places in a random token every second sign; in words, names, dates and codes they do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.learn.secret import Kind, Reading, Secret

_STANDS_IN = re.compile(
    r"""<[^<>]*>?$|\[[A-Za-z_ -]*\]?$"""
    r"""|\{\{|\{[A-Za-z_ .-]*\}?$|\(|\$[({]|\$[A-Za-z_]\w*$|\$\d$|%[\w(]*[)s%]?$|@[A-Za-z_]+@$|[.…•·x?#_-]{3,}$"""
    r"""|(?:your|my|some|the|a)?[_-]?(?:user|username|pass|password|passwd|pw|pwd|secret|token|key|api[_-]?key|changeme"
    r"|example|none"""
    r"""|null|nil|true|false|undefined|string|redacted|removed|hidden|masked|placeholder|dummy|test|fake|foo|bar|xxx|yyy"
    r"|todo|tbd)$"""
    r"""|(?:your|insert|enter|put)[_\- ]|[a-z]+_[a-z_]*password$|password_[a-z_]+$""",
    re.IGNORECASE,
)
_MADE_OF = re.compile(r"example|placeholder|your[_-]|[_-]here\b|redacted|xxxxx|12345678901|abcdefgh", re.IGNORECASE)


def placeholder(value: str, *, of_key: bool = False) -> bool:
    """Say whether a value only stands in for one: `<password>`, `${TOKEN}`, `xxxx`, an example's key.

    `of_key` looks inside too: a person's password may hold "example", a key does not.
    """
    if _STANDS_IN.match(value) or (of_key and _MADE_OF.search(value)):
        return True
    return len(set(value.casefold())) <= (len(value) >= 16) * 3 + (of_key and len(value) >= 24) * 3 + 1


# Signs that a token is made of; `/` and `.` part words, paths and sentences, so they part tokens too.
_TOKEN = re.compile(r"(?<![\w+])[A-Za-z0-9][A-Za-z0-9_+-]{14,}")
_PIECE = re.compile(r"[A-Za-z0-9+]{16,}")
_RUN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|\+")
_GROUPS = re.compile(r"(?<![\w-])([A-Z0-9]{4,8})((?:-[A-Z0-9]{4,8}){2,15})(?![\w-])", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?:https?://|www\.|git@|magnet:|(?:ssh|ecdsa)-[\w-]{2,30} AAAA)\S+"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.\w",
    re.IGNORECASE,
)
_HASHED = re.compile(
    r"commit|revert|cherry-pick|bisect|checked out|checkout|\bsha\d*\b|sha256|hash|checksum|digest|revision|\brev\b|md5|blob"
    r"|merge|fingerprint|etag|git\b",
    re.IGNORECASE,
)
_INTEGRITY = re.compile(r"sha(?:256|384|512)-")  # a checksum in a page's source
_HEX = re.compile(r"(?:0x)?[0-9a-f]+$", re.IGNORECASE)


def random_tokens(reading: Reading) -> Iterator[Secret]:
    """Yield long tokens that no person would make up: not addresses, checksums said to be some, or UUIDs."""
    text = reading.text
    addresses = [match.span() for match in _ADDRESS.finditer(text)] if "/" in text or "@" in text or "www." in text else []
    for match in _TOKEN.finditer(text):
        start, stop = match.span()
        if any(begin <= start < end for begin, end in _near(addresses, start)) or _UUID.match(match[0]):
            continue
        if not any(looks_random(piece[0]) for piece in _PIECE.finditer(match[0])) or placeholder(match[0]):
            continue
        if _INTEGRITY.search(text, max(0, start - 90), start + 8):
            continue
        if _HEX.match(match[0]) and _HASHED.search(text, max(0, start - 40), min(len(text), stop + 16)):
            continue
        yield Secret(Kind.TOKEN, start, stop, "It holds a long token that looks drawn by lot.")
    if "-" in text:
        yield from _grouped(text)


def _near(spans: list[tuple[int, int]], at: int) -> list[tuple[int, int]]:
    """Drop the spans that end before `at`, for good: the caller only moves forward."""
    while spans and spans[0][1] <= at:
        spans.pop(0)
    return spans[:1]


def looks_random(piece: str) -> bool:
    """Say whether a run of letters and digits is long and mixed enough to have been drawn by lot.

    The bounds come from drawing tokens of 16 to 40 signs on one side and names, paths and product codes on the other: a mix of
    capitals, small letters and digits changes its class every 1.5 signs, hexadecimal every 1.8, capitals with digits every
    2.5, joined words every 4 to 7. The longer the piece, the closer it keeps to that, and the wider the bound may be.
    """
    runs, signs = len(_RUN.findall(piece)), len(piece)
    classes = sum(any(map(of_class, piece)) for of_class in (str.islower, str.isupper, str.isdigit))
    digits, mean = sum(map(str.isdigit, piece)), signs / max(1, runs)
    if len(set(piece)) < 8 or classes < 2:
        return False
    if not digits:  # parseHTTPRequestURI and the like
        return signs >= 24 and mean < 2.5
    if classes == 3:
        return digits >= (1 if signs >= 20 else 2) and mean < (3.3 if signs >= 24 else 2.7)
    return digits >= 3 and signs >= 20 and mean < (5 if signs >= 24 else 3.4)


def _grouped(text: str) -> Iterator[Secret]:
    """Yield keys in groups of equal length, as licences and recovery keys are printed."""
    for match in _GROUPS.finditer(text):
        groups = match[0].split("-")
        signs = "".join(groups)
        digits, mixed = sum(map(str.isdigit, signs)), sum(not group.isdigit() and not group.isalpha() for group in groups)
        if len(set(map(len, groups))) == 1 and len(signs) >= 16 and digits >= 3 and mixed >= 2 and not placeholder(signs):
            yield Secret(Kind.TOKEN, *match.span(), "It holds a key in groups, as licences and recovery keys are printed.")


# Wallets draw 12 to 24 words of three to eight letters from BIP-39's list of 2,048. These common words are not in it, and
# sentences hardly go on for so long without one: so the list itself is not needed.
_LINKING = frozenset(
    "the and was were for his her him she our had has but not are with from them their would could should did been which "
    "who whom whose its than being though does said went came thence nor yet these those here mine ours yours got made "
    "let sent told your some how new out get gets may might see saw take takes took taken well think while each many most "
    "through even both back down after too without every within things really last part done shall himself cannot whether "
    "ever till why yourself anything towards instead along going coming getting looking trying using working having doing "
    "making days weeks months years hours wants wanted needs says asked comes gave given gone knew known likes felt "
    "usually maybe perhaps against however indeed und der die das den dem ein eine ist war mit von auf fur nicht les des "
    "une est dans pour avec que qui los las por con una del che non per sono voor een niet het sind mein meine meiner meinem "
    "mes mis mei mie ses son miei".split()
)
_WORDS = re.compile(r"(?<![\w'])[a-z]{3,8}(?:[ \t\n]+[a-z]{3,8}){11,}(?![\w'])")
_NUMBERED = re.compile(r"(?<!\w)\(?1[.):]\s*[a-z]{3,8}(?:[\s,;]+\(?\d{1,2}[.):]\s*[a-z]{3,8}){11,23}(?!\w)")
# Parted by commas or dashes they are as often any list: a wallet has to be named.
_LISTED = re.compile(r"(?<![\w-])(?:\d{1,2}[.):]?\s?)?[a-z]{3,8}(?:[\s,;-]{1,3}(?:\d{1,2}[.):]?\s?)?[a-z]{3,8}){11,23}(?![\w-])")
_WALLETS = (
    "wallet|ledger|trezor|metamask|bitcoin|crypto|mnemonic|seed is|recovery words|recovery phrase|12 words|24 words|twelve words"
)
_FROM_WALLET = 60  # signs up to the words
_INFLECTED = re.compile(r"(?:ing|ed|ly|[^s]s)$")


def recovery_phrases(reading: Reading) -> Iterator[Secret]:
    """Yield twelve and more short words in a row that are no sentence."""
    for match in _WORDS.finditer(reading.folded):
        start = match.start()
        run: list[re.Match[str]] = []
        for word in [*re.finditer(r"[a-z]+", match[0]), None]:
            if word is not None and word[0] not in _LINKING:
                run.append(word)
                continue
            # Names of people, places, firms in a row are a list.
            titles = sum(
                reading.text[start + one.start()].isupper() and reading.text[start + one.start() + 1].islower() for one in run
            )
            inflected = sum(bool(_INFLECTED.search(one[0])) for one in run)
            if len(run) >= 12 and titles < 2 and inflected * 5 <= len(run) and len({one[0] for one in run}) * 4 >= len(run) * 3:
                yield Secret(Kind.PHRASE, start + run[0].start(), start + run[-1].end(), _PHRASE)
            run = []
    for wallet in _WALLETS.split("|"):
        at = reading.folded.find(wallet)
        while at >= 0:
            listed = _LISTED.search(reading.folded, at + len(wallet), at + _FROM_WALLET + 400)
            if listed and listed.start() < at + _FROM_WALLET and not _LINKING & set(re.findall("[a-z]+", listed[0])):
                yield Secret(Kind.PHRASE, *listed.span(), _PHRASE)
            at = reading.folded.find(wallet, at + _FROM_WALLET)
    for match in _NUMBERED.finditer(reading.folded):
        yield Secret(Kind.PHRASE, *match.span(), _PHRASE)


_PHRASE = "It holds twelve or more words in a row like a wallet's recovery phrase."
