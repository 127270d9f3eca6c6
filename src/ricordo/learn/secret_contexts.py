"""Made-up words in sentences about getting in: "log in with lena@example.com and tulip4ever", "… gets you into the account".

The one rule: nothing is named, so the word has to be one that people think up for passwords, and the sentence about a login.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.learn import secret_values as values
from ricordo.learn.secret import Kind, Reading, Secret, fold
from ricordo.learn.secret_sentences import ORDINARY

# What is said of getting in: beside it a word with some digits is enough.
_GETTING_IN = re.compile(
    fold(
        r"\b(?:log(?:s|ged|ging)? (?:in|on|into)|login|logins|sign(?:s|ed|ing)? in(?:to)?|(?:gets?|lets?) (?:you|me|us"
        r"|them) in(?:to)?"
        r"|unlocks?|unlocked|(?:us\w{1,4}|same|one)\b[^\n.]{0,40}\beverywhere|for everything|para entrar|per entrare"
        r"|pour entrer|einlogg\w{1,4}|anmeld\w{1,6}|entsperr\w{1,4}|überall|inlogg\w{1,4}|overal|sblocc\w{1,4}"
        r"|accedo|accedere|ovunque|dappertutto|déverrouill\w{1,4}|partout|me connecte\w?|inici\w{1,4} sesión|desbloque\w{1,4}"
        r"|en todas partes|fazer login|por todo lado|make you have a|capital letter|special character|one with a symbol)\b"
    )
)
# Where one gets in: beside it the word has to have a sign, or letters on both sides of its digits.
_PLACES = re.compile(
    fold(
        r"\b(?:accounts?|websites?|portal|nas|admin|root|wifi|wlan|netflix|spotify|disney|amazon|ebay|paypal|icloud|gmail"
        r"|e-?mail|mailbox"
        r"|streaming\w{0,8}|konto|compte|cuenta|conto|server|vpn|cloud|\w{0,8}banking|bank|shop|forum|new one|old one"
        r"|\w{2,10} (?:characters|letters))\b"
    )
)
_DIGIT = re.compile(r"\d")
_TOKEN = re.compile(r"(?<![^\s\"'(])[^\s\"'(<>@/\\]{7,40}(?![^\s\"')])")
_HANDLE = re.compile(
    r"(?:\b(?:as|als|comme|como|come|(?:account|handle|user|name|username|nick)(?: \w+)? is"
    r"|called|named|heisst|user|username|handle|name|@)|@)\s*$"
)
_HARD = re.compile(
    r"[^\W\d_]{3,}[!?$#][^\W\d_]{0,12}\d+|[^\W\d_]{3,}\d+[!?$#]|[A-ZÀ-Þ][a-zß-ÿ]{4,}\.\d{3,6}$"
    r"|[A-ZÀ-Þ]?[a-zß-ÿ]{5,}_\d{2,6}$|[a-z]{2,}(?:-[a-z]{2,}){1,6}-\d{1,4}(?:-[a-z]{2,}){1,4}$"
    r"|[^\W\d_]{3,}\d[a-zß-ÿ]{3,}\d{0,4}$"
)
_NUMBERED = re.compile(
    r"(?:issue|ticket|order|bug|case|pr|no|unit|apt|room|invoice|fig|figure|section|table|file|report)[#.]", re.IGNORECASE
)
_PAIR = re.compile(
    r"(?:\b[\w-]{2,20}\.[\w.-]{1,20}|[\w.-]{2,30}@[\w.-]{3,30})\s*(?:and|und|y|e|et|en|,|/|&|\+)\s+$"
)  # "erika.m and"
_QUOTED = re.compile(r"\"(?P<words>[^\W\d_][^\n\"]{2,40})\"")
_WANTS_A_WORD = re.compile(
    r"\b(?:lets? (?:you|me|us|them) in|to (?:unlock|log in|get in))\b[^.]{0,30}\s(?:it's|it is|say|type|enter)\s+$"
)
_REACH = 90  # signs on either side


def in_context(reading: Reading) -> Iterator[Secret]:
    """Yield made-up words in sentences about getting in."""
    folded = reading.folded
    if not (_GETTING_IN.search(folded) or _PLACES.search(folded)):
        return
    for token in _tokens(reading.text):
        word = values.trimmed(token[0]) if not re.search(r"\w!$", token[0]) else token[0]
        if not any(map(str.isdigit, word)) or _NUMBERED.match(word) or not values.made_up(word):
            continue
        paired = _PAIR.search(folded[max(0, token.start() - 60) : token.start()]) is not None and values.invented(word, near=True)
        hard = paired or _HARD.match(word) is not None
        if not (hard or values.invented(word)):
            continue
        before, after = _line_before(folded, token.start()), _line_after(folded, token.end())
        around = f"{before} {after}"
        if _HANDLE.search(before) or not (_GETTING_IN.search(around) or (hard and _PLACES.search(around))):
            continue
        start = token.start()
        yield Secret(
            Kind.PASSWORD, start, start + len(word), "It gives a password: a made-up word in a sentence about getting in."
        )
    for quoted in _QUOTED.finditer(reading.text):
        words = folded[slice(*quoted.span("words"))].split()
        asked = _WANTS_A_WORD.search(_line_before(folded, quoted.start()))
        if asked and not any(word in ORDINARY for word in words):
            yield Secret(Kind.PASSWORD, *quoted.span("words"), "It gives a password: a quoted word is what lets one in.")


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield the tokens with a digit, found by it: a text without one costs little."""
    done = 0
    for digit in _DIGIT.finditer(text):
        if (at := digit.start()) >= done:
            begin = max(max(done, at - 40) - 1, *(text.rfind(space, max(done, at - 40), at) for space in " \n\"'(")) + 1
            if match := _TOKEN.match(text, begin):
                yield match
                done = match.end()


def _line_before(folded: str, at: int) -> str:
    return folded[max(0, at - _REACH) : at].rpartition("\n")[2]


def _line_after(folded: str, at: int) -> str:
    return folded[at : at + _REACH].partition("\n")[0]
