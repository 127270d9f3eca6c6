"""The words of facts in other languages, as the English ones they stand for; an empty string is a word that says nothing.

The one rule: only words that carry the shape of a fact stand here (who, not, is, has, lives, from, number words). All
others are compared as they are written.
"""

from __future__ import annotations

from collections.abc import Mapping

from ricordo.learn.fact_words import MONTHS, WEEKDAYS
from ricordo.learn.stems import stems

# word[,word…]=English; what follows "=" may be empty.
_GERMAN = """
der,die,das,ein,eine,einen,einem,einer,sehr,sich,gerade,derzeit,aktuell=
des,von,vom=of|nutzer,nutzerin,benutzer,benutzerin,nutzers,benutzers,ich,mich,mir,anwender=user
mein,meine,meinen,meinem,meiner=my
ist,bin,sind=be|war,waren=was|hat,habe,haben,besitzt,besitze=have|hatte=had|heißt,heiße,heißen=be called
namens,genannt=called|name=name|wohnt,wohne,wohnen,lebt,lebe,leben=live|arbeitet,arbeite=work|als=as|wie=like-as
mag,liebt,liebe=like|gern,gerne=gladly|isst,esse=eat|trinkt,trinke=drink|spielt,spiele=play|raucht,rauche=smoke
spricht,spreche=speak
lernt,lerne=learn|hasst,hasse=hate|fährt,fahre=drive|kommt,komme=come|aus=from|möchte,will=want|kann=can
nicht,kein,keine,keinen,keinem,keiner,nie,niemals,weder=not|mehr=mehr|ohne=without|mit=with|und=and|oder=or
aber,sondern=but
in,im=in|am,an=on|um=at|zu,zum,zur,nach=to|für=for|bei=at|über=over|unter=under|vor=before|seit=since|bis=until
auf=upon|gegen=against
immer=always|oft=often|selten=rarely|manchmal=sometimes|alle=all|einige=some|jeden,jede,jedes=every|lieber=rather
bevorzugt=prefer
kind,kinder,kindern=child|allergisch=allergic|geboren=born
januar=january|februar=february|märz=march|mai=may|juni=june|juli=july|oktober=october|dezember=december
montag,montags=monday|dienstag,dienstags=tuesday|mittwoch=wednesday|donnerstag=thursday|freitag,freitags=friday
samstag=saturday
sonntag,sonntags=sunday|zwei=2|drei=3|vier=4|fünf=5|sechs=6|sieben=7|acht=8|neun=9|zehn=10|elf=11|zwölf=12
"""
_ITALIAN = """
il,lo,la,i,gli,le,l,un,una,uno,si,molto,all'=|utente,io,me,mi=user|mio,mia,miei,mie=my|all,al,allo,alla,ai,alle=to
di,del,della,dello,dell,dei,degli,delle,d=of|è,sono=be|era=was|ha,ho,possiede,possiedo=have|aveva=had
chiama,chiamo,chiamano=be called
nome=name|chiamato,chiamata=called|vive,vivo,abita,abito,risiede,risiedo=live|lavora,lavoro=work|come=as|a,ad=to
piace,piacciono,ama,amo,adora,adoro=like|preferisce,preferisco=prefer|mangia,mangio=eat|beve,bevo=drink
fuma,fumo=smoke
parla,parlo=speak|studia,studio=learn|gioca,gioco,suona,suono=play|odia,odio=hate|vuole,voglio,vorrei=want
può,posso=can
non,mai,nessun,nessuno,nessuna,né=not|più=mehr|senza=without|con=with|e,ed=and|o=or|ma,però=but|in,nel,nella=in
da,dal,dalla=from
per=for|su,sul=upon|prima=before|dopo=after|contro=against|sempre=always|spesso=often|raramente=rarely
tutti,tutte=all|alcuni=some
ogni=every|figli,figlio=child|allergico,allergica=allergic|nato,nata=born|anni=year|che=who
gennaio=january|febbraio=february|marzo=march|aprile=april|maggio=may|giugno=june|luglio=july|agosto=august
settembre=september
ottobre=october|novembre=november|dicembre=december|lunedì=monday|martedì=tuesday|mercoledì=wednesday|giovedì=thursday
venerdì=friday|sabato=saturday|domenica=sunday|due=2|tre=3|quattro=4|cinque=5|sei=6|sette=7|otto=8|nove=9|dieci=10
"""
_FRENCH = """
le,la,les,l,un,une,se,s,ne,n,très,actuellement=|utilisateur,utilisatrice,je,j,moi,m,me=user|mon,ma,mes=my
de,du,des,d=of
est,suis,sont=be|était,étais=was|a,ai,possède=have|avait=had|appelle,appellent=be called|nom=name
nommé,nommée,appelé,appelée=called
habite,vit,vis,réside=live|travaille=work|comme=as|aime,adore=like|préfère=prefer|mange=eat|boit,bois=drink|fume=smoke
parle=speak|étudie,apprend,apprends=learn|joue=play|déteste=hate|veut,veux,voudrais,aimerait=want|peut,peux=can
pas,jamais,aucun,aucune,rien,ni=not|plus=mehr|sans=without|avec=with|et=and|ou=or|mais=but|à,au,aux=to|dans,en=in
pour=for|chez=at
sur=upon|sous=under|avant=before|après=after|depuis=since|contre=against|toujours=always|souvent=often
rarement=rarely|tous,toutes=all
chaque=every|qui=who|que=than|enfant,enfants=child|allergique=allergic|né,née=born|ans=year
janvier=january|février=february|mars=march|avril=april|mai=may|juin=june|juillet=july|août=august|septembre=september
octobre=october|novembre=november|décembre=december|lundi=monday|mardi=tuesday|mercredi=wednesday|jeudi=thursday
vendredi=friday|samedi=saturday|dimanche=sunday|deux=2|trois=3|quatre=4|cinq=5|six=6|sept=7|huit=8|neuf=9|dix=10
"""
_SPANISH = """
el,la,los,las,lo,un,una,unos,unas,se,le,muy,os,as,um,uma,actualmente=|usuario,usuaria,usuário,yo,me,mí,eu=user
mi,mis,meu,minha=my
de,del,do,da=of|es,soy,está,estoy,é,sou=be|era,fue=was|tiene,tengo,tem,tenho,posee=have|tenía,tinha=had
llama,llamo,llaman,chama,chamo=be called
nombre,nome=name|llamado,llamada,chamado=called|vive,vivo,reside,resido,mora,moro=live
trabaja,trabajo,trabalha,trabalho=work
como=as|gusta,gustan,encanta,encantan,ama,amo,gosta,gosto=like|prefiere,prefiero,prefere=prefer|come=eat
bebe,bebo=drink
fuma,fumo=smoke|habla,hablo,fala,falo=speak|estudia,estudio,aprende,aprendo=learn|juega,juego,toca,toco=play
odia,odio=hate
quiere,quiero,quer=want|puede,puedo,pode=can|no,nunca,jamás,ningún,ninguna,ninguno,nada,ni,não,nem=not|ya,já,mais=mehr
sin,sem=without|con,com=with|y,e=and|o,u,ou=or|pero,sino,mas=but|a,al,à,ao=to|en,em,na=in|desde=since|por,para=for
hasta=until
sobre=upon|antes=before|después=after|contra=against|siempre,sempre=always|todos,todas=all|cada=every|que=who
hijo,hijos,filho,filhos=child|alérgico,alérgica=allergic|alergia=allergy|nacido,nació,nací=born|años,anos=year
enero=january|febrero=february|marzo=march|abril=april|mayo=may|junio=june|julio=july|agosto=august
septiembre=september
octubre=october|noviembre=november|diciembre=december|lunes=monday|martes=tuesday|miércoles=wednesday|jueves=thursday
viernes=friday|sábado=saturday|domingo=sunday|dos,dois=2|tres,três=3|cuatro,quatro=4|cinco=5|seis=6|siete=7|ocho=8
nueve=9|diez=10
"""
_RUSSIAN = """
пользователь,я,меня,мне=user|пользователя,мой,моя,моего=my|не,нет,никогда,ни=not|больше=mehr|без=without|с,со=with
и=and|или=or|но,а=but
живет,живёт,живу=live|любит,люблю=like|ест,ем=eat|пьет,пьёт,пью=drink|работает,работаю=work|в=in|из=from|на=upon
от=of|всегда=always
"""
# Written without spaces: cut at the longest of these, all else sign by sign.
_CHINESE = """
用户的,使用者的,我的=my|用户,使用者,我=user|住在,居住在=live in|来自=be from|喜欢,喜爱,爱=like
很,非常,了,个=
不再,戒=NO-LONGER
不,没有,没,从不,从未,别,未=not|的=POSS|叫,叫做,名叫=be called|是=be
名字=name|有=have|孩子,小孩=child|和,与,跟=and|或=or|胜过,多于=over|比=than
在=in|会=can|想,想要=want|吃=eat|喝=drink|讨厌=hate|岁=old|今年=|年=year|月=month|日,号=day
一=1|二,两=2|三=3|四=4|五=5|六=6|七=7|八=8|九=9|十=10
"""
_JAPANESE = """
利用者,ユーザー,私,わたし,ぼく,僕=user|利用者の,ユーザーの,私の=my|は,が=|ません,ない,なかった,ず=not|の=POSS|です,である=
住んでいます,住んでいる,住む=live|好き,大好き=like|より=than
"""


