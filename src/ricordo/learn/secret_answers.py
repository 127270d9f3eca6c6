"""Answers to security questions: what a bank asks to know a person by ("my security question: first pet? Answer: …").

The one rule: such an answer is an ordinary fact ("my first pet was …") until it is said what it is used for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.learn import secret_values as values
from ricordo.learn.secret import Kind, Reading, Secret, fold
from ricordo.learn.secret_sentences import IS

_QUESTION = fold(
    r"security (?:questions?|answers?)|secret questions?|recovery questions?|verification questions?|challenge questions?"
    r"|bank's question"
    r"|sicherheitsfragen?|geheimfragen?|questions? de securite|questions? secretes?|preguntas? de seguridad"
    r"|preguntas? secretas?"
    r"|domand[ae] di sicurezza|domand[ae] segret[ae]|perguntas? de seguranca|perguntas? secretas?|beveiligingsvra(?:ag|gen)"
    r"|контрольный вопрос"
)
# One of these is in each of them: a text without one need not be looked through.
_HINTS = tuple(
    "security que|secret que|recovery que|verification que|challenge que|bank's que|security answ|frage|questions de s"
    "|question de s"
    "|question secr|questions secr|pregunta|domand|pergunta|beveiligingsvra|контрольный".split("|")
)
_ANSWER = fold(r"answer|answers|antwort|reponse|respuesta|risposta|resposta|antwoord|ответ")
# What is asked most; with the bank beside it, it is an answer too.
_ASKED = fold(
    r"maiden name|madchenname|nom de jeune fille|nome da nubile|cognome da nubile|nombre de soltera|apellido de soltera"
    r"|nome de solteira|first pet|first car|first school|first teacher|childhood friend|erstes haustier|primer mascota"
)
_FOR = (
    r"\b(?:bank|form|formular|formulario|login|reset|helpline|hotline|security|verification|verify|recovery|sicherheit"
    r"|securite|seguridad"
    r"|sicurezza|seguranca)\b"
)
_GIVEN = tuple(
    re.compile(rf"\b(?:{_QUESTION})\b{rest}")
    for rest in (
        rf"[^\n]{{0,120}}?\b(?:(?:{_ANSWER})\b(?:\s*[:=]|\s+(?:{IS})\b|'s|(?=\s\w+\W*$))|(?:i|we) (?:always "
        rf"|usually )?(?:answered|put|wrote|said|say|use\b"
        rf"|used|took)|puse|ho messo|j'ai mis|steht(?: jetzt)?|jetzt)\s*",
        r"[^\n?]{0,100}\?\s+",
        r"[^\n?:=]{0,60}:\s+\w+\s=\s*",
        r"[^\n?:=]{0,60}(?:[:=]|\s->)\s+(?![^\n]{0,100}\?)",
        r"(?:[^\n]{0,100}?\s(?:--?|->|→|=)|:[^\n:?]{3,60}:)\s+",
        r"[^\n?]{0,80}?\banswered (?:with|as|by)\s+",
        r"\s+(?=[a-z]+\W*(?:$|[,.]))",
        r"(?<=answers)(?:\s(?:at|for|with)\s[^\n.:?]{1,25})?\s(?:are|is)\s+",
        r"(?<=answer)(?:\s(?:at|for|with)\s[^\n.:?]{1,25})?\s(?:are|is)\s+",
    )
)
# Without a name, by what is asked and answered; with what has to stand in a text that is looked through for it.
_TOLD = (
    (
        _HINTS,
        re.compile(
            rf"\b(?:{_QUESTION})\b[^\n]{{0,40}}?:\s+(?:(?:my )?(?:first|favou?rite|childhood) \w+"
            rf"|(?:mother's )?maiden name)\s+"
        ),
    ),
    (
        ("memorable",),
        re.compile(
            r"\bmemorable (?:word|place|name|answer|date)\b[^\n]{0,30}?[.,;:] (?:so )?(?:i|we) (?:gave|said|chose|put"
            r"|picked|used)(?: them)?\s"
        ),
    ),
    (_HINTS, re.compile(rf"\b(?:{_ANSWER})\b[^\n.?!]{{0,25}}\b(?:{_QUESTION})\b[^\n.:?]{{0,60}}?(?:\s(?:{IS})|:)\s+")),
    (
        (" a: ", "answer: ", "antwort: "),
        re.compile(
            r"\b(?:q|question|frage|f): [^\n?]{0,40}\b(?:first|maiden|pet|school|street|born|city|mother\w*|teacher|car|friend"
            r"|erste\w?|mutter|haustier)\b[^\n?]{0,30}\?\s*(?:a|answer|antwort): "
        ),
    ),
    (
        ('r to "', 't auf "', 'e a "', 'a a "'),
        re.compile(
            rf"\b(?:answer|antwort|reponse|respuesta|risposta) (?:to|auf|a) \"[^\"\n]{{3,60}}\",?"
            rf" (?:i (?:gave|put|wrote|used|chose)|(?:{IS}))\s+"
        ),
    ),
    (
        (" asks ", "bank ask", "support ask", "hotline ask", "helpline ask"),
        re.compile(
            r"\b(?:bank|support|helpline|hotline|paypal|website|phone company|insurer|insurance|recovery|login)\b[^\n.?]{0,25}"
            r"\basks?\b[^\n.?]{3,60}?,? (?:say|it's|it is|the answer is|my answer is|answer with|i say|i said|type|put|give"
            r"|tell them)\s+"
        ),
    ),
)
_NEAR = re.compile(
    rf"(?:{_FOR}[^\n]{{0,60}})?\b(?:{_ASKED})\b(?P<after>[^\n.;:=?]{{0,60}}?)(?:(?:\s*[:=]|\s+(?:{IS})\b|'s)\s+"
    r"(?:i (?:put|wrote|gave|said)\s+)?|,\s+(?:and )?i (?:put|wrote|gave|said|used)\s+(?:them |in )?)"
)
_REPLY = re.compile(
    r"[\"']?(?P<reply>[^\W\d_][\w'-]{2,30}(?:[ ][A-ZÀ-Þ0-9][\w'-]{0,20}){0,2})[\"']?(?=\s*(?:$|[.,;!)\n]|(?:and|but|as|for"
    r"|und|als|e|et|y|como|come|comme)\b))"
)


def answers(reading: Reading) -> Iterator[Secret]:
    """Yield the answers that let in whoever knows them."""
    folded = reading.folded
    for given in _GIVEN if any(hint in folded for hint in _HINTS) else ():
        for match in given.finditer(folded):
            yield from _reply(reading, match.end())
    for hints, way in _TOLD:
        for match in way.finditer(folded) if any(hint in folded for hint in hints) else ():
            yield from _reply(reading, match.end(), capital=True)
    for match in _NEAR.finditer(folded) if any(asked in folded for asked in _ASKED.split("|")) else ():
        if re.search(_FOR, match[0]):
            yield from _reply(reading, match.end())


def _reply(reading: Reading, at: int, *, capital: bool = False) -> Iterator[Secret]:
    reply = _REPLY.match(reading.text, at, at + 80)
    if reply and (reply["reply"][0].isupper() or not capital) and not values.ordinary(reply["reply"]):
        yield Secret(Kind.PASSWORD, *reply.span("reply"), "It gives the answer to a security question.")
