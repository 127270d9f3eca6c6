"""Signs of asking: questions, requests, the wish that something be forgotten or not remembered; in several languages.

The one rule: only a command forgets. "I forgot", "don't forget" and "did you forget?" are none.
"""

from __future__ import annotations

import re
from typing import Final

from ricordo.learn.signs import any_of
from ricordo.wishes import FORGET as FORGET

_I = re.IGNORECASE

QUESTION: Final = re.compile(
    r"[?？؟]\W*$"
    r"|^\W*(?:what|who|where|when|why|which|how)(?:'s|\s+(?:is|are|do|does|did|can|could|would|should|will|was|were|much|many"
    r"|long|old|to))\b"
    r"|^\W*(?:can|could|would|will|do|does|did|are|is)\s+(?:you|i|it|there|my|the|we)\b|[吗呢]\W*$",
    _I,
)
# Only a question for something takes for granted what it says of the person; one whether it is so does not.
OPEN_QUESTION: Final = re.compile(
    r"^\W*(?:(?:and|but|so|hi|hey|hello|ok|well|also)\b[\s,]*)*(?:what|which|who|whom|whose|where|when|why|how|any\b|was"
    r"|welche\w*|wer|wo|wann|warum|wie"
    r"|che|cosa|quale|quali|chi|dove|quando|perché|come|quoi|quel\w*|qui|où|quand|pourquoi|comment|qu['’]\w+|qué|cuál\w*"
    r"|quién|dónde|cuándo"
    r"|por qué|cómo|que|qual|quem|onde)(?!\w)|什么|哪|怎么|为什么|谁|何|どこ|どう",
    _I,
)
WHETHER: Final = any_of(r"if|whether|ob|wenn|se|si|是否")
_ASKED = (
    "write draft translate summari[sz]e explain recommend suggest give show tell list find search look make create generate "
    "help fix "
    "debug run answer reply respond calculate convert compare check rewrite remind describe define draw plan compose continue "
    "act "
    "book open play sing sort count name pick choose prepare edit correct proofread shorten let "
    "schreib\\w* übersetz\\w* erklär\\w* fass gib zeig\\w* nenn\\w* empfiehl mach hilf such\\w* antworte\\w* "
    "scrivi\\w* traduci\\w* spiega\\w* riassumi dammi dimmi consiglia\\w* suggerisci\\w* aiutami trova\\w* rispondi fammi "
    "écris traduis explique résume donne dis recommande aide trouve réponds fais "
    "escribe traduce explica resume dame dime recomienda ayúdame busca responde haz escreve escreva traduza resuma"
).split()
REQUEST: Final = re.compile(
    rf"^\W*(?:(?:please|pls|hey|hi|ok|okay|now|then|so|and|also|bitte|per favore|s'il te plaît|por favor)\b[\s,]*)*"
    rf"(?:(?:{'|'.join(_ASKED)})(?![\w'])(?!\s+(?:is|was|are)\b)|(?:can|could|would|will)\s+you\b"
    r"|i\s+(?:want|need|would\s+like)\s+you\s+to\b|i'd\s+like\s+you\s+to\b"
    r"|(?:kannst|könntest)\s+du\b|(?:puoi|potresti)\b|(?:peux|pourrais)[-\s]tu\b|(?:puedes|podrías)\b|(?:请|帮我|给我|写|翻译))",
    _I,
)
# An answer's manner asked for once is a request; asked for for good it is a lasting wish.
FOR_GOOD: Final = any_of(
    r"always|from now on|in future|in the future|every time|immer|ab jetzt|sempre|d'ora in poi|toujours|désormais|"
    r"siempre|a partir de ahora|总是|以后"
)
FORGET_ALL: Final = re.compile(r"^\W*(?:everything|all|alles|tutto|tout|todo|tudo|всё|所有|一切)\b(?!\s+\w+s\b)", _I)
# "Forget the diet, I'm having cake": said of the moment, not of what is known.
NEVER_MIND: Final = re.compile(
    r"^\W*(?:\w+\W+){0,2}?forget\s+(?:it\b|the\b[^.!?]*,\s*\w)|\bforget\b[^.!?]*,\s*(?:i'm having|i'll|we'll|let's|give|what"
    r"|how|can|could|just"
    r"|tell|make|show|today|tonight|i want|i need|pass|bring|please (?:give|tell|write|make|show))\b|\b(?:let's|let us"
    r"|could) forget\b"
    r"|\bforget\b.*\b(?:today|tonight|for now|for once|this time|for (?:one|a) (?:day|evening|night|moment|while))\b",
    _I,
)
WITHHELD: Final = re.compile(
    r"(?:^|[.!?,;:(\n—-]\s*|\b(?:please|but|and|so)\s+)(?:don['’]?t|do not|never)\s+(?:you\s+)?(?:please\s+)?"
    r"(?:remember|save|store|note|keep|record|memori[sz]e|learn|log)\s+(?:any of\s+)?(?:this|that|it|what i|anything|a word)\b"
    r"|\boff the record\b|\b(?:keep|leave) this (?:out of|off)\b|\bforget (?:i said|that i said|what i just said|this)\b"
    r"|\b(?:merk|speicher)\w* dir (?:das|dies) nicht\b|\b(?:das|dies) nicht (?:merken|speichern)\b"
    r"|\bnon (?:ricordare|ricordarti|memorizzare|salvare|salvarlo|ricordarlo)\b|\bne (?:retiens|mémorise|note|garde"
    r"|enregistre) pas\b"
    r"|\bno (?:recuerdes|guardes|memorices|lo recuerdes|lo guardes)\b|\bnão (?:lembre|guarde|memorize|salve)\b"
    r"|\bне запоминай\b|(?:不要|别)(?:记住|保存|记下|记录)|覚えないで",
    _I,
)
