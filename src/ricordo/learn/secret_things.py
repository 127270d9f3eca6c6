"""The words of getting in, in many languages: what is opened, and how. Alternatives of patterns over `Reading.folded`.

To add a language, add its words to each table.
"""

from __future__ import annotations

from ricordo.learn.secret import fold

# Things of which a bare number can hardly be anything but the code.
LOCKS = fold(
    r"alarms?|alarma|alarme|allarme|safe|lock|bike chain|bicycle chain|padlock|lockbox|lock box|key ?box|key safe|keypad"
    r"|strongbox|alarmanlage|tresor|schloss|zahlenschloss"
    r"|fahrradschloss|schlüsselkasten|antifurto|coffre|coffre-fort|cadenas|antivol|digicode|cassaforte|lucchetto"
    r"|caja fuerte|candado"
    r"|cofre|cadeado|kluis|hangslot|fietsslot|сейф|замок|домофон"
)
# Things of which numbers say many things; it has to be said that it opens them.
THINGS = fold(
    r"phone|iphone|mobile|ipad|tablet|kindle|laptop|computer|macbook|mac|pc|screen|door|gate|barrier|turnstile|cash machine"
    r"|cashpoint|atm|geldautomat|garage|building|house|flat|shed"
    r"|cabin|apartment|office|locker|suitcase|briefcase|zip|wifi|wi-fi|network|router|account|app|intercom|voicemail|alarm"
    r"|pdf|usb stick|drive|archive"
    r"|handy|tür|tor|haustür|garagentor|koffer|haus|rechner|wlan|porte|portail|téléphone|immeuble|valise|ordinateur|alarme"
    r"|porta|portone|cancello|telefono|valigia|citofono|allarme|interphone|puerta|portal|móvil|maleta|ordenador|alarma"
    r"|portão|telemóvel"
    r"|celular|mala|deur|poort|telefoon|slot|fiets|дверь|ворота|телефон|чемодан|калитка|ноутбук|сигнализация"
)
# How they are opened, up to the value.
WITH = fold(
    r"(?:opens?|opened|unlocks?|unlocked|disarms?|logs? in|logged in|gets? in|lets? (?:you|me|us|them) in|gets? into"
    r"|turns? off|locked|protected|encrypted)"
    r"(?: [a-z]{1,12}){0,3}? (?:with|using|by typing|by entering)"
    r"|(?:geht|öffnet|lässt|wird|entsperr\w{1,3}|gaat)(?: [^\n .]{1,12}){0,3}? (?:mit|met)|open ik met"
    r"|apr[eo](?: [^\n .]{1,12}){0,3}? (?:con|digitando)|abr[eo](?: [^\n .]{1,12}){0,3}? co[mn]"
    r"|(?:ouvre|déverrouille)(?: [^\n .]{1,12}){0,3}? avec|открывается(?: по| кодом| на)?"
)
TYPED = fold(
    r"enters?|entering|types?|typing|press|presses|pressing|takes|wants|accepts|punch|dial|dials|key in|tap in|tippen?"
    r"|tippt man|tippst du"
    r"|gibt man|eintippen|eingeben|taper?|tapez"
    r"|compose[rz]?|digitare|digita|si fa|si preme|punch in|marcar?|pulsar?|teclear?|tecle|toets|набрать|набери|нажми"
)
USED = fold(r"use|uses|using|with|mit|avec|con|com|met")
IS_SET = fold(r"code is|is set to|set to|is set at|set at|is|are|was|ist|lautet|est le|est|c'est|è|es el|es|é|это")
FILL = fold(
    r"the|code|codes|pin|number|numbers|digits|word|phrase|password|in|just|only|now|still|always|den|die|das|der|zahl|zahlen"
    r"|ziffern|dem|wort|parola|mot|palabra|palavra|woord|слово|le|la|les|chiffres?|il|el|los|números?|numeri?|código|codice"
    r"|de|het|cijfers|o|код"
)
OPENING = fold(
    r"unlock|open|disarm|get into|get in|log into|log in to|entsperre|öffne|sblocco|apro|abro|desbloqueo|déverrouille|ouvre"
)