def _read(lines: str) -> dict[str, str]:
    words = {}
    for entry in lines.replace("\n", "|").split("|"):
        spelled, _, english = entry.partition("=")
        for word in spelled.split(","):
            if word:
                words[word.casefold()] = english if english in ("POSS", "NO-LONGER") else " ".join(map(_shape, english.split()))
    return words


def _shape(english: str) -> str:
    return english if english in ("in", "NO-LONGER") or english in MONTHS or english in WEEKDAYS else stems(english)


LANGUAGES: Mapping[str, Mapping[str, str]] = {
    "de": _read(_GERMAN), "it": _read(_ITALIAN), "fr": _read(_FRENCH), "es": _read(_SPANISH), "ru": _read(_RUSSIAN),
}  # fmt: skip
UNSPACED: Mapping[str, str] = _read(_CHINESE) | _read(_JAPANESE)
# What tells English from them: its commonest words, however few letters they have.
ENGLISH = frozenset(
    "the user user's users of and is are was has have had to with in on at for from not does do did his her their my i a an "
    "by no that than".split()
)


def language(words: list[str]) -> Mapping[str, str] | None:
    """Return the word table of the language that most of these small-letter words belong to; None is English."""
    english = sum(word in ENGLISH for word in words)
    best, table = max(((sum(word in table for word in words), name) for name, table in LANGUAGES.items()), default=(0, ""))
    return LANGUAGES[table] if best > english else None
