"""Calls in a child process: compiled code that is wrong may end it, or never end."""

from __future__ import annotations

import os
import pickle
import select
import signal
from collections.abc import Callable
from time import monotonic
from typing import Any

# Programs that are reduced or bisected are small: one that takes longer never ends.
SECONDS = 60.0
_BLOCK = 1 << 20


class NoResult(RuntimeError):
    """A call that ended its process, or that did not end."""


def isolated(call: Callable[[], Any], seconds: float = SECONDS) -> Any:
    """The result of a call in a copy of this process, which is given so many seconds. Raises what the call raises, and NoResult
    for one that does not return."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _serve(call, writer)
    os.close(writer)
    answer: bytes | None = None
    try:
        answer = _read(reader, monotonic() + seconds)
    finally:
        if answer is None:  # also where the user interrupts, which compiled code does not see
            os.kill(child, signal.SIGKILL)
        os.close(reader)
        _, status = os.waitpid(child, 0)
    if answer is None:
        raise NoResult(f"no result after {seconds:.0f} s")
    if not answer:
        raise NoResult(f"killed by {_signal(status)}" if os.WIFSIGNALED(status) else f"exit status {os.WEXITSTATUS(status)}")
    is_result, value = pickle.loads(answer)
    if is_result:
        return value
    raise value


def _serve(call: Callable[[], Any], writer: int) -> None:
    """Write the outcome of a call to a pipe, and end the process without what Python does at its end."""
    try:
        try:
            answer = pickle.dumps((True, call()))
        except Exception as error:  # the other process raises it
            answer = _pickled(error)
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(answer)
        os._exit(0)
    finally:
        os._exit(1)


def _pickled(error: Exception) -> bytes:
    """An error for the other process: as it is, or where that is not possible by its text."""
    try:
        answer = pickle.dumps((False, error))
        pickle.loads(answer)
    except Exception:  # of classes in functions, and of constructors that take other arguments
        return pickle.dumps((False, NoResult(f"{type(error).__name__}: {error}")))
    return answer


def _read(reader: int, end: float) -> bytes | None:
    """What is written to a pipe until it is closed; None if that takes too long."""
    found: list[bytes] = []
    while select.select([reader], [], [], max(end - monotonic(), 0.0))[0]:
        block = os.read(reader, _BLOCK)
        if not block:
            return b"".join(found)
        found.append(block)
    return None


def _signal(status: int) -> str:
    try:
        return signal.Signals(os.WTERMSIG(status)).name
    except ValueError:  # one without a name
        return f"signal {os.WTERMSIG(status)}"
