"""Words that a capital does not make a name: what opens sentences, days and months, everyday capitals, parts within names.

English mostly: there a capital says little at a sentence's start. Small letters, one entry a word.
"""

from __future__ import annotations

# Never a name, nor the beginning of one, wherever they stand.
LITTLE = frozenset(
    "a an the this that these those i me my mine you your yours he him his she her hers it its we us our ours they "
    "them their "
    "and or but nor so yet if then than as at by for from in into of off on onto out over to up with without under until "
    "is are was were be been am do does did has have had not no yes ok okay oh ah hi hey hello dear thanks thank please "
    "what who whom whose which where when why how there here also just very too never always maybe perhaps "
    "der die das ein eine und oder aber ich du er sie es wir ihr ist sind war hat haben nicht kein keine mit von zu im am "
    "il lo gli un una uno e o ma io tu lui lei noi voi loro che chi non con per le les des du et ou mais je il elle "
    "nous vous ils "
    "ne pas avec pour el los las y pero yo ella nosotros con para por os as um uma mas eu ele ela".split()
)
# Open sentences; after a comma or in the middle they may be names (Will, Mark, Grace).
OPENERS = frozenset(
    LITTLE
    | set(
        "about above according across actually add after afterwards again against ago ahead all allow almost alone along "
        "already "
        "alright although among amazing another any anybody anyone anything anyway anyways apart apparently apply around ask "
        "asked asking away awesome back bad baby bake basically beautiful because become before begin behind being "
        "believe below "
        "beside besides best better between big bit black blue book both bought bring brought brown build busy buy call "
        "called "
        "calling came can cannot care carry catch certainly change cheap check cheers children choose city clean clear "
        "clearly "
        "close cold come comes coming common compare congrats congratulations consider considering continue cook cool "
        "correct "
        "could count couple course create currently cut dad daddy day days deal decided definitely delete depending describe "
        "despite different dinner doing done down draft drank draw drink drive drove dry during each earlier early eat "
        "either "
        "else email end english enjoy enough especially even evening eventually ever every everybody everyone everything "
        "everywhere exactly except excellent expect explain extra fair fall family far fast feel feeling feels felt few "
        "final "
        "finally find fine finish first five focus follow following food forget forgot found four free fresh friend "
        "friends full "
        "fun funny further gave general generally get gets getting give given glad go god goes going gone good goodbye "
        "google "
        "got grandma grandpa great green grew guess had half happen happened happy hard hardly hate having head hear "
        "heard help "
        "hence high hold holy home honestly hope hopefully hot house however huge hungry ideally imagine important "
        "indeed inside "
        "instead interesting isn job join keep kept kids kind kitchen know known large last late lately later lazy learn "
        "least "
        "leave left less let lets life like likely list listen little live lived lol long look looked looking looks lord "
        "lost "
        "lots love loved lovely low luckily lucky lunch made make makes making many married mate mean means meanwhile meet "
        "meeting men mention met might mine mind missed missing mom money month months more moreover morning most mostly "
        "mother "
        "move moved moving much mum must my myself name names near nearly need needed needs neither new news next nice night "
        "nine nobody none nope nor normally nothing notice now nowadays nowhere obviously odd often old once one ones "
        "only open "
        "opened order other others otherwise ought outside own part pay people personally pick picked place plan "
        "planning play "
        "played plus poor possibly pretty prepare previous probably promise provide put quick quickly quiet quite rain ran "
        "rather read reading ready real really recently red regarding remember remind reply rest result right roughly run "
        "running sad safe said same sat save saw say says school second see seeing seems seen sell send sent seriously "
        "set seven "
        "several shall short should show similarly simple simply since sing sister six sleep slept slow slowly small "
        "snow soft "
        "sold some somebody someday somehow someone something sometimes somewhere son soon sorry sounds speak speaking spend "
        "spent spoke stand start started starting stay stayed still stop stopped strange strong study stuff such suddenly "
        "suggest summarize sun suppose sure surely swam sweet take taken takes taking talk talked talking tea tell ten "
        "terrible "
        "texted that though think thinking third thought three through throughout thus till time times tired today together "
        "told tomorrow tonight took toward towards translate travel tried true truly try trying turn turned turns twenty two "
        "typically ugh under unfortunately unless unlike until upon use used using usually various via visit visited wait "
        "waiting wake walk walked want wanted wants warm was wash watch watched watching water ways weather week weekend "
        "weeks "
        "welcome well went wet whatever whenever whereas whether while white whole whoever will wine wish within woke woman "
        "women won wonder wonderful wondering word words work worked working works world worse would wow write writing wrong "
        "wrote yeah year years yep yesterday young yours yup zero "
        "note re flight update reminder question answer title introduction act step part based given assuming compared "
        "additionally furthermore overall specifically alternatively therefore similarly "
        "heute gestern morgen dann danach jetzt hier dort auch noch schon nur sehr vielleicht warum wie was wer wo wann "
        "bitte "
        "danke hallo liebe lieber oggi ieri domani poi adesso ora qui forse perché come cosa dove quando grazie ciao "
        "caro cara "
        "aujourd'hui hier demain puis maintenant ici peut-être pourquoi comment quoi où quand merci bonjour cher chère "
        "hoy ayer "
        "mañana luego ahora aquí quizás porque cómo qué dónde cuándo gracias hola querido querida hoje ontem amanhã "
        "agora aqui "
        "talvez obrigado obrigada".split()
    )
)
TIME = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays "
    "saturdays sundays "
    "january february march april may june july august september october november december jan feb mar apr jun jul "
    "aug sep sept "
    "oct nov dec mon tue tues wed thu thurs fri sat sun spring summer autumn winter christmas easter "
    "montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember "
    "lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio marzo aprile maggio giugno luglio agosto "
    "settembre ottobre novembre dicembre lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin "
    "juillet août septembre octobre novembre décembre lunes martes miércoles jueves viernes sábado domingo enero "
    "febrero abril "
    "mayo junio julio septiembre octubre noviembre diciembre".split()
)
# Months and words that begin a person's name too, when a name follows: May Whitfield.
TIME_AND_NAME = frozenset("may april june august jan jun mai juni juli summer autumn easter christian".split())
# Los Angeles, El Paso: a name where a name follows, whatever stands ahead.
ARTICLES_OF_PLACES = frozenset("los las el la le les".split())
FIRMS = frozenset("llc inc ltd co corp corporation company gmbh ag plc sons bros associates partners".split())
TITLES = frozenset(
    "mr mrs ms miss mx dr prof professor doctor sir madam lady lord captain herr frau signor signora sig monsieur "
    "madame mme m rev col gen capt lt sgt "
    "señor señora sr sra don doña uncle aunt auntie grandma grandpa st saint".split()
)
# Within a name, between two words with a capital.
PARTICLES = tuple(
    "of the|of|de la|de las|de los|del|della|de|di|da|dos|das|do|du|des|la|le|van de|van der|van den|van|von "
    "der|von|zu|bin|ibn"
    "|al|el|ter|ten|af|av".split("|")
)
# Capitals of everyday talk: they name nothing of this conversation.
EVERYDAY = frozenset(
    "AI IT OK OKAY TV TVS PC PCS USA US UK EU UN UAE NYC LA DC PDF URL URLS API APIS FAQ CEO CFO CTO COO HR PR ASAP "
    "FYI LOL OMG BTW "
    "DIY GPS SMS ID IDS AM PM CV RSVP ETA TBD TBA TBH IMO IMHO AFAIK IIRC WTF LMAO ROFL BRB IDK NVM PS PPS RE FW FWD "
    "CC BCC AKA "
    "VS BC AD CE BCE CD CDS DVD DVDS USB HTML CSS JSON XML YAML SQL HTTP HTTPS WWW CSV JPG JPEG PNG GIF MP3 MP4 CPU "
    "GPU RAM SSD "
    "HD UI UX OS IOS QR VPN WIFI DNA RNA HIV ADHD PTSD OCD MRI CT ICU ER GP PHD MBA BSC MSC BA MA MD RIP SOS UFO VIP "
    "BBC CNN NASA "
    "FBI CIA NHS VAT IRS GDP ATM PIN AC DC BMI KG KM CM MM LB LBS MPH KPH GB MB TB KB HZ WWI WWII COVID II III IV VI "
    "VII VIII IX XI "
    "XII XIII XIV XV I A O TODO NOTE NB EG IE NO YES NOT AND OR THE TO OF IN ON IS SO WE MY ME HE IF AT BY DO GO UP AS AN BE "
    "HI HEY WHY HOW WHO WHAT WHEN VERY REALLY NEVER ALWAYS ALL LOVE STOP HELP PLEASE THANKS THIS THAT YOU ARE WAS "
    "FOR BUT CAN GET "
    "BBQ LED UV VR CO2 DJ NFL NBA ROI SEO GOT NOW NEW ONE TWO OUT SEE TOO OH AH EM ED LLC INC LTD GMBH".split()
)
