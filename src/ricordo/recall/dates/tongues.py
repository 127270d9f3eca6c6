"""The phrases about days in languages other than English: a line a phrase, first its meaning, then its pattern (see phrases).

To add a language, add its words to words and its phrases here; `~` stands for the language, so `MONTH~` is one of
its months. A weekday alone needs a sentence that tells of the past (tenses): "Am Freitag gehe ich hin" is yet to come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ricordo.recall.dates import meanings as dates
from ricordo.recall.dates import period_parts, relative, tenses
from ricordo.recall.dates.guards import not_counted
from ricordo.recall.dates.phrases import Guard, Rule

_GERMAN = """
last_week_on letzte|vorige|vergangene woche ,? am? WEEKDAY~
last_week_on am? WEEKDAY~ letzter|voriger|vergangener woche
christmas an|zu weihnachten YEAR?
today heute
yesterday gestern
yesterday letzte nacht
two_ago vorgestern
ago vor NUM|NUM~ UNIT~
just_ago heute|genau vor NUM|NUM~ UNIT~
weekday am WEEKDAY~
last_weekday am? letzten|vergangenen|vorigen WEEKDAY~
nothing am? jeden|nachsten|kommenden|einem|einen WEEKDAY~
last letzte|letzten|letztes|letzter|vergangene|vergangenen|vergangenes|vorige|vorigen|voriges SINGLE~
before_last vorletzte|vorletzten|vorletztes SINGLE~
this diese|diesen|dieses|dieser|diesem SINGLE~
last_weekend am? letzten|letztes|vergangenen|vergangenes|voriges|vorigen wochenende
weekend am wochenende
dated am? WEEKDAY~ ,? den|dem|der? DAY . MONTH~ YEAR?
day am|vom|den|dem|der|zum DAY . MONTH~ YEAR?
day DAY . MONTH~ YEAR
days zwischen|vom|von dem? DAY . und|bis dem|zum? DAY . MONTH~ YEAR?
days DAY . -|–|bis DAY . MONTH~ YEAR?
nothing vor|nach|bis dem|zum? DAY . MONTH~ YEAR?
month im MONTH~ YEAR?
month MONTH~ YEAR
last_month im? letzten|vergangenen|vorigen MONTH~
year im jahr|jahre YEAR
week in|der? kw NUM YEAR?
"""

_DUTCH = """
last_week_on vorige|verleden week ,? op? WEEKDAY~
last_week_on op? WEEKDAY~ vorige|verleden week
christmas met|rond kerst|kerstmis YEAR?
today vandaag|vanmorgen|vanochtend|vanmiddag|vanavond
yesterday gisteren|gisteravond|gisterochtend|gistermiddag|gisternacht
two_ago eergisteren
ago NUM|NUM~ UNIT~ geleden
just_ago vandaag|precies NUM|NUM~ UNIT~ geleden
weekday op WEEKDAY~
last_weekday op? afgelopen|vorige WEEKDAY~
nothing op? elke|iedere|volgende|komende|een WEEKDAY~
last vorige|vorig|verleden SINGLE~
this deze|dit SINGLE~
last_weekend vorig|afgelopen weekend
weekend in|dit het? weekend
dated op? WEEKDAY~ DAY MONTH~ YEAR?
day op|van DAY MONTH~ YEAR?
day DAY MONTH~ YEAR
days van|tussen DAY tot|en|- DAY MONTH~ YEAR?
nothing voor|na|tot|rond DAY MONTH~ YEAR?
month in MONTH~ YEAR?
month MONTH~ YEAR
last_month afgelopen|vorig MONTH~
year in het jaar YEAR
"""

_ITALIAN = """
last_week_on WEEKDAY~ della? settimana scorsa
last_week_on la? settimana scorsa ,? WEEKDAY~
christmas a natale YEAR?
today oggi|stamattina|stamani|stasera
today questa mattina|sera
yesterday ieri
two_ago l'altro ieri
two_ago ieri l'altro
two_ago altroieri|l'altroieri|avantieri
ago NUM|NUM~ UNIT~ fa
just_ago NUM|NUM~ UNIT~ fa oggi
just_ago esattamente NUM|NUM~ UNIT~ fa
weekday WEEKDAY~
last_weekday WEEKDAY~ scorso|scorsa|passato|passata
last_weekday lo|la? scorso|scorsa WEEKDAY~
nothing il|la|di|ogni|prossimo|prossima|questo|questa|un|una|i|le WEEKDAY~
nothing WEEKDAY~ prossimo|prossima
last la|il|l'? SINGLE~ scorsa|scorso|passata|passato
last lo|la? scorso|scorsa SINGLE~
this questa|questo SINGLE~
this_year quest'anno
last_weekend lo? scorso weekend
last_weekend lo? scorso fine settimana
last_weekend il|nel? weekend scorso
last_weekend il|nel? fine settimana scorso
weekend nel|durante weekend
weekend nel fine settimana
dated WEEKDAY~ DAY MONTH~ YEAR?
day il|del|dal|al|l|dell DAY MONTH~ YEAR?
day DAY MONTH~ YEAR
days dal|tra|fra|dall il|l? DAY al|e|all il|l? DAY MONTH~ YEAR?
nothing prima|dopo|entro|fino|verso|il del|dell|il|al|dal|all DAY MONTH~ YEAR?
month a|ad|in|nel MONTH~ YEAR?
month MONTH~ YEAR
last_month lo? scorso MONTH~
last_month MONTH~ scorso
year nel YEAR
"""

_FRENCH = """
last_week_on le? WEEKDAY~ de la semaine derniere|passee
christmas a noel YEAR?
today aujourd'hui
today ce|cet matin|soir|apres-midi
yesterday hier soir|matin|apres-midi
french_yesterday hier
two_ago avant hier
ago il y a NUM|NUM~ UNIT~
just_ago il y a exactement|juste NUM|NUM~ UNIT~
weekday WEEKDAY~
last_weekday WEEKDAY~ dernier|passe
nothing le|les|chaque|un|du|au|ce WEEKDAY~
nothing WEEKDAY~ prochain
last la|le|l'? SINGLE~ derniere|dernier|passee|passe
this cette|ce SINGLE~
last_weekend le? week-end|weekend dernier|passe
weekend ce week-end|weekend
dated le? WEEKDAY~ DAY MONTH~ YEAR?
day le|du|au DAY MONTH~ YEAR?
day DAY MONTH~ YEAR
days du|entre le? DAY au|et le? DAY MONTH~ YEAR?
nothing avant|apres|jusqu'au|vers|d'ici le? DAY MONTH~ YEAR?
month en MONTH~ YEAR?
month au mois de MONTH~ YEAR?
month MONTH~ YEAR
last_month en? MONTH~ dernier
year en YEAR
"""

_SPANISH = """
last_week_on el? WEEKDAY~ de la semana pasada
christmas en navidad YEAR?
today hoy
today esta manana|tarde|noche
yesterday ayer|anoche
two_ago anteayer|antier
two_ago antes de ayer
ago hace NUM|NUM~ UNIT~
nothing hace NUM|NUM~ UNIT~ que
just_ago hoy|exactamente hace NUM|NUM~ UNIT~
weekday el WEEKDAY~
last_weekday el? WEEKDAY~ pasado
last_weekday el? pasado WEEKDAY~
nothing el proximo WEEKDAY~
nothing el WEEKDAY~ que|proximo
last la|el? SINGLE~ pasada|pasado
last la|el? pasada|pasado SINGLE~
before_last la|el? SINGLE~ antepasada|antepasado
this esta|este SINGLE~
last_weekend el? pasado? fin de semana pasado
last_weekend el? pasado fin de semana
weekend el fin de semana
nothing fin de semana
dated el? WEEKDAY~ ,? DAY de MONTH~ de|del? YEAR?
day el|del|al? DAY de MONTH~ de|del? YEAR?
days del|entre|desde el? DAY al|y|hasta el? DAY de MONTH~ de|del? YEAR?
nothing antes|despues|hasta|hacia de|del|el DAY de MONTH~ de|del? YEAR?
month en MONTH~ de|del? YEAR?
month MONTH~ de|del YEAR
last_month el? MONTH~ pasado
last_month el? pasado MONTH~
year en YEAR
"""

_PORTUGUESE = """
last_week_on na|no? WEEKDAY~ da semana passada
christmas no natal de? YEAR?
today hoje
today esta manha|tarde|noite
yesterday ontem
two_ago anteontem
ago ha NUM|NUM~ UNIT~
ago NUM|NUM~ UNIT~ atras
nothing ha NUM|NUM~ UNIT~ que
weekday na|no WEEKDAY~
last_weekday na|no|a|o? WEEKDAY~ passada|passado
nothing na|no|a|o? proxima|proximo WEEKDAY~
last na|no|a|o? SINGLE~ passada|passado
this nesta|neste SINGLE~
last_weekend no|o? fim de semana passado
weekend no fim de semana
dated na|no? WEEKDAY~ ,? DAY de MONTH~ de? YEAR?
day em|no|do|dia? dia? DAY de MONTH~ de? YEAR?
days de|entre DAY a|e DAY de MONTH~ de? YEAR?
nothing antes|depois|ate de|do|o|a? DAY de MONTH~ de? YEAR?
month em MONTH~ de? YEAR?
month MONTH~ de YEAR
last_month em? MONTH~ passado
year em YEAR
"""

_TONGUES = {":de": _GERMAN, ":nl": _DUTCH, ":it": _ITALIAN, ":fr": _FRENCH, ":es": _SPANISH, ":pt": _PORTUGUESE}

_MEANINGS: Mapping[str, tuple[Callable[..., Any], Guard | None]] = {
    "today": (lambda frame: relative.ago(frame, 0, "day"), None),
    "yesterday": (lambda frame: relative.ago(frame, 1, "day"), None),
    # "hier" alone is German for "here".
    "french_yesterday": (lambda frame: relative.ago(frame, 1, "day"), tenses.french),
    "two_ago": (lambda frame: relative.ago(frame, 2, "day"), None),
    "ago": (relative.ago, None),
    "just_ago": (relative.ago_exactly, None),
    "weekday": (relative.weekday, tenses.told),
    "last_weekday": (relative.last_weekday, None),
    "last_week_on": (lambda frame, day: relative.weekday_of_week(frame, day, -1), None),
    "last": (lambda frame, unit: relative.period(frame, -1, unit), None),
    "before_last": (relative.before_last, None),
    "this": (lambda frame, unit: relative.period(frame, 0, unit), None),
    "this_year": (lambda frame: relative.period(frame, 0, "year"), None),
    "last_weekend": (lambda frame: relative.rel_weekend(frame, -1), None),
    "weekend": (relative.weekend, tenses.told),
    "dated": (dates.weekday_day_month, None),
    "day": (dates.day_month, None),
    "days": (dates.day_day_month, None),
    "month": (dates.month_of, None),
    "last_month": (dates.last_month_named, None),
    "year": (dates.year_of, not_counted),
    "week": (period_parts.week_of_year, None),
    "christmas": (period_parts.christmas, None),
    "nothing": (dates.nothing, None),
}


def rules() -> Iterator[Rule]:
    """Yield the rules of all languages."""
    for tongue, lines in _TONGUES.items():
        for line in lines.split("\n"):
            name, _, pattern = line.partition(" ")
            if name:
                yield Rule(pattern.replace("~", tongue), *_MEANINGS[name])
