"""Python's collector of reference cycles, which has little to collect while a module grows."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Whether the pause that this runs in has stopped the collector.
_stopped: ContextVar[bool] = ContextVar("stopped", default=False)


@contextmanager
def collection_paused() -> Iterator[None]:
    """The collector waits inside: operations and their uses are one cycle, which it walks again and again to find that nearly
    all of it is alive; that takes a fifth of the time at 1,600 operations, and more where there are more."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    token = _stopped.set(True)
    try:
        yield
    finally:
        _stopped.reset(token)
        gc.enable()


def collect_meanwhile() -> None:
    """For who would wait for other processes in a pause: what the collector has to look at when the pause ends, it looks at
    now."""
    if _stopped.get() and gc.get_count()[0] > gc.get_threshold()[0]:
        gc.collect(0)
