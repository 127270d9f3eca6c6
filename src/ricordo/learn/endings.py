"""Signs that something known is over, was never so, or has become something else; in several languages.

The one rule: what only may end, or pauses for a day, has not ended.
"""

from __future__ import annotations

import re
from typing import Final

from ricordo.learn.signs import any_of

# What has come to an end, or was never so.
ENDED: Final = any_of(
    r"no longer|any ?more|used to|dropped out|stopped|quit|gave up|given up|sold|died|passed away|is dead|broke up|split up|"
    r"divorced|separated|lost my (?:job|position|licen[cs]e)|moved out|left (?:my|the) (?:job|company|firm|band|team|club"
    r"|church|party|country|city|school|university)|left him|left her|cancell?ed|resigned|fired|laid off|retired|wrong(?! "
    r"with)|incorrect|not true|"
    r"isn't true|never (?:did|had|was|said|liked|lived|worked|been)|can't stand|cannot stand|hate now|got rid of|"
    r"gave away|switched from|not .* (?:now|since)|nicht mehr|keine?\w* .*mehr|aufgehört|gestorben|verkauft|"
    r"getrennt|gekündigt|falsch|non .*più|smesso|morto|morta|venduto|lasciato|sbagliato|ne .*plus|n'\w+ .*plus|"
    r"arrêté|mort|morte|vendu|quitté|faux|ya no|dejé|dejado|murió|vendí|falso|não .*mais|parei|morreu|vendi|"
    r"больше не|умер|бросил|不再|已经不|不是|去世|戒了|卖了|もう.*ない"
)
STILL: Final = re.compile(r"\b(?:it|i|we|he|she|they) still (?:is|am|are|do|does|have|has)\b", re.IGNORECASE)
# How one comes to be without somebody or an animal.
PARTED: Final = any_of(
    r"died|dead|passed away|put down|broke up|split up|divorced|separated|sold|gave away|given away|gave up|lost|left me"
    r"|left us|left him|left her|gone|ran away"
    r"|no longer (?:have|has|own|with|together)|not .* any ?more|never (?:had|was)|(?:do|does)(?:n['’]t| not) have|wrong"
    r"|not true"
    r"|gestorben|getrennt|verkauft|weggelaufen|morto|morta|lasciato|lasciata|mort|morte|quitté|murió|dejé|falso|morreu|умер"
    r"|умерла|去世"
)
# What a person ends stands behind the word: who quit football still has sons.
DEED: Final = re.compile(
    r"\b(?:stopped|quit|gave up|given up|sold|cancell?ed|got rid of|gave away|dropped out of|no longer|can['’]?t stand"
    r"|cannot stand)\b",
    re.IGNORECASE,
)
NOT_ENDED: Final = re.compile(
    r"(?:\b(?:not|never)|n['’]t)\s+(?:yet\s+|ever\s+)?(?:stopped|stop|quit|sold|sell|given up|give up|died|lost|left|leave"
    r"|cancel|resign)"
    r"|\b(?:almost|nearly|not yet|want to|wants to"
    r"|plan(?:ning)? to|thinking (?:of|about)|considering|might|may be|maybe"
    r"|perhaps|should i"
    r"|hope to|going to|about to|soon|today|tonight|this week|for now|this time|time to)\b"
    r"|\b(?:vielleicht|heute|forse|oggi|peut-être|aujourd'hui|quizás?|hoy|talvez|hoje)\b|今天|也许|可能|想要",
    re.IGNORECASE,
)
# What has changed: the old is out of date because the new was said.
CHANGED: Final = any_of(
    r"now|nowadays|moved|changed|switched|instead|actually|no|nope|new|renamed|correction|i meant|since last|"
    r"started|became|become|got|turned|these days|again|not|jetzt|inzwischen|umgezogen|gezogen|gewechselt|"
    r"stattdessen|eigentlich|nein|neue\w*|ora|adesso|trasferit[oa]|cambiato|invece|nuov[oa]|maintenant|déménagé|"
    r"changé|plutôt|nouveau|nouvelle|ahora|mudé|mudado|cambié|nuev[oa]|agora|mudei|теперь|переехал\w*|现在|搬到|搬家|换了|改"
)
# Said of what was said just before.
# A turn that stays, though it is told on its day: "I moved to Rome this week".
TURNED: Final = any_of(
    r"moved|married|divorced|turned|became|started|changed|bought|joined|quit|birthday|gezogen|geheiratet|trasferit[oa]"
    r"|sposat[oa]|"
    r"déménagé|marié|mudado|mudé|casé|搬|结婚"
)
THAT_IS_WRONG: Final = re.compile(
    r"^\W*(?:no\W+)?(?:(?:that|this|it)(?:['’]s| is| was| isn['’]t)|das ist|(?:questo )?non è|c['’]est|eso|isso|这|那)\s*"
    r"(?:all |just |simply |completely )?(?:not |nicht |no es |não é |不)?(?:true|right|correct|wrong|false|incorrect|falsch"
    r"|wahr|vero|sbagliato|faux|cierto|falso|verdade"
    r"|对|是真的)",
    re.IGNORECASE,
)
