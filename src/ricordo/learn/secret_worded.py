"""Passwords that are plain words, known by the sentence they are told in: "I reset it and went with marzipan", "try marzipan".

The one rule: what stands where a password is told counts, unless it is a word of talk about passwords ("too short", "gone").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.learn import secret_values as values
from ricordo.learn.secret import Kind, Reading, Secret, fold
from ricordo.learn.secret_judges import IN_A_STORY
from ricordo.learn.secret_names import Name
from ricordo.learn.secret_passwords import value_at
from ricordo.learn.secret_sentences import ORDINARY, TALK
from ricordo.learn.secret_words import LOOSE_NAMES, Label

_FILL = (
    "(?:(?:"
    + fold(
        r"(?:now|still|just|simply|always|currently|jetzt|noch|immer|nach wie vor|ahora|sigue siendo|adesso|maintenant|nu"
        r"|agora|the word|the phrase|das wort|spelled|spelt|called|simply called|literally|basically)"
    )
    + ") )*"
)
_TELLS = fold(
    r"(?:is|was|are|'s|will be|would be|has been|has always been|used to be|remains|stays|reads|ist|war|bleibt|lautet|heisst"
    r"|est|reste|es|era|e|rimane|sera|sara|sigue siendo|continua|blijft|wordt)"
)
_TOLD_TO = fold(r"(?:to|into|auf|zu|naar)")
_DETTO = r"(?:in|a|en|por|para|pra|pour|per|com)"
_TAKEN = fold(
    r"(?:went with|going with|settled on|settled for|ended up with|picked|chose|made it|set it to|changed it to|it's now"
    r"|it is now"
    r"|now it's|now it is|is now|so it's|so now it's|the new one is|the new one's|new one is|new one:|new one's|now:|now|new:"
    r"|the new one:|es ist jetzt|jetzt ist es|neu:|das neue ist|ahora es|la nueva es|adesso e|ora e|c'est maintenant"
    r"|maintenant c'est|het is nu|agora e)"
)
_CLAUSE = r"[^\n.;:!?\"]{1,60}?"
# From the end of a name up to the value.
_AFTER = tuple(
    re.compile(way)
    for way in (
        # "the password I always use is", "the password hasn't changed, still"
        rf"(?!\s(?:and|but|or|if)\b)(?:\s[^\n.;:!?\",]{{1,60}}?)?(?:\s{_TELLS}|(?<=\w)'s)\s{_FILL}",
        rf"\s{_CLAUSE},\s(?:it's\s)?(?:still|this time|namely|i\.e\.|that is|as in|diesmal|esta vez|cette fois|questa volta"
        rf"|dit keer|desta vez)[:,]?\s{_FILL}",
        # "I reset my password, went with"; "I changed my password. The new one is"
        rf"[^\n\"?]{{0,60}}?[,.;!(-]\s*(?:(?:and|so|i|we|but) ){{0,2}}{_TAKEN}\s{_FILL}",
        rf"[^\n\"?.;:]{{0,60}}?\s(?:and|so) (?:(?:i|we|she|he|they) )?{_TAKEN}\s{_FILL}",
        # "… is the name of the cat: Figaro"
        r"['\s][^\n.;!?\"]{3,60}(?::\s+|,\s(?:it's|it is|just|simply|only|namely)\s)",
        r"(?:\s(?:back|again|at last|in [^\n.;!?]{1,30}))?[.!,;]\s+(?:it's|it is|it was|that was)\s",
        r"\s*\?\s+(?:(?:it's|that's|still|it is|that would be)\s)?",
    )
)
# "I forgot the password and picked blackberries instead."
_FORGOTTEN = re.compile(r"\b(?:forg[eo]t\w*|lost|vergessen|oublie|olvide|dimenticato|vergeten)\b")
_OF_A_LOST_ONE = (*_AFTER[:2], *_AFTER[4:])
_OF_SEVERAL = tuple(
    re.compile(way)
    for way in (
        rf"[^\n\"?]{{0,50}}?[.,;(-]\s*(?:so |and )?(?:mine|ours|meins|la mia|la mienne|la mia)(?: is| was|'s| ist| e"
        rf"| est)(?: now)?\s{_FILL}",
        r"[^\n\"?]{0,60}?\bfrom \S{3,30} to\s",
    )
)
_SET_TO = re.compile(
    rf"(?:\s(?:hab\w{{0,2}}|wurde|war) ?(?:ich|wir)?)?(?:\s[\w' ]{{1,30}})?\s{_TOLD_TO}\s(?:(?:just|simply|the word|plain"
    rf"|something"
    r" like) )?"
)
_SETTING = re.compile(
    fold(
        r"\b(?:set|sets|setting|chang\w{1,3}|reset|resetting|switch\w{0,3}|updat\w{1,3}|made|geändert|gesetzt|umgestellt"
        r"|cambi\w{1,4}"
        r"|changé|mis|troquei|mudei|gewijzigd|veranderd|hab\w{0,2})\b"
    )
)
_CAMBIATO = re.compile(fold(r"\b(?:cambi\w{1,4}|changé|mis|messo|troquei|mudei|modifi\w{1,4}|puse|puesto)\b"))
_SET_IN = re.compile(rf"(?:\s[\w' ]{{1,30}})?\s{_DETTO}\s")
# Asked for: "if it wants a password, try marzipan".
_ASKS = re.compile(r"\b(?:asks?|wants?|prompts?|needs?|demands?|fragt|verlangt|demande|chiede|pide|vraagt)\b[^\n.;!?]{0,30}$")
_TRY = re.compile(
    r"(?:\s[^\n.;!?,]{1,25}?)?(?:\s*[,:;-]\s*|\s)(?:then )?(?:you )?(?:just |simply )?(?:(?:try|type in|type|enter|say|put in|put"
    r"|use|give it|tell (?:it|them)|it's|it is|ours is|mine is|mine's|ours:|mine:|nimm|probier|sag|tapez|metti|prova|pon"
    r"|typ) )?(?:the word |with )?"
)
_APPOSED = re.compile(r"\s*(?:,|--?|:)\s+(?:it's |still |namely )?")
# Before "password, xyz": somebody gives it, or it is a known one.
_GIVING = re.compile(
    r"\b(?:told|gave|gives|texted|sent|has|usual|same|old|go-to|standard|normal|default|shared|common|family|favou?rite|guest"
    r"|wifi|wi-fi|wlan|router|netflix)\b[^\n.;!?]{0,25}$"
)
_LACKING = re.compile(
    r"\b(?:forg[eo]t\w*|lost|need\w*|without|no|wrong|reset|missing|ask\w*|hat\w*|another|vergessen)\b[^\n.;!?]{0,25}$"
)
_BEHIND_IT = re.compile(
    r"\s*(?:$|[.!;\n)]|,\s+(?:didn't|doesn't|did|does|no longer|is|was|isn't|works?|worked|won't|in case|so|all|and (?:it"
    r"|that)|with)\b)"
)
_FAILS = re.compile(r"\s(?:didn't|doesn't|no longer|still works|does not|did not|won't)\b")
REMARKED = re.compile(
    r"(?:,|\s-|\s\()?\s*(?:(?:in |it's |is )?all (?:in )?(?:lower|upper|small|caps|one word|capital)|no (?:spaces?|caps"
    r"|capitals?)"
    r"|(?:in )?lower ?-?case|(?:in )?upper ?-?case|one word|(?:two|three|four) words|capital \w\b|with (?:a |an |two |the )?"
    r"(?:capital|zero|big|small|exclamation|\d|one|three|underscore|dash|hyphen|dot|k\b|ph\b|double)|alles klein"
    r"|klein geschrieben"
    r"|alles zusammen|tutto minuscolo|todo en min|tout en min|en minuscules|zonder spatie)"
)
_PARENS = re.compile(r"\s*[\[(]\s*")
_LISTED = re.compile(r"(?:^|\n|[,;|/(]|\s-)\s*(?:[\w'+@.-]{1,25} ){0,3}$")
_THING_BEFORE = re.compile(
    r"(?:wi-?fi|wlan|router|netflix|e-?mail|mail|gmail|laptop|pc|mac|ipad|tablet|phone|disney\+?|spotify|amazon|hulu|ebay|paypal"
    r"|bank|zoom|alarm|guest|hotspot|network|internet|icloud|apple id|steam|facebook|instagram|school|work|computer|login|user"
    r"|account|admin|nas|vpn|app|portal)(?:'s)?(?: is [^\n.;]{1,30})?[ :,/-]{1,3}$|\S@\S+[ ,/-]{1,4}$"
    r"|\blogin \S+[ ,/-]{1,4}$|[,/|] $|\s-\s$"
)
_EACH = re.compile(
    r"[^\n.;!?:]{0,20}(?:[:,]\s+|:?\s*\n\s*(?:- )?)(?!\d)[\w' +]{2,20}?(?:\s?[:=]\s?|\s-\s)(?=\S+\s*(?:[,;\n]|$))"
    r"|[^\n.;!?:]{0,20}:?\s*\n(?:- )?[^\W\d]\w{2,19}\s(?=\S+\s*(?:\n|$))"
)
_OF = re.compile(r"\sof\s")
_WITH = re.compile(r"\b(?:with|using|mit|con|avec|met)(?: (?:the|a|my|dem|meinem|la|le|het))?\s$")
_GETTING = re.compile(r"\s*(?:$|[.,;!)\n])|\s(?:you|i|we|to|in|and)\b")
_FOR_WHAT = re.compile(r"\s(?:(?:netflix|wlan|wifi|laptop|mail|email|handy|spotify|amazon|disney|pc|router|gmail)\s)?")
_BARE = re.compile(r"\s+")
_SLASH = re.compile(r"\s[/|]\s+")
_WORD = re.compile(r"[^\W\d_]{3,}(?:[-'][^\W\d_]+)*")
_SPELLED = re.compile(r"\w(?:[ -]\w){3,30}(?!\w)|\d{2,6}(?:[ -]\d{2,6}){2,5}(?![\w-])")
_MORE = re.compile(r" (?P<word>[^\W\d_]{2,}(?:[-'][^\W\d_]+)*)")
END = re.compile(r"[\"')\]]*\s*(?:$|[.,;:!?)\n/|(]|\s?-)")
_FOLLOWS = frozenset(
    map(
        fold,
        "and but for with if when since because though although until in on at after before as so like now again still too "
        "by everywhere today yesterday this last these just please btw lol und aber mit wenn weil seit für als auf bitte "
        "geändert "
        "gesetzt gestellt umgestellt pero con si cuando e ma se y mais avec si et en maar met als omdat then or ontem ayer "
        "ieri hier gestern gisteren heute hoy oggi hoje vandaag tonight tomorrow earlier straight instead".split(),
    )
)
_REVERSED = re.compile(
    r"(?:^|[\n.!?:;(,]\s*|\b(?:so|remember|ok|fyi|btw)[,:]?\s)[\"'(]?"
    r"(?P<value>[^\W\d_][\w'-]{2,30}(?: [^\W\d_][\w'-]{2,20}){0,2})[\"')]?"
    r"(?:\s+(?:is|was|ist|est|es|e|would be)|\s*(?:,|--?|:|=)\s*(?:that's|that is|that was|is|das ist|c'est|es|e))\s+"
    r"(?:still |now |also |actually )?(?:the|my|our|her|his|mum's|mom's|dad's|das|mein|unser|le|mon|la|mi|il|mia|la mia|het|mijn)"
    r"\s(?:(?!and|but|of)[\w'-]{1,20} ){0,3}$"
)
_AS = re.compile(
    r"\b(?:with|type|types|enter|use|uses|using|used|put|try|took|set|give|tippe?|nimm|nehme|usa|uso|metti|utilise|mets"
    r"|gebruik)\s(?:in |the word )?[\"']?"
    r"(?P<value>[^\W\d_][\w'-]{3,30})[\"']?\s(?:as|als|como|come|comme|if|when|for all|for every)\s(?:[\w'-]{1,15} ){0,4}$"
)
_QUOTED_AHEAD = re.compile(
    r"(?<!\w)[\"'](?P<value>[^\"'\n]{3,60})[\"'](?!\w)[^\n.!?]{0,40}?(?:\bthat's|\bthat is|\bthis is|\s(?:is"
    r"|was))(?: really| actually| still)?"
    r" (?:the|my|our|her|his)\s(?:[\w'-]{1,20} ){0,3}$"
)
_NO_WORDS = frozenset("security patience love kindness trust money time honesty silence knowledge everything".split())


def worded(reading: Reading, name: Name) -> Secret | None:
    """Return the plain words that a sentence tells as the password a name is of."""
    if (
        name.label is not Label.PASSWORD
        or name.word in LOOSE_NAMES
        or IN_A_STORY.search(reading.folded, name.stop, name.stop + 80)
    ):
        return None
    return next(_told(reading, name), None)


def _told(reading: Reading, name: Name) -> Iterator[Secret]:
    folded, end = reading.folded, min(len(reading.folded), name.stop + 160)
    ahead = _clause_before(folded, name.start)
    plural = name.word.endswith("words")
    lost = _FORGOTTEN.search(ahead) and not _SETTING.search(folded, name.stop, name.stop + 60)
    for way in _OF_SEVERAL if plural else _OF_A_LOST_ONE if lost else _AFTER:
        if match := way.match(folded, name.stop, end):
            yield from plain(reading, match.end())
    if _SETTING.search(ahead + folded[name.stop : name.stop + 60]) and (match := _SET_TO.match(folded, name.stop, end)):
        yield from plain(reading, match.end())
    if _CAMBIATO.search(ahead) and (match := _SET_IN.match(folded, name.stop, end)):
        yield from plain(reading, match.end())
    if _ASKS.search(ahead) and (match := _TRY.match(folded, name.stop, end)):
        yield from plain(reading, match.end(), most=1)
    if not plural and _GIVING.search(ahead) and not _LACKING.search(ahead):
        if match := _APPOSED.match(folded, name.stop, end):
            yield from plain(reading, match.end(), most=1, then=_BEHIND_IT)
        if match := _OF.match(folded, name.stop, end):
            yield from plain(reading, match.end(), most=1, then=_BEHIND_IT)
        if match := _BARE.match(folded, name.stop, end):
            then = END if reading.text[match.end() : match.end() + 1].isupper() else _FAILS
            yield from plain(reading, match.end(), most=1, then=then)
    if plural and (match := _EACH.match(folded, name.stop, end)):
        yield from plain(reading, match.end(), most=2, then=END)
    if _WITH.search(ahead) and (match := _BARE.match(folded, name.stop, end)):
        yield from plain(reading, match.end(), most=1, then=_GETTING)
    if ahead.strip(" -*") == "" and (match := _FOR_WHAT.match(folded, name.stop, end)):
        yield from plain(reading, match.end(), most=1, then=re.compile(r"\s*(?:$|\n)"))
    yield from _in_a_line(reading, name, end)
    yield from _ahead(reading, name)


def _in_a_line(reading: Reading, name: Name, end: int) -> Iterator[Secret]:
    """Yield what stands beside a name in a line of notes: "wifi password rosebud", "pc / password / rosebud"."""
    folded = reading.folded
    line = folded[max(0, name.start - 80) : name.start].rpartition("\n")[2]
    if match := _PARENS.match(folded, name.stop, end):
        if _WORD.match(folded, match.end()):
            yield from plain(reading, match.end(), most=1, then=re.compile(r"[)\]]"))
    elif match := _SLASH.match(folded, name.stop, end):
        yield from plain(reading, match.end(), most=2, then=re.compile(r"\s*(?:$|\n|[/|])"))
    elif _THING_BEFORE.search(line) and _LISTED.search(line) and (match := _BARE.match(folded, name.stop, end)):
        yield from plain(reading, match.end(), most=1, then=re.compile(r"\s*(?:$|[\n,;.!)])"))


def _ahead(reading: Reading, name: Name) -> Iterator[Secret]:
    """Yield what stands before its name: "marzipan is the password for the tablet", "type marzipan as the password"."""
    begin = max(0, name.start - 90)
    before = reading.folded[begin : name.start]
    if match := _REVERSED.search(before):
        behind = reading.folded[name.stop : name.stop + 30]
        whole = re.match(r"\s*(?:$|[.,;!)\n])|\s+(?:for|to|of|on|at|in|fur|vom|zum|pour|de|del|di|van|now|btw)\b", behind)
        words = match["value"].split()
        if whole and not any(map(_talked, words)) and not set(words) & _NO_WORDS:
            yield told(begin + match.start("value"), begin + match.end("value"))
    if (match := _QUOTED_AHEAD.search(before)) and not all(map(_talked, match["value"].split())):
        yield told(begin + match.start("value"), begin + match.end("value"))
    if (match := _AS.search(before)) and not _talked(match["value"]):
        at = begin + match.start("value")
        quoted = reading.text[at - 1 : at] in ("'", '"')
        if quoted or re.search(r"\s(?:as|als|como|come|comme)\s", before[match.end("value") :]):
            yield told(at, begin + match.end("value"))


def plain(reading: Reading, at: int, *, most: int = 4, then: re.Pattern[str] | None = None) -> Iterator[Secret]:
    """Yield the words at a place, up to `most`, if none belongs to talk about passwords and they end there, or before `then`."""
    value, start, quoted = value_at(reading.text, at)
    if quoted:
        if not any(map(_talked, fold(value).split())):
            yield told(start, start + len(value))
        return
    if values.made_up(value):
        yield told(start, start + len(values.trimmed(value)))
        return
    if spelled := _SPELLED.match(reading.text, at):
        yield told(*spelled.span())
        return
    first = _WORD.match(reading.text, at)
    if first is None or _talked(first[0]):
        return
    stop, words = first.end(), 1
    while match := _MORE.match(reading.text, stop):
        if fold(match["word"]) in ORDINARY or fold(match["word"]) in _FOLLOWS or _talked(match["word"]):
            break
        stop, words = match.end(), words + 1
    follows = match["word"] if match else ""
    ended = END.match(reading.folded, stop) or (words == 1 and fold(follows) in _FOLLOWS) or REMARKED.match(reading.folded, stop)
    if words <= most and (then.match(reading.folded, stop) if then else ended):
        yield told(start, stop)


def _talked(word: str) -> bool:
    """Say whether a word belongs to talk about passwords."""
    folded = fold(word)
    return folded in TALK or word.endswith(("n't", "'s", "é", "ée", "és")) or values.ordinary(word) or values.predicate(word)


def _clause_before(folded: str, at: int) -> str:
    return re.split(r"[\n.;!?]\s", folded[max(0, at - 90) : at])[-1]


def told(start: int, stop: int) -> Secret:
    """Return what stands there as a password that is told in plain words."""
    return Secret(Kind.PASSWORD, start, stop, "It gives a password: a word is told as the one that it names.")
