"""Progress of a command on standard error: a bar on a terminal, else a line every 30 seconds."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Protocol

# Seconds between two lines: often enough to see that a command is alive; commands that end sooner write no line.
EVERY = 30.0


class Progress(Protocol):
    """The progress that a command reports."""

    def advance(self) -> None:
        """One more step is done."""
        ...

    def note(self, text: str) -> None:
        """Describe the current step."""
        ...

    def say(self, line: str) -> None:
        """A line of the command's output."""
        ...


class Silent:
    """Reports no progress: only the command's output is written."""

    def advance(self) -> None:
        pass

    def note(self, text: str) -> None:
        pass

    def say(self, line: str) -> None:
        sys.stdout.write(f"{line}\n")


class Lines(Silent):
    """Progress in a log, or on a terminal without `rich`: a line every `EVERY` seconds."""

    def __init__(self, title: str, total: int):
        self._title, self._total = title, total
        self._done = 0
        self._start = self._last = monotonic()

    def advance(self) -> None:
        self._done += 1
        self._tell("")

    def note(self, text: str) -> None:
        self._tell(text)

    def _tell(self, text: str) -> None:
        now = monotonic()
        if now - self._last >= EVERY:
            self._last = now
            done = f" {self._done} of {self._total}" if self._total else ""
            shown = f"{self._title}:{done} after {now - self._start:.0f} s{text and f': {text}'}"
            print(shown, file=sys.stderr, flush=True)


@contextmanager
def progress(title: str, total: int) -> Iterator[Progress]:
    """Progress in `total` steps."""
    if not sys.stderr.isatty() or importlib.util.find_spec("rich") is None:
        yield Lines(title, total)
        return
    with _bar(title, total) as bar:
        yield bar


@contextmanager
def _bar(title: str, total: int) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Live

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Standard output is not redirected: it may be a file while standard error is a terminal.
    live = Live(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)
    task = live.add_task(title, total=total)

    class Bar:
        def advance(self) -> None:
            live.advance(task)

        def note(self, text: str) -> None:
            live.update(task, description=f"{title}: {text}" if text else title)

        def say(self, line: str) -> None:
            # The bar is removed while the line is written, so that both are not on one line.
            live.stop()
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
            live.start()

    with live:
        yield Bar()
