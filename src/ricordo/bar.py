"""A bar for long work, on stderr where that is a terminal, so that what a program prints stays its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(title: str, *, pages: bool = False, share: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Show a bar while long work runs; yields what is to be called with (bytes done, bytes in all).

    With `pages` they are counted, and are no bytes; with `share` only their share of all is shown.
    """
    # Only here, so that what never shows a bar does not wait for it.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    size = TaskProgressColumn() if share else MofNCompleteColumn() if pages else DownloadColumn()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), size, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as shown:
        task = shown.add_task(title, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)
