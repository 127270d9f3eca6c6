"""Words that tell something: what is left of a sentence without the words that every fact has, and when two words are one.

The one rule: for a word to count as said it may be bent or mistyped, never merely mean the same.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from ricordo.letters import visible
from ricordo.store.words import STOP_WORDS, fold

# Words that say little by themselves: about whom, and the commonest verbs of facts.
_PLAIN = frozenset(
    fold(
        "didn doesn isn wasn haven hasn hadn won wouldn couldn shouldn aren weren ain never please "
        "user users person individual human currently really very also lot much many like likes liked love loves loved enjoy "
        "enjoys prefer "
        "prefers favorite favourite called named has have having had is are be been does did live lives living lived work works "
        "working "
        "name names say says said told mention mentioned who which that their theirs they he she his her him its one feel feels "
        "get gets got "
        "going goes went make makes want wants wanted need needs year years old time since every "
        "nutzer nutzerin benutzer der die das dem den des ein eine einen einem einer und ist hat mag liebt heißt heisst wohnt "
        "lebt arbeitet "
        "bei im in am zu von mit sein seine seinen ihr ihre ich mein meine meinen bin habe gern gerne auch "
        "utente lo gli le un una uno di del della dei nel nella con per che ed ama piace vive abita lavora chiama suo sua suoi "
        "sue mio "
        "sono ho anche molto il la i e o utilisateur utilisatrice les des du de et est aime adore habite vit travaille appelle "
        "son sa ses mon ma mes je "
        "suis ai dans au aux avec pour que qui aussi beaucoup usuario usuaria el los las unos del y es tiene gusta le encanta "
        "trabaja llama su "
        "sus mi mis soy tengo con por en muy tambien usuario usuaria o os as um uma do da dos das no na gosta mora trabalha "
        "chama "
        "seu sua meu minha "
        "tenho sou 用户 我的 пользователь у меня мой моя и в на"
    ).split()
)
# Names of the same person or animal, so that a fact may say mother of whom the person calls mum.
_SAME = {
    word: names.split()[0]
    for names in (
        "mother mum mom mommy mama mamma",
        "father dad daddy papa",
        "children kids kid child",
        "grandmother grandma granny",
        "grandfather grandpa granddad",
        "colleague coworker colleagues coworkers",
        "neighbour neighbor neighbours neighbors",
        "roommate flatmate housemate",
        "dog puppy dogs",
        "cat kitten cats",
    )
    for word in names.split()
}
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
NUMBER_WORDS = {
    fold(word).strip(): str(number)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici",
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
        "零 一 二 三 四 五 六 七 八 九 十",
    )
    for number, word in enumerate(words.split())
}


_MANY_MEANINGS = frozenset("one un uno eins null sei once".split())
COUNTS = frozenset(NUMBER_WORDS) - _MANY_MEANINGS  # number words that are nothing else


@lru_cache(2048)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text, folded: no case, no accents, possessive endings off."""
    found = [re.sub(r"['’]s?$|(?<=\d)(?:st|nd|rd|th)$", "", word) for word in _TOKEN.findall(fold(visible(text)))]
    return tuple(_SAME.get(word, word) for word in found)


@lru_cache(2048)
def telling(text: str) -> tuple[str, ...]:
    """Return the words of a text that carry what it says, each once."""
    found = [part for word in tokens(text) for part in re.split("['’]", word)]
    kept = [word for word in found if word not in STOP_WORDS and word not in _PLAIN and (len(word) > 1 or word.isdigit())]
    return tuple(dict.fromkeys(kept))


def heard(word: str, among: tuple[str, ...] | frozenset[str]) -> bool:
    """Tell whether a word was said: as it is, in another form of it, or with a slip of the finger."""
    if word in among:
        return True
    if any(char.isdigit() for char in word):
        return any(NUMBER_WORDS.get(other) == word for other in among)
    if word in NUMBER_WORDS and NUMBER_WORDS[word] in among:
        return True
    # Little words are forms of none that tells something: "been" is not "bees".
    return any(akin(word, other) for other in among if other not in _PLAIN and other not in STOP_WORDS)


@lru_cache(1 << 15)
def akin(a: str, b: str) -> bool:
    """Tell whether two words are forms of one: a beginning with short endings, or one letter apart in a long word."""
    short, long = sorted((a, b), key=len)
    common = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(short))
    if common >= 3 and len(short) - common <= 1 and long[common:] in ("s", "es", "ed", "ing", "n", "en", "d"):
        return True
    if common >= 4 and len(a) - common <= 3 and len(b) - common <= 3:
        return True
    return len(short) >= 6 and len(long) - len(short) <= 1 and edits(a, b, 1) <= 1


def edits(a: str, b: str, most: int) -> int:
    """Return how many letters have to be changed, added or dropped between two texts; `most` + 1 for more than `most`."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
        if min(row) > most:
            return most + 1
    return row[-1]


def flat(text: str) -> str:
    """Return a text for finding quotes in: folded words, one space between."""
    return " ".join(tokens(unicodedata.normalize("NFKC", text)))
