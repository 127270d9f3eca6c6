"""Write docs/cli.md: every command of `ricordo` with its arguments and options, from the commands themselves.

Run it after changing a command: python scripts/write_cli.py. A test checks that it was.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator
from typing import Any

import typer.main

from ricordo.cli.main import app

_LIST = re.compile(r" <(?:list\[str\]|str|path)>")  # that an argument is text goes without saying
PAGE = pathlib.Path(__file__).parents[1] / "docs" / "cli.md"
HEAD = """\
# The command line

Everything the app does with a vault can be done in a terminal, too. This page is written by `scripts/write_cli.py` from
the commands themselves; `ricordo COMMAND --help` says the same.

## In a few lines

```sh
ricordo init                                  # makes a vault, prints its recovery key
ricordo import ~/chatgpt-export.zip            # or from Claude, Day One, Markdown notes, a diary; --dry-run looks first
ricordo search harbour                        # by words, best first
ricordo diary 2024-05-03                      # a day, as it was written; 2024-05 lists a month's days
ricordo settings whole_diary on               # let replies use all of it
ricordo ask "What did I write on 3 May 2024?"
ricordo chat --conversation last
```

## In your shell

`ricordo --install-completion` lets bash, zsh, fish and PowerShell complete commands, options and their choices with the Tab
key, from the next terminal on; `--show-completion` prints what it would add to the shell's start-up file. Nothing of a vault
is completed: it is locked.

## For scripts

- `--json` prints one JSON document to stdout and nothing else. Notes, errors and progress go to stderr.
- `RICORDO_VAULT` names the vault, `RICORDO_PASSPHRASE` opens it; a passphrase is never given on the command line.
- `-` as the text of `ask` and `prompt`, or as a setting's value, reads it from stdin, where no other program can see it.
- `ricordo prompt TEXT --json` is `{"messages": [{"role", "content"}], "layers": [{"name", "tokens", "text"}], "window"}`.
- `ricordo ask TEXT --json` is `{"conversation", "message", "reply", "status", "usage": {"prompt", "cached", "reply"}, "reason"}`.
- `ricordo search WORDS --json` is a list of `{"kind", "id", "conversation", "at", "author", "text", "score"}`.
- `ricordo diary DAY --json` is `{"day", "before", "after", "entries": [{"id", "conversation", "title", "at", "text", …}]}`.
- `ricordo memories --json` is a list of `{"id", "text", "origin", "home", "pinned", "shared", "saved", "sent"}`.
- `ricordo doctor --json` is `{"ok", "checks": [{"name", "state", "says"}], "vault", "model", "by_meaning", "learning", "clock"}`;
  a state is `ok`, `hint` (it could be better) or `wrong`.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | not there, or nothing was found; of `doctor`: the clock is wrong |
| 2 | what was asked for is invalid |
| 3 | the vault is locked, or the passphrase is wrong |
| 4 | trouble with the vault's file: missing, in use, damaged, too new, disk full |
| 5 | trouble with the model |
| 130 | interrupted |
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *_sections(typer.main.get_command(app), "ricordo")])


def _sections(command: Any, name: str) -> Iterator[str]:
    """Yield a section for a command and for each below it."""
    context = typer.Context(command, info_name=name)
    usage = [piece for piece in command.collect_usage_pieces(context) if piece != "[OPTIONS]"]
    yield f"## `{' '.join([name, *usage])}`\n"
    yield f"{_text(command.help)}\n"
    records = [each.get_help_record(context) for each in command.params if each.name != "help"]
    if records:
        rows = [f"| `{_LIST.sub('', label).replace('|', '/')}` | {text.replace('|', '/')} |" for label, text in records]
        yield "\n".join(["| | |", "|---|---|", *rows, ""])
    for key, below in getattr(command, "commands", {}).items():
        yield from _sections(below, f"{name} {key}")


def _text(help_text: str | None) -> str:
    """Return a docstring with each paragraph on one line."""
    return "\n\n".join(" ".join(block.split()) for block in (help_text or "").split("\n\n"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
