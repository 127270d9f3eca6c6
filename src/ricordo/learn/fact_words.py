"""The English words of facts: which say the same, which say nothing, which turn a fact around.

The one rule: two words share a line only where swapping them leaves a fact true of the same person. Near is not enough:
walnuts are no peanuts.
"""

from __future__ import annotations

from collections.abc import Mapping

# What stands first is what the others become. Plain forms; endings are taken off by `stems`.
_SAME = """
live reside dwell
like love enjoy adore
hate detest loathe despise abhor
child kid
mother mum mom mummy mommy mama
father dad daddy papa
grandmother grandma granny nana
grandfather grandpa granddad
have own possess hold
buy purchase acquire
move relocate
plan intend
want wish
learn study
film movie
writer author
doctor physician
lawyer attorney
developer programmer
big large huge
small little tiny
bike bicycle
car automobile
flat apartment
tv television telly
phone smartphone cellphone
autumn fall
holiday vacation
begin start commence
finish end
company firm
town city
often frequently regularly
rarely seldom
usually normally generally
wake rise
use utilize utilise
help assist
intolerant intolerance
ill sick unwell
marry wed
every each
name call
repair fix
trouble difficulty
shop store
choose pick select
speak talk
fluently fluent
hobby pastime
maybe perhaps
home house
"""
# Spellings, short forms and single words that stand for several, as they become.
FORMS: Mapping[str, str] = {
    "favourite": "favorite", "colour": "color", "grey": "gray", "neighbour": "neighbor", "centre": "center",
    "theatre": "theater", "programme": "program", "cosy": "cozy", "jewellery": "jewelry", "pyjamas": "pajamas",
    "cannot": "can not", "dont": "not", "doesnt": "not", "cant": "can not", "isnt": "be not", "wont": "will not",
    "goes": "go", "using": "use~", "engineers": "engineer", "going": "go~", "is": "be", "are": "be", "am": "be",
    "was": "be+ed", "were": "be+ed", "been": "be", "being": "be~", "be": "be",
    "has": "have", "have": "have", "had": "have+ed", "having": "have~", "does": "do", "do": "do", "did": "do+ed",
    "daily": "every day", "weekly": "every week", "monthly": "every month", "yearly": "every year", "annually": "every year",
    "nightly": "every night", "once": "1 time", "twice": "2 time", "thrice": "3 time", "anymore": "anymore",
    "never": "not", "neither": "not", "nor": "OR not", "none": "not", "nobody": "not somebody", "nothing": "not something",
    "nowhere": "not somewhere", "no": "not", "dislike": "not like", "dislikes": "not like", "lacks": "not have",
    "lack": "not have", "and": "AND", "or": "OR", "but": "BUT", "whereas": "BUT", "while": "BUT", "though": "BUT", "&": "AND",
    ",": ",", ";": ",",
    "handed": "hand", "hander": "hand", "yet": "BUT",
    "i": "USER", "me": "USER", "myself": "USER", "user": "USER", "users": "USERS", "speaker": "USER", "my": "USERS",
    "mine": "USERS", "his": "THEIR", "her": "THEIR", "their": "THEIR", "themself": "THEM", "themselves": "THEM",
    "per": "", "much": "lot", "lots": "lot", "children": "child", "wives": "wife", "feet": "foot", "teeth": "tooth",
    "people": "people", "news": "news", "dr": "dr", "mr": "mr", "jr": "jr", "weekends": "every weekend", "bus": "bus",
    "kilogram": "kg", "kilograms": "kg", "kilogrammes": "kg", "kilos": "kg", "kilo": "kg", "gram": "g", "grams": "g",
    "kilometre": "km", "kilometres": "km", "kilometer": "km", "kilometers": "km", "metre": "m", "metres": "m", "meter": "m",
    "meters": "m", "milligrams": "mg", "milligram": "mg", "lbs": "pound", "lb": "pound", "hrs": "hour", "hr": "hour",
    "centimetres": "cm", "centimeters": "cm", "litres": "liter", "litre": "liter", "mins": "minute", "min": "minute",
    "€": "euro", "eur": "euro", "$": "dollar", "usd": "dollar", "£": "quid", "gbp": "quid", "%": "percent", "°": "degree",
}  # fmt: skip
# They say nothing that another fact about the same thing would not say as well.
LIGHT = frozenset(
    "a an the this these those there here very really quite truly just also currently presently now nowadays "
    "so indeed actually it please certainly definitely absolutely".split()
)
# What has two forms only by its past; without an ending to see it by.
_PAST = """
bought buy|sold sell|taught teach|went go|got get|grew grow|gave give|took take|ate eat|drank drink|wrote write|spoke speak
came come|became become|began begin|left leave|lost lose|found find|met meet|made make|said say|told tell|knew know|thought think
felt feel|kept keep|slept sleep|ran run|swam swim|sang sing|drove drive|rode ride|flew fly|broke break|chose choose|wore wear
won win|built build|sent send|spent spend|lent lend|brought bring|caught catch|fought fight|sat sit|stood stand|paid pay
fell fall|held hold|led lead|saw see|forgot forget|forgave forgive|woke wake|hid hide|quit quit|learnt learn|bred breed
given give|taken take|eaten eat|written write|spoken speak|known know|seen see|gone go|done do|driven drive|grown grow
"""
_PREPOSITIONS = (
    "in on at to from for with without by of about over under above below behind beside near before after during since "
    "until till into onto through via as than against between among around across along except because if when per "
    "every towards within outside inside despite unless up-to last next"
)
PREPOSITIONS = frozenset(_PREPOSITIONS.split())
# Of the whole clause wherever they stand in it.
DEGREES = frozenset(
    "always usually often sometimes rarely occasionally hardly barely almost nearly mostly mainly still already again "
    "soon maybe probably fluently quickly slowly badly regularly constantly".split()
)
QUANTITIES = frozenset(
    "all some most many few several lot lots only half everything something anything everyone someone more less least most "
    "enough any every other except both one part full whole".split()
) | DEGREES  # fmt: skip
MODALS = frozenset("will would can could may might must shall should used plan want hope try going ex late former future".split())
NEGATIONS = frozenset("not without NO-LONGER refuse avoid lack fail forget".split())
KIN = frozenset(
    "mother father parent brother sister sibling son daughter child wife husband spouse partner friend boss colleague aunt "
    "uncle cousin niece nephew grandmother grandfather grandson granddaughter girlfriend boyfriend roommate neighbor teacher "
    "doctor therapist dog cat ex".split()
)
_OPPOSITES = """
like hate|left right|more less|more few|day night|early late|hot cold|warm cold|short long|tall short|big small|old young
begin finish|begin NO-LONGER|buy sell|lose gain|lose win|before after|with without|for against|from to|since until|over under
above below|upstairs downstairs|north south|east west|always not|often rarely|happy unhappy|employed unemployed|able unable
morning evening|full part|least most|support oppose|introvert extrovert|introverted extroverted|arrive leave|open close
borrow lend
indoor outdoor|indoors outdoors|inside outside|public private|sweet savory|easy hard|fast slow|high low
positive negative|start stop|up down|on off|summer winter|add remove
trust distrust|rich poor|first last|son daughter|brother sister|mother father|husband wife|male female|near far|wet dry|love hate
agree disagree|accept refuse|remember forget|spring autumn|import export|enter exit|major minor|good bad|better worse|best worst
"""
CONVERSES: Mapping[str, str] = {
    "younger": "older", "shorter": "taller", "smaller": "bigger", "slower": "faster", "poorer": "richer", "lighter": "heavier",
}  # fmt: skip

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
NUMBERS: Mapping[str, int] = {word: n for n, word in enumerate(_UNITS.split())} | {
    word: 10 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
SCALES: Mapping[str, int] = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000, "dozen": 12}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ORDINALS: Mapping[str, int] = {word: n for n, word in enumerate(_ORDINALS.split(), 1)}
_MONTHS = "january february march april may june july august september october november december"
MONTHS: Mapping[str, int] = {word: n for n, word in enumerate(_MONTHS.split(), 1)}
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())

SAME_LINES = tuple(line.split() for line in _SAME.split("\n") if line)
PAST: Mapping[str, str] = {one.split()[0]: one.split()[1] for one in _PAST.replace("\n", "|").split("|") if one}
OPPOSITES = tuple(one.split() for one in _OPPOSITES.replace("\n", "|").split("|") if one)
