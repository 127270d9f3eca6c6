"""The ordinary words of sentences about secrets: what links a name and a value, and what is no value even beside a name.

Alternatives of patterns over `Reading.folded`, many languages in one table: a word of one hardly misleads in another.
"""

from __future__ import annotations

import re

from ricordo.learn.secret import fold

# What may say whose or which: "the password for my mail", "passordet mitt".
OF = fold(
    r"for|of|to|on|at|in|from|with|by|fur|furs|von|vom|zum|zur|der|des|dem|das|beim|bei|im|am|auf|chez|unseres|unserer|"
    r"meines|meiner|de|du|del|da|do|dos|d'\w+|pour|au|sur|para|en|el|la|no|na|di|della|dello|dell'\w+|dei|per|van|voor|"
    r"op|naar|от|для|к|на|до|k|dla|till|til|za"
)
OWN = fold(
    r"mitt|min|mit|mia|mio|mea|meu|minha|mein|moj|moje|moja|muj|mi|benim|mine|my|wifi|wi-fi|wlan"
    r"|(?:(?:got|was|has been|is) )?(?:changed|set|reset|updated|switched)|geandert|gewechselt"
)
# What may stand between name and value.
IS = fold(
    r"is|it's|it is|which is|that's|that is|es ist|das ist|namely|"
    r"was|are|were|be|reads|says|equals|has the number|hat die nummer|ha il numero|a le numero|tiene el numero|lautet"
    r"|lautete|ist|war|heisst|heißt|est|c'est|etait|es|era|e|foi|fue|jest|je|"
    r"ar|er|var|это|был|была|هي|هو"
)
IT_IS = fold(r"it's|it is|it was|that's|that is|they are|es ist|er ist|es lautet|sie ist|c'est|il est|elle est|es|e|het is|это")
# Particles that stand right at the word in scripts without blanks.
PARTICLES = fold("是|为|為|は|が|는|은|이|가|คือ")
TO = fold(r"to|into|from|as|auf|zu|als|von|a|en|par|por|con|naar|na|на|with|mit|avec|com|met")
ADVERBS = fold(
    r"it's|it is|that's|now|still|just|currently|simply|always|only|again|probably|jetzt|nun|immer|noch|einfach|"
    r"maintenant|toujours|desormais|sigue siendo|ahora|siempre|adesso|sempre|ancora|agora|nu|теперь|сейчас|is|the word|the same"
)
# PINs are also spelled.
DIGIT_WORDS = (
    r"zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|funf|sechs|sieben|acht|neun|un|"
    r"deux|trois|quatre|cinq|sept|huit|neuf|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|due|tre|quattro|cinque|sei|"
    r"sette|otto|nove|nul|een|twee|drie|vier|vijf|zes|zeven|acht|negen|um|dois|quatro|seis|sete|oito|noll|ett|tva|tre|fyra"
    r"|fem|sex"
    r"|sju|atta|nio|ноль|один|два|три|четыре|пять|шесть|семь|восемь|девять|jeden|dwa|trzy|cztery|piec|szesc|siedem|osiem"
    r"|dziewiec"
)
TENS = "ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
TURNS = "left|right|clockwise|anticlockwise|counterclockwise|links|rechts|gauche|droite|izquierda|derecha|sinistra|destra"
# After these a clause goes on with something else.
GOES_ON = frozenset("and please but for user login username und bitte aber et mais y pero e ma mas en и но i och og".split())

_ORDINARY = """
    a an the my your his her its our their this that these those it he she they we you i me him them us one some any no not
    none nothing something anything everything nobody everybody someone everyone what which who whose when where why how if
    in on at to of for from by with without about under over into onto near behind between inside and or but so because as
    than then there here out up down off again also too very really quite rather pretty almost
    now still just always never often sometimes usually only even already yet soon today yesterday tomorrow last next please
    see ask use using used same different other another new old first second
    is are was were be been being am has have had having do does did done can could will would shall should may might must
    need needs needed
    wrong right weak strong safe secure insecure secret long short simple complex easy hard difficult good bad terrible
    awful great fine ok okay stupid silly ridiculous unsafe public private visible temporary default permanent
    forgotten lost gone changed reset expired stored saved written hidden known unknown shared stolen leaked compromised
    hacked correct incorrect invalid valid empty blank missing required necessary optional important encrypted
    hashed protected case-sensitive unique random reused weaker stronger longer shorter better worse enough due back away
    everywhere nowhere somewhere mine yours ours true false null yes unset n/a tbd todo overdue ready
    password passwords passwort pin code key token login username user name email mail manager bitwarden keepass lastpass
    1password dashlane keychain google icloud apple
    ich du er sie es wir ihr mein meine meinem meinen dein sein der die das dem den des ein eine einem einen im auf aus bei
    mit nach von vor zu zum zur und oder aber dass weil nicht kein keine schon noch jetzt immer nie
    wieder auch nur sehr falsch richtig schwach stark sicher unsicher geheim lang kurz neu alt gleich vergessen weg
    abgelaufen bekannt leer nötig einfach schwer kompliziert egal da hier dort unter über wie bitte siehe ist war wird
    je tu il elle nous vous mon ma mes ton ta son sa ses le la les un une de au aux en dans sur sous avec sans pour par et
    ou mais que qui ne pas plus trop très encore toujours jamais déjà faux bon bonne faible fort forte
    court courte nouveau nouvelle ancien ancienne oublié perdu expiré secrète compliqué même celui voir est était été
    yo mi mis su el los las una unos del al con sin por para y o pero muy más ya siempre nunca todavía incorrecta correcta
    débil fuerte larga corta nueva vieja segura secreta olvidada misma guardada anotada está fue era
    io mio mia lo gli della dello nel nella senza per e che non più molto troppo ancora sempre mai già sbagliata corretta
    debole lunga nuova vecchia sicura scaduta segreta stessa scritta è sta
    meu minha os um uma na com sem mas não muito errada certa fraca longa curta nova antiga expirada esquecida igual foi
    ik jij hij zij mijn jouw zijn haar het een van voor op bij met zonder maar dat niet geen wel nog altijd nooit fout goed
    zwak sterk kort nieuw oud veilig verlopen vergeten hetzelfde
    я ты он она мой моя мои твой его её это в на от для с и или но не нет уже ещё всегда никогда неверный слабый сильный
    длинный короткий старый новый забыт потерян сложный простой тот неправильный изменён важно можно нужно надо
    jest był moje mój w z ale słabe silne nowe stare stejné är var inte mitt svagt starkt nytt gammalt ikke
    real people many life fun pain nuisance mess joke problem mandatory obvious old-fashioned top long-winded laughing
    theirs
    """
