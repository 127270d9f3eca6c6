"""Known formats: keys that say by their shape whose they are, addresses with a password in them, private key blocks.

To know another vendor's key, add its prefix. A shape without a body (`pk_test_` in a sentence about keys) is no key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.learn.secret import Kind, Reading, Secret
from ricordo.learn.secret_tokens import placeholder

# Vendor → prefixes as their documentation gives them, with the fewest signs that follow, of letters, digits and `_-.=+/~`.
_PREFIXES: dict[str, tuple[int, str]] = {
    "OpenAI-style": (16, "sk- sess-"),
    "AI service": (20, "gsk_ xai- pplx- tvly- pcsk_ lsv2_pt_ lsv2_sk_ r8_ hf_ api_org_ nvapi- fw_ jina_ voyage- sgp_ sgp_local_"),
    "GitHub": (30, "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_"),
    "GitLab": (16, "glpat- glptt- gldt- glrt- glcbt- glsoat- glft- glagent- glimt- glffct- GR1348941"),
    "Slack": (20, "xoxb- xoxa- xoxp- xoxr- xoxs- xoxo- xoxe. xoxe- xapp- xwfp-"),
    "payment": (16, "sk_live_ sk_test_ rk_live_ rk_test_ whsec_ sq0atp- sq0csp- access_token$production$ EZAK EZTK shippo_live_"),
    "shop": (30, "shpat_ shpca_ shppa_ shpss_ duffel_live_ duffel_test_"),
    "Google": (24, "AIza GOCSPX- ya29."),
    "AWS Bedrock": (60, "ABSK bedrock-api-key-"),
    "cloud host": (
        24,
        "dop_v1_ doo_v1_ dor_v1_ dapi fo1_ fm1r_ fm2_ hvs. hvb. hvr. pul- HRKU- nfp_ sbp_ pscale_tkn_ pscale_pw_ dp.pt. dp.st.",
    ),
    "package index": (24, "npm_ pypi-AgE dckr_pat_ dckr_oat_ rubygems_ CLOJARS_ AKCp cmVmd"),
    "monitoring": (
        20,
        "sntrys_ sntryu_ glc_ glsa_ NRAK- NRIQ- dt0c01. PMAK- phx_ lin_api_ lin_oauth_ figd_ figo_ ntn_ rdme_ pnu_ ico-",
    ),
    "mail service": (20, "SG. xkeysib- re_ tfp_"),
    "password safe": (40, "ops_eyJ AGE-SECRET-KEY-1"),
    "Atlassian": (20, "ATATT3 ATCTT3 ATBB CFPAT- s-s4t2ud- s-s4t2af- sha256~ aio_ waka_"),
    "social network": (60, "EAAM EAAC EAAB"),
}
_BODY = re.compile(r"[A-Za-z0-9_\-.=+/~]*")

# Shapes without a telling prefix. The part of most is found by a word first, so that a long text costs little.
_SHAPES: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (what, hint, re.compile(pattern))
    for what, hint, pattern in (
        ("AWS key", "A", r"(?<![A-Z0-9])A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z2-7]{16}(?![A-Z0-9])"),
        ("Alibaba key", "LTAI", r"\bLTAI[A-Za-z0-9]{17,21}\b"),
        ("Tencent key", "AKID", r"\bAKID[A-Za-z0-9]{24,40}\b"),
        ("Azure secret", "Q~", r"[\w.~-]{3}\dQ~[\w.~-]{31,34}"),
        ("signed web token", "eyJ", r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"),
        ("mail service key", "-us", r"\b[0-9a-f]{32}-us\d{1,2}\b"),
        ("mail service key", "key-", r"\bkey-[0-9a-z]{32}\b"),
        ("telephony key", "SK", r"\bSK[0-9a-f]{32}\b"),
        ("bot token", ":AA", r"\b\d{8,10}:AA[\w-]{32,35}"),
        ("bot token", ".", r"\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}"),
        ("app token", "|", r"\b\d{15,16}\|[\w-]{26,40}"),
        ("deployment key", "API-", r"\bAPI-[A-Z0-9]{26}\b"),
        ("base token", "pat", r"\bpat\w{14}\.[0-9a-f]{64}\b"),
        ("vault token", "s.", r"(?<![\w.])s\.(?=[A-Za-z]*\d)(?=[0-9a-z]*[A-Z])[A-Za-z0-9]{24}\b"),
        ("Terraform token", ".atlasv1.", r"\b\w{14}\.atlasv1\.[\w=-]{60,70}"),
        ("storage key", "Key=", r"(?:Account|SharedAccess)Key=[A-Za-z0-9+/]{40,}={0,2}"),
        ("account key", "A3-", r"\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
        ("disk recovery key", "-", r"\d{6}(?:-\d{6}){7}(?![\w-])"),
        ("wallet key", "xprv", r"\bxprv[1-9A-HJ-NP-Za-km-z]{100,112}\b"),
    )
)  # fmt: skip
_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?P<body>[^-]{16,8192})(?:-----END [A-Z0-9 ]{0,40}-----)?"
    r"|PuTTY-User-Key-File-\d:(?P<putty>[^\0]{40,8192})"
)

# Addresses that let in whoever knows them. The first group is the secret.
_ADDRESSES: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (what, hint, re.compile(pattern, re.IGNORECASE))
    for what, hint, pattern in (
        ("password in an address", "://", r"(?<=://)[^\s:/@?#\"'<>]{0,80}:([^\s@\"'<>]{1,128})@(?=[\w\[$<{-])"),
        ("webhook", "slack.com/", r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Z0-9]+/[A-Z0-9]+/[\w/]{16,200})"),
        ("webhook", "/webhooks/", r"discord(?:app)?\.com/api/webhooks/(\d{15,20}/[\w-]{40,100})"),
        ("webhook", "office.com", r"webhook\.office\.com/webhookb2/([\w@-]{36,100}/incomingwebhook/\w{20,64}[\w/-]{0,64})"),
        ("webhook", "zapier.com", r"hooks\.zapier\.com/hooks/catch/(\d+/\w{6,64})"),
        ("webhook", "ifttt.com", r"maker\.ifttt\.com/trigger/\w{1,64}/(?:json/)?with/key/([\w-]{20,100})"),
        ("bot address", "telegram.org/bot", r"api\.telegram\.org/bot(\d{8,10}:[\w-]{30,64})"),
        ("signed address", "sig", r"[?&](?:sig|x-amz-signature|signature)=([\w%+/=-]{24,512})"),
        (
            "key in an address",
            "=",
            r"[?&](?:api_?key|access_?token|auth_?token|token|key|secret|password|passwd|pwd)=([^\s&#\"'<>]{8,512})",
        ),
        (
            "login of a command",
            "curl",
            r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]{1,3}[\"']?"
            r"(?:[^\s:\"']{0,80}[\"']?:[\"']?([^\s\"']{1,120})|(?=\w*\d)([^\s:\"']{8,120}):[\s\"'])",
        ),
        (
            "authorization header",
            "authorization",
            r"\bauthorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?:(?:basic|bearer|token|api-token"
            r"|apikey)\s+)?([\w~.+/=@:-]{8,2048})",
        ),
        # lena@example.com:tulip44, as stolen lists and notes have it
        (
            "login",
            "@",
            r"@[\w-]{1,64}(?:\.[\w-]{1,24}){1,4}\s{0,2}[:|;]\s{0,2}(?=[^\s\d]{0,40}\d)([^\s\"'<>:/]{6,64})(?!\S)",
        ),
        # addresses that are secret by being long: feeds, hooks, invitations, resets
        (
            "address that lets in",
            "://",
            r"://[^\s\"'<>]{0,120}?(?:hook|private|secret|invit|reset|feed|ical|magic|login|auth|unlock|token)[^\s\"'<>]{0,60}?"
            r"[/=_-](?=[A-Za-z]{0,20}\d)((?=\d{0,20}[A-Za-z])[A-Za-z0-9]{16,200})(?![A-Za-z0-9])",
        ),
        ("password of a command", "sshpass", r"\bsshpass\s+-p\s{0,4}[\"']?([^\s\"']{3,120})"),
        ("password of a command", "mysql", r"\bmysql(?:dump)?\b[^\n]{0,80}?\s-p([^\s\"'-][^\s\"']{2,120})"),
    )
)


def known_formats(reading: Reading) -> Iterator[Secret]:
    """Yield what has the shape of a known key."""
    text = reading.text
    yield from _prefixed(text)
    for what, hint, pattern in _SHAPES:
        if hint in text:
            for match in pattern.finditer(text):
                if not placeholder(match[0], of_key=True):
                    yield Secret(Kind.KEY, *match.span(), f"It has the shape of a known kind of key ({what}).")
    if "PRIVATE KEY" in text or "PuTTY" in text:
        for match in _PRIVATE_KEY.finditer(text):
            yield Secret(Kind.KEY, *match.span(), "It holds a private key.")
    for what, hint, pattern in _ADDRESSES:
        if hint in reading.folded:
            for match in pattern.finditer(text):
                group = match.lastindex or 1
                value = match[group].rstrip(">]})")
                # "Authorization: Implement …", "?access_token=ACCESS_TOKEN"
                word = what in ("key in an address", "authorization header") and value.replace("_", "").isalpha()
                if not placeholder(value) and not word:
                    yield Secret(Kind.KEY, *match.span(group), f"It lets in whoever reads it ({what}).")


def _prefixed(text: str) -> Iterator[Secret]:
    for vendor, (least, prefixes) in _PREFIXES.items():
        for prefix in prefixes.split():
            at = text.find(prefix)
            while at >= 0:
                match = _BODY.match(text, at + len(prefix), at + 4096)
                body = match[0].rstrip(".=-/") if match else ""
                stop = at + len(prefix) + len(body)
                apart = at == 0 or not (text[at - 1].isalnum() or text[at - 1] in "_-")
                # Every key has digits somewhere; words joined by `_` and `-` have none.
                if apart and len(body) >= least and any(map(str.isdigit, body)) and not placeholder(body, of_key=True):
                    yield Secret(Kind.KEY, at, stop, f"It begins like a known kind of key ({vendor}).")
                at = text.find(prefix, max(stop, at + 1))
