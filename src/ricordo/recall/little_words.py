"""Little words in many languages: those of greeting and agreeing, and those that carry a sentence but say nothing to look for.

All are in the small letters of str.casefold, so that ß stands as ss.
"""

from __future__ import annotations

from typing import Final

# Greetings, thanks, agreement, farewells, laughter: English, German, Italian, French, Spanish, Portuguese, Dutch, then others.
SOCIAL: Final = frozenset(
    """
    hi hii hello hey heya hiya yo howdy greetings morning evening afternoon night goodnight welcome thanks thank thx thnx ty
    tysm cheers ok okay okey kk k yes yeah yep yup ya no nope nah sure fine great good nice cool super perfect awesome
    amazing wonderful excellent lovely brilliant fantastic alright right correct exactly true agreed deal done understood
    got noted indeed absolutely definitely certainly course please pls sorry oops wow haha hahaha hah hehe lol lmao rofl bye
    goodbye cya later soon ciao hm hmm hmmm mm mhm aha ah oh uh um er well anyway congrats bravo yay hurray hooray sweet
    dear friend buddy pal mate test testing ping hallo servus moin grüss grüezi danke dankeschön vielen herzlichen bitte
    gern gerne ja jo nein nee klar genau stimmt gut prima toll schön wunderbar alles tschüss wiedersehen morgen guten abend
    tag nacht gute moment ach so salve buongiorno buonasera buonanotte buon grazie mille prego sì si va bene perfetto ottimo
    giusto esatto certo capito arrivederci d'accordo dai bello bella fantastico salut bonjour bonsoir coucou merci beaucoup
    oui non bien d'accord parfait génial exactement revoir adieu bonne nuit journée soirée voilà compris entendu hola buenos
    buenas días dias tardes noches gracias muchas muchísimas vale sí bueno perfecto genial claro adiós adios hasta luego
    obrigado obrigada olá oi bom boa dia tarde noite sim não valeu beleza tchau hoi dank bedankt dankjewel goed doei
    goedemorgen cześć dzięki dziękuję dobrze tak nie hej tack takk kiitos merhaba selam teşekkürler sağol sağ ol tamam evet
    hayır привет здравствуйте спасибо да нет хорошо ок ладно пока отлично понятно доброе утро добрый день вечер مرحبا شكرا
    نعم لا حسنا שלום תודה כן לא नमस्ते धन्यवाद हाँ lot tons bunch again
    helps helped helpful interesting funny
    interessant interessante intéressant amen stop fine passt figurati sehr très molto muy heel muito goedenacht så mycket
    dobranoc bardzo ederim çok очень
    """.split()
)
THANKS: Final = frozenset(
    "thanks thank thx ty cheers danke dankeschön grazie merci gracias obrigado obrigada bedankt dank dzięki dziękuję tack takk "
    "kiitos teşekkürler спасибо".split()
)
# Articles, pronouns, auxiliaries, question words; and words about remembering, telling and writing down.
EMPTY: Final = frozenset(
    """
    a about after again ago all also always am an and any anything are aren around as ask asked at away back be because been
    before being both but by can cannot could did didn do does doesn doing don down each else ever every everything few for
    from get give go going had has hasn have haven having he her here hers him his how i if in into is isn it its just keep
    kind know last least less let like ll look many may maybe me mean mention mentioned might mine more most much must my
    myself need never next not nothing now of off on once one only or other our out over own per put quite rather re really
    remember recall remind reminds said same say says see shall she should since so some something somewhere still such t
    tell than that the their theirs them then there these they thing things think this those though through till to told too
    two up us use ve very wanna want was wasn way we were what whatever when where which while who whom whose why will with
    won wonder would wouldn write written wrote you your yours d s m entry entries diary note notes chat conversation talk
    talked time times happen happened happens please continue der die das den dem des ein eine einen einem einer und oder
    aber auch auf aus bei bin bist da damals dann dass dein deine denn dir doch du durch er es für hab habe haben hast hat
    hatte hier ich ihm ihn ihr ihre im ist kann kannst kein keine mal man mehr mein meine meinem meinen meiner mich mir mit
    nach nicht noch nun nur ob schon sein seine sich sie sind über um uns unser von vor war waren warum weil weisst welche
    welcher welches wenn wer wie wieder wir wird wo zu zum zur etwas gesagt geschrieben erzählt erinnerst erinnere sag sage
    sagte passiert eintrag dazu davon darüber il lo la le gli un uno una di del della dei delle dal nel nella con su tra fra
    e o ma che chi cosa come dove quando perché quale quali quanto non più mi ti ci vi io tu lui lei noi voi loro mio mia
    miei mie tuo tua suo sua è sono sei era ho hai ha abbiamo detto scritto ricordi ricorda ricordo raccontato successo
    questo questa quello quella ancora anche poi quel al alla les une au aux et ou mais que qui quoi où quand comment
    pourquoi je elle nous vous ils elles mon mes ton ta tes son sa ses ce cet cette ces ne pas plus est suis sont était ai
    avons dit écrit souviens rappelle raconté encore aussi là ça de en dans sur pour par avec qu' d' l' j' n' c' m' t' s' el
    los las unos unas y pero qué quien quién cómo cuándo dónde cuál por para sin sobre yo él ella nosotros mis tus sus este
    esta ese esa eso soy eres fue dije dijo escribí escrito recuerdas recuerdo conté pasó ya más no te se os uma dos na eu
    ele ela meu minha seu isso esse essa é foi disse escrevi lembra lembras onde quem и в во не что он она они на я с со как
    а то все так его её но ты к у же вы за бы по только мне было вот от меня о из ему когда где кто почему это этот эта мой
    моя помнишь сказал сказала писал wann wen wessen sagen
    """.split()
)
