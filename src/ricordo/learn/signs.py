"""Signs in a sentence that decide what it can prove: asking, supposing, reporting, denying, wishing, forgetting; in several "
"languages.

The one rule: a sign that is seen where it is not costs one fact, one that is missed stores something untrue; so they see much.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ricordo.store.words import fold

_I = re.IGNORECASE
_CJK = re.compile("[\u3040-\u9fff]")


def any_of(words: str) -> re.Pattern[str]:
    """Return a pattern for any of the words or phrases, whole; those in scripts without spaces anywhere."""
    joined = "|".join(word for word in words.split("|") if _CJK.search(word))
    spaced = "|".join(word for word in words.split("|") if not _CJK.search(word))
    return re.compile(rf"(?<![\w'])(?:{spaced})(?!\w)" + (f"|{joined}" if joined else ""), _I)


SUPPOSED: Final = re.compile(
    r"^\W*(?:if|imagine|suppose|supposing|pretend|what if|let's say|let us say|say i|hypothetically|assuming|unless"
    r"|stell dir vor|angenommen|falls|immagina|supponiamo|facciamo finta|imaginons|supposons|imagina|supongamos|si yo)\b"
    r"|\bif\s+i\s+(?:were|was|had|could|ever)\b|\b(?:as if|as though)\b|\blike i(?:['’]m| am| was| were)\b|\bi wish i\b"
    r"|\bwenn ich\b.*\b(?:wäre|hätte|würde)\b|\bse (?:fossi|avessi|potessi)\b|\bsi j'(?:étais|avais)\b|\bsi (?:fuera|tuviera)\b"
    r"|\b(?:would|could|should)\s+have\b|如果我|假如|假设|要是我",
    _I,
)
# Made-up worlds: what happens there happened to no one.
FICTION: Final = any_of(
    r"novel|story|character|protagonist|fiction|screenplay|dream|dreamt|dreamed|roman|figur|romanzo|personaggio|"
    r"personnage|novela|personaje|小说|角色"
)
_SAYS = (
    "says said say saying told tells telling call thinks thought believes believed claims claimed writes wrote mentioned "
    "insists reckons swears "
    "argues "
    "suggests suggested calls sagt sagte meint meinte glaubt behauptet dice dicono pensa crede sostiene dit disent pense croit "
    "dijo dicen cree piensa diz disse acha"
).split()
# What a statement takes back at its end: "Inga, not Ines".
CONTRAST: Final = re.compile(
    r"(?:,\s*(?:and |but )?(?:not|nicht|e non|non|et pas|pas|y no|e não)|,?\s*\b(?:instead of|rather than))"
    r"\s+\S+(?:\s+\S+){0,2}$|,?\s*而?不是.{1,8}$",
    _I,
)
# Where a sentence goes on with another thing that was done: "quit one and joined the other".
ANOTHER_DEED: Final = re.compile(
    r"(?:,|\s+and|\s+but|\s+und|\s+e|\s+et|\s+y)\s+(?=(?:(?:now|then|instead)\s+)?(?:\w{3,}ed|got|went|took|bought|began|am"
    r"|work|live|joined|ride|drive|play|use"
    r"|have|has)\b)",
    _I,
)
REPORTED: Final = re.compile(
    rf"\b(?P<who>[^\W\d_]+)\s+(?:(?:also|always|keeps|kept|never|ever|actually|just|once|has|have|ha|a|hat|mir|me|mi"
    rf"|m')\s*){{0,2}}\b(?:{'|'.join(_SAYS)}"
    rf"|detto|gesagt)\b"
    rf"|\b(?:according to|laut|secondo|selon|según|segundo)\s+(?:the |my |a )?(?P<source>[^\W\d_]+)",
    _I,
)
_EXPERT = "doctor dr gp dentist therapist psychiatrist physician specialist surgeon nurse vet arzt ärztin medico médecin médico"
EXPERTS: Final = frozenset(_EXPERT.split())
# Played for a while, or not meant: it colours the whole message.
PLAYED: Final = re.compile(
    r"\brole-?play(?!ing games)|^\W*(?:imagine|pretend|let's pretend|let's play)\b|\b(?:pretend|imagine) (?:that |to be |you"
    r"|i|we)"
    r"|\b(?:just|only)\s+(?:kidding|joking)\b|\bi(?:'m| am) (?:kidding|joking)\b|\bjk\b|\byou are (?:now )?(?:a|an|the) "
    r"(?!great|good|star|gem|life)"
    r"|\bin this (?:scenario|story|game)\b|\bstell dir vor\b|\brollenspiel\b|\bfacciamo finta\b|\bjeu de rôle\b|\bscherz\w*"
    r"|角色扮演|假装|开玩笑",
    re.IGNORECASE | re.MULTILINE,
)
# True for a while only.
PASSING: Final = any_of(
    r"today|tonight|this (?:week|weekend|month|morning|evening|afternoon)|right now|at the moment|for (?:a|the|two|three|a few) "
    r"(?:few )?(?:day|days|week|weeks|weekend|night|nights)|on holiday|on vacation|visiting|temporarily|for now|heute|diese "
    r"woche|gerade|"
    r"oggi|questa settimana|in vacanza|aujourd'hui|cette semaine|en vacances|hoy|esta semana|de vacaciones|hoje|"
    r"de férias|今天|这周"
)
# A home is said to be one.
HOME: Final = re.compile(
    r"\b(?:li[fv]\w*|mov(?:e|ed|ing)|relocat\w+|resid\w+|home|house|flat|apartment|based|settled|wohn\w*|leb\w*|\w*zogen"
    r"|zieh\w*|zuhause|haus"
    r"|viv\w*|abit\w*|trasferi\w+|casa|habit\w*|vis|vit|déménag\w*|maison|mud\w+|mor[oa]\w*|жив\w*|переехал\w*)\b|住|搬",
    _I,
)
# Read or heard somewhere: true of somebody, perhaps.
HEARSAY: Final = re.compile(
    r"\bi(?:['’]ve)?\s+(?:just\s+|once\s+|also\s+)?(?:read|heard|hear|saw|was told)\s+(?:somewhere\s+|online\s+)?(?:that|how"
    r"|about|in|on|from)\b",
    _I,
)
HEARD: Final = any_of(r"read|reads|heard|hears|saw|told")
# To do a thing is not yet to like it.
LIKING: Final = re.compile(
    r"\b(?:lik(?:e|es|ed|ing)|lov\w+|enjoy\w*|prefer\w*|fan|fond|favou?rites?|best|great|obsessed|ador\w+|passion\w*|into"
    r"|crazy|mad about"
    r"|keen|interest\w*|hobby|hate\w*|dislike\w*|stand|only|usually|never|rather|fun|delicious|amazing|beautiful|need"
    r"|want)\b|[❤♥😍🥰]",
    _I,
)
MINE: Final = any_of(
    r"my|our|ours|mein\w*|unser\w*|mi[oae]i?|mie|nostr[oaie]|mon|ma|mes|notre|nos|mis?|nuestr\w+|meus?|minhas?|noss\w+"
    r"|мо\w{1,2}|我的"
)
# With somebody else for its subject, whatever it does to the person.
SOMEONE: Final = re.compile(
    r"^\W*(?:the|these|those|someone|somebody|people|everyone|everybody|nobody|no one|they)\b(?!.*\bi\b)", _I
)
# Said of the world at large, in English, where a sentence about oneself shows it.
AT_LARGE: Final = re.compile(
    r"^\W*(?:the|these|those|this|that|it|there)\b|\b(?:is|are|was|were|has|does|people|everyone|someone|they)\b", _I
)
# A text given to be worked on is not what its bearer says.
GIVEN_TEXT: Final = re.compile(
    r"(?:\b(?:translat\w+|summari[sz]\w+|proofread|rewrite|rephrase|paraphrase|improve|edit|shorten|polish|correct (?:this"
    r"|the|my|these)"
    r"|übersetz\w*|korrigier\w*|fass\w*|traduci|correggi|riassumi|traduis|corrige|résume|traduce|resume|traduza"
    r"|resuma)\b[^:\n]{0,120}[:\n]"
    r"|\b(?:this|the following|diese[rns]?|folgende\w*|quest[oa]|cette?|este|esta) (?:e?-?mail|message|text|letter|article"
    r"|poem|post|story"
    r"|paragraph|essay|review|code|comment|brief|nachricht|testo|messaggio|texte|lettre|texto|mensaje)\b[^:\n]{0,120}[:\n])"
    r"|翻译[^：:\n]{0,40}[：:\n]",
    _I,
)
FIRST: Final = any_of(
    r"i|i'm|i've|i'd|i'll|im|ive|me|myself|mine|we|we're|we've|us|ich|mich|mir|wir|uns|io|noi|je|j'\w*|moi|nous|yo|"
    r"nosotros|eu|nós|мне|я|меня|我|私|僕"
)
WE_ASK: Final = frozenset("i we you ich wir du io noi je nous yo nosotros tú eu nós let and or but".split())
_LIVING = (
    "wife husband partner spouse girlfriend boyfriend fiance fiancee ex mother mum mom father dad parents parent sister "
    "brother sibling "
    "siblings son daughter child children kid kids baby twin twins cousin aunt uncle niece nephew grandma grandmother grandpa "
    "grandfather grandson granddaughter friend friends colleague colleagues coworker boss manager neighbour neighbor roommate "
    "flatmate "
    "teacher tutor landlord doctor therapist dentist dog dogs cat cats pet horse bird rabbit parrot hamster puppy kitten "
    "student "
    "frau mann freundin freund mutter vater eltern schwester bruder sohn tochter kind kinder hund katze chef kollege kollegin "
    "nachbar "
    "moglie marito fidanzata fidanzato madre padre genitori sorella fratello figlio figlia figli amico amica cane gatto capo "
    "collega "
    "femme mari copine copain mère père parents soeur frère fils fille enfants ami amie chien collègue voisin "
    "esposa esposo marido novia novio hermana hermano hijo hija hijos amigo amiga perro gato jefe esposa irmã irmão filho "
    "filha cão"
    " nachbarin chefin cousine tante onkel oma opa zio zia cugino cugina nonna nonno vicino vicina oncle tante voisine mère "
    "copine "
    "abuela abuelo tío tía primo prima vecino vecina mãe pai vizinho vizinha avó avô"
)
LIVING: Final = frozenset(fold(_LIVING).split())
OTHER: Final = re.compile(
    r"^\W*(?:(?:and|but|so|also|well|yes|no|ok|because|since|that|und|aber|ma|e|mais|et|pero|y)\b[\s,]*)*"
    r"(?:(?P<pronoun>he|she|they|it|he's|she's|they're|er|lui|lei|il|elle|él|ella|ele|ela)\b"
    r"|(?P<mine>my|our|mein\w*|unser\w*|mi[ao]?|miei|mon|ma|mes|mis|meu|minha|nostr[oa])\s+(?P<noun>(?:\w+\s+){0,2}?\w+)"
    r"|(?P<name>(?-i:[A-ZÀ-Þ]\w+))\s+(?:is|was|has|had|works|lives|likes|loves|hates|plays|wants|moved|got|ist|hat|wohnt|è|ha"
    r"|vive|est|habite|es|tiene)\b)",
    _I,
)
OTHER_JOINED: Final = re.compile(
    r"^\W*(?:我的?|私の)(?P<who>朋友|妈妈|爸爸|母亲|父亲|妻子|老婆|丈夫|老公|儿子|女儿|姐姐|妹妹|哥哥|弟弟|同事|老板|邻居|男朋友|女朋友|友達|母|父|妻|夫|息子|娘|姉|妹"
    r"|兄|弟|上司|同僚)"
)
NEGATION: Final = re.compile(
    r"n['’]t\b|\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|cant|dont|doesnt|isnt|without|no longer|stopped|quit"
    r"|quits|gave up"
    r"|given up|used to|hardly|barely|scarcely|seldom|rarely|kaum|hates?|hated|dislikes?|detests?|loathes?|avoids?"
    r"|all?erg\w*|intoleran\w*|former|formerly|previously"
    r"|refuses?|lacks?"
    r"|nicht|kein\w*|nie|niemals|ohne|hasst|hasse|aufgehört|früher|non|mai|senza|odia|odio|smesso|ne|n'\w+|pas|jamais|sans"
    r"|déteste|arrêté"
    r"|nunca|jamás|sin|dejé|dejó|não|sem|odeio|не|нет|никогда|ненавижу)\b|不|没|無|ない|别",
    _I,
)
NOT_NEGATION: Final = re.compile(
    r"^\W*(?:no|nope|nah|nein|non|não|нет)(?:\s*[,.;:!–—-]+\s*|\s+(?=(?:i|i'm|my|it|that|ich|mein\w*|il mio|je|mi|o meu)\b))"
    r"|\bnot only\b|\b(?:do|does)n['’]t mind\b|\bcan['’]t wait\b|\bno problem\b|\bno "
    r"doubt\b"
    r"|\bnot to mention\b|\bwhy not\b|\bphone no\b|\bnon solo\b|\bnicht nur\b|不错|不过",
    _I,
)
UNSURE: Final = any_of(
    r"maybe|might|perhaps|possibly|probably|not sure|may (?:be|have|not|move|go|get|start|need|try|leave|buy)|"
    r"thinking (?:of|about)|considering|wonder(?:ing)?|almost|nearly|applied|applying|interview(?:ed|ing)?|offered|i "
    r"(?:thought|believed|assumed) (?:that )?(?:i|my|we)|"
    r"beinahe|quasi|presque|casi|quase|"
    r"vielleicht|wahrscheinlich|forse|magari|peut-être|quizás?|"
    r"tal vez|talvez|может|也许|可能"
)
WISHED: Final = any_of(
    r"want|wants|wanted|wanna|plan|plans|planning|planned|hope|hopes|hoping|would like|i'd like|would love|i'd love|"
    r"intend\w*|dream\w*|wish\w*|aspire\w*|goal|aims?|trying|tries|interested|would|i'd|could|should(?! (?:mention|say|add"
    r"|note|tell))"
    r"|ought"
    r"|möchte\w*|(?:ich|er|sie|nutzer|nutzerin) will"
    r"|würde gern\w*|hofft?e?|"
    r"plant|vorrei|vorrebbe|voglio|vuole|spero|spera|voudrais|voudrait|veux|veut|espère|quiero|quiere|quisiera|"
    r"espero|espera|quero|quer|хочу|хочет|想"
)


def opposite(one: str, other: str, common: Iterable[str] = ()) -> bool:
    """Tell whether one text denies and the other does not; words they have in common ("allergic") deny in neither."""
    shared = re.compile(rf"\b(?:{'|'.join(map(re.escape, common))})\b", _I) if common else None
    return negated(shared.sub(" ", one) if shared else one) != negated(shared.sub(" ", other) if shared else other)


def negated(text: str) -> bool:
    """Tell whether a sentence denies, ends or rejects something."""
    return NEGATION.search(NOT_NEGATION.sub(" ", text.replace("’", "'"))) is not None
