"""The pages of the documentation as tests read them: their blocks of code, the commands they name, their headings."""

import pathlib
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).parents[2]
DOCS = ROOT / "docs"
# What a reader is told to do stands in these; decisions and what changed tell of the time they were written.
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]

_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(ricordo(?: [^`]+)?)`")


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, the line it begins at, its language, its text."""

    page: pathlib.Path
    line: int
    language: str
    text: str

    @property
    def name(self) -> str:
        """Where it stands, for the name of a test."""
        return f"{self.page.name}:{self.line}"


def blocks(page: pathlib.Path, *languages: str) -> list[Block]:
    """Return the blocks of a page in these languages, in order."""
    text = page.read_text(encoding="utf-8")
    found = [
        Block(page, text[: match.start(3)].count("\n") + 1, match[2], re.sub(f"(?m)^{match[1]}", "", match[3]))
        for match in _FENCE.finditer(text)
    ]
    return [block for block in found if block.language in languages]


def commands(block: Block) -> Iterator[list[str]]:
    """Yield the words of each command of a shell block: lines that go on are joined, comments and redirections dropped."""
    for line in block.text.replace("\\\n", " ").splitlines():
        command: list[str] = []
        for word in [*shlex.split(line.removeprefix("$ "), comments=True), ";"]:
            if word not in ("|", "&&", "||", ";"):
                command.append(word)
                continue
            while command and re.fullmatch(r"[A-Z_]+=.*", command[0]):  # a variable that is set for the command
                command = command[1:]
            for sign in (">", ">>", "<"):
                command = command[: command.index(sign)] if sign in command else command
            if command:
                yield command
            command = []


def named(page: pathlib.Path) -> set[str]:
    """Return the commands that a page names within its sentences, as they are written there."""
    return set(_INLINE.findall(_FENCE.sub("", page.read_text(encoding="utf-8"))))
