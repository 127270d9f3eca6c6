"""How many secrets are recognised, how often an ordinary sentence is taken for one, and how long a megabyte takes.

Run: python -m benchmarks.secrets
"""

from __future__ import annotations

import base64
import gzip
import json
import lzma
import re
import time
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from benchmarks.tables import bar, show
from benchmarks.texts import DATA, diary
from ricordo.learn.secrets import Kind, secret_in
from tests.learn.secret_texts import labelled


def sentences(texts: Iterable[str]) -> list[str]:
    """Return the sentences of texts, each once, those of four words and more."""
    found = (one for text in texts for one in re.split(r"(?<=[.!?;\n])\s+", text))
    return list(dict.fromkeys(one for one in found if len(one.split()) > 3))


def typed() -> list[str]:
    """Return what people typed to an assistant, from the chats in the data folder."""
    with lzma.open(DATA / "longmemeval" / "longmemeval_s_60.json.xz", "rt", encoding="utf-8") as file:
        questions = json.load(file)
    sessions = (session for question in questions for session in question["haystack_sessions"])
    return [message["content"] for session in sessions for message in session if message["role"] == "user"]


def main() -> bool:
    """Measure and print; return whether every bar is kept."""
    texts = labelled()
    rows = []
    for half in "ABCDEGHIJKLM":
        ours = [text for text in texts if text.half == half]
        found = sum(text.secret and secret_in(text.text) is not None for text in ours)
        false = sum(not text.secret and secret_in(text.text) is not None for text in ours)
        secret = sum(text.secret for text in ours)
        rows.append((half, secret, found / secret, len(ours) - secret, false))
    show("Our list", ("half", "secrets", "recall", "others", "false alarms"), rows)

    kinds = Counter(text.kind for text in texts)
    by_kind = [
        (kind, count, sum(text.kind == kind and secret_in(text.text) is not None for text in texts) / count)
        for kind, count in kinds.items()
        if kind != "-"
    ]
    show("By kind", ("kind", "secrets", "recall"), by_kind)

    literals = json.loads(gzip.decompress((DATA / "secrets" / "gitleaks_literals.json.gz").read_bytes()))
    judged = [(one["secret"], secret_in(base64.b64decode(one["b64"]).decode()) is not None) for one in literals]
    keys = [hit for secret, hit in judged if secret]
    # Most of the others are keys too, only not of the rule that the test is about: reported, no bar.
    others = [hit for secret, hit in judged if not secret]
    show(
        "gitleaks' literals",
        ("to be found", "recall", "others", "flagged"),
        [(len(keys), sum(keys) / len(keys), len(others), sum(others))],
    )

    ordinary = sentences(diary())
    some = ordinary[:: len(ordinary) // 2000][:2000]
    alarms, alarms_in_all = (sum(secret_in(one) is not None for one in part) for part in (some, ordinary))
    show("The diary", ("sentences", "false alarms"), [(len(some), alarms), (len(ordinary), alarms_in_all)])

    # Two of these are keys that people pasted: what is printed beside them is a false alarm.
    chat = sentences(typed())
    flagged = [secret for one in chat if (secret := secret_in(one))]
    show(
        "Chats",
        ("sentences", "flagged", "of these keys"),
        [(len(chat), len(flagged), sum(secret.kind is Kind.KEY for secret in flagged))],
    )

    megabyte = "".join(islice(" ".join(diary()), 1_000_000))
    start = time.process_time()
    secret_in(megabyte)
    seconds = time.process_time() - start
    ours_found = sum(text.secret and secret_in(text.text) is not None for text in texts) / sum(text.secret for text in texts)
    return all(
        [
            bar("recall on our list", ours_found, 0.95, at_least=True),
            bar("recall on gitleaks' literals", sum(keys) / len(keys), 0.95, at_least=True),
            bar("false alarms in 1,000 sentences", 1000 * alarms / len(some), 1),
            bar("false alarms in 1,000 sentences of all", 1000 * alarms_in_all / len(ordinary), 1),
            bar("seconds for a megabyte", seconds, 1),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
