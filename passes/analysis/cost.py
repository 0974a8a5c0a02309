"""The cost of loop orders: how many cache lines the accesses of a nest move, by the index of its innermost loop.

An access moves a new line in each iteration of the innermost loop, with two exceptions: one line for the whole loop if its
address does not depend on that loop, and one line for several iterations if it advances by less than a line. It moves these
lines again in each iteration of the outer loops, except lines of small arrays, which a cache keeps. So an access over two axes
outweighs an access over one axis (Carr, McKinley and Tseng, "Compiler Optimizations for Improving Data Locality", 1994).

Unknown extents count as `UNKNOWN` iterations.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from xdsl.ir import SSAValue

from ...dialects import loop
from ...ir.index.expressions import Index
from ...ir.index.simplify import Ranges
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of
from .loop_nests import Access, Frame, Node
from .strides import stride_of

UNKNOWN = 1024
LINE_BYTES = 64
# Arrays of up to so many bytes stay in the first cache.
SMALL_BYTES = 16 << 10


class Level(NamedTuple):
    """A loop of a nest: the number of its index, its iterations, and whether these are independent."""

    number: int
    trips: int
    is_parallel: bool = True

    @staticmethod
    def of(op: loop.ForOp, frame: Frame) -> Level:
        trips = op.trips
        return Level(frame.number(op.induction), UNKNOWN if trips is None else trips, op.kind.data == "parallel")


class Reach(NamedTuple):
    """How far an access advances in each of some loops, in elements, None where the distance is not constant; and the lines
    that it moves in all iterations, by the innermost loop."""

    buffer: SSAValue
    is_write: bool
    steps: tuple[int | None, ...]
    lines: tuple[float, ...]

    @staticmethod
    def of(
        buffer: SSAValue, exprs: tuple[Index, ...], is_write: bool, levels: Sequence[Level], frame: Frame, ranges: Ranges
    ) -> Reach:
        """The reach of an access to a buffer at the given indices."""
        # An index that is read from memory may move to any element.
        anywhere = frame.loops_of_data(exprs)
        steps = tuple(None if level.number in anywhere else _step(buffer, exprs, level, ranges) for level in levels)
        return Reach(buffer, is_write, steps, tuple(_lines(dtype_of(element_of(buffer)).itemsize, steps, levels)))


@dataclass(frozen=True)
class Group:
    """The accesses of the statements of one body, and the loops around them, from outside in."""

    levels: Sequence[Level]
    reaches: Sequence[Reach]

    @staticmethod
    def of(accesses: Iterable[Access], levels: Sequence[Level], frame: Frame, around: Sequence[int] = ()) -> Group:
        """`around` has the numbers of other loops. Accesses at equal addresses find each other's lines in the cache."""
        ranges = frame.ranges([*around, *(level.number for level in levels)])
        reaches = [
            Reach.of(buffer, exprs, writes, levels, frame, ranges)
            for buffer, exprs, writes in dict.fromkeys((each.buffer, each.exprs, each.writes) for each in accesses)
        ]
        return Group(levels, reaches)

    def only(self, buffers: Container[SSAValue]) -> Group:
        """The accesses to some buffers."""
        return Group(self.levels, [each for each in self.reaches if each.buffer in buffers])

    def lines(self, innermost: Level, *, is_alone: bool = False) -> float:
        """The cache lines moved in all iterations with this loop innermost. If the group `is_alone` in parallel loops, loads
        across rows go through tiles, which move as few lines as possible; stores do not."""
        is_tiled, place = is_alone and all(level.is_parallel for level in self.levels), self.levels.index(innermost)
        return sum(min(each.lines) if is_tiled and not each.is_write else each.lines[place] for each in self.reaches)

    def goes_through_tiles(self) -> bool:
        """Whether no order of parallel loops moves as few lines as tiles do: some accesses go across rows, others along
        rows."""
        if not all(level.is_parallel for level in self.levels):
            return False
        return min(self.lines(level) for level in self.levels) > self.least(is_alone=True)

    def least(self, *, is_alone: bool = False) -> float:
        """The lines moved in the best order."""
        return min(self.lines(level, is_alone=is_alone) for level in self.levels)


