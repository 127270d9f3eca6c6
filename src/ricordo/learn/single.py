"""Things of which a person has one: a home, a job, a name, a favourite. A new value is the end of the old one.

The one rule: a second job, a refused one and a piano that is moved end nothing.
"""

from __future__ import annotations

import re

from ricordo.learn import signs
from ricordo.learn.grounding import living
from ricordo.learn.telling import NUMBER_WORDS, heard, telling, tokens
from ricordo.store.words import fold

_SINGLE = {
    "home": "live lives living lived move moved moving relocated reside resides wohne wohnt gezogen umgezogen zieht vive vivo "
    "abito abita "
    "trasferito trasferita habite vit demenage mudado mude mudei moro mora",
    "work": "work works working job employed employer employee arbeite arbeitet lavoro lavora travaille trabajo trabaja "
    "trabalho trabalha",
    "name": "name named called heisse heisst chiamo chiama appelle llamo llama chamo chama",
    "age": "age aged old turned birthday alt anni ans anos años edad età",
    "favourite": "favourite favorite lieblings preferito preferita prefere preferee favorito favorita",
    "marriage": "single married divorced engaged widowed separated verheiratet ledig geschieden sposato sposata celibe nubile "
    "marie mariee celibataire casado casada soltero soltera",
    "phone": "phone telephone telefon telefono",
    "email": "email mail",
    "address": "address adresse indirizzo direccion endereco",
    "size": "weigh weighs weight tall height wiege wiegt peso pesa pèse",
}
SLOTS = {word: slot for slot, words in _SINGLE.items() for word in fold(words).split()}


def one_of_a_kind(fact: str, text: str) -> bool:
    """Tell whether both speak of the same single thing: a home, a name, a favourite of the same sort."""
    common = slots(fact) & slots(text)
    if common == {"favourite"}:
        return any(heard(word, telling(text)) for word in telling(fact) if word not in SLOTS)
    return bool(common)


def replaces(fact: str, text: str) -> bool:
    """Tell whether a text gives a new value for a fact: of a thing one has one of, or another number of the same."""
    if _ANOTHER_ONE.search(text):
        return False
    old, new = telling(fact), telling(text)
    words = [word for word in (*old, *new) if not (heard(word, old) and heard(word, new))]
    if words and all(map(number, words)):
        return True
    home = slots(fact) == slots(text) == {"home"}
    return one_of_a_kind(fact, text) and living(fact) == living(text) and (not home or signs.HOME.search(text) is not None)


# A second one beside the first, one that was not taken, a thing that was moved.
_ANOTHER_ONE = re.compile(
    r"\b(?:second|another|also|too|as well|side|extra|additional|part-time|besides|turned down|declined|refused|rejected"
    r"|applied|offered"
    r"|considers?|considering)\b|\bmov(?:ed|ing|es) (?:the|their|his|her|a|an)\b(?! (?:family|life|home|household))",
    re.IGNORECASE,
)


def slots(text: str) -> frozenset[str]:
    """Return of which single things a text speaks: home, work, name, age."""
    return frozenset(SLOTS[word] for word in tokens(text) if word in SLOTS)


def number(word: str) -> bool:
    """Tell whether a word is a number, in digits or letters."""
    return word in NUMBER_WORDS or any(char.isdigit() for char in word)
