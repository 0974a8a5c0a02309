"""The standard streams of a command whose caller has closed some of them, as in `stepwell run ... >&-`."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any, NoReturn

_STREAMS = (("stdin", os.O_RDONLY), ("stdout", os.O_WRONLY), ("stderr", os.O_WRONLY))


class _Closed(io.TextIOBase):
    """A stream that is closed: reading from it or writing to it raises OSError with its name."""

    def __init__(self, name: str):
        self.name = name

    @property
    def buffer(self) -> Any:
        return self

    def read(self, size: int | None = -1) -> NoReturn:
        raise self._error()

    def fileno(self) -> NoReturn:
        raise self._error()

    def write(self, text: str) -> NoReturn:
        raise self._error()

    def _error(self) -> OSError:
        return OSError(errno.EBADF, "it is closed", self.name)


def replace_closed_streams() -> None:
    """Make the use of a closed standard stream an error with its name, and keep its number from files that are opened later.
    Messages on a closed standard error are lost."""
    for name, flags in _STREAMS:
        if getattr(sys, name) is not None:
            continue
        number = os.open(os.devnull, flags)  # the least free number is the stream's
        setattr(sys, name, os.fdopen(os.dup(number), "w") if name == "stderr" else _Closed(f"<{name}>"))
