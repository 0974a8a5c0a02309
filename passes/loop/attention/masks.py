"""Masks of attention: which points of an axis some rows see, where scores are -inf unless conditions on indices hold.

    s[i, j] = j <= i ? f(q(i) . k(j)) : -inf

Rows 64 to 127 see keys 0 to 127; all of these rows see keys 0 to 63.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ....dialects import loop
from ....ir.index.expressions import Atom, Dim, Index, IndexLike, index, maximum, minimum
from ....ir.scalars.attributes import value_of
from ....ir.types.dtypes import dtype_of
from ...analysis.loop_nests import Frame
from ..kernels.row_blocks import Growth


@dataclass(frozen=True)
class RowBlock:
    """A program's block of the tiled axis: `size` points from `start` on."""

    axis: Dim
    start: Index
    size: int


@dataclass(frozen=True)
class KeySteps:
    """The axis that a program steps through: its length, and the length of a step."""

    length: Index
    size: int


@dataclass(frozen=True)
class VisibleRange:
    """The part of an axis where a score may be other than -inf for some point of a block, from `lower` to `upper`, in whole
    steps. Up to `full` all points of the block see the axis, unless `has_other_conditions`: conditions that are not
    analysed."""

    lower: Index
    upper: Index
    full: Index
    has_other_conditions: bool


def seen_from(
    found: Sequence[Index | None], axis: Dim, tiled: RowBlock, fixed: Mapping[Atom, IndexLike], steps: KeySteps
) -> VisibleRange:
    """The part of an axis that a block sees under `conditions`. `fixed` has the indices of the other axes."""
    lower, upper, full = index(0), steps.length, steps.length
    has_other_conditions = False
    for condition in found:
        bounds = None if condition is None else _bounds(condition, axis, tiled, fixed)
        if bounds is None:
            has_other_conditions = True
            continue
        slope, nearest, furthest = bounds
        if slope == -1:  # the index is at most the bound
            upper = minimum(upper, maximum(furthest + 1, 0))
            full = minimum(full, maximum(nearest + 1, 0) // steps.size * steps.size)
        else:  # the index is at least the negative bound
            has_other_conditions = True
            lower = maximum(lower, -furthest // steps.size * steps.size)
    if lower != 0:
        lower = minimum(lower, upper)
    return VisibleRange(lower, upper, full, has_other_conditions)


def growth(found: Sequence[Index | None], axis: Dim, tiled: Dim) -> Growth:
    """Whether blocks further along the tiled axis see more of an axis or less; unknown if conditions say both."""
    signs: set[Growth] = set()
    for condition in found:
        if condition is None:
            continue
        slope, tilt = condition.coefficient(axis), condition.coefficient(tiled)
        if slope is not None and slope.constant in (1, -1) and tilt is not None and tilt.constant:
            signs.add(Growth.MORE if tilt.constant > 0 else Growth.LESS)
    return signs.pop() if len(signs) == 1 else Growth.UNKNOWN


def _bounds(condition: Index, axis: Dim, tiled: RowBlock, fixed: Mapping[Atom, IndexLike]) -> tuple[int, Index, Index] | None:
    """The bound that a condition puts on an axis: the sign of the axis's index in the condition, and the least and greatest
    value of its other terms over the block."""
    slope, tilt = condition.coefficient(axis), condition.coefficient(tiled.axis)
    if slope is None or slope.constant not in (1, -1) or tilt is None or tilt.constant is None:
        return None
    rest = condition - slope * Index({(axis,): 1}) - tilt * Index({(tiled.axis,): 1})
    if any(Dim(position) not in fixed for position in rest.dims()):
        return None
    rest = rest.substitute(fixed)
    ends = (rest + tilt * tiled.start, rest + tilt * (tiled.start + tiled.size - 1))
    nearest, furthest = ends if tilt.constant >= 0 else ends[::-1]
    return slope.constant or 0, nearest, furthest


def conditions(score: SSAValue, frame: Frame) -> list[Index | None]:
    """The conditions under which a score is not -inf: expressions that are non-negative, and None for each condition that does
    not compare indices, such as a mask in memory."""
    while isinstance(score.owner, loop.CastOp):
        score = score.owner.input
    op = score.owner
    if not isinstance(op, loop.ComputeOp) or op.function.data != "select" or not is_infinite(op.inputs[2]):
        return []
    return [*_nonnegative(op.inputs[0], frame), *conditions(op.inputs[1], frame)]


def is_infinite(value: SSAValue) -> bool:
    while isinstance(value.owner, loop.CastOp):
        value = value.owner.input
    return isinstance(value.owner, loop.ConstantOp) and value_of(value.owner.value) == float("-inf")


def _nonnegative(test: SSAValue, frame: Frame) -> list[Index | None]:
    """A condition as expressions that are non-negative; None for a part of it that does not compare indices."""
    op = test.owner
    if isinstance(op, loop.TestOp):
        return list(frame.exprs(op))
    if not isinstance(op, loop.ComputeOp):
        return [None]
    if op.function.data == "and":
        return [each for side in op.inputs for each in _nonnegative(side, frame)]
    sides = [_as_index(each, frame) for each in op.inputs]
    if len(sides) != 2 or sides[0] is None or sides[1] is None:
        return [None]
    a, b = sides[0], sides[1]
    return [{"ge": a - b, "gt": a - b - 1, "le": b - a, "lt": b - a - 1}.get(op.function.data)]


def _as_index(value: SSAValue, frame: Frame) -> Index | None:
    """A scalar as an index expression; None if none computes it."""
    op = value.owner
    if isinstance(op, loop.IndexOp):
        return frame.exprs(op)[0]
    if isinstance(op, loop.ConstantOp) and not dtype_of(value.type).is_float:
        return index(int(value_of(op.value)))
    if isinstance(op, loop.ComputeOp) and op.function.data in ("add", "sub"):
        a, b = (_as_index(each, frame) for each in op.inputs)
        if a is not None and b is not None:
            return a + b if op.function.data == "add" else a - b
    return None
