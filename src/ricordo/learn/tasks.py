"""What is no fact about the person, whatever was said: tasks, moods, the assistant, instructions, templates, markup, fragments.

Each rule has its reason; the first that holds refuses. A wish for life ("wants to become a nurse") is a fact, an errand is not.
"""

from __future__ import annotations

import re

LONGEST = 280  # letters (E11)

_I = re.IGNORECASE
# The person as a fact names them, in the languages they may write in.
_USER = (
    r"(?:(?:the|this)\s+)?(?:user|person|human|individual)|(?:der|die)\s+(?:nutzer(?:in)?|benutzer(?:in)?|user(?:in)?|person)"
    r"|l['’]utente|l['’]utilisat(?:eur|rice)|(?:el|la)\s+usuari[oa]|[oa]\s+usuári[oa]|пользователь|用户|ユーザー(?:は|が)?"
)
_S = rf"^\W*(?:{_USER})\s*"
_AIDS = (
    r"help|assistance|recommendations?|suggestions?|advice|tips|ideas|information|info|details|instructions|guidance|feedback"
    r"|examples?"
    r"|an?\s+(?:[\w-]+\s+){0,3}(?:answer|explanation|summary|list|recipe|translation|example|poem|story|email|e-mail|letter"
    r"|draft|toast|speech"
    r"|essay|script|plan|itinerary|menu|definition|comparison|overview|reply|response|report|quote|joke)"
)
_ERRANDS = (
    r"know|find\s+out|hear|see\s+(?:an?|the|some)|get\s+(?:help|recommendations|advice)|draft|translate|summari[sz]e|debug"
    r"|fix|rewrite"
    r"|calculate|compare|convert|generate|discuss|talk|ask|look\s+up|search|check|book|order|print|forget|delete|remove|remember"
    r"|have\s+(?:the|an?)\s+\w+\s+(?:written|translated|explained|summari[sz]ed)"
)
_REPORTS = re.compile(
    rf"{_S}(?:(?:has|had|have|is|was|just|also|currently|recently)\s+)*"
    r"(?:ask(?:s|ed|ing)?\s+(?:for|about|how|what|whether|if|why|which|where|when|who|the\s+(?:assistant|ai|model|bot)|me|you"
    r"|to|a\s+question"
    r"|questions?)|request(?:s|ed|ing)?|inquir\w+|enquir\w+|wonder(?:s|ed|ing)|quer(?:y|ies|ied|ying)|prompt(?:s|ed|ing)?"
    r"|instruct(?:s|ed|ing)?"
    r"|command(?:s|ed)?|(?:ran|runs|executed?)\s+(?:echo|git|npm|pip|ls|cd|curl|python|code|the\s+(?:command|code|tests?)"
    r"|an?\s+(?:command|script|query|test))\b|greet(?:s|ed)?|thank(?:s|ed)?|said\s+(?:hello|hi|thanks|goodbye|ok)|is\s+(?:asking"
    r"|chatting|curious)"
    r"|asking|seek(?:s|ing)?\s+(?:help|advice|assistance|recommend\w*|suggest\w*|information|guidance|tips)"
    r"|looking\s+for\s+(?:" + _AIDS + r")"
    r"|(?:wants?|wanted|needs?|needed|would\s+like|wishes|desires)\s+(?:" + _AIDS + r"|to\s+(?:" + _ERRANDS + r")\b|(?:the"
    r"|this)\s+(?:assistant|ai|text|code|email|answer))"
    r"|(?:needs?|has|had|wants?)\s+to\s+(?:buy|pick\s+up|call|finish|clean|pay|send|submit|return|print|reply|go\s+to\s+the)\b"
    r"|(?:has|have|had)\s+an?\s+(?:\w+\s+)?(?:question|request|query|doubt)\b"
    r"|(?:debugging|testing\s+the|trying\s+to\s+(?:fix|debug|solve|install|run|understand|find))\b)",
    _I,
)  # fmt: skip
_REPORTS_ELSEWHERE = re.compile(
    rf"{_S}(?:(?:hat|ha|a|sta|möchte|will|vuole|vorrebbe|veut|voudrait|souhaite|quiere|desea|quer|gostaria\s+de|está)\s+)*"
    r"(?:fragt\w*|gefragt|bittet|bat|gebeten|wissen|erfahren|chied\w+|chiest\w+|domand\w+|sapere|richied\w+|demand\w+|savoir"
    r"|pregunt\w+"
    r"|pid\w+|saber|solicit\w+|pergunt\w+|pediu|ped\w+|спрашива\w+|спросил\w*|прос\w+|попросил\w*|хочет\s+узнать"
    r"|想知道|想要?了解|询问|请求|要求|问|질문|尋ね|質問)|^\W*(?:用户|ユーザー).{0,3}(?:想知道|询问|请求|要求|问了?|尋ね|質問)",
    _I,
)
_ERRAND_IF_ASKED = re.compile(
    rf"{_S}(?:wants?|needs?|would\s+like|is\s+(?:planning|trying|looking|preparing|writing|working|interested)|plans?)\b", _I
)
_ASSISTANT = re.compile(
    r"^\W*(?:(?:the|this|an?|your)\s+)?(?:assistant|ai|a\.i\.|chat\s?bot|bot|language\s+model|llm|model|chatgpt|claude|gemini"
    r"|system)(?:['’]s)?\b"
    r"(?!\s*(?:train|airplane|car)\b)|\bthe\s+(?:assistant|ai|chat\s?bot|language\s+model|ai\s+model)\b|\bas\s+an\s+ai\b"
    r"|^\W*you(?:['’]re|r)?\b"
    r"|^\W*(?:l['’]assistente|l['’]assistant|el\s+asistente|der\s+assistent|o\s+assistente)\b|^\W*(?:助手|助理|アシスタント)|\bассистент",
    _I,
)
_FIRST = re.compile(
    r"^\W*(?:i|i['’](?:m|ve|d|ll)|my|me|we|our|ich|mein\w*|wir|io|je|j['’]\w*|mon|yo|eu)\b(?!\.)|^\W*(?:我|私|僕|俺)", _I
)
_REFUSES = re.compile(
    r"^\W*(?:i['’]?m\s+(?:sorry|unable)|i\s+(?:can\s?not|can['’]t|won['’]t|do\s+not|don['’]t)|sorry|apologies|unfortunately"
    r"|sure|certainly|okay?|here\s+(?:is|are)"
    r"|of\s+course|no\s+(?:new\s+)?(?:facts?|information|updates?|changes?|memor)|nothing\b|none\b|n/?a\b|there\s+(?:is"
    r"|are)\s+no|es\s+tut\s+mir\s+leid"
    r"|mi\s+dispiace|je\s+suis\s+désolé|lo\s+siento|desculpe|извините|抱歉|对不起)",
    _I,
)
_TEMPLATE = re.compile(
    r"\[[^\]\d]{0,40}\]|<[^<>\s][^<>]{0,60}>|\{[^{}]{0,60}\}|_{3,}|\bX{3,}\b|\b(?:lorem ipsum|placeholder|insert \w+ here"
    r"|your name here)\b"
    r"|\b(?:fact|example|sentence|statement)\s*(?:\d+|text|one|two)\b|\btext of the fact\b"
    r"|\b(?:is|are)\s+(?:unknown|unspecified|not\s+(?:known|specified|mentioned|provided|given|stated|available))\b"
    r"|^\W*(?:unknown|undefined|null)\b",
    _I,
)
_MARKUP = re.compile(r"!?\[[^\]]*\]\s*\(|<\s*/?\s*[a-z]\w*[^>]*>|```|&lt;|\bdata:\w+/|javascript:|^\s*[#>|]", _I)
_INSTRUCTS = re.compile(
    r"^\W*(?:please|always|never|ignore|disregard|remember|forget|do\s+not|don['’]t|make\s+sure|ensure|answer|respond|reply"
    r"|use|follow|act|pretend"
    r"|from\s+now\s+on|system\s*:|instruction|note\s*:|important\s*:|immer|ignoriere|sempre|ignora|toujours|ignore[rz]?"
    r"|siempre)\b"
    r"|\bignore\s+(?:all|any|the|previous|prior)\b.{0,30}\binstructions?\b|\byou\s+(?:must|should|are|will|have\s+to|can)\b"
    r"|\bsystem\s+prompt\b"
    r"|(?:忽略|无视).{0,12}(?:指令|指示)",
    _I,
)
_MOODS = (
    "awful|terrible|lousy|miserable|horrible|lonely|down|tired|exhausted|fed up|fed up with .*|sleepy"
    "|happy|sad|bored|hungry|thirsty|busy|stressed|excited|angry|mad|annoyed|frustrated|upset|ok|okay"
    "|fine|good|great|well"
    "|better|worse|confused|curious|glad|sick|unwell|cold|hot|nervous|in a (?:good|bad|great|terrible) mood|awake|ready|late"
    "|home|back|online|grateful"
    "|müde|hungrig|traurig|glücklich|gestresst|stanc[oa]|triste|felice|affamat[oa]|fatiguée?|content|contente|heureu\\w+"
    "|cansad[oa]|feliz|contento|contenta|doente"
)
_MOOD = re.compile(
    rf"{_S}(?:(?:is|was|feels?|felt|seems|has\s+been|ist|fühlt\s+sich|è|si\s+sente|est|se\s+sent|está|se\s+siente|feeling"
    rf"|really|very|so|a\s+bit"
    rf"|currently|sehr|molto|très|muy|muito)\s+)+(?:{_MOODS})(?:\s+(?:today|tonight|now|right\s+now|at\s+the\s+moment"
    rf"|this\s+\w+|currently|again|heute|oggi|aujourd['’]hui|hoy|hoje))?\W*$"
    rf"|{_S}(?:feels?|felt|is\s+feeling)\b.*\b(?:today|tonight|now|at\s+the\s+moment|this\s+(?:morning|evening|afternoon"
    rf"|week))\W*$"
    rf"|{_S}(?:is|was)\s+(?:currently\s+)?(?:cooking|eating|drinking|watching|going\s+to\s+(?:bed|sleep)|about\s+to"
    rf"|on\s+(?:the|their|his|her)\s+way)\b"
    rf"|{_S}(?:has|had)\s+a\s+(?:\w+\s+)?(?:headache|cold|hangover|good\s+day|bad\s+day|long\s+day)(?:\s+(?:today|now"
    rf"|right\s+now))?\W*$|^\W*用户.{{0,4}}(?:很|有点|今天)?(?:累|饿|困|高兴|难过|无聊)了?\W*$",
    _I,
)
# True on one day, or about to be: gone in a month, and without its date not even to be understood (E1, E13).
_SHORT_LIVED = re.compile(
    r"\b(?:tonight|right\s+now|at\s+the\s+moment|later\s+today|tomorrow|this\s+(?:morning|afternoon|evening|week|weekend)"
    r"|(?:next|coming)\s+(?:week|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|heute\s+abend|morgen\s+früh|stasera"
    r"|domani|ce\s+soir"
    r"|demain|esta\s+noche|hoje\s+à\s+noite|amanhã)\b|今晚|明天|今夜|明日"
    rf"|{_S}(?:has|had)\s+an?\s+(?:\w+['’]?s?\s+)?(?:appointment|meeting|call|interview|flight|reservation|deadline)\b"
    r"|\buser['’]s\s+(?:code|script|program|query|function|build|pull\s+request|tests?)\s+(?:throws|fails|crashes|returns|is"
    r"|does|has|won|works)",
    _I,
)
_LABEL = re.compile(r"^\W*(?:\w+\s){0,2}\w+\s*[:=]\s*\S")
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_NO_SUBJECT = re.compile(
    r"^\W*(?:likes?|loves|hates|dislikes|enjoys|prefers|lives|works|has|owns|plays|speaks|drives|studies|wants|needs|is|was"
    r"|allergic|vegetarian)\b",
    _I,
)
_POINTS = re.compile(rf"{_S}(?:\w+\s+){{1,3}}(?:it|this|that|them|these|those|so)\W*$", _I)
_ENDS_OPEN = re.compile(r"[:,;(\[{\-–=&]\s*$|\.\.\.\s*$|…\s*$|\b(?:the|a|an|and|or|of|to|in|is|with|for)\s*$", _I)