def _step(buffer: SSAValue, exprs: tuple[Index, ...], level: Level, ranges: Ranges) -> int | None:
    step = stride_of(buffer, exprs, level.number, ranges)
    return None if step is None else step.constant


def _lines(itemsize: int, steps: Sequence[int | None], levels: Sequence[Level]) -> list[float]:
    """The lines that an access moves in all iterations, by the innermost loop. Lines of a small array stay in the cache, and
    are moved once."""
    along = [_lines_along(itemsize, step, level.trips) for step, level in zip(steps, levels, strict=True)]
    trips = [level.trips for level in levels]
    used = [place for place, step in enumerate(steps) if step != 0]
    distinct = min((along[place] * prod(trips[k] for k in used if k != place) for place in used), default=1)
    if distinct * LINE_BYTES <= SMALL_BYTES:
        return [distinct] * len(levels)
    return [lines * prod(trips[:place]) * prod(trips[place + 1 :]) for place, lines in enumerate(along)]


def _lines_along(itemsize: int, step: int | None, trips: int) -> float:
    """The lines along one loop, given the distance between its accesses in elements; None if that is not constant."""
    if step is None:
        return trips
    if step == 0:
        return 1
    return max(1.0, trips * min(1.0, abs(step) * itemsize / LINE_BYTES))


def gains_inside(
    accesses: Sequence[Access], parallel: Level, carrying: Sequence[Level], frame: Frame, around: Sequence[int] = ()
) -> bool:
    """Whether a parallel loop around reductions, given from outside in, moves fewer lines inside of the reductions, or as many
    lines, some of them in sequence."""
    group = Group.of(accesses, (parallel, *carrying), frame, around)
    return _gains(group) or (_loses_nothing(group) and any(each.steps[0] == 1 for each in group.reaches))


def loses_nothing_inside(
    accesses: Sequence[Access], parallel: Level, carrying: Sequence[Level], frame: Frame, around: Sequence[int] = ()
) -> bool:
    """Whether a parallel loop around reductions, given from outside in, moves no more lines inside of the reductions."""
    return _loses_nothing(Group.of(accesses, (parallel, *carrying), frame, around))


def has_longer_vectors(
    accesses: Sequence[Access], parallel: Level, carrying: Sequence[Level], frame: Frame, around: Sequence[int] = ()
) -> bool:
    """Whether the innermost reduction has more iterations than a parallel loop around it, and all of its accesses are
    contiguous, or in windows that overlap, which the parallel loop slides over."""
    innermost = carrying[-1]
    others = [*around, *(level.number for level in carrying[:-1])]
    reaches = Group.of(accesses, (parallel, innermost), frame, others).reaches
    return innermost.trips > parallel.trips and all(_is_in_order(each, parallel.trips) for each in reaches)


def _is_in_order(reach: Reach, trips: int) -> bool:
    """Whether an access advances by at most one element along the second of two loops, a reduction, or by less than the span of
    `trips` iterations of the first one, a parallel loop."""
    parallel_step, reduced_step = reach.steps
    if parallel_step is None or reduced_step is None:
        return reduced_step is not None and abs(reduced_step) <= 1
    return abs(reduced_step) <= max(1, abs(parallel_step) * trips - 1)


def _gains(group: Group) -> bool:
    """Whether fewer lines are moved with the outermost loop innermost than in the present order."""
    return group.lines(group.levels[0]) < group.lines(group.levels[-1])


def _loses_nothing(group: Group) -> bool:
    """Whether no more lines are moved with the outermost loop innermost than in the present order."""
    return group.lines(group.levels[0]) <= group.lines(group.levels[-1])


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
        yield Group.of(accesses, levels, frame)
