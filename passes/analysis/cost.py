"""The cost of loop orders: how many cache lines the accesses of a nest move, by the index of its innermost loop.

An access moves a new line in each iteration of the innermost loop, unless its address does not depend on that loop (one line
for the whole loop) or advances by less than a line (one line for several iterations). Around it, it moves that many lines in
each iteration of the other loops: data that a cache keeps from one to the next is not counted, so that an array of two axes
outweighs one of one axis (Carr, McKinley and Tseng, "Compiler Optimizations for Improving Data Locality", 1994).

Unknown extents count as `UNKNOWN` iterations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...dialects import loop
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of
from .loop_nests import AccessOp, Frame
from .strides import stride

UNKNOWN = 1024
LINE_BYTES = 64


class Level(NamedTuple):
    """A loop of a nest: the number of its index, and its iterations."""

    number: int
    trips: int

    @staticmethod
    def of(op: loop.ForOp, frame: Frame) -> Level:
        trips = op.trips
        return Level(frame.number(op.induction), UNKNOWN if trips is None else trips)


def lines_moved(
    accesses: Iterable[AccessOp], levels: Sequence[Level], innermost: Level, frame: Frame, around: Sequence[int] = ()
) -> float:
    """The cache lines that the accesses move in all iterations of a nest in which `innermost`, one of `levels`, is innermost.
    `around` has the numbers of other loops."""
    ranges = frame.ranges([*around, *(level.number for level in levels)])
    around = 1.0
    for level in levels:
        around *= level.trips if level != innermost else 1
    total = 0.0
    # Accesses at equal addresses find each other's lines in the cache.
    for op in {(each.buffer, frame.exprs(each)): each for each in accesses}.values():
        step = stride(op, innermost.number, frame, ranges)
        total += around * _lines_along(op, None if step is None else step.constant, innermost.trips)
    return total


def _lines_along(op: AccessOp, step: int | None, trips: int) -> float:
    """The lines along one loop, given the distance between its accesses in elements; None if that is not constant."""
    if step is None:
        return trips
    if step == 0:
        return 1
    return max(1.0, trips * min(1.0, abs(step) * dtype_of(element_of(op.buffer)).itemsize / LINE_BYTES))


def gains_inside(
    accesses: Sequence[AccessOp], parallel: Level, carrying: Sequence[Level], frame: Frame, around: Sequence[int] = ()
) -> bool:
    """Whether a parallel loop around reductions, given from outside in, moves fewer lines inside of them, or as many but
    some of them in order."""
    levels = (parallel, *carrying)
    inside, outside = (lines_moved(accesses, levels, level, frame, around) for level in (parallel, carrying[-1]))
    ranges = frame.ranges([*around, *(level.number for level in levels)])
    steps = (stride(op, parallel.number, frame, ranges) for op in accesses)
    return inside <= outside and any(step is not None and step == 1 for step in steps)
