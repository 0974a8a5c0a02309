"""Python's collector of reference cycles, which has little to collect while a module grows."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Whether a pause around this stopped the collector. That it is stopped does not say so: the user may have done that, or a pause
# in another thread.
_stopped: ContextVar[bool] = ContextVar("stopped", default=False)


@contextmanager
def collection_paused() -> Iterator[None]:
    """The collector waits inside: operations and their uses are one cycle, which it walks again and again to find that nearly
    all of it is alive; that takes a fifth of the time at 1,600 operations, and more where there are more."""
    if not gc.isenabled():
        yield
        return
    token = _stopped.set(True)
    try:
        gc.disable()
        yield
    finally:
        gc.enable()
        _stopped.reset(token)


@contextmanager
def collection_resumed() -> Iterator[None]:
    """Inside of a pause, while this thread waits for others: the collector works as usual, and begins with the youngest objects
    if it would have by now, which it would do at the end of the pause otherwise, when nobody works beside it."""
    if not _stopped.get():
        yield
        return
    token = _stopped.set(False)
    try:
        if 0 < gc.get_threshold()[0] < gc.get_count()[0]:
            gc.collect(0)
        gc.enable()
        yield
    finally:
        gc.disable()
        _stopped.reset(token)
