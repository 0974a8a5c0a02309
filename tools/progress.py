"""How far a command has come, on standard error: a bar where a person looks on, nothing anywhere else."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """What a command tells while it works."""

    def advance(self) -> None:
        """One more step is done."""
        ...

    def note(self, text: str) -> None:
        """What is being done now."""
        ...

    def say(self, line: str) -> None:
        """A line of the command's output."""
        ...


class Silent:
    """Progress that nobody watches: only the output is written."""

    def advance(self) -> None:
        pass

    def note(self, text: str) -> None:
        pass

    def say(self, line: str) -> None:
        sys.stdout.write(f"{line}\n")


@contextmanager
def progress(title: str, total: int) -> Iterator[Progress]:
    """Progress in `total` steps."""
    if not sys.stderr.isatty() or importlib.util.find_spec("rich") is None:
        yield Silent()
        return
    with _bar(title, total) as bar:
        yield bar


@contextmanager
def _bar(title: str, total: int) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Live

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Standard output may be a file while standard error is a terminal: it is left alone.
    live = Live(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)
    task = live.add_task(title, total=total)

    class Bar:
        def advance(self) -> None:
            live.advance(task)

        def note(self, text: str) -> None:
            live.update(task, description=f"{title}: {text}" if text else title)

        def say(self, line: str) -> None:
            # The bar goes while the line is written, so that they do not stand in one.
            live.stop()
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
            live.start()

    with live:
        yield Bar()
