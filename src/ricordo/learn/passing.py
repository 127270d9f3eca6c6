"""What is only so on a day, or only felt: weather, errands, what one did and saw, moods, irony. In a month it is no fact.

The one rule: what says how long, how often or since when, and what changes a life, is never taken for passing.
"""

from __future__ import annotations

import re
from typing import Final

from ricordo.learn import endings, signs

_I = re.IGNORECASE

# How long, how often, since when; and what a life is made of, whenever it is told.
_LASTS: Final = signs.any_of(
    r"years?|months?|decades?|since|always|every|each|weekly|daily|usually|often|never|ever|whole life|all my life|childhood"
    r"|born|raised"
    r"|as of|from now on|these days|nowadays|degree|diagnosed|pregnant|engaged|adopted|inherited|graduated|promoted|hired"
    r"|seit|jahre?n?|monate?n?|immer|jeden|jede|jeder|oft|nie|geboren|aufgewachsen|schwanger|verlobt|adoptiert"
    r"|anni|mesi|sempre|ogni|spesso|mai|nat[oa]|cresciut[oa]|ans|mois|depuis|toujours|chaque|souvent|jamais|née?|años|meses"
    r"|siempre|cada"
    r"|todos los|todas las|nunca|nací|anos|sempre|todo|toda|nasci|年|每|一直|从小"
)
# One day, or a part of it.
_ON_A_DAY: Final = signs.any_of(
    r"today|yesterday|last night|tonight|tomorrow|this (?:morning|afternoon|evening|weekend|week)|the other day|right now"
    r"|at the moment"
    r"|just now|earlier today|on the way (?:home|to work|back)|next (?:week|weekend|month|\w+day)|on (?:mon|tues|wednes"
    r"|thurs|fri|satur|sun)day"
    r"|heute|gestern|morgen früh|vorgestern|gerade eben|am wochenende|nächste woche|am (?:mon|diens|donners|frei|sams"
    r"|sonn)tag|am mittwoch"
    r"|oggi|ieri|stamattina|stasera|domani|stanotte|aujourd'hui|hier|ce matin|ce soir|demain|cette nuit|hoy|ayer|anoche"
    r"|esta mañana"
    r"|esta tarde|esta noche|hoje|ontem|amanhã|vandaag|gisteren|vanmorgen|vanavond|morgenochtend|сегодня|вчера|завтра|今天|昨天"
    r"|明天|今早|今晚"
)
_PART_OF_DAY: Final = re.compile(
    r"^\W*(?:all (?:morning|afternoon|evening|night|day)|half the (?:day|morning|night)|by noon)\b|"
    r"^\W*(?:(?:and|then|so|und|dann|poi|e|puis|et|luego|y)\W+)*(?:(?:late )?in the (?:morning|afternoon|evening)"
    r"|around (?:noon|\w+)|at (?:noon"
    r"|lunch|dinner|breakfast|midnight|\w+ o'clock)|after (?:lunch|dinner|breakfast|work)|before bed|then|later|morgens"
    r"|vormittags|mittags"
    r"|nachmittags|abends|nachts|am (?:morgen|vormittag|mittag|nachmittag|abend)|in der nacht|danach|später|la mattina"
    r"|nel pomeriggio|la sera"
    r"|poi|più tardi|le matin|l'après-midi|le soir|puis|ensuite|por la (?:mañana|tarde|noche)|luego|después|de manhã|à tarde"
    r"|à noite|depois)\b",
    _I,
)
# That it was: verbs in the past, as far as a list and endings tell.
_PAST: Final = re.compile(
    r"\b(?:was|were|had|did|went|came|got|made|took|saw|sat|lay|stood|rang|ran|ate|drank|met|told|said|found|lost|left|felt"
    r"|thought|bought"
    r"|brought|fell|woke|slept|wrote|read|drove|spoke|heard|kept|began|broke|\w{3,}ed)\b"
    r"|\b(?:war|waren|hatte|hatten|rief|ging|gingen|kam|kamen|sah|fand|saß|lag|stand|blieb|gab|nahm|aß|trank|las|schrieb"
    r"|fuhr|\w{3,}te|\w{3,}ten"
    r"|ge\w{2,}(?:t|en)|\w+ge\w{2,}(?:t|en))\b"
    r"|\b(?:ho|ha|abbiamo|sono|siamo|era|erano|avevo)\s+\w+(?:at|ut|it|t|s)[oaie]\b|\b(?:j'ai|a|avons|ont|suis|était"
    r"|avait)\s+\w+(?:é|i|u|is|it)e?s?\b"
    r"|\b(?:he|ha|hemos|estaba|había)\s+\w+(?:ado|ido)\b|\b\w{2,}(?:é|ó|aron|ieron|amos)\b",
    _I,
)
# What one does on any day. "I met my wife", "I went freelance" are none.
_DEED: Final = re.compile(
    r"^\W*(?:(?:and|then|so|but|also|well|anyway|instead)\W+)*(?:(?:i|we)\s+(?:(?:just|only|even|also|finally|then|nearly"
    r"|almost|\w+ly)\s+)*)?"
    r"(?:made|cooked|baked|ate|drank|walked|saw|watched|talked|chatted|called|phoned|cleaned|tidied|washed|ironed|slept|woke"
    r"|sat|lay|stood"
    r"|waited|listened|looked|found|forgot|missed|stayed|laughed|cried|napped|danced|sang|swam|queued|dropped|spilled|spilt"
    r"|burnt|burned"
    r"|tried to|opened|closed|carried|hung|swept|dug|watered|sorted|unpacked|arrived|returned|ordered|cut|got up|ran into"
    r"|bumped into|turned on"
    r"|dreamt|wondered|remembered|thought about|came home|came back"
    r"|passed|counted|noticed|heard|spent|picked|put|threw|fed|went\s+(?:to\s+(?:the|bed|sleep|a|see)|for\s+a|out|home|back"
    r"|shopping|there|up|down)"
    r"|had\s+(?:soup|lunch|breakfast|dinner|coffee|tea|a\s+(?:\w+\s+)?(?:beer|drink|coffee|tea|headache|row|fight|chat|nap"
    r"|walk|day|evening"
    r"|time|sandwich|laugh|cry))|took\s+(?:a|the)\s+(?:\w+\s+)?(?:walk|nap|bath|shower|bus|train|photo|picture|break|day)"
    r"|met\s+(?:a|an|some|the"
    r"|up))\b",
    _I,
)
_FELT: Final = re.compile(
    r"\b(?:i'?m|i am|we're|we are|feeling|feel|felt)\s+(?:(?:so|very|really|just|a bit|a little|totally|completely"
    r"|absolutely|quite|still|still so"
    r"|kind of|pretty|too)\s+)*(?:on top of the world|over the moon|on cloud nine|walking on air|in (?:a|such a) \w*\s?mood"
    r"|beside myself"
    r"|tired|exhausted|knackered|shattered|drained|spent|worn out|wrecked|starving|hungry|thirsty|freezing|soaked|cold|hot"
    r"|bored|happy|sad"
    r"|angry|furious|annoyed|upset|nervous|excited|relieved|proud|stressed|fine|ok|okay|good|great|bad|terrible|awful|down"
    r"|low|blue|lonely"
    r"|lost|empty|restless|sleepy|awake|confused|speechless|jealous|sorry|glad|grateful|lucky|late|stuck|off to|out of sorts"
    r"|a mess|done)\b"
    r"(?!\s+(?:in|at|with\s+my\s+hands|of\s+(?:dogs|heights|flying|spiders)))"
    r"|\b(?:ich bin|ich fühle mich) (?:(?:so|sehr|total|ganz|echt|einfach|ziemlich|wieder) )*(?:müde|glücklich|traurig"
    r"|hungrig|wütend|kaputt"
    r"|erschöpft|genervt|gestresst|aufgeregt|froh|sauer|fertig|gut drauf|platt)\b"
    r"|\b(?:sono|mi sento) (?:(?:così|molto|proprio|davvero|un po') )*(?:stanc[oa]|felice|triste|arrabbiat[oa]|affamat[oa]"
    r"|stress\w+|nervos[oa]"
    r"|content[oa]|giù)\b|\bje suis (?:(?:si|très|trop|tellement|vraiment) )*(?:fatiguée?|heureu\w+|triste|fâchée?|épuisée?"
    r"|contente?|énervée?)\b"
    r"|\b(?:estoy|me siento) (?:(?:muy|tan|un poco|bastante) )*(?:cansad[oa]|feliz|triste|enfadad[oa]|content[oa]|agotad[oa]"
    r"|nervios[oa])\b",
    _I,
)
# Turns of speech that say nothing of a life, whatever words are in them.
_SPEECH: Final = re.compile(
    r"\b(?:i|we)(?:'ll| will) never forget\b|\bi could (?:cry|scream|hug|kill|sleep|eat)\b|\bcan(?:'|no)?t wait (?:for|to)\b"
    r"|\bi could have\b"
    r"|\b(?:i'm|i am|we're|we are) (?:off to|on top of the world|over the moon|on cloud nine)\b|\bthat made my day\b"
    r"|\b(?:i'm|i am|we're|we are) (?:going|flying|driving|heading|travelling|staying) (?:to|in|at|with)\b.*\b(?:this|next"
    r"|tomorrow|tonight|for (?:a|two|three|the)"
    r" (?:\w+ )?(?:days?|weeks?|nights?|weekend))\b|\bfor (?:a|one|two|three|four|five|six|ten|\d+|a few"
    r"|some) (?:\w+ )?(?:hours?|days?"
    r"|nights?|weekend)\b|\b(?:keep|keeps|kept) (?:asking|saying|telling)\b|\b(?:i|we)(?:'d| would)(?:n't| not)? (?!rather"
    r"|like|love|prefer)"
    r"|\b(?:ich|wir) (?:würden?|wären?|hätten?)\b|\b(?:sarei|avrei|farei|vivrei|je serais|j'aurais|je ferais|je vivrais"
    r"|sería|tendría|viviría|haría"
    r"|seria|teria|faria)\b|\bich könnte (?:heulen|platzen)\b|\bmy (?:login|username|user name) is\b",
    _I,
)
_SOMEBODY: Final = re.compile(r"^\W*(?:\w+\s+){0,4}(?:somebody|someone|jemand|qualcuno|quelqu'un|alguien|alguém|iemand)\b", _I)
# What changes a life, on whatever day it is told.
_CHANGES: Final = signs.any_of(
    r"moved|married|divorced|engaged|became|become|turned|joined|quit|graduated|adopted|retired|pregnant|born|died|hired"
    r"|fired|promoted"
    r"|changed jobs|new job|made redundant|bought (?:a|our|my|the) (?:\w+ )?(?:house|flat|apartment|car|boat|farm|cottage"
    r"|van|land|shop)"
    r"|started (?:a|my|as|at|work|working|school|learning|studying|university)|gezogen|umgezogen|geheiratet|verlobt"
    r"|gekündigt|geworden"
    r"|trasferit[oa]|sposat[oa]|laureat[oa]|diventat[oa]|déménagé|marié|mariée|divorcée?|devenue?|mudado|mudé|casé|me casé"
    r"|cambié|搬|结婚"
)
# A whole message that means the opposite of what it says.
IRONY: Final = re.compile(
    r"\b(?:great|wonderful|fantastic|lovely|brilliant|perfect|super|marvellous|joy)\W{1,3}(?:another|yet another|just what"
    r"|exactly what)"
    r"|\bjust what i (?:needed|wanted|always wanted)\b|\byeah,? (?:right|sure)\b|\bobviously (?:the|a|an|my"
    r"|i)\b.*\b(?:golden|favourite|favorite"
    r"|king|queen|genius|best|star)\b|\bna (?:toll|super|klasse|bravo)\b|\bproprio quello che mi (?:serviva|mancava)\b"
    r"|\bil ne manquait plus que"
    r"|\blo que me faltaba\b",
    _I,
)
# A world that is only thought of; what follows is so there.
IMAGINED: Final = re.compile(
    r"\b(?:thought experiment|hypothetical(?:ly)?|let's (?:imagine|say|pretend|assume)|suppose|supposing|assume i|assuming i"
    r"|imagine (?:i|you|we|that|being)"
    r"|say i(?:'m| am|'d| had| have| were| was| lived?| worked?)|what if i|in another life|in a parallel|picture this"
    r"|angenommen|stell dir vor"
    r"|nehmen wir an|mal angenommen|mettiamo che|immagina|supponiamo|imaginons|supposons|admettons|imagina|supongamos"
    r"|pongamos que|suponha"
    r"|imagine que|假如|假设|如果我)\b",
    _I,
)
# People one came across. Whatever is said of them is not about the person.
_STRANGER: Final = re.compile(
    r"^\W*(?:(?:and|but|so|then|also)\W+)*(?:the|a|an|this|that|some|one)\s+(?:\w+\s+){0,2}(?:man|men|woman|women|guy|guys"
    r"|girl|boy|lady|gentleman"
    r"|stranger|couple|kid|driver|waiter|waitress|cashier|barber|postman|plumber|passenger|tourist|bloke|chap|teenager"
    r"|host|presenter|speaker|author|singer|actor|actress|customer|client)\b"
    r"|^\W*(?:der|ein|dieser) (?:\w+ )?(?:mann|typ|herr|fahrer|kellner|junge)\b|^\W*(?:die|eine|diese) (?:\w+ )?(?:frau|dame"
    r"|kellnerin)\b"
    r"|^\W*(?:un|il|quel) (?:\w+ )?(?:uomo|tizio|signore|ragazzo)\b|^\W*(?:una|la|quella) (?:\w+ )?(?:donna|signora|ragazza)\b"
    r"|^\W*(?:un|le|cet) (?:\w+ )?(?:homme|type|monsieur)\b|^\W*(?:une|la|cette) (?:\w+ )?(?:femme|dame)\b"
    r"|^\W*(?:un|el|ese) (?:\w+ )?(?:hombre|señor|tipo|chico)\b|^\W*(?:una|la|esa) (?:\w+ )?(?:mujer|señora|chica)\b",
    _I,
)
# "That was the best moment": of the moment, in languages where no other word shows it.
_OF_THE_MOMENT: Final = re.compile(
    r"^\W*(?:das|es|dies|dat|het|c'est|c'était|ça|era|è stat[oa]|fue|eso|esto|isso|foi|that|it|this)\s+(?:war|ist|wird|was"
    r"|is|a été|est|sera|fue|es"
    r"|foi|é)?\b",
    _I,
)


def passing(text: str) -> bool:
    """Say whether a sentence of the person only tells of a day, a mood or somebody they came across."""
    if _STRANGER.match(text) or _SPEECH.search(text):
        return True
    if endings.ENDED.search(text) or _CHANGES.search(text):
        return False
    if _FELT.search(text) and not signs.any_of(r"always|every|often|since|years?").search(text):
        return True
    if _LASTS.search(text):
        return False
    if _OF_THE_MOMENT.match(text) and not (signs.FIRST.search(text) or signs.MINE.search(text)):
        return True
    on_a_day = _ON_A_DAY.search(text) or (_PART_OF_DAY.match(text) and _PAST.search(text))
    return bool(on_a_day or _DEED.match(text) or (_SOMEBODY.match(text) and _PAST.search(text)))