# Beside a name these are part of the sentence, not what it names.
ORDINARY = frozenset(map(fold, _ORDINARY.split()))
# Verbs and adjectives by their ends, language by language: "reused", "unverändert", "olvidada", "obligatoire"; asked only about
# words in small letters, so a name or a German noun still counts.
PREDICATE = re.compile(
    r"\w{2,}(?:ed|ing|ly|[aio]ble|ful|less|ous|ive)$"
    r"|(?:ge|ver|un|ab|zer|be)\w{3,}(?:t|en|ert)$|\w{3,}(?:bar|lich|ig|isch|haft|los|sam)$"
    r"|\w{3,}(?:ees?|oires?|iques?|eux|euse)$|\w{2,}(?:ad[ao]|at[ao]|ori[ao]|[bc]il|ile|os[ao]|iv[ao]|ente|ante)$"
    r"|\w{3,}(?:lijk|baar|end)$|\w{3,}(?:ен|ена|ено|ны[ий]|ная|ное|жно|стой)$"
)
_TALK = """
    nonsense gibberish rubbish garbage trash crap history knowledge torture hell madness chaos junk sent set kept told given
    made taken sold read chosen broken found put got went nope dunno idk sure yep yeah nah expire expires monday tuesday
    wednesday thursday friday saturday sunday january february march april june july august september october november
    december english german french spanish italian dutch slow fast down free included dead flaky patchy spotty excellent
    perfect brilliant rather sticky note notes paper drawer fridge wall back card letter box sheet top bottom someone's
    cancel enter return continue skip later maybe perhaps anyway though sigh ugh argh honestly luckily sorry thanks
    thank hopefully apparently obviously finally half part whole both between exactly about around at least most more less
    fewer enough characters letters digits words numbers symbols long longer case sensitive date birthday name names
    thing things stuff way idea trouble reason question answer clue point problem safe account accounts website websites
    paper notebook biro post-it postit birthdays sticker memory brain head heart fingers cloud browser chrome firefox safari
    keepassxc proton nordpass roboform office windows netflix spotify amazon facebook instagram paypal ebay steam disney hulu
    wifi wi-fi router laptop phone computer bank zoom let make give take go get keep try find call wait stop look think come
    help tell say know want hope wish guess believe like love hate thinks says knows wants likes loves hates works work fails
    ran run once twice three four five six seven eight nine ten until unless while during after before since whether per
    weiter einmal heute gestern morgen bald weder dasselbe derselbe dieselbe selben zettel nichts alles etwas jemand niemand
    montag dienstag mittwoch donnerstag freitag samstag sonntag englisch deutsch rien tout quelque chose hier demain nada
    algo todo ayer hoy niente qualcosa tutto ieri oggi quella quello esa ese aquella hecho fatto fait common popular normal
    standard usual typical familiar simpler tricky crazy wild funny weird odd strange bizarre absurd dull boring legendary
    super mega totally fully truly partly poor rich clever smart dumb lame cute sweet nice neat okay alright pretty unique
    family sacred holy gold golden key king queen protocol policy law art science business matter issue pain nightmare
    disaster burden blessing curse relic bane review chez sera hint hints tips tip mandatory imagine time enforced
    restart reboot reload refresh retry pathetic tick sorts mine strange mad
    keys key tool tools button menu pencil finger thumb face touch hands both gloves care caution luck force
    """
# What is said of passwords, and what is no password where one is told.
TALK = ORDINARY | frozenset(map(fold, _TALK.split()))
