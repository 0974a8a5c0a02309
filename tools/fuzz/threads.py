"""`stepwell fuzz --threads`: several calls of a program on threads, each with the bits of a call on one thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from ...runtime.cpu.program import THREADS
from ...runtime.executable import compile_module
from .random_programs import RandomProgram

# Threads that race may happen to give the right result in one call.
CALLS = 8


class ThreadsDiffer(Exception):
    """Calls on one thread and on several give different bits."""


def results_on_threads(program: RandomProgram, count: int) -> Sequence[Any]:
    """The results of a program on one thread. Raises ThreadsDiffer unless calls on `count` threads give the same bits."""
    return same_on_threads(partial(compile_module(program.module, target="cpu").run, program.arguments, {}), count)


def same_on_threads(call: Callable[[], Sequence[Any]], count: int, calls: int = CALLS) -> Sequence[Any]:
    """The results of a call on one thread. Raises ThreadsDiffer unless `calls` calls on `count` threads give the same bits."""
    with _threads(1):
        expected = call()
    with _threads(count):
        for number in range(calls):
            for position, (found, wanted) in enumerate(zip(call(), expected, strict=True)):
                wrong = np.nonzero(_bits(found) != _bits(wanted))[0]
                if wrong.size:
                    at = tuple(map(int, np.unravel_index(wrong[0] // wanted.itemsize, wanted.shape)))
                    where = f"call {number}, result {position}, element {at}"
                    raise ThreadsDiffer(f"{where}: {found[at]} on {count} threads, {wanted[at]} on one")
    return expected


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """Let compiled code use so many threads."""
    before = THREADS.count
    THREADS.count = count
    try:
        yield
    finally:
        THREADS.count = before


def _bits(array: Any) -> Any:
    return np.frombuffer(array.tobytes(), np.uint8)
