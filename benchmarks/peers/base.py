"""What all peers share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = Any


class Call(NamedTuple):
    """What is timed: `function(*arguments)`, which returns when the result is there."""

    function: Callable[..., Any]
    arguments: Sequence[Any]


class Task(NamedTuple):
    """A kernel by its name, its inputs, the bytes that it moves at the least, and its flops where they are counted."""

    kernel: str
    inputs: Sequence[Array]
    traffic: int
    flops: int


class Peer:
    """A library on a number of threads. The functions of its module are its kernels, by the workloads' names for them."""

    def __init__(self, threads: int):
        self.threads = threads

    def prepare(self, task: Task) -> Call | None:
        """The call to time; None when there is no such kernel."""
        kernel = self.kernel(task.kernel)
        return None if kernel is None else Call(self.compile(kernel), [self.take(each) for each in task.inputs])

    def kernel(self, name: str) -> Callable[..., Any] | None:
        """The function of this name in the peer's module."""
        return getattr(sys.modules[type(self).__module__], name, None)

    def compile(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """The kernel as it is called."""
        return kernel

    def take(self, array: Array) -> Any:
        """An input as the library's own array."""
        return array

    def give(self, result: Any) -> tuple[Array, ...]:
        """The results as NumPy arrays."""
        return tuple(np.asarray(each) for each in (result if isinstance(result, tuple | list) else (result,)))