def refusal(text: str, *, asked: bool = False) -> str | None:
    """Return why a text is no fact about the person, None when it may be one.

    `asked` tells that the person only spoke of it in a question or a request.
    """
    if len(text) > LONGEST:
        return f"It is longer than {LONGEST} letters."
    if not _is_statement(text):
        return "It is no statement."
    rules = (
        (_REFUSES, "It is the model talking, not a fact."),
        (_MARKUP, "It holds markup or a link that would be followed."),
        (_TEMPLATE, "It is a template with nothing filled in."),
        (_INSTRUCTS, "It is an instruction."),
        (_NO_SUBJECT, "It does not say of whom."),
        (_POINTS, "It does not say of what."),
        (_REPORTS, "It only reports a request."),
        (_REPORTS_ELSEWHERE, "It only reports a request."),
        (_ASSISTANT, "It is about the assistant."),
        (_FIRST, "It is not in the third person."),
        (_MOOD, "It is a passing mood or moment."),
        (_SHORT_LIVED, "It is a passing mood or moment."),
    )
    for sentence in _SENTENCES.split(text):
        for rule, reason in rules:
            if rule.search(sentence):
                return reason
    if asked and _ERRAND_IF_ASKED.search(text):
        return "It only reports a request."
    return None


def _is_statement(text: str) -> bool:
    if "\n" in text.strip() or text.rstrip().endswith(("?", "？")) or _ENDS_OPEN.search(text) or _LABEL.match(text):
        return False
    letters = sum(char.isalpha() for char in text)
    return letters >= 3 and (len(text.split()) >= 2 or any(char >= "\u3040" for char in text)) and letters >= len(text) / 3
