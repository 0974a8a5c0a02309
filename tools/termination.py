"""SIGTERM ends a command as Ctrl-C does: what the command has started, such as a C compiler, ends with it."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import NoReturn

# What shells expect of a command that SIGTERM ended.
STATUS = 128 + signal.SIGTERM


class Terminated(BaseException):
    """Raised when SIGTERM comes. Like KeyboardInterrupt it is no Exception: code that handles errors must not continue."""


def raise_on_sigterm() -> None:
    """Let SIGTERM raise Terminated in the main thread, unless the program has a handler of its own."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _raise)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated
