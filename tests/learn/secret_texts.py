"""The labelled list of texts with and without secrets, as the tests and the benchmark read it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).with_name("secrets.tsv")
_SIGN = re.compile(r"<U\+([0-9A-F]{4,6})>")


@dataclass(frozen=True, slots=True)
class Text:
    """One line of the list; `kind` is "-" where it gives nothing away."""

    half: str
    kind: str
    text: str

    @property
    def secret(self) -> bool:
        """Say whether it gives a secret away."""
        return self.kind != "-"


def whole(text: str) -> str:
    """Return a text as it is meant: keys put together, signs that cannot be seen put in."""
    return _SIGN.sub(lambda sign: chr(int(sign[1], 16)), text.replace("~+~", "")).replace("\\n", "\n")


def labelled() -> list[Text]:
    """Return the lines of the list."""
    lines = [line.split("\t") for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [Text(half, kind, whole(text)) for half, kind, text in lines]
