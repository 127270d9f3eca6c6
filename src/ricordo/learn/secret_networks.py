"""Passwords of networks, files and logins, where nothing is named one: "wifi: rosebud", "dan / rosebud", "the zip: rosebud".

The one rule: the thing, a mark or an opening, and a word that is none of talk about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.learn import secret_values as values
from ricordo.learn.secret import Reading, Secret
from ricordo.learn.secret_passwords import value_at
from ricordo.learn.secret_worded import END, REMARKED, plain, told

_NETWORKS = re.compile(
    r"\b(?:wi-?fi|wlan|hotspot)(?: (?:today|here|now))?(?: (?:at|in|for|of|on|im|bei|auf|del|de|du|chez|a|op|da"
    r"|nel)\b[^:\d\n]{1,25}?)?"
    r"(?:(?P<mark>\s*(?:[:=→]|->)\s*)|(?P<slash>\s[/|]\s)|(?P<verb> (?:is|ist|est|es|e)\s))"
)
_PAIRED = re.compile(
    r"\b(?:ssid|network|netzwerk|netz|reseau|rete|red|netwerk|wi-?fi|wlan|hotspot)\b[^\n.;]{1,40}?[ ,;/]+(?:and (?:the )?)?"
    r"(?:key|passkey|password|passwort|pass|pwd?|schlussel|cle|chiave|clave|sleutel)\b:?\s(?:is )?"
)
_LOCKED = ("encrypted", "locked", "protected", "unlock", "log in", "log into", "get into", "decrypt", "asks for", "to open")
_ADMIN = re.compile(
    r"\b(?:login|router|nas|server|panel|fritzbox|camera|printer|account)\b[^\n.;]{0,20}?(?:\sis|:)?\s(?:admin|root|guest"
    r"|user)(?P<by>\s?[/:,]\s?|\s)"
)
_OPENED = re.compile(
    r"\b(?:unlocks?|logs? (?:in|on|into)|signs? in|gets? in|opens?|opened|enter|type)\b[^\n.;!?]{0,30}?\s(?:with|using|is"
    r"|type|enter|it's)\s"
)
_FILE = re.compile(
    r"(?:\b(?:encrypted|locked|protected)\s(?:zip|pdf|file|folder|drive|archive|usb stick|document|spreadsheet|disk"
    r"|backup)\s?(?::|->|=)\s?)"
    r"|\b(?:use|type|enter|say)\s(?=[^\W\d_]{4,30}\s(?:to (?:open|unlock|get into|log into|decrypt) (?:(?:the|my|our|his"
    r"|her|that|this) )?(?:\w+ )?(?:pdf|zip|file|folder"
    r"|archive|drive|laptop|computer|tablet|phone|ipad|account|document|spreadsheet|disk|usb|mac|pc|app)|to log in"
    r"|at the login)\b)"
    r"|\basks? for (?:a|the|our|your) (?:code ?)?word\b[^\n.;?]{0,30}?[,;:] (?:ours|mine|it|say|that)(?:'s| is)?\s"
    r"|\b(?:unlock|log in|let me in|open)\b[^\n.;!?]{0,20}?\b(?:until|till|when|once|unless) (?:i|you|we|he|she) (?:typed?"
    r"|entere?d?|tried|try)\s"
)
_USER = r"(?:user(?:name)?|login|log-in|benutzer(?:name)?|utente|usuario|utilisateur|identifiant|gebruiker)"
_PAIRS = re.compile(
    rf"\b{_USER}(?:\s(?:for|to|at|of|on)\s[^\n.;:]{{1,30}})?(?:\sis\s|\s?:\s?|\s)[\w.@-]{{2,40}}\s[/|]\s"
    rf"|\b{_USER}(?: is|:)?\s[\w.@-]{{2,40}},? (?:and |und |then )?(?:the |with |my )?(?:password|pass|pwd?|passwort"
    rf"|kennwort|mdp|senha|clave"
    r"|wachtwoord)(?: is|:)?\s"
)
_ADDRESS = re.compile(r"@[\w-]{1,30}\.[a-z][a-z.]{1,20}(?P<mark>\s?(?:[/|]|\s:)\s|\s?[+,&]\s)")
_USERS = ("user", "login", "log-in", "benutzer", "utente", "usuario", "utilisateur", "identifiant", "gebruiker")
_REMARKS = (
    "lower case",
    "lowercase",
    "upper case",
    "uppercase",
    "no space",
    "capital ",
    "all caps",
    "no caps",
    "one word",
    "two words",
    "klein",
    "minus",
)
_JOINED = re.compile(
    r"\b(?:wi-?fi|wlan|network|hotspot|connect\w{0,3} to|ssid)\b[^\n.;(]{1,30}?(?:\s\(| with | using | mit )"
    rf"|\b{_USER}(?: is|:)?\s[\w.@-]{{2,40}}, (?P<then>(?:and )?then )"
)
_ADMINS = ("admin", "root /", "root:", "root,", "guest /", "user /")
_WHOLE = re.compile(r"\s*/?\s*(?:$|\n)")
_AMENITIES = frozenset("parking breakfast pool internet phone bluetooth cable lan tv water gas heating yes email ok".split())


def networks(reading: Reading) -> Iterator[Secret]:
    """Yield what is told of a network or of its box, where it is no word about how it works: "wifi: rosebud"."""
    folded = reading.folded
    wireless = any(hint in folded for hint in ("wifi", "wi-fi", "wlan", "hotspot"))
    for match in _NETWORKS.finditer(folded) if wireless else ():
        then = REMARKED if match["verb"] else _WHOLE if match["slash"] else END
        found = next(plain(reading, match.end(), most=2, then=then), None)
        if found and folded[found.start : found.stop] not in _AMENITIES:
            yield found
    wireless = wireless or any(hint in folded for hint in ("ssid", "network", "netz", "reseau", "netwerk"))
    for match in _PAIRED.finditer(folded) if wireless else ():
        yield from plain(reading, match.end(), most=1, then=END)
    for match in _OPENED.finditer(folded) if any(hint in folded for hint in _REMARKS) else ():
        yield from plain(reading, match.end(), most=2, then=REMARKED)
    for match in _ADDRESS.finditer(folded):
        for found in plain(reading, match.end(), most=1, then=END):
            if match["mark"].strip() in ("/", "|", ":") or values.invented(reading.text[found.start : found.stop], near=True):
                yield found
    for match in _PAIRS.finditer(folded) if any(hint in folded for hint in _USERS) else ():
        yield from plain(reading, match.end(), most=1, then=END)
    for match in _JOINED.finditer(folded) if wireless or "user" in folded or "connect" in folded else ():
        value, start, _ = value_at(reading.text, match.end())
        if values.invented(value, near=True) or (match["then"] and values.made_up(value)):
            yield told(start, start + len(values.trimmed(value)))
    for match in _FILE.finditer(folded) if any(hint in folded for hint in _LOCKED) else ():
        yield from plain(reading, match.end(), most=1, then=re.compile(r"\s*(?:$|[.,;!)\n])|\s(?:to|at) "))
    for match in _ADMIN.finditer(folded) if any(hint in folded for hint in _ADMINS) else ():
        for found in plain(reading, match.end(), most=1, then=END):
            if match["by"].strip() or any(map(str.isdigit, folded[found.start : found.stop])):
                yield found
