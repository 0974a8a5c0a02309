"""`python -m benchmarks.growth`: how the time of a first call grows with the number of operations in a program.

In a chain each operation takes the result of the previous one. In a random graph each operation takes any of the last results,
and unused results are added up at the end. One operation in eight is a sum along rows, which is subtracted from its argument.
Times are processor times of Stepwell and of the C compiler; the exponent is the slope between one number of operations and the
next.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import stepwell as sw

from .environment import clear_settings, machine
from .report import significant, table

SHAPE = (16, 24)
SEED = 7
# How many operations back an operation of a random graph takes its arguments from.
REACH = 50


class Cost(NamedTuple):
    """Processor seconds of a first call."""

    ours: float
    compilers: float


def operation(chosen: random.Random, x: Any, y: Any) -> Any:
    """One operation on one or two values, whose magnitudes stay below 4."""
    match chosen.randrange(8):
        case 0:
            return x - sw.sum(x, axis=1, keepdims=True) * (1 / SHAPE[1])
        case 1:
            return sw.maximum(x, y)
        case 2:
            return sw.minimum(x, y * 0.5)
        case 3:
            return sw.tanh(x)
        case 4:
            return sw.sin(x + y)
        case 5:
            return x * y * 0.25
        case 6:
            return sw.abs(x - y) * 0.5
        case _:
            return (x + y) * 0.5


def chain(x: Any, length: int) -> Any:
    """Operations each of which takes the result of the one before."""
    chosen, value = random.Random(SEED), x
    for _ in range(length):
        value = operation(chosen, value, x)
    return value


def graph(x: Any, length: int) -> Any:
    """Operations that take any of the last results."""
    chosen, values, unused = random.Random(SEED), [x], dict[int, None]()
    for number in range(1, length + 1):
        taken = [chosen.randrange(max(0, number - REACH), number) for _ in range(2)]
        values.append(operation(chosen, *(values[each] for each in taken)))
        for each in taken:
            unused.pop(each, None)
        unused[number] = None
    total = values[length]
    for each in list(unused)[:-1]:
        total = total + values[each]
    return total


def cost_of(program: Callable[[Any, int], Any], length: int) -> Cost:
    """The cost of a first call, with empty caches."""
    x = np.random.default_rng(SEED).standard_normal(SHAPE).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["STEPWELL_CACHE_DIR"] = folder
        gc.collect()  # collect the remains of earlier programs
        start, children = time.process_time(), seconds_of_children()
        sw.jit(lambda x: program(x, length))(x)
        return Cost(time.process_time() - start, seconds_of_children() - children)


def seconds_of_children() -> float:
    """The processor time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rows(name: str, program: Callable[[Any, int], Any], lengths: Sequence[int]) -> list[list[str]]:
    """A line of the table for each number of operations."""
    cost_of(program, 4)  # this imports everything that a first call needs
    lines: list[list[str]] = []
    before: tuple[int, float] | None = None
    for length in lengths:
        cost = cost_of(program, length)
        total = sum(cost)
        exponent = "" if before is None else f"{math.log(total / before[1]) / math.log(length / before[0]):.2f}"
        lines.append([name, str(length), *map(significant, (*cost, total)), exponent])
        print(" ".join(lines[-1]), flush=True)
        before = length, total
    return lines


def main(argv: Sequence[str]) -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser("python -m benchmarks.growth", description="Measure how first calls grow.")
    parser.add_argument("--lengths", default="100,1000,10000", help="numbers of operations (100,1000,10000)")
    lengths = [int(each) for each in parser.parse_args(argv).lengths.split(",")]
    clear_settings(os.environ)
    lines = [line for name, program in (("chain", chain), ("graph", graph)) for line in rows(name, program, lengths)]
    header = ["program", "operations", "stepwell, s", "C compiler, s", "together", "exponent"]
    print("\n".join(["", f"Machine: {machine()}; stepwell {sw.__version__}.", "", *table(header, lines)]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
