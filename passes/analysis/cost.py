"""The cost of loop orders: how many cache lines the accesses of a nest move, by the index of its innermost loop.

An access moves a new line in each iteration of the innermost loop, unless its address does not depend on that loop (one line
for the whole loop) or advances by less than a line (one line for several iterations). Around it, it moves that many lines in
each iteration of the other loops: data that a cache keeps from one to the next is not counted, so that an array of two axes
outweighs one of one axis (Carr, McKinley and Tseng, "Compiler Optimizations for Improving Data Locality", 1994).

Unknown extents count as `UNKNOWN` iterations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import NamedTuple

from xdsl.ir import SSAValue

from ...dialects import loop
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of
from .loop_nests import Access, Frame, Node
from .strides import stride_of

UNKNOWN = 1024
LINE_BYTES = 64


class Level(NamedTuple):
    """A loop of a nest: the number of its index, its iterations, and whether these are independent."""

    number: int
    trips: int
    is_parallel: bool = True

    @staticmethod
    def of(op: loop.ForOp, frame: Frame) -> Level:
        trips = op.trips
        return Level(frame.number(op.induction), UNKNOWN if trips is None else trips, op.kind.data == "parallel")


def lines_moved(
    accesses: Iterable[Access], levels: Sequence[Level], innermost: Level, frame: Frame, around: Sequence[int] = ()
) -> float:
    """The cache lines that the accesses move in all iterations of a nest in which `innermost`, one of `levels`, is innermost.
    `around` has the numbers of other loops."""
    ranges = frame.ranges([*around, *(level.number for level in levels)])
    repeats = prod(level.trips for level in levels if level != innermost)
    total = 0.0
    # Accesses at equal addresses find each other's lines in the cache.
    for buffer, exprs in {(each.buffer, each.exprs) for each in accesses}:
        step = stride_of(buffer, exprs, innermost.number, ranges)
        total += repeats * _lines_along(buffer, None if step is None else step.constant, innermost.trips)
    return total


def _lines_along(buffer: SSAValue, step: int | None, trips: int) -> float:
    """The lines along one loop, given the distance between its accesses in elements; None if that is not constant."""
    if step is None:
        return trips
    if step == 0:
        return 1
    return max(1.0, trips * min(1.0, abs(step) * dtype_of(element_of(buffer)).itemsize / LINE_BYTES))


def gains_inside(
    accesses: Sequence[Access], parallel: Level, carrying: Sequence[Level], frame: Frame, around: Sequence[int] = ()
) -> bool:
    """Whether a parallel loop around reductions, given from outside in, moves fewer lines inside of them, or as many but
    some of them in order."""
    levels = (parallel, *carrying)
    inside, outside = (lines_moved(accesses, levels, level, frame, around) for level in (parallel, carrying[-1]))
    ranges = frame.ranges([*around, *(level.number for level in levels)])
    steps = (stride_of(each.buffer, each.exprs, parallel.number, ranges) for each in accesses)
    return inside <= outside and any(step is not None and step == 1 for step in steps)


class Group(NamedTuple):
    """The accesses of the statements of one body, and the loops around them, from outside in."""

    accesses: Sequence[Access]
    levels: Sequence[Level]

    def lines(self, innermost: Level, frame: Frame, *, is_alone: bool) -> float:
        """The lines moved with this loop innermost. Loads of a group of parallel loops that `is_alone` in them move as few as
        they can: across rows they go through tiles, which stores do not."""
        if not is_alone or not all(level.is_parallel for level in self.levels):
            return lines_moved(self.accesses, self.levels, innermost, frame)
        stores = [access for access in self.accesses if access.writes]
        loads = [access for access in self.accesses if not access.writes]
        return lines_moved(stores, self.levels, innermost, frame) + sum(
            min(lines_moved([access], self.levels, level, frame) for level in self.levels) for access in loads
        )

    def least(self, frame: Frame, *, is_alone: bool) -> float:
        """The lines moved in the best order."""
        return min(self.lines(level, frame, is_alone=is_alone) for level in self.levels)


def groups_of(nest: Node, frame: Frame, around: Sequence[Level] = ()) -> Iterator[Group]:
    """The groups of a nest, from outside in."""
    assert isinstance(nest.op, loop.ForOp), "a nest is a loop"
    levels = (*around, Level.of(nest.op, frame))
    accesses: list[Access] = []
    for item in nest.items:
        if isinstance(item.op, loop.ForOp):
            yield from groups_of(item, frame, levels)
        else:
            accesses += [access for each in item.accesses.values() for access in each]
    if accesses:
        yield Group(accesses, levels)
