"""The names of secrets, in many languages, and what a code opens. What a name asks of the value beside it is its Label.

Written as people write them; compared as `Reading.folded`. To add a language, add its words to each table here and in
secret_sentences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, auto

from ricordo.learn.secret import fold


class Label(Enum):
    """What a name of a secret asks of the value beside it."""

    PASSWORD = auto()  # any word that does not belong to the sentence
    PHRASE = auto()  # several words
    PIN = auto()  # digits
    CODE = auto()  # digits, and a door, an alarm, a safe it opens
    LOGIN = auto()  # a name and something made up
    KEY = auto()  # something made up of letters and digits
    CARD = auto()  # 12 digits or more
    ACCOUNT = auto()  # five digits or more


_NAMES: dict[Label, str] = {
    Label.PASSWORD: """
        password | passwords | pasword | passwrod | passowrd | pass word | passwd | passcode | pass code | pword | pwd
        pw | psw | pass | pswd
        userpass | p/w | security answer | secret answer | answer to my security question | memorable word
        security word | secret word
        code word | codeword | safe word | safeword | magic word | codewort | mot secret | parola segreta | palabra secreta
        codewoord | кодовое слово | секретное слово
        passwort | passworter | passworts | kennwort | losungswort | losung | wlan-schlüssel | wlan schlüssel | wifi-schlüssel
        netzwerkschlüssel | network key | wifi key | wi-fi key | wlan-key | wlan key | wlan-code | wifi code | wi-fi code
        wifi-code | code wifi | code du wifi | codice wifi | codice del wifi | código wifi | código del wifi
        mot de passe | mots de passe | mdp | motdepasse | clé wifi | clé wi-fi | contraseña | contraseñas | clave del wifi
        clave de acceso | clave wifi | clave | la contra | mi contra
        parola d'accesso | parola d'ordine | chiave wifi | chiave di accesso | chiave d'accesso | senha | senhas
        palavra-passe | palavra passe | wachtwoord | ww
        wachtwoorden
        пароль | пароля | паролем | паролю | пароли | hasło | haslo | hasła | heslo | jelszó | jelszava | jelszavam | parolă
        parola | parolam | şifre | şifresi | şifrem
        lösenord | lösenordet | adgangskode | adgangskoden | kodeord | kodeordet | passord | passordet
        salasana | salasanani | salasana on | salasanani on | hasło to
        κωδικός πρόσβασης | κωδικός | lozinka | šifra | парола | лозинка
        密码 | 密碼 | 口令 | パスワード | 비밀번호 | 암호 | 비번 | كلمة السر | كلمة المرور | סיסמה | הסיסמה | סיסמא | पासवर्ड
        পাসওয়ার্ড | mật khẩu | mật khẩu là | mật khẩu wifi là | kata sandi | รหัสผ่าน | رمز عبور | گذرواژه""",
    Label.PHRASE: """
        passphrase | pass phrase | pass-phrase | recovery phrase | seed phrase | seed words | seed | backup phrase
        secret phrase | mnemonic | mnemonic phrase | wallet words | recovery words
        wiederherstellungsphrase | wiederherstellungswörter | seed-phrase | seed-wörter | phrase de passe | phrase secrète
        phrase de récupération | frase de recuperación | frase semilla
        frase di recupero | frase seed | frase de recuperação | frase-semente | herstelzin | herstelwoorden | сид-фраза
        сид фраза | кодовая фраза | 助记词 | 助記詞 | リカバリーフレーズ""",
    Label.PIN: """
        pin | pins | pin code | pin-code | pincode | pin number | puk | puk code | pin2 | cvv | cvv2 | cvc | cvc2 | cvv code
        digits on the back | number on the back | security number | otp | totp | 2fa code | mfa code | verification code
        one-time code | one time code
        login code | sms code | geheimzahl | geheimnummer | pin-nummer | kartenprüfnummer | prüfziffer | code pin
        code secret | code confidentiel | cryptogramme | código pin | número pin | nip | clave pin
        codice pin | codice segreto | código secreto | pinkod | pin kodu | pinkode | пин | пин-код | пинкод | пин код
        код подтверждения | kod pin | 验证码 | 驗證碼 | 個人識別碼 | 暗証番号 | 핀번호 | 인증번호 | الرقم السري""",
    Label.CODE: """
        code | combination | combo | digits | zahlenkombination | kombination | türcode | alarmcode | zugangscode
        torcode | sicherheitscode
        entsperrcode | sperrcode | entsperrmuster
        combinaison | código | combinación | codice | combinazione | combinação | toegangscode | deurcode | kod | kode | koden
        koodi | код | кода | kodu | combinatie | 密碼鎖 | 门禁密码 | 暗号""",
    Label.LOGIN: """
        login | log-in | logins | login details | login data | credentials | creds | account | user | username | zugangsdaten
        anmeldedaten | identifiants | identifiant | credenciales | usuario | credenziali | utente | inloggegevens | логин""",
    Label.KEY: """
        key | keys | token | tokens | secret | secrets | apikey | api key | api-key | wpa key | wep key
        secret key | access key | private key
        activation code | registration code | licence key | license key | product key | activation key | serial key
        herstelcode | herstelcodes | back-upcodes | back-up codes | backup-codes | backupcodes | wiederherstellungscodes
        notfallcodes | codes de secours | code de secours | codes de récupération | code de récupération | códigos de recuperación
        código de recuperación | códigos de respaldo | codici di recupero | codice di recupero | codici di backup
        códigos de recuperação | código de recuperação | códigos de backup | emergency codes | emergency code
        recovery key | recovery code | recovery codes | backup code | backup codes | recovery | backup | client secret
        access token | bearer
        cookie | session cookie | sessionid | phpsessid | jsessionid | setup key
        schlüssel | api-schlüssel | lizenzschlüssel | wiederherstellungsschlüssel | wiederherstellungscode | clé | clé api
        clé de licence | jeton | clave api | clave secreta | llave
        chiave | chiave api | gettone | chave | sleutel | ключ | токен | klucz | klíč | kulcs | anahtar | nyckel | nøgle
        avain | 密钥 | 密鑰 | 令牌 | 秘钥 | キー | トークン | 키 | 토큰 | مفتاح""",
    Label.CARD: """
        card number | card no | card no. | card | credit card | debit card | credit card number | visa
        visa number | unionpay | maestro | mastercard
        amex | cc number
        kreditkarte | kreditkartennummer | kartennummer | numéro de carte | carte bancaire | carte bleue
        tarjeta | tarjeta de crédito | número de tarjeta | carta di credito | numero di carta | cartão | número do cartão
        creditcard | номер карты | карта | 卡号 | 信用卡 | 银行卡号 | カード番号""",
    Label.ACCOUNT: """
        routing | acct | account number | account no | account no. | acct number | bank account | bank account number
        routing number | sort code | iban
        social security number
        social security | ssn | national insurance number | ni number | national insurance | nino |
        passport | reisepass | personalausweis | passeport | pasaporte | passaporto | paspoort | passport number
        passport no | passport no.
        driver's license number | driver's licence number | licence number | driving licence number
        nif | pps number | ppsn | utr number | ahv-nummer | steuer-identifikationsnummer | numero fiscal | número fiscal
        driver's license | driving licence | license number | tax id
        tax number | tax file number | tax reference number | tax reference | social insurance number | sin number
        medicare number | nhs number | national id | id number | id card number
        health insurance number
        kontonummer | bankleitzahl | steuer-id | steuernummer | sozialversicherungsnummer | ausweisnummer
        personalausweisnummer | reisepassnummer | passnummer | numéro de compte | numéro de sécurité sociale | numéro de sécu
        numéro de passeport
        número de cuenta | número de la seguridad social | número de seguridad social | seguridad social
        número de pasaporte | dni | nie | codice fiscale | numero di conto
        numero del passaporto | cpf | rg | número da conta | rekeningnummer | bsn | burgerservicenummer | paspoortnummer
        номер счета | снилс | инн | номер паспорта | паспорт | pesel | personnummer | aadhaar | aadhar | pan number | 身份证号
        身份证号码 | 身份证 | 银行账号 | 护照号 | マイナンバー | 口座番号 | 주민등록번호""",
}
# Where two tables hold a name, the first counts.
NAMES: Mapping[str, Label] = {
    fold(name.strip()): label for label in reversed(Label) for name in re.split(r"[|\n]", _NAMES[label]) if name.strip()
}
# Names that are also common words: they need a colon, or a value that no sentence has.
LOOSE_NAMES = frozenset(
    [*map(fold, "pass seed parola parolă hasła heslo kodeord secret mnemonic clave ww".split()), "la contra", "mi contra"]
)
# Names that also stand at the end of a longer one: Oma-WLANpasswort, dbPassword.
TAILS = frozenset(
    map(
        fold,
        "password passwort kennwort wachtwoord passphrase lösenord adgangskode passord secret token apikey schlüssel passwd "
        "pwd "
        "passcode code alarmcode türcode zugangscode pincode geheimzahl".split(),
    )
)

# A code opens something: one of these has to stand near. German and the like join words, so theirs may begin inside one.
OPENS = re.compile(
    fold(
        r"\b(?:alarm|door|gate|garage|safe|deposit|lock|padlock|locker|lockbox|keypad|keybox|entry|entrance|building"
        r"|vault|luggage|suitcase|briefcase|phone|iphone|sim|voicemail|bank|debit|card|tablet|ipad|laptop|house"
        r"|flat|shed|access|unlock|security|screen|bike|gym|burglar|intercom|parental|atm|apartment|office|lift"
        r"|elevator|wifi|wi-fi|router|texted|text message|sms|log in|login|sign in|verif|google|whatsapp|paypal|apple"
        r"|authenticator|2fa|cash|visa|mastercard)"
        r"|alarm|tur|haustur|hausture|garagentor|tor|tresor|schloss|fahrradschloss|zahlenschloss|handy|eingang"
        r"|zugang|entsperr|sicherheit|koffer|schliessfach|karte|bankkarte|porte|portail|coffre|immeuble|cadenas"
        r"|telephone|entree|digicode|acces|carte|puerta|caja|candado|alarma|portal|movil|acceso|tarjeta|porta"
        r"|portone|cassaforte|lucchetto|cancello|allarme|telefono|citofono|bancomat|cofre|cadeado|alarme|portao"
        r"|celular|telemovel|cartao|deur|kluis|fiets|fietsslot|garaje|trastero|cochera|multibanco|cajero|geldautomat"
        r"|pinautomaat|distributeur|poort|slot|pas|bankpas|домофон|двер|сейф|сигнализац"
        r"|подъезд|замк|телефон|карт|drzwi|sejf|domofon|brama|bramy|karta|karty|kapi|kasa|dor|dorr|dveri|trezor|门"
        r"|門|锁|鎖|保险|警报|报警|银行卡|ドア|金庫|玄関|カード|현관|문|카드"
    )
)
# "My code": one's own code is kept to oneself, whatever it opens.
WHOSE = re.compile(r"(?:\bmy|\bmein|\bmon|\bmi|\bmio|\bmeu|\bmijn|\bмой|'s) (?:new |own |secret |neuer |nouveau )?$")
# Codes that anyone may know, or that open nothing.
PUBLIC_CODES = re.compile(
    r"\b(?:zip|post|postal|area|country|dialing|dialling|dress|error|exit|status|promo|discount|coupon|voucher"
    r"|course|colou?r|product|qr|bar|source|js|python|iata|airport|booking|swift|bic|hs|tax|morse|genetic"
    r"|css|html)[ -]?codes?|\blast (?:four|three|4|3|few) digits"
)
# A name in front of one of these is part of another word: "password manager", "PIN board", "key ring".
COMPOUNDS = re.compile(
    r"[\s-]*(?:manager|managing|manager's|policy|policies|resets?|resetting|changes?|generator|fields?|prompt"
    r"|strength|rules?|length|requirements?|protected|protection|less|hygiene|hash(?:es|ing)?|rotation|vault"
    r"|apps?|recovery|requests?|page|box|security|sharing|safety|expiry|expiration|sheet|lists?|book|notebook"
    r"|entry|attempts?|crack\w*|leaks?|breach\w*|holder|ring|board|wheel|points?|words?|role|ideas?|management"
    r"|verwaltung|manager\w*|tresor|regeln|richtlinie|gestion\w*|gestor\w*|fatigue|check\w*|problem\w*|trouble)\b"
)
