"""What all peers share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = Any


class Call(NamedTuple):
    """The timed call: `function(*arguments)`, which returns when the result is there."""

    function: Callable[..., Any]
    arguments: Sequence[Any]


class Task(NamedTuple):
    """A kernel by its name, its inputs, the least number of bytes that it moves, and its flops if they are counted.

    The last `state` inputs are a state, which each call replaces by its results.
    """

    kernel: str
    inputs: Sequence[Array]
    traffic: int
    flops: int
    state: int = 0

    def parted(self) -> tuple[Sequence[Array], Sequence[Array]]:
        """The inputs that stay the same, and copies of the state, to which a peer may write."""
        stay = len(self.inputs) - self.state
        return self.inputs[:stay], [each.copy() for each in self.inputs[stay:]]


class Updating:
    """A function whose last arguments are a state: it is called without them, and its results are the state from then on."""

    def __init__(self, function: Callable[..., Sequence[Any]], state: Sequence[Any]):
        self.function = function
        self.state = state

    def __call__(self, *arguments: Any) -> Sequence[Any]:
        self.state = self.function(*arguments, *self.state)
        return self.state


class Peer:
    """A library on a number of threads. The functions of its module are its kernels, by the workloads' names for them."""

    def __init__(self, threads: int):
        self.threads = threads

    def prepare(self, task: Task) -> Call | None:
        """The call to time; None if there is no such kernel."""
        kernel = self.kernel(task.kernel)
        if kernel is None:
            return None
        inputs, state = ([self.take(each) for each in part] for part in task.parted())
        function = self.compile(kernel, range(len(inputs), len(task.inputs)))
        return Call(Updating(function, state) if state else function, inputs)

    def kernel(self, name: str) -> Callable[..., Any] | None:
        """The function of this name in the peer's module."""
        return getattr(sys.modules[type(self).__module__], name, None)

    def compile(self, kernel: Callable[..., Any], state: Sequence[int]) -> Callable[..., Any]:
        """The kernel as it is called. Its results may be written into the arguments number `state`."""
        return kernel

    def take(self, array: Array) -> Any:
        """An input as the library's own array."""
        return array

    def give(self, result: Any) -> tuple[Array, ...]:
        """The results as NumPy arrays."""
        return tuple(np.asarray(each) for each in (result if isinstance(result, tuple | list) else (result,)))
