"""A line on the terminal while a compile takes long: the program, the level that it has reached, and the seconds so far.

It appears after a second, only where standard error is a terminal, and is erased at the end. `$STEPWELL_PROGRESS=0` turns it
off.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

FIRST, EVERY = 1.0, 0.2
_BARS = "|/-\\"


@contextmanager
def compile_notice(name: str) -> Iterator[Callable[[str], None]]:
    """Show the progress of a compile inside the block. Yields a function to call with the name of each level."""
    stream = sys.stderr
    if os.environ.get("STEPWELL_PROGRESS") == "0" or not getattr(stream, "isatty", bool)():
        yield _ignore
        return
    line = _Line(name, stream)
    thread = threading.Thread(target=line.run, daemon=True)
    thread.start()
    try:
        yield line.note
    finally:
        line.done.set()
        thread.join()


def _ignore(_: str) -> None:
    """No progress is shown."""


class _Line:
    """The line, written by a thread of its own until `done`."""

    def __init__(self, name: str, stream: TextIO):
        self.done = threading.Event()
        self._name, self._stream, self._doing = name, stream, "lowering"
        self._start = monotonic()

    def note(self, doing: str) -> None:
        self._doing = doing

    def run(self) -> None:
        shown, wait = 0, FIRST
        while not self.done.wait(wait):
            wait = EVERY
            bar = _BARS[shown % len(_BARS)]
            text = f"stepwell: compiling {self._name}: {self._doing} {bar} {monotonic() - self._start:.0f} s"
            self._write(f"\r\x1b[2K{text}")
            shown += 1
        if shown:
            self._write("\r\x1b[2K")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the terminal is gone; the compile continues
            self.done.set()
