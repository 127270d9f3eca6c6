"""Passwords and passphrases beside their names: made-up words, words that end the sentence, quoted ones, whole sentences.

The one rule: a plain word counts only where nothing but a password could stand; how something is ("too weak") never does.
"""

from __future__ import annotations

import re

from ricordo.learn import secret_values as values
from ricordo.learn.secret import Kind, Reading, Secret, fold
from ricordo.learn.secret_names import NO_BLANKS, Link, Name
from ricordo.learn.secret_sentences import GOES_ON, ORDINARY, TALK
from ricordo.learn.secret_tokens import placeholder
from ricordo.learn.secret_words import LOOSE_NAMES, Label

_VALUE = re.compile(
    r"\"(?P<double>[^\"\n]{1,100})\"|'(?P<single>[^'\n]{1,100})'(?!\w)|(?P<token>[^\s\"<>。、]{1,200}|<[^<>\s]{1,60}>?)"
)
_NO_BLANKS = re.compile(f"[{NO_BLANKS}]")
_OTHER_SCRIPT = re.compile(f"(?<=[!-~])[{NO_BLANKS}].*", re.DOTALL)
# After "passphrase:" a whole sentence may stand, if it is not about the passphrase.
_PHRASE = re.compile(r"[^\W\d_]{1,20}(?:[ ,]{1,2}[\w'$-]{1,20}){3,11}(?=[.!?]?\s*(?:$|\n)|[.!?]\s)")
_TALK = frozenset(
    "same one ask see written stored note paper drawer changed forgot forgotten lost again usual mail it its i you he she we "
    "word words "
    "is was not no none which what how".split()
)
_ACCESS = re.compile(r"\bwi-?fi\b|\bwlan\b|\bssid\b|\bnetwork\b|\buser(?:name)?\b|\blogin\b|\S@\S")  # "user lena, pass tulip"
_SHORT = frozenset("pw pass pwd psw ww mdp".split())
_WHO_BEFORE = re.compile(r"(?:\b(?:user|username|login|root|admin)|@[\w.-]{3,40})\b\S{0,40},? (?:and )?$")
_SPELLED = re.compile(r"\w(?:[ -]\w){3,30}(?!\w)")  # "s-e-s-a-m-e"
# A word, words joined by dashes, or capitalised ones by points: `settings.password` is code.
_WORDS = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*$|[A-ZÀ-Þ][^\W\d_]*(?:[._][A-ZÀ-Þ][^\W\d_]*)+$")


def value_at(text: str, at: int) -> tuple[str, int, bool]:
    """Return the value that begins at a place, where it begins, and whether it is quoted."""
    match = _VALUE.match(text, at, at + 220)
    if match is None:
        return "", at, False
    kind = match.lastgroup or "token"
    value = match[kind] if kind != "token" else _OTHER_SCRIPT.sub("", match[kind])
    return value, match.start(kind), kind != "token"


def password(reading: Reading, name: Name, at: int, link: Link) -> Secret | None:
    """Return the password or passphrase at a place, if it looks like one for what links it to its name."""
    text = reading.text
    value, start, quoted = value_at(text, at)
    bare = value if quoted else values.trimmed(value)
    stop = start + len(bare)
    if link in (Link.MARK, Link.VERB) and (spelled := _SPELLED.match(text, start)):
        return Secret(Kind.PASSWORD, *spelled.span(), "It gives a password, sign by sign.")
    if "pass" in name.word and name.label is Label.PHRASE and link is Link.MARK and (clause := _PHRASE.match(text, start)):
        told = set(reading.folded[start : clause.end()].split())
        return (
            None if told & _TALK else Secret(Kind.PHRASE, *clause.span(), "It gives a passphrase: words stand beside its name.")
        )
    if len(bare) < 3 or placeholder(value) or (values.ordinary(value) and not (quoted and " " in value)):
        return None
    secret = Secret(Kind.PASSWORD, start, stop, "It gives a password: a value stands beside the name of one.")
    if values.made_up(value):
        return secret
    loose = name.word in LOOSE_NAMES and name.label is Label.PASSWORD
    if loose and _ACCESS.search(reading.folded[max(0, name.start - 60) : name.start]):
        loose, link = False, Link.MARK if link is Link.NONE else link
    if loose and values.number_only(value) and link is Link.VERB and not values.year(bare):
        return secret
    if loose and link is not Link.MARK:
        return None
    if quoted:
        return secret if link in (Link.MARK, Link.VERB) or (link is Link.NONE and bare.isalpha() and len(bare) > 3) else None
    if values.counts_something(text[stop : stop + 20]):
        return None
    if values.number_only(value):
        return None if values.year(bare) and link in (Link.NONE, Link.TO) else secret
    if link is Link.MARK and any(map(str.isdigit, bare)) and len(bare) >= 4 and "(" not in value and not values.place(bare):
        return secret
    near = reading.folded[max(0, name.start - 50) : name.start]
    if link is Link.NONE and (
        _WHO_BEFORE.search(near) or (_ACCESS.search(near) and (name.word in _SHORT or near.rstrip().endswith(",")))
    ):
        link = Link.MARK  # "ssh root@host password toor"
    named = name.label is Label.PHRASE and "pass" in name.word and link is Link.NONE
    if (link in (Link.NONE, Link.TO) and not named) or not _WORDS.match(bare):
        return None
    if (
        link in (Link.MARK, Link.VERB)
        and not (values.ordinary(bare) or values.predicate(bare))
        and (counted := _WORDS_AND_NUMBER.match(text, start))
    ):
        return Secret(Kind.PASSWORD, *counted.span(), "It gives a password: words and a number stand beside the name of one.")
    return _plain_words(reading, name, start, stop, link)


_WORDS_AND_NUMBER = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){1,4} \d{1,4}(?=\W{0,3}(?:$|\n|[.,;!]))")


_WORD = re.compile(r"[\s,]*(?:\d{1,2}[.)]\s*)?(?P<word>[^\W\d_]+(?:[-'][^\W\d_]+)*)")


def _plain_words(reading: Reading, name: Name, start: int, stop: int, link: Link) -> Secret | None:
    """Take words for a secret only when they are no sentence: one that ends the clause, or three and more side by side."""
    of_phrase = name.label is Label.PHRASE
    first = reading.text[start:stop]
    # Where words are not parted by blanks, a value that is no word of the sentence is quoted, or in other letters.
    if not of_phrase and fold(first) in TALK:
        return None
    if link is Link.VERB and (_NO_BLANKS.search(first) or (not of_phrase and values.predicate(first))):
        return None
    words, at, following = 1, stop, ""
    while words < 26 and (match := _WORD.match(reading.text, at)):
        if "," in match[0] and not of_phrase:
            break
        if (word := reading.folded[match.start("word") : match.end("word")]) in ORDINARY and not (of_phrase and words > 5):
            following = word
            break
        words, at = words + 1, match.end()
    ends = not following or following in GOES_ON
    lone = words == 1 and ends and not of_phrase
    several = words >= (10 if name.word in LOOSE_NAMES else 3 + (link is Link.NONE)) and (ends or words >= 10)
    pair = words == 2 and ends and link is Link.MARK and not of_phrase
    if not (lone or several or pair):
        return None
    kind = Kind.PHRASE if of_phrase else Kind.PASSWORD
    return Secret(kind, start, at, f"It gives a {kind}: words stand beside the name of one that are no sentence.")
