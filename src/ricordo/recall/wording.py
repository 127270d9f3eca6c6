"""What a message gives to look for, told by its words alone, in several languages: no model is asked.

The one rule: in doubt there is something to look for. Searching is cheap; a memory that is not looked for is lost.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from ricordo.letters import visible
from ricordo.recall.little_words import EMPTY, SOCIAL, THANKS
from ricordo.store.words import names


class Kind(Enum):
    """What a message gives to look for: nothing at all, only what was talked about, or words of its own."""

    NOTHING = "nothing"
    POINTING = "pointing"
    TELLING = "telling"


_SOCIAL_PHRASE: Final = re.compile(
    r"\b(?:how (?:are|r) (?:you|u)(?: doing| today)?|how(?:'s| is) it going|how do you do|what'?s up|nice to meet you"
    r"|see you(?: \w+)?|talk to you (?:later|soon)|take care|(?<!i )sleep well|good (?:morning|evening|afternoon|night|day)"
    r"|(?:that|this|it)(?:'s| is| was| sounds| looks)(?: (?:very|really|so|all|just|a|an|exactly|what i|i))*"
    r" (?:great|good|nice|fine|perfect|helpful|needed|wanted|right|ok|okay|cool|lovely|help|awesome|amazing|wonderful|correct)"
    r"|you(?:'re| are)(?: (?:very|so|the|a|really))* (?:welcome|best|right|kind|great|star|helpful)"
    r"|no problem|never ?mind|of course|i (?:see|agree|understand|know)|got it|(?:(?:that|it) )?makes sense"
    r"|sounds (?:good|like a plan)|go on|go ahead|carry on|keep going|love (?:you|it|this)|miss you|same here|me too"
    r"|just kidding|that(?:'s| is) all(?: for (?:today|now))?|cool beans"
    r"|who are you|what can you do|what do you think|(?:are )?you there|what time is it|(?:and|what about|how about) you"
    r"|really|tell me (?:a joke|something)"
    r"|in ordnung|schönen tag(?: noch)?|pas de problème|de acuerdo|no pasa nada|non importa"
    r"|wie geht(?:'?s| es)(?: (?:dir|ihnen))?|alles klar|bis (?:bald|später|morgen|dann)|schlaf gut|weiter so"
    r"|come (?:stai|va|sta)|a (?:presto|domani|dopo)|tutto bene|tudo bem|per favore|por favor"
    r"|ça va|comment (?:ça va|vas[- ]tu|allez[- ]vous)|à (?:bientôt|demain|plus)|c'est (?:bon|parfait|super|génial)|de rien"
    r"|s'il (?:te|vous) plaît|(?:cómo|como) (?:estás|está|vai)|qué tal|hasta (?:luego|mañana|pronto)|de nada|muy bien"
    r"|как дела|до свидания|спокойной ночи)(?!\w)",
    re.IGNORECASE,
)
_UNSPACED_SOCIAL: Final = re.compile(
    r"(?:你好吗?|您好|早上好|早安|晚上好|晚安|谢谢你?|多谢|感谢|好的?|好吧|是的?|对的?|不是|嗯+|哦+|哈+|呵+|再见|拜拜"
    r"|没问题|没事|不客气|明白了?|我?知道了?|可以|行|了|吧|啊|呢|吗"
    r"|こんにちは|こんばんは|おはよう(?:ございます)?|おやすみ(?:なさい)?|ありがとう(?:ございます|ございました)?|はい|いいえ"
    r"|うん|ううん|なるほど|わかりました|わかった|了解(?:です)?|さようなら|またね|すごい|いいね|です|ね|よ"
    r"|안녕(?:하세요|히)?|감사합니다|고마워요?|네|예|아니요?|응|좋아요?|알겠습니다|알겠어요"
    r"|สวัสดี(?:ครับ|ค่ะ)?|ขอบคุณ(?:ครับ|ค่ะ|มาก)?|ครับ|ค่ะ|โอเค|[，。！？!?、~～… ])+"
)
_POINTS: Final = re.compile(
    r"\b(?:it|its|that|this|those|these|they|them|their|he|him|his|she|her|hers|there|then|one|ones|same|former|latter|other"
    r"|others|else"
    r"|es|das|dies\w*|er|ihn|ihm|sie|ihr|dort|dann|damals|lui|lei|loro|quello|quella|questo|questa|lì|là|elle|ils|ça|cela"
    r"|él|ella|ellos|eso|ese|esa|aquello|allí|ele|ela|isso|он|она|они|это|там)\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"[?？؟]|^\W*(?:(?:and|but|so|und|e|et|y)\s+)?(?:who|whom|whose|what|when|where|why|which|how|wer|wem|was|wann|wo|warum"
    r"|welche\w*|wie|chi|cosa|quando|dove|perché|quale|come|qui|quoi|quand|où|pourquoi|comment|quién|qué|cuándo|dónde|cuál|cómo"
    r"|кто|что|когда|где|почему)\b|\b(?:more|tell me|remind me|go into)\b|[吗呢么]\W*$"
    r"|谁|什么|哪|怎么|为什么|何|誰|どこ|いつ|どう|なぜ",
    re.IGNORECASE,
)
_LONGEST_SUM, _READ = 200, 2000  # letters
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_POLITE = frozenset("sie ihnen ihr ihre ihrem ihren ihrer ihres lei".split())  # have a capital, and are no name
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# Sums, and work on a text that is given along: nothing of the past can help.
_SUM = re.compile(
    r"^(?=.*\d)(?=.*(?:[+*/x×÷^%-]\s*\d|%|[a-z]{2}))\W*(?:(?:what(?:'s| is| are)|how much is|calculate|compute|was ist"
    r"|wie viel ist|quanto fa|combien font|cuánto es)\s+)?(?:[\d.,\s()+*/x×÷^%=€$£?!-]|percent|per cent|prozent"
    r"|percento|pour ?cent|por ciento|of|von|di|de|times|mal|per|fois|por|plus|minus|meno|moins|más|menos|divided by|durch"
    r"|diviso|squared|to the power of|the square root of|sqrt|und|and)*$",
    re.IGNORECASE,
)
_WORK = re.compile(
    r"^\W*(?:(?:please|can you|could you|bitte|per favore|por favor)\s+)*(?:translate|rewrite|rephrase|reword|proofread|correct"
    r"|fix|shorten|summari[sz]e|format|reformat|convert|spell ?check|übersetze?|korrigiere?|fasse?|traduci|correggi"
    r"|traduis|traduisez|corrige|traduce)\b",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"[\"“”„«»].{3,}[\"“”«»]|(?<!\w)['‘].{3,}['’](?!\w)|[:：]\s*\S|\n\s*\S", re.DOTALL)
_OWN = re.compile(r"\b(?:my|mine|our|i|me|mein\w*|mio|mia|mon|ma|mes|mi|mis|meu|minha)\b", re.IGNORECASE)
# What is said around the thing that is asked about; for the search only the thing counts.
_REQUEST = re.compile(
    r"^\W*(?:(?:hi|hey|hello|ok|okay|so|well|and|but|also|now|please|hallo|ciao|salut|hola)\b[\s,.!]*)*"
    r"(?:(?:can|could|would|will) you (?:please )?(?:tell|remind|show) me(?: again)?"
    r"|(?:please )?(?:tell|remind|show) me(?: again)?|do you (?:still )?(?:remember|recall|know)"
    r"|i(?:'d| would) like to know|i (?:want|need) to know|i(?:'m| am) (?:wondering|curious)|i wonder|any idea"
    r"|kannst du mir (?:bitte )?sagen|sag mir(?: bitte)?|weißt du noch|erinnerst du dich(?: noch)?(?: an)?"
    r"|ti ricordi|puoi dirmi|dimmi|te souviens-tu(?: de)?|tu te souviens(?: de)?|peux-tu me dire|dis-moi"
    r"|te acuerdas(?: de)?|puedes decirme|dime|você (?:se )?lembra(?: de)?|ты помнишь|помнишь|скажи)\b[\s,:]*"
    r"(?:(?:if|whether|about|that|ob|se|si|che|que)\b\s+)?(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)


_ONESELF: Final = re.compile(
    r"\b(?:i|i['’]\w+|me|my|mine|we|us|our|ours|ich|mir|mich|mein\w*|wir|uns\w*|io|mi|mio|mia|miei|mie|noi|nostr\w|je|j['’]\w+"
    r"|moi|mon|ma|mes|nous|notre|nos|yo|mis|nosotros|nuestr\w+|eu|meu|minha|nós|nosso|ik|mij|mijn|wij|ons|onze)\b",
    re.IGNORECASE,
)
_PAST: Final = re.compile(
    r"\b(?:did|was|were|had|have|has|['’]ve|ever|never|remember|told|said|wrote|written|mentioned|used to|ago|last"
    r"|hab\w*|hatte\w*|war|waren|wurde\w*|jemals|ho|avevo|ero|è stato|era|eravamo|abbiamo|j['’]ai|ai|avais|étais|était|avons"
    r"|he|había|tenía|fui|estaba|era|tive|fui|estava|heb|had|was|waren)\b",
    re.IGNORECASE,
)


def kind(text: str) -> Kind:
    """Tell what a message gives to look for; `text` is without what was looked up outright (references.rest)."""
    text = visible(text).strip()
    if not _WORD.search(text) or _UNSPACED_SOCIAL.fullmatch(text) or _sum(text) or _given_work(text):
        return Kind.NOTHING
    if telling(text):
        return Kind.TELLING
    left = _SOCIAL_PHRASE.sub(" ", text)
    social = [word in SOCIAL for word in _words(left)]
    asks = _ASKS.search(left) is not None and not all(social)
    return Kind.POINTING if asks or (_POINTS.search(left) is not None and not any(social)) else Kind.NOTHING


def about_own_past(text: str) -> bool:
    """Tell a question about what the person lived: where nothing is found for it, a model must not make something up."""
    return bool(_ASKS.search(text) and _ONESELF.search(text) and _PAST.search(text))


def telling(text: str) -> list[str]:
    """Return the words of a text that say what is looked for, in small letters, each once, in order."""
    left = _SOCIAL_PHRASE.sub(" ", visible(text))
    words = _words(left)
    named = names(left) - _POLITE - SOCIAL
    # Among other words "good", "morning" and "no" say something after all; alone they are small talk.
    told = [
        word
        for word in words
        if word in named or _bare(word) in named or (word not in EMPTY and _bare(word) not in EMPTY and _long_enough(word))
    ]
    others = [word for word in told if word not in SOCIAL]
    thanked = len(others) < 2 and not _ASKS.search(left) and any(word in THANKS for word in words)
    if not others or thanked:
        return []
    return list(dict.fromkeys(told))


def names_all(text: str) -> bool:
    """Tell whether a message says by itself what to look for: it points to nothing, and has two telling words or more."""
    return _POINTS.search(text) is None and len(telling(text)) > 1


def asked_for(text: str) -> str:
    """Return a message without the phrase that asks for it ("can you tell me …"), as it is searched for."""
    text = " ".join(visible(text).split())
    match = _REQUEST.match(text)
    rest = match["rest"] if match else ""
    return rest if telling(rest) else text


def _words(text: str) -> list[str]:
    return [word.group().casefold().replace("’", "'") for word in _WORD.finditer(text)]


def _bare(word: str) -> str:
    """Return a word without what is joined to it: what's, don't, j'ai, l'utente."""
    head, _, tail = word.partition("'")
    return head if head in EMPTY and (tail in EMPTY or len(tail) < 3) else tail if len(head) < 3 and tail else word


def _long_enough(word: str) -> bool:
    """Tell a word from a lone letter or a choice: "3", "b)". A letter of a script without spaces is a word."""
    return (len(word) > 1 and not (word.isdigit() and len(word) < 3)) or _UNSPACED.search(word) is not None


def _sum(text: str) -> bool:
    return len(text) <= _LONGEST_SUM and _SUM.fullmatch(text) is not None


def _given_work(text: str) -> bool:
    """Tell whether a message asks for work on a text that it brings along, and on nothing of the person's own."""
    if _WORK.match(text) is None or (given := _GIVEN.search(text[:_READ])) is None:
        return False
    return _OWN.search(text[: given.start()]) is None
