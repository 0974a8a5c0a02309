"""Calls in a child process: wrong compiled code may crash it, or never return."""

from __future__ import annotations

import faulthandler
import os
import signal
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

# Reduced or bisected programs are small: one that takes longer than this never ends.
SECONDS = 60.0


class NoResult(RuntimeError):
    """A call that crashed its process, or did not return."""


def isolated(call: Callable[[], Any], seconds: float = SECONDS) -> Any:
    """The result of a call in a copy of this process, within `seconds`. Raises the call's errors, and NoResult if it does not
    return."""
    reader, writer = Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        _serve(call, writer)
    writer.close()
    answer: tuple[bool, Any] | None = None
    has_ended = False
    try:
        has_ended = reader.poll(seconds)
        answer = reader.recv() if has_ended else None
    except EOFError:  # the process has ended without an answer
        pass
    finally:
        if not has_ended:  # also on an interrupt by the user, which compiled code ignores
            os.kill(child, signal.SIGKILL)
        reader.close()
        _, status = os.waitpid(child, 0)
    if not has_ended:
        raise NoResult(f"no result after {seconds:.0f} s")
    if answer is None:
        raise NoResult(f"killed by {_signal(status)}" if os.WIFSIGNALED(status) else f"exit status {os.WEXITSTATUS(status)}")
    is_result, value = answer
    if is_result:
        return value
    raise value


def _serve(call: Callable[[], Any], writer: Connection) -> None:
    """Send the outcome of a call, and end the process without Python's finalisation."""
    faulthandler.disable()  # the other process names the signal
    try:
        try:
            answer = True, call()
        except Exception as error:  # the other process raises it
            answer = False, error
        try:
            writer.send(answer)
        except Exception:  # an error that cannot be sent, as of a class in a function
            writer.send((False, NoResult(f"{type(answer[1]).__name__}: {answer[1]}")))
        os._exit(0)
    finally:
        os._exit(1)


def _signal(status: int) -> str:
    try:
        return signal.Signals(os.WTERMSIG(status)).name
    except ValueError:  # one without a name
        return f"signal {os.WTERMSIG(status)}"
